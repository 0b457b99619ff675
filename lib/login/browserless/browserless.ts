// A login without a browser: an application brings what was proven elsewhere (a password at the token endpoint, say),
// and the requirements of the hosted pages judge it, so that none of them can be gone around (threat-model.md MF1).
// - There is no page here on which a requirement could be met: the first unmet one refuses. A second factor can be met by
//   further calls: the refusal hands out an `mfa_token` for them (grant-login.ts).
// - To hand one's password to an application is consent where the application is first-party, and nowhere else.
// - It begins a token family and records the login; it makes no session, so there is no `sid`.
import type { Api } from '../../apis/api'
import type { Client } from '../../clients/client'
import { epochSeconds } from '../../kernel/clock'
import { DomainError, invalidGrant } from '../../kernel/errors'
import type { EventRequest } from '../../rules/event'
import type { Evidence } from '../../sessions/session'
import { newFamily } from '../../tokens/birth'
import type { ActionClaims } from '../../tokens/custom-claims'
import type { Authentication, FamilyPort } from '../../tokens/family'
import type { PersonalAuthorization } from '../../tokens/issue'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'
import { nextRequirement } from '../steps/requirements'
import { loadState } from '../steps/state'
import { passRulesBrowserless } from './browserless-rules'
import { decisionsOf, wantsOf } from './browserless-wants'
import { mfaRequired } from './grant-login'

export type BrowserlessLogin = {
  /** Whom it was proven of, and how; `at` is when the proof began, so that a new password meanwhile ends it (RT7). */
  user: User
  evidence: Evidence[]
  client: Client
  api: Api | null
  /** What of the asked-for scopes can be granted. */
  scopes: string[]
  /** What its access tokens call the grant, if they do. */
  gty: string | null
  /** As the vendor's events call what is going on. */
  protocol: string
  /** What the tenant's actions have its tokens say. */
  custom?: ActionClaims
} & From

/** Where the request comes from, and what rules are told of it. */
export type From = { ip: string; request(): EventRequest }

export type BrowserlessDeps = LoginDeps & { families: FamilyPort }

export async function authenticateBrowserless(
  login: BrowserlessLogin,
  deps: BrowserlessDeps,
): Promise<PersonalAuthorization> {
  if (login.user.blocked) throw invalidGrant('user is blocked')
  const { user, evidence, ip } = login
  const facts = { wants: wantsOf(login), user, evidence, decisions: decisionsOf(login) }
  const state = await loadState(facts, { login: null, browsers: [], ip }, deps)
  const missing = nextRequirement(state)
  if (!missing)
    return begin(deps.rules.isBound('post-login') ? await passRulesBrowserless(login, facts, null, deps) : login, deps)
  if (state.mfa?.required) throw await mfaRequired(login, facts, state.mfa.enrolments, deps)
  throw new DomainError(missing.refusal.code, missing.refusal.description)
}

export async function begin(login: BrowserlessLogin, deps: BrowserlessDeps): Promise<PersonalAuthorization> {
  const { user, client, api, scopes, gty, protocol, ip } = login
  const now = deps.clock.now()
  const provenAt = new Date(login.evidence[0]?.at ?? now)
  const audience = api?.identifier ?? null
  const beginning = { id: deps.random.uuid(), userId: user.id, scopes, audience, sid: null, gty }
  const authentication = authenticationOf(login, now)
  const family = newFamily({ ...beginning, authentication }, client, now)
  if (!(await deps.families.begin(family, { at: now, ip, provenAt }))) {
    throw invalidGrant('The user was blocked or signed out everywhere meanwhile.')
  }
  const named = gty === null ? {} : { gty }
  return { client, user, api, family, scopes, nonce: null, refreshGeneration: family.generation, protocol, ...named }
}

const authenticationOf = ({ evidence, custom }: BrowserlessLogin, now: Date): Authentication => ({
  time: epochSeconds(new Date(evidence.at(-1)?.at ?? now)),
  methods: evidence.map((proof) => proof.method),
  tell: false,
  ...(custom === undefined ? {} : { custom }),
})
