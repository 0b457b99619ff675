// What must hold before a login is finished, in order: the first unmet requirement decides the screen, and with
// prompt=none the refusal (OIDC Core 3.1.2.1, 3.1.2.6). Pure; nothing else decides what comes next.
import type { Api } from '../apis/api'
import type { Client } from '../clients/client'
import type { Connection } from '../connections/connection'
import { asksConsent, consentAudience, covers } from '../consent/consent'
import { secondsBetween } from '../kernel/clock'
import type { ErrorCode } from '../kernel/errors'
import type { Evidence } from '../sessions/session'
import type { User } from '../users/user'
import type { Decisions, Wants } from './transaction'

export type LoginScreen = 'select-account' | 'login' | 'signup' | 'forgot-password' | 'consent'

export type LoginState = {
  wants: Wants
  client: Client
  api: Api | null
  /** What the password form is for; null where the client may use no database connection. */
  database: Connection | null
  /** Who is signed in, or has just proven it. */
  user: User | null
  evidence: Evidence[]
  decisions: Decisions
  /** Scopes agreed to before; null where there is no agreement or none is needed. */
  agreed: readonly string[] | null
  now: Date
}

export type Requirement = {
  name: 'account-selected' | 'authenticated' | 'consented'
  unmet(state: LoginState): boolean
  screen: LoginScreen
  /** Where a person may go from it. */
  alternatives?(state: LoginState): readonly LoginScreen[]
  refusal: { code: ErrorCode; description: string }
}

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
    alternatives: (state) => (offersSignUp(state) ? ['signup', 'forgot-password'] : ['forgot-password']),
    refusal: { code: 'login_required', description: 'Login required' },
  },
  {
    name: 'consented',
    unmet: (state) => !hasConsented(state),
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
  const screens = [missing.screen, ...(missing.alternatives?.(state) ?? [])]
  const hinted = screens.find((screen) => screen === state.wants.screenHint)
  return hinted ? [hinted, ...screens.filter((screen) => screen !== hinted)] : screens
}

/** Nobody who is expected by name signs up as somebody else. */
export const offersSignUp = ({ database, wants }: LoginState): boolean =>
  database !== null && !database.settings.options.disable_signup && wants.subject === null

function isAuthenticated({ wants, user, evidence, now }: LoginState): boolean {
  if (user === null || user.blocked) return false
  if (wants.subject !== null && wants.subject !== user.id) return false
  return evidence.some((proof) => isFresh(proof, wants, now))
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
