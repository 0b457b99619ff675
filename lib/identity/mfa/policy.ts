// Whether a login needs a second factor. Pure; lib/login/steps/index.ts enforces it (threat-model.md MF1).
// - The client's `mfa_policy` takes precedence over the tenant's `guardianPolicies`: never, always, if the
//   login is risky, or of users who have enrolled one.
// - Where only the tenant's policy says never, a user who turned on a factor in the account portal is asked for it in the logins after
//   that, unless `tenant.ask_for_own_factors` is off (docs/adr/0051). A factor that an API or a manager enrolled is not.
// - An action may require a factor for one login, regardless of the policy (lib/login/post-login/run.ts).
// - An application may request one (acr.ts); then neither "never" nor a remembered browser exempts the login. The same
//   applies to a login that may change the factors of a user who has some.
// - If the tenant has enabled no factor, none is required, regardless of the policy.
// - A login is risky in a browser in which this user has not passed before, without a browser, or from a network where many
//   logins have just failed.
import type { Client } from '../../data/clients/client'
import type { TenantSettings } from '../../data/tenants/settings'
import { asksForFactor, type RequestedAcr } from './acr'
import type { Authenticator } from './authenticator'
import { FACTORS, type FactorName, factorNamed, factorOf, isFallback, storedKind } from './factors/index'

export type MfaPolicy = 'never' | 'always' | 'risky' | 'enrolled'

/** At each login, at a risky one, or at none. */
export type FactorOccasion = 'each' | 'risky' | 'never'

/** What requires a factor: nothing, the policy, the application, or the purpose of the login. */
export type MfaDemand = 'none' | 'risky' | 'always' | 'enrolled' | 'step-up' | 'if-enrolled'

type Requested = RequestedAcr & {
  forFactors: boolean
  /** The user turned on a factor in the account portal, before this login. */
  wanted: boolean
  /** What an action requires for this login. */
  rules?: 'always' | 'step-up' | null
}

export function mfaDemand(
  settings: TenantSettings,
  client: Client,
  { forFactors, wanted, rules = null, ...requested }: Requested,
): MfaDemand {
  if (enrollableFactors(settings).length === 0) return 'none'
  if (rules === 'step-up' || asksForFactor(requested)) return 'step-up'
  const policy = policyOf(settings, client, wanted)
  if (forFactors) return policy === 'always' || rules !== null ? 'step-up' : 'if-enrolled'
  if (rules !== null) return rules
  return policy === 'never' ? 'none' : policy
}

/** `wanted`: for a user who turned on a factor in the account portal. */
export const policyOf = (settings: TenantSettings, client: Client, wanted = false): MfaPolicy =>
  client.settings.mfa_policy ?? tenantPolicy(settings, wanted)

function tenantPolicy({ tenant, guardianPolicies: { policies } }: TenantSettings, wanted: boolean): MfaPolicy {
  if (policies.includes('all-applications')) return 'always'
  if (policies.includes('confidence-score')) return 'risky'
  return policies.includes('enrolled') || (wanted && tenant.ask_for_own_factors) ? 'enrolled' : 'never'
}

/** When the tenant asks for a factor that a user has, as pages say it. */
export function factorOccasion(settings: TenantSettings, wanted: boolean): FactorOccasion {
  const policy = tenantPolicy(settings, wanted)
  return policy === 'risky' || policy === 'never' ? policy : 'each'
}

export function isEnabled(name: FactorName, settings: TenantSettings): boolean {
  const { guardianFactors, guardianPhoneFactorMessageTypes: types } = settings
  const { record, messageType } = factorNamed(name).names
  if (messageType !== undefined && !types.message_types.some((each) => each === messageType)) return false
  return guardianFactors.some((factor) => factor.name === record && factor.enabled)
}

/** A recovery code is no factor by itself: it replaces one. */
export const enrollableFactors = (settings: TenantSettings): FactorName[] =>
  FACTORS.filter((factor) => !factor.isFallback && isEnabled(factor.id, settings)).map(({ id }) => id)

/** The stored kinds of factors. A factor of a disabled kind proves nothing, so it does not prevent adding another. */
export const enrollableKinds = (settings: TenantSettings): string[] =>
  enrollableFactors(settings).map((name) => storedKind(factorNamed(name).names))

/** How this browser is known for this user. */
export type BrowserStanding = 'remembered' | 'known' | 'unknown'

type Circumstances = {
  demand: MfaDemand
  browser: BrowserStanding
  busyNetwork: boolean
  enrolled: boolean
  /** The user enrolled a factor: an address that is one without enrolment does not count. */
  chosen: boolean
}

export function isRequired({ demand, browser, busyNetwork, enrolled, chosen }: Circumstances): boolean {
  if (demand === 'none' || demand === 'step-up') return demand === 'step-up'
  if (demand === 'if-enrolled') return enrolled
  if (browser === 'remembered') return false
  if (demand === 'enrolled') return chosen
  return demand === 'always' || browser === 'unknown' || busyNetwork
}

/** The active factors of an enabled kind. */
export const usable = (authenticators: readonly Authenticator[], settings: TenantSettings): Authenticator[] =>
  authenticators.filter((each) => each.active && isEnabled(factorOf(each).id, settings))

/** A user with only a recovery code has no factor. */
export const isEnrolled = (usableOnes: readonly Authenticator[]): boolean =>
  usableOnes.some((each) => !isFallback(each))
