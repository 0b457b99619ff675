// MFA within a login: whether this login needs a second factor, and which ones the user has (threat-model.md MF1).
// - A login that needs no factor costs no look-up: client and tenant settings are cached.
// - Factors are looked up only after the first factor is proven, so no one can probe another user's enrolments.
// - An action of the tenant may name types of factors. Until one of them is proven, no other factor counts (MF8).
import { changesFactors } from '../../data/apis/built-in'
import { CONSOLE_CLIENT } from '../../data/clients/console'
import type { TenantSettings } from '../../data/tenants/settings'
import type { User } from '../../data/users/user'
import { acceptedFactors, type TypeDemand } from '../../identity/mfa/accepted'
import { isUnattainable, type RequestedAcr } from '../../identity/mfa/acr'
import { factorSettings } from '../../identity/mfa/administrator-factors'
import type { FactorChallenge } from '../../identity/mfa/challenge'
import { type Enrolments, keysOf } from '../../identity/mfa/enrolled'
import type { FactorKey } from '../../identity/mfa/factor-key'
import { standingOf } from '../../identity/mfa/known-browser'
import {
  type BrowserStanding,
  enrollableFactors,
  isRequired,
  type MfaDemand,
  mfaDemand,
} from '../../identity/mfa/policy'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import { factorDemandOf, typeDemandOf } from '../post-login/draft'
import { isReset } from '../reset-origin'
import type { Wants } from '../transaction'
import { isAuthenticated } from './authenticated'
import { isLinking } from './linking'
import { questionDigest } from './mfa-draft'
import { hasMfa, provesFactor } from './mfa-evidence'
import type { RememberedAccount } from './remembered-accounts'

/** The origin of a request of the login. */
export type LoginFrom = {
  /** Whether pages can ask the user. A grant names everything itself. */
  hasPages: boolean
  /** The digest of the login's handle; null before it exists. */
  login: Uint8Array | null
  /** The values of the `known` cookie (known-browser.ts). */
  browsers: readonly Uint8Array[]
  remembered: readonly RememberedAccount[]
  ip: string
}

export type MfaState = {
  required: boolean
  demand: MfaDemand
  browser: BrowserStanding
  /** Only what counts in this login. */
  enrolments: Enrolments
  /** The pending challenge. */
  challenge: FactorChallenge | null
  /** The keys of the factors that have some. */
  keys: readonly FactorKey[]
}

type Before = Omit<LoginState, 'mfa'>

export async function loadMfa(state: Before, from: LoginFrom, deps: LoginDeps): Promise<MfaState | null> {
  const { user } = state
  const typed = typeDemandOf(state)
  if (!user || !isAuthenticated(state)) return null
  const demand = await openDemand(state, user, typed, deps)
  if (demand === 'none') return null
  const enrolments = await acceptedFactors({ user, typed }, deps)
  const browser = await standingOf(user.id, from.browsers, state.now, deps.knownBrowsers)
  const busyNetwork = demand === 'risky' && browser === 'known' && (await deps.attempts.isBusy(from.ip))
  const { enrolled, chosen } = enrolments
  const required = isRequired({ demand, browser, busyNetwork, enrolled, chosen })
  const keys = await keysOf(user, enrolments, deps)
  return { required, demand, browser, enrolments, challenge: await openQuestion(state, from, deps), keys }
}

/** After a factor of any type, only the demand of the actions for a type is left. */
async function openDemand(state: Before, user: User, typed: TypeDemand | null, deps: LoginDeps): Promise<MfaDemand> {
  if (!hasMfa(state.evidence)) return firstDemand(state, user, deps)
  const isMet = typed === null || provesFactor(state.evidence, typed.types)
  return (isMet ? null : factorDemandOf(state)) ?? 'none'
}

/**
 * The console demands a factor of each administrator, and of other users what the tenant demands. A remembered browser exempts no
 * administrator: the console does not open for a session without a factor (lib/server/next/console/entry.ts).
 */
async function firstDemand(state: Before, user: User, deps: LoginDeps): Promise<MfaDemand> {
  const demand = demandOf(state, deps)
  if (deps.settings.tenant.console_second_factor && state.client.clientId === CONSOLE_CLIENT && !isReset(state))
    return (await deps.isAdministrator(user.id)) ? 'step-up' : demand
  if (demand !== 'none' || !changesSignIn(state, deps)) return demand
  return demandUnder(await factorSettings(user, deps), state, deps)
}

const requestedAcr = ({ acrValues, essentialAcr }: Wants): RequestedAcr =>
  essentialAcr === undefined ? { acrValues } : { acrValues, essentialAcr }

/** Whether the application requires a class of authentication that no login can have. */
export const isAcrUnattainable = ({ wants, evidence }: Pick<Before, 'wants' | 'evidence'>, deps: LoginDeps): boolean =>
  wants.essentialAcr !== undefined &&
  isUnattainable(wants.essentialAcr, hasMfa(evidence) || enrollableFactors(deps.settings).length > 0)

type Demanding = Pick<LoginState, 'client' | 'wants' | 'decisions' | 'user' | 'evidence'>

export const demandOf = (state: Demanding, deps: LoginDeps): MfaDemand => demandUnder(deps.settings, state, deps)

function demandUnder(settings: TenantSettings, state: Demanding, deps: LoginDeps): MfaDemand {
  const rules = factorDemandOf(state)
  if (isReset(state)) return rules ?? 'none'
  return mfaDemand(settings, state.client, {
    rules,
    ...requestedAcr(state.wants),
    forFactors: changesSignIn(state, deps),
    wanted: wantsFactor(state),
  })
}

const changesSignIn = (state: Demanding, deps: LoginDeps): boolean =>
  changesFactors(state.wants.audience, deps.baseUrl) || isLinking(state)

/** A session of before the user turned on a factor goes on without it: it is asked for at the next login. */
function wantsFactor({ user, evidence }: Demanding): boolean {
  const since = user?.factorWantedAt
  return !!since && evidence.some(({ at }) => new Date(at) > since)
}

async function openQuestion({ decisions, now }: Before, { login }: LoginFrom, deps: LoginDeps) {
  const { question, enrolling } = decisions.mfa ?? {}
  const open = question ?? enrolling?.question
  if (login === null || open === undefined) return null
  return deps.challenges.find({ digest: questionDigest(open), transactionDigest: login }, now)
}
