// What must hold before a login is finished, in order: the first unmet requirement decides the screen, and with
// prompt=none the refusal (OIDC Core 3.1.2.1, 3.1.2.6). Pure; nothing else decides what comes next.
import type { Api } from '../../apis/api'
import type { Client } from '../../clients/client'
import type { Connection } from '../../connections/connection'
import { asksConsent, consentAudience, covers } from '../../consent/consent'
import { secondsBetween } from '../../kernel/clock'
import type { ErrorCode } from '../../kernel/errors'
import type { LinkState } from '../../one-time-code'
import type { Evidence } from '../../sessions/session'
import type { PasswordlessConnection } from '../../strategies/passwordless'
import type { User } from '../../users/user'
import type { Decisions, Wants } from '../transaction'
import { toProve } from './linking'
import type { MfaState } from './mfa'
import { signInScreens } from './sign-in-screens'

export type LoginScreen =
  | 'select-account'
  | 'login'
  | 'signup'
  | 'forgot-password'
  | 'passwordless'
  | 'passwordless-code'
  | 'mfa-enroll'
  | 'mfa-challenge'
  | 'mfa-recovery-code'
  | 'link-account'
  | 'consent'

export type LoginState = {
  wants: Wants
  client: Client
  api: Api | null
  /** What the password form is for; null where the client may use no database connection. */
  database: Connection | null
  /** Where a code can be sent from, for this client and the connection that was asked for. */
  passwordless: readonly PasswordlessConnection[]
  /** How the link stands that this login had sent; null where it had none. */
  link: LinkState | null
  /** Providers that sign people in for this client, or the one that was asked for. */
  federated: readonly Connection[]
  /** Where another account is suggested to be linked: the connections that it can be proven by. */
  otherWays: readonly Connection[]
  /** Who is signed in, or has just proven it. */
  user: User | null
  evidence: Evidence[]
  decisions: Decisions
  /** Scopes agreed to before; null where there is no agreement or none is needed. */
  agreed: readonly string[] | null
  /** Null where nothing asks for a second factor, or it was proven. */
  mfa: MfaState | null
  now: Date
}

export type Requirement = {
  name:
    | 'account-selected'
    | 'authenticated'
    | 'mfa-enrolled'
    | 'mfa-passed'
    | 'recovery-code-kept'
    | 'linking-decided'
    | 'consented'
  unmet(state: LoginState): boolean
  screen: LoginScreen
  /** Where there are several: the first is where one begins, and a person may go to the others. */
  screens?(state: LoginState): readonly LoginScreen[]
  refusal: { code: ErrorCode; description: string }
}

/** The vendor's sentence, which its SDKs compare. */
export const MULTI_FACTOR = { code: 'login_required', description: 'Multifactor authentication required' } as const

export const REQUIREMENTS: readonly Requirement[] = [
  {
    name: 'account-selected',
    unmet: ({ wants, user, decisions }) =>
      wants.prompt.includes('select_account') && user !== null && decisions.account !== 'selected',
    screen: 'select-account',
    refusal: { code: 'interaction_required', description: 'Account selection required' },
  },
  {
    name: 'authenticated',
    unmet: (state) => !isAuthenticated(state),
    screen: 'login',
    screens: signInScreens,
    refusal: { code: 'login_required', description: 'Login required' },
  },
  {
    name: 'mfa-enrolled',
    unmet: ({ mfa }) => (mfa?.required ?? false) && mfa?.enrolments.enrolled === false,
    screen: 'mfa-enroll',
    refusal: MULTI_FACTOR,
  },
  {
    name: 'mfa-passed',
    unmet: ({ mfa }) => mfa?.required ?? false,
    screen: 'mfa-challenge',
    refusal: MULTI_FACTOR,
  },
  {
    name: 'recovery-code-kept',
    unmet: ({ decisions }) => decisions.mfa?.recoveryCode !== undefined,
    screen: 'mfa-recovery-code',
    refusal: { code: 'interaction_required', description: 'A recovery code has to be kept' },
  },
  {
    name: 'linking-decided',
    unmet: ({ decisions }) => decisions.linking?.phase === 'offered',
    screen: 'link-account',
    refusal: { code: 'interaction_required', description: 'Whether to link two accounts has to be decided' },
  },
  {
    name: 'consented',
    unmet: (state) => toProve(state) === null && !hasConsented(state),
    screen: 'consent',
    refusal: { code: 'consent_required', description: 'Consent required' },
  },
]

export const nextRequirement = (state: LoginState): Requirement | null =>
  REQUIREMENTS.find((requirement) => requirement.unmet(state)) ?? null

/** What may be shown now, the one to begin with first; none when nothing is missing. `screen_hint` picks among them. */
export function dueScreens(state: LoginState): readonly LoginScreen[] {
  const missing = nextRequirement(state)
  if (!missing) return []
  const screens = missing.screens?.(state) ?? [missing.screen]
  const hinted = screens.find((screen) => screen === state.wants.screenHint)
  return hinted ? [hinted, ...screens.filter((screen) => screen !== hinted)] : screens
}

type Authenticating = Pick<LoginState, 'wants' | 'user' | 'evidence' | 'now'>

/** A second factor alone proves nobody. */
export function isAuthenticated({ wants, user, evidence, now }: Authenticating): boolean {
  if (user === null || user.blocked) return false
  if (wants.subject !== null && wants.subject !== user.id) return false
  return evidence.some((proof) => proof.method !== 'mfa' && isFresh(proof, wants, now))
}

/** `prompt=login` counts only what was proven in this attempt; `max_age` only what is young enough or was. */
function isFresh(proof: Evidence, wants: Wants, now: Date): boolean {
  const inThisAttempt = !proof.inherited
  if (wants.prompt.includes('login')) return inThisAttempt
  return wants.maxAge === null || inThisAttempt || secondsBetween(new Date(proof.at), now) <= wants.maxAge
}

function hasConsented(state: LoginState): boolean {
  const { wants, decisions, agreed, api } = state
  const answer = decisions.consent
  if (answer?.audience === consentAudience(api) && covers(answer.scopes, toAgree(wants))) return true
  if (!asksConsent(consentQuestion(state))) return true
  return !wants.prompt.includes('consent') && covers(agreed, toAgree(wants))
}

/** Everything that the application would learn or may do: what the person is shown and agrees to. */
export const toAgree = ({ scopes, claimScopes = [] }: Wants): string[] => [...new Set([...scopes, ...claimScopes])]

export const consentQuestion = ({ client, api, wants }: Pick<LoginState, 'client' | 'api' | 'wants'>) => ({
  client,
  api,
  redirectUri: wants.redirectUri,
  scopes: toAgree(wants),
  forced: wants.prompt.includes('consent'),
})
