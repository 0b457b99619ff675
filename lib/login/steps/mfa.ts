// MFA within a login: whether this login needs a second factor, and which ones the user has (threat-model.md MF1).
// - A login that needs no factor costs no look-up: client and tenant settings are cached.
// - Factors are looked up only after the first factor is proven, so no one can probe another user's enrolments.
// - A second factor is valid as long as the proof it completes: a new sign-in needs a new one.
import { mfaAudience } from '../../apis/built-in'
import type { Challenge } from '../../mfa/challenge'
import { type Enrolments, listFactors } from '../../mfa/enrolled'
import { standingOf } from '../../mfa/known-browser'
import { type BrowserStanding, isRequired, type MfaDemand, mfaDemand } from '../../mfa/policy'
import type { Evidence } from '../../sessions/session'
import type { LoginDeps } from '../deps'
import { demandOfRules } from '../rules/rule-draft'
import { isLinking } from './linking'
import { questionDigest } from './mfa-draft'
import { isAuthenticated, type LoginState } from './requirements'

/** The origin of a request of the login. */
export type LoginFrom = {
  /** The digest of the login's handle; null before it exists. */
  login: Uint8Array | null
  /** The values of the `known` cookie (known-browser.ts). */
  browsers: readonly Uint8Array[]
  ip: string
}

export type MfaState = {
  required: boolean
  demand: MfaDemand
  browser: BrowserStanding
  enrolments: Enrolments
  /** The pending challenge. */
  challenge: Challenge | null
}

type Before = Omit<LoginState, 'mfa'>

export async function loadMfa(state: Before, from: LoginFrom, deps: LoginDeps): Promise<MfaState | null> {
  const { user } = state
  const demand = demandOf(state, deps)
  if (demand === 'none' || !user || !isAuthenticated(state) || hasMfa(state.evidence)) return null
  const enrolments = await listFactors(user, deps)
  const browser = await standingOf(user.id, from.browsers, state.now, deps.knownBrowsers)
  const busyNetwork = demand === 'risky' && browser === 'known' && (await deps.attempts.isBusy(from.ip))
  const required = isRequired({ demand, browser, busyNetwork, enrolled: enrolments.enrolled })
  return { required, demand, browser, enrolments, challenge: await openQuestion(state, from, deps) }
}

type Demanding = Pick<LoginState, 'client' | 'wants' | 'decisions' | 'user'>

export const demandOf = (state: Demanding, deps: LoginDeps): MfaDemand =>
  mfaDemand(deps.settings, state.client, {
    rules: demandOfRules(state),
    acrValues: state.wants.acrValues,
    forFactors: state.wants.audience === mfaAudience(deps.baseUrl) || isLinking(state),
  })

export const hasMfa = (evidence: readonly Evidence[]): boolean => evidence.some(({ method }) => method === 'mfa')

async function openQuestion({ decisions, now }: Before, { login }: LoginFrom, deps: LoginDeps) {
  const { question, enrolling } = decisions.mfa ?? {}
  const open = question ?? enrolling?.question
  if (login === null || open === undefined) return null
  return deps.challenges.find({ digest: questionDigest(open), transactionDigest: login }, now)
}

/** The proofs with the second factor added. */
export function withMfa(evidence: readonly Evidence[], now: Date): Evidence[] {
  const last = evidence.at(-1)
  if (!last) throw new Error('a second factor completes a proof')
  return [...evidence, { method: 'mfa', at: now.toISOString(), connection: last.connection }]
}
