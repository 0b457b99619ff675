// A login without a browser: a client brings a proof from elsewhere (for example a password at the token endpoint), and the
// requirements of the hosted pages apply to it, so that none can be bypassed (threat-model.md MF1).
// - There is no page to meet a requirement on, so the first unmet one refuses. A second factor can be proven by further calls:
//   the refusal contains an `mfa_token` for them (grant-login.ts).
// - Typing a password into a client counts as consent only for first-party clients.
// - It starts a token family and records the login. It creates no session, so there is no `sid`.
import type { Api } from '../../data/apis/api'
import type { Client } from '../../data/clients/client'
import type { Organization } from '../../data/organizations/organization'
import type { Evidence } from '../../data/sessions/session'
import type { RefreshChanges } from '../../data/sessions/session-changes'
import type { User } from '../../data/users/user'
import type { EventRequest } from '../../identity/tenant-code/event'
import type { DelegatedActor } from '../../identity/tenant-code/trigger'
import { epochSeconds } from '../../kernel/clock'
import { invalidGrant } from '../../kernel/errors'
import { newFamily } from '../../tokens/birth'
import type { ActionClaims } from '../../tokens/custom-claims'
import { EXCHANGED } from '../../tokens/exchanged'
import { type Authentication, type FamilyPort, proofOf } from '../../tokens/family'
import type { PersonalAuthorization } from '../../tokens/issue'
import type { LoginDeps } from '../deps'
import { settleMembership } from '../flow/organization'
import { loadState } from '../flow/state'
import { draftOf } from '../post-login/draft'
import { followAccount, freshProofs, notFollowed, type Turning } from '../post-login/primary-user'
import { nextRequirement } from '../steps/index'
import { errorOf } from '../steps/step'
import type { Decisions } from '../transaction'
import { decisionsOf, wantsOf } from './browserless-wants'
import { mfaRequired } from './grant-login'
import { passPostLoginBrowserless } from './post-login'

export type BrowserlessLogin = {
  /**
   * The proven user and the proof. Its `at` is the time before verification, so a password change in the meantime voids it
   * (RT7).
   */
  user: User
  evidence: Evidence[]
  client: Client
  api: Api | null
  /** The requested scopes that can be granted. */
  scopes: string[]
  /** The `gty` claim of its access tokens; null for none. */
  gty: string | null
  /** The protocol name in the vendor's events. */
  protocol: string
  /** The organization that the login is for. */
  organization?: Organization
  /** Who acts for the person (RFC 8693 4.1). Then there is no refresh token. */
  actor?: DelegatedActor
  /** Custom claims that the tenant's actions set. */
  custom?: ActionClaims
  /** What they change of its refresh token. */
  refresh?: RefreshChanges
} & From

export type From = {
  ip: string
  /** The thumbprint of the key that the request proves (RFC 9449). */
  jkt?: string | undefined
  /** The request as actions see it. */
  request(): EventRequest
}

export type BrowserlessDeps = LoginDeps & { families: FamilyPort }

export async function authenticateBrowserless(
  login: BrowserlessLogin,
  deps: BrowserlessDeps,
): Promise<PersonalAuthorization> {
  return begin(await judge(login, decisionsOf(login), deps), deps)
}

/** The login after everything that it has to meet, as the user whom it is for then. */
async function judge(login: BrowserlessLogin, decisions: Decisions, deps: BrowserlessDeps): Promise<BrowserlessLogin> {
  if (login.user.blocked) throw invalidGrant('user is blocked', { reason: 'user_blocked' })
  const { user, evidence, ip, organization } = login
  const facts = { wants: wantsOf({ ...login, organizationId: organization?.id }), user, evidence, decisions }
  const from = { hasPages: false, login: null, browsers: [], remembered: [], ip }
  const state = await loadState(facts, from, deps)
  const missing = nextRequirement(state)
  if (!missing) {
    if (!deps.triggers.isBound('post-login')) {
      await settleMembership(state, deps)
      return login
    }
    const turn = (turning: Turning) => turnTo(turning, login, deps)
    const ruled = await passPostLoginBrowserless(login, facts, draftOf(facts), deps, turn)
    if (ruled.user.id === user.id) await settleMembership(state, deps)
    return ruled
  }
  if (state.mfa?.required) throw await mfaRequired(login, facts, state.mfa.enrolments, deps)
  throw errorOf(missing, state)
}

/** A login by a subject token names its user itself. */
async function turnTo(turning: Turning, login: BrowserlessLogin, deps: BrowserlessDeps): Promise<BrowserlessLogin> {
  const evidence = freshProofs(login.evidence)
  const user = login.gty === EXCHANGED ? null : await followAccount(turning, evidence, null, deps)
  if (!user) throw notFollowed()
  const rules = { userId: user.id, effects: turning.effects }
  return judge({ ...login, user, evidence }, { ...decisionsOf(login), rules }, deps)
}

export async function begin(login: BrowserlessLogin, deps: BrowserlessDeps): Promise<PersonalAuthorization> {
  const { user, client, api, scopes, gty, protocol, ip, actor } = login
  const now = deps.clock.now()
  const provenAt = new Date(login.evidence[0]?.at ?? now)
  const audience = api?.identifier ?? null
  const beginning = { id: deps.random.uuid(), userId: user.id, scopes, audience, sid: null, gty }
  const authentication = { ...authenticationOf(login, now), login: deps.trail.login() }
  const family = newFamily({ ...beginning, authentication }, client, now)
  if (!(await deps.families.begin(family, { at: now, ip, provenAt }))) {
    throw invalidGrant('The user was blocked or signed out everywhere meanwhile.', { reason: 'sessions_revoked' })
  }
  const named = { ...(gty === null ? {} : { gty }), ...(actor ? { actor } : {}) }
  const refreshGeneration = actor ? null : family.generation
  return { client, user, api, family, scopes, nonce: null, refreshGeneration, protocol, ...named }
}

const authenticationOf = (
  { evidence, scopes, custom, refresh, organization }: BrowserlessLogin,
  now: Date,
): Authentication => ({
  time: epochSeconds(new Date(evidence.at(-1)?.at ?? now)),
  ...proofOf(evidence, scopes),
  tell: false,
  ...(custom === undefined ? {} : { custom }),
  ...(refresh === undefined ? {} : { refresh }),
  ...(organization === undefined ? {} : { organization: organization.id }),
})
