// What must hold before a login finishes, in order: the first unmet requirement decides the screen and, with prompt=none, the
// error (OIDC Core 3.1.2.1, 3.1.2.6). Pure; nothing else decides the next screen.

import { type Api, isTransactional, recencyOf } from '../../data/apis/api'
import { ENROLLING_SECONDS } from '../../data/apis/built-in'
import type { Client } from '../../data/clients/client'
import type {
  Connection,
  DatabaseConnection,
  PasswordlessConnection,
  UpstreamConnection,
} from '../../data/connections/connection'
import { asksConsent, consentAudience, covers } from '../../data/consent/consent'
import {
  type Choices,
  type Invitation,
  notAMember,
  ORGANIZATION_REFUSALS,
  type Organization,
  type OrganizationProblem,
} from '../../data/organizations/organization'
import type { Evidence } from '../../data/sessions/session'
import type { User } from '../../data/users/user'
import type { LinkState } from '../../identity/one-time-codes/one-time-code'
import { ageOf } from '../../kernel/clock'
import { DomainError, type ErrorCode } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import type { LoginScreen } from '../../pages/screens'
import type { Decisions, Wants } from '../transaction'
import { toProve } from './linking'
import type { MfaState } from './mfa'
import type { Membership } from './organization'
import type { RememberedAccount } from './remembered-accounts'
import { signInScreens } from './sign-in-screens'

export type LoginState = {
  wants: Wants
  client: Client
  api: Api | null
  /** The organization that the login is for. */
  organization: Organization | null
  /** Why the request's organization is refused; null if it is not. */
  organizationProblem: OrganizationProblem | null
  /** The application requires a class of authentication that no login can have. */
  acrUnattainable: boolean
  /** Null without an organization, and before the user has signed in. */
  membership: Membership | null
  /** The invitation of the request. */
  invitation: Invitation | null
  /** The organizations that the user may choose from; null if there is nothing to choose. */
  choices: Choices | null
  /** The connections that this client may use, for the organization if there is one. */
  connections: readonly Connection[]
  /** Those that this client may use, limited to the requested connection; the first is for sign-up (database.ts). */
  databases: readonly DatabaseConnection[]
  /** The passwordless connections that this client may use, limited to the requested connection. */
  passwordless: readonly PasswordlessConnection[]
  /** The state of the link mailed for this login; null if there is none. */
  link: LinkState | null
  /** The upstream providers that this client may use, limited to the requested connection. */
  federated: readonly UpstreamConnection[]
  /** The login page asks for the name before the password. */
  identifierFirst: boolean
  /** While linking is suggested: the connections that can prove the other account. */
  otherWays: readonly Connection[]
  /** The user who is signed in or has just signed in. */
  user: User | null
  evidence: Evidence[]
  decisions: Decisions
  /** The accounts that signed in with this browser before, the newest first. */
  remembered: readonly RememberedAccount[]
  /** Scopes consented to before; null if there is no consent or none is needed. */
  agreed: readonly string[] | null
  /** Null if no second factor is required, or if it was proven. */
  mfa: MfaState | null
  now: Date
}

export type Requirement = {
  name:
    | 'acr-attainable'
    | 'organization-known'
    | 'invitation-valid'
    | 'organization-named'
    | 'account-selected'
    | 'authenticated'
    | 'recently-authenticated'
    | 'mfa-enrolled'
    | 'mfa-passed'
    | 'recovery-code-kept'
    | 'passkey-offered'
    | 'linking-decided'
    | 'organization-available'
    | 'organization-chosen'
    | 'member'
    | 'consented'
    | 'change-confirmed'
  unmet(state: LoginState): boolean
  /** Missing where no page can meet the requirement: the login is refused. */
  screen?: LoginScreen
  /** For requirements with several screens: the first is the default, and the user may go to the others. */
  screens?(state: LoginState): readonly LoginScreen[]
  refusal: Refusal | ((state: LoginState) => Refusal)
}

/** `reason` is for the log; the default is the code. */
export type Refusal = { code: ErrorCode; description: string; reason?: Reason }

export const refusalOf = ({ refusal }: Requirement, state: LoginState): Refusal =>
  typeof refusal === 'function' ? refusal(state) : refusal

/** The vendor's sentence; its SDKs compare it. */
export const MULTI_FACTOR = {
  code: 'login_required',
  description: 'Multifactor authentication required',
  reason: 'mfa_required',
} as const

export const REQUIREMENTS: readonly Requirement[] = [
  {
    name: 'acr-attainable',
    unmet: ({ acrUnattainable }) => acrUnattainable,
    refusal: {
      code: 'unmet_authentication_requirements',
      description: 'None of the requested authentication context classes can be met',
    },
  },
  {
    name: 'organization-known',
    unmet: ({ organizationProblem }) => organizationProblem !== null,
    refusal: ({ organizationProblem }) => ({
      code: 'invalid_request',
      description: organizationProblem?.sentence ?? '',
      reason: organizationProblem?.reason ?? 'organization_unknown',
    }),
  },
  {
    // A member has accepted it, perhaps with a click before this one.
    name: 'invitation-valid',
    unmet: ({ wants, invitation, membership }) =>
      wants.invitation !== undefined && invitation === null && membership !== 'member',
    refusal: {
      code: 'invalid_request',
      description: ORGANIZATION_REFUSALS.invitationGone,
      reason: 'invitation_over',
    },
  },
  {
    name: 'organization-named',
    unmet: (state) => prompts(state, 'pre_login_prompt'),
    screen: 'organization-selection',
    refusal: { code: 'interaction_required', description: 'Organization selection required' },
  },
  {
    name: 'account-selected',
    unmet: ({ wants, user, remembered, decisions }) =>
      wants.prompt.includes('select_account') &&
      (user !== null || remembered.length > 0) &&
      decisions.account !== 'selected',
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
    // A session left open adds no factor (threat-model.md SE7).
    name: 'recently-authenticated',
    unmet: (state) => hasToEnroll(state) && !isProvenWithin(ENROLLING_SECONDS, state),
    screen: 'login',
    screens: signInScreens,
    refusal: MULTI_FACTOR,
  },
  {
    name: 'mfa-enrolled',
    unmet: hasToEnroll,
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
    name: 'passkey-offered',
    unmet: ({ decisions }) => decisions.passkeyOffer !== undefined,
    screen: 'passkey-enroll',
    refusal: { code: 'interaction_required', description: 'Whether to create a passkey has to be decided' },
  },
  {
    name: 'linking-decided',
    unmet: ({ decisions }) => decisions.linking?.phase === 'offered',
    screen: 'link-account',
    refusal: { code: 'interaction_required', description: 'Whether to link two accounts has to be decided' },
  },
  {
    name: 'organization-available',
    unmet: ({ choices }) => choices?.total === 0,
    refusal: {
      code: 'invalid_request',
      description: ORGANIZATION_REFUSALS.memberOfNone,
      reason: 'member_of_none',
    },
  },
  {
    name: 'organization-chosen',
    unmet: ({ choices }) => choices !== null,
    screen: 'organization-picker',
    refusal: { code: 'interaction_required', description: 'Organization selection required' },
  },
  {
    name: 'member',
    unmet: ({ membership }) => membership === 'none' || membership === 'uninvited',
    refusal: ({ user, organization, membership }) => ({
      code: 'access_denied',
      reason: membership === 'uninvited' ? 'invitation_of_another' : 'not_a_member',
      description:
        membership === 'uninvited'
          ? ORGANIZATION_REFUSALS.notInvited
          : user && organization
            ? notAMember(user, organization)
            : '',
    }),
  },
  {
    name: 'consented',
    unmet: (state) => toProve(state) === null && !hasConsented(state),
    screen: 'consent',
    refusal: { code: 'consent_required', description: 'Consent required' },
  },
  {
    // Neither the browser's session nor an earlier consent gives a client the power to change how users sign in (threat-model.md BF22).
    name: 'change-confirmed',
    unmet: (state) => toProve(state) === null && mayChangeSignIn(state) && !isProvenHere(state) && !isAgreedHere(state),
    screen: 'consent',
    refusal: { code: 'login_required', description: 'Login required' },
  },
]

type Prompting = Pick<LoginState, 'client' | 'organization'>

/** Whether the user has to name an organization before the login, or to choose one after it. */
export const prompts = (
  { client: { settings }, organization }: Prompting,
  when: 'pre_login_prompt' | 'post_login_prompt',
): boolean =>
  organization === null && settings.organization_usage === 'require' && settings.organization_require_behavior === when

export const nextRequirement = (state: LoginState): Requirement | null =>
  REQUIREMENTS.find((requirement) => requirement.unmet(state)) ?? null

/** Why the login is refused, because no page can meet the next requirement; null if it is not refused. */
export function finalRefusal(state: LoginState): DomainError | null {
  const missing = nextRequirement(state)
  return missing && !missing.screen ? errorOf(missing, state) : null
}

export const refusalError = ({ code, description, reason }: Refusal): DomainError =>
  new DomainError(code, description, reason === undefined ? {} : { reason })

export function errorOf(missing: Requirement, state: LoginState): DomainError {
  return refusalError(refusalOf(missing, state))
}

/** The screens that may be shown now, the default first; empty if nothing is missing or no page can supply it. `screen_hint` selects among them. */
export function dueScreens(state: LoginState): readonly LoginScreen[] {
  const missing = nextRequirement(state)
  if (!missing) return []
  const screens = missing.screens?.(state) ?? (missing.screen ? [missing.screen] : [])
  const hinted = screens.find((screen) => screen === state.wants.screenHint)
  return hinted ? [hinted, ...screens.filter((screen) => screen !== hinted)] : screens
}

type Authenticating = Pick<LoginState, 'wants' | 'api' | 'user' | 'evidence' | 'now'>

/** A second factor alone does not authenticate a user. */
export function isAuthenticated({ wants, api, user, evidence, now }: Authenticating): boolean {
  if (user === null || user.blocked) return false
  if (wants.subject !== null && wants.subject !== user.id) return false
  const oldest = Math.min(wants.maxAge ?? Infinity, recencyOf(api, wants.scopes) ?? Infinity)
  return isProvenWithin(oldest, { wants, evidence, now })
}

const isProvenWithin = (oldest: number, { wants, evidence, now }: Pick<LoginState, 'wants' | 'evidence' | 'now'>) =>
  evidence.some((proof) => proof.method !== 'mfa' && isFresh(proof, oldest, wants, now))

export function hasToEnroll({ mfa }: Pick<LoginState, 'mfa'>): boolean {
  return (mfa?.required ?? false) && mfa?.enrolments.enrolled === false
}

/** `prompt=login` accepts only proofs of this login. Otherwise inherited proofs of at most `oldest` seconds are accepted too. */
function isFresh(proof: Evidence, oldest: number, wants: Wants, now: Date): boolean {
  const inThisAttempt = !proof.inherited
  if (wants.prompt.includes('login')) return inThisAttempt
  return inThisAttempt || ageOf(new Date(proof.at), now) <= oldest
}

export const mayChangeSignIn = ({ api, wants }: Pick<LoginState, 'api' | 'wants'>): boolean =>
  recencyOf(api, wants.scopes) !== null

/**
 * Whether the person authenticated for this login, on a page of it. A provider may have answered from a session of its own. A login that
 * started elsewhere may have been started by another person.
 */
const isProvenHere = ({ wants, evidence }: LoginState): boolean =>
  wants.startedElsewhere === undefined &&
  evidence.some(({ method, inherited }) => !inherited && method !== 'mfa' && method !== 'fed')

const isAgreedHere = ({ wants, decisions: { consent }, api }: LoginState): boolean =>
  consent?.audience === consentAudience(api) && covers(consent.scopes, toAgree(wants))

function hasConsented(state: LoginState): boolean {
  const question = consentQuestion(state)
  if (isAgreedHere(state) || !asksConsent(question)) return true
  return !question.forced && covers(state.agreed, question.scopes)
}

/** All scopes that the user sees and consents to: what the client will learn and may do. */
export const toAgree = ({ scopes, claimScopes = [] }: Wants): string[] => [...new Set([...scopes, ...claimScopes])]

export const consentQuestion = ({ client, api, wants }: Pick<LoginState, 'client' | 'api' | 'wants'>) => ({
  client,
  api,
  redirectUri: wants.redirectUri,
  scopes: toAgree(wants),
  forced: wants.prompt.includes('consent') || (api !== null && isTransactional(api)),
})
