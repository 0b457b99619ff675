// Beginning a login: the browser's session already satisfies everything and the application gets its answer at once,
// or prompt=none refuses with the first unmet requirement, or a transaction is stored and the first screen shown.
import type { Client } from '../clients/client'
import { readCookie } from '../http/cookies'
import { type HttpRequest, type HttpResponse, redirect, withHeaders } from '../http/message'
import { addSeconds } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { digest, mint } from '../kernel/secret'
import { inherit, needsTouch, type Session } from '../sessions/session'
import { sessionPolicy } from '../tenants/settings'
import type { User } from '../users/user'
import { bindBrowser } from './browser'
import type { LoginDeps } from './deps'
import { nextRequirement } from './requirements'
import { screenUrl } from './screens'
import { loadState } from './state'
import { type Origin, outcomeOf, TRANSACTION_SECONDS, type Wants } from './transaction'

export type SignedIn = { session: Session; user: User }

export async function findSession(request: HttpRequest, deps: LoginDeps): Promise<SignedIn | null> {
  const cookie = readCookie(request, 'session', deps)
  return cookie === undefined ? null : deps.sessions.find(digest(cookie), deps.clock.now())
}

export async function startLogin(
  origin: Origin,
  wants: Wants,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const signedIn = await findSession(request, deps)
  const facts = {
    wants,
    user: signedIn?.user ?? null,
    evidence: inherit(signedIn?.session.evidence ?? []),
    decisions: {},
  }
  const state = await loadState(facts, deps)
  const missing = nextRequirement(state)
  if (!missing && signedIn) return finishSilently(origin, wants, state.client, signedIn, deps)
  const refusal = missing?.refusal ?? { code: 'login_required' as const, description: 'Login required' }
  if (wants.prompt.includes('none')) {
    return deps.protocols[origin.protocol].refuse(origin.request, new DomainError(refusal.code, refusal.description))
  }
  return beginTransaction(origin, wants, facts, missing?.screen ?? 'login', request, deps)
}

async function finishSilently(
  origin: Origin,
  wants: Wants,
  client: Client,
  { session, user }: SignedIn,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const now = deps.clock.now()
  if (needsTouch(session, client.clientId, now)) {
    const idleExpiresAt = addSeconds(now, sessionPolicy(deps.settings).idleSeconds)
    await deps.sessions.touch(session.idDigest, { at: now, idleExpiresAt, participant: client.clientId })
  }
  return deps.protocols[origin.protocol].respond(origin.request, outcomeOf(wants, client, user, session))
}

async function beginTransaction(
  origin: Origin,
  wants: Wants,
  facts: { user: User | null; evidence: Session['evidence'] },
  screen: Parameters<typeof screenUrl>[0],
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const now = deps.clock.now()
  const handle = mint(deps.random)
  const browser = bindBrowser(request, deps, deps.random)
  await deps.transactions.insert({
    handleDigest: handle.digest,
    origin,
    wants,
    browserDigest: browser.digest,
    userId: facts.user?.id ?? null,
    evidence: facts.evidence,
    decisions: wants.loginHint === null ? {} : { identifier: wants.loginHint },
    revision: 0,
    createdAt: now,
    expiresAt: addSeconds(now, TRANSACTION_SECONDS),
    consumedAt: null,
  })
  return withHeaders(redirect(deps.baseUrl + screenUrl(screen, handle.plain)), ...browser.cookies)
}
