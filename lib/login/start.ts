// Beginning a login: the browser's session already satisfies everything and the application gets its answer at once,
// or prompt=none refuses with the first unmet requirement, or a transaction is stored and the first screen shown.
import type { Client } from '../clients/client'
import type { Departure } from '../connections/upstream/upstream'
import { readCookie } from '../http/cookies'
import { type HttpRequest, type HttpResponse, withHeaders } from '../http/message'
import { addSeconds } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { digest, mint } from '../kernel/secret'
import { inherit, needsTouch, type Session } from '../sessions/session'
import { sessionPolicy } from '../tenants/settings'
import type { User } from '../users/user'
import { bindBrowser } from './browser'
import type { LoginDeps } from './deps'
import { fromBrowser } from './known-browser'
import { dueScreens, type LoginState, nextRequirement, type Requirement } from './requirements'
import { screenUrl } from './screens'
import { type Facts, loadState } from './state'
import { type LoginTransaction, type Origin, outcomeOf, TRANSACTION_SECONDS, type Wants } from './transaction'
import { departTo, leaveFor } from './upstream'

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
  const at = deps.clock.now()
  const signedIn = await findSession(request, deps)
  const facts = {
    wants,
    user: signedIn?.user ?? null,
    evidence: inherit(signedIn?.session.evidence ?? []),
    decisions: {},
  }
  const state = await loadState(facts, fromBrowser(request, null, deps), deps)
  deps.trail.about({ client: state.client, ...(signedIn ? { user: signedIn.user } : {}) })
  const missing = nextRequirement(state)
  if (!missing && signedIn) return finishSilently(at, origin, wants, state.client, signedIn, deps)
  const refusal = missing?.refusal ?? { code: 'login_required' as const, description: 'Login required' }
  if (wants.prompt.includes('none')) return refuseSilently(origin, refusal, deps)
  const { handle, cookies } = await beginTransaction(origin, facts, request, deps)
  return withHeaders(departTo(await firstAddress(state, handle, deps), 302, deps), ...cookies)
}

/** The first screen; or the provider that the application asked for by name, when that would have been the login page. */
async function firstAddress(state: LoginState, handle: string, deps: LoginDeps): Promise<Departure> {
  const [screen = 'login'] = dueScreens(state)
  const [named] = state.wants.connection === null ? [] : state.federated
  if (screen !== 'login' || !named) return deps.baseUrl + screenUrl(screen, handle)
  const progress = await leaveFor(named, state, handle, deps)
  return progress.kind === 'leave' ? progress.to : deps.baseUrl + screenUrl(screen, handle, progress.notice)
}

export const refuseSilently = (
  { protocol, request }: Origin,
  refusal: Requirement['refusal'],
  deps: LoginDeps,
): HttpResponse | Promise<HttpResponse> => {
  deps.trail.tell('login_silent_refused', { reason: refusal.description })
  return deps.protocols[protocol].refuse(request, new DomainError(refusal.code, refusal.description))
}

async function finishSilently(
  at: Date,
  origin: Origin,
  wants: Wants,
  client: Client,
  { session, user }: SignedIn,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const connection = session.evidence[0] && { connection: { name: session.evidence[0].connection } }
  deps.trail.tell(wants.prompt.includes('none') ? 'login_silent' : 'login', { scopes: wants.scopes, ...connection })
  const now = deps.clock.now()
  if (needsTouch(session, client.clientId, now)) {
    const idleExpiresAt = addSeconds(now, sessionPolicy(deps.settings).idleSeconds)
    await deps.sessions.touch(session.idDigest, { at: now, idleExpiresAt, participant: client.clientId })
  }
  return deps.protocols[origin.protocol].respond(origin.request, outcomeOf(at, wants, client, user, session))
}

/** What is to be shown or finished next, and the cookie that binds it. */
export type Begun = { handle: string; transaction: LoginTransaction; cookies: [string, string][] }

export async function beginTransaction(
  origin: Origin,
  { wants, user, evidence, decisions }: Facts,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<Begun> {
  const now = deps.clock.now()
  const handle = mint(deps.random)
  const browser = bindBrowser(request, deps, deps.random)
  const transaction: LoginTransaction = {
    handleDigest: handle.digest,
    origin,
    wants,
    browserDigest: browser.digest,
    userId: user?.id ?? null,
    evidence,
    decisions: wants.loginHint === null ? decisions : { ...decisions, identifier: wants.loginHint },
    revision: 0,
    createdAt: now,
    expiresAt: addSeconds(now, TRANSACTION_SECONDS),
    consumedAt: null,
  }
  await deps.transactions.insert(transaction)
  return { handle: handle.plain, transaction, cookies: browser.cookies }
}
