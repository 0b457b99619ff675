// Whether a login needs a second factor. Pure; lib/login/steps/requirements.ts enforces it (threat-model.md MF1).
// - The client's `mfa_policy` takes precedence over the tenant's `guardianPolicies`: never, always, or if the login is risky.
// - An action may require a factor for one login, regardless of the policy (lib/login/rules/run-rules.ts).
// - An application may request one (`acr_values`); then neither "never" nor a remembered browser exempts the login. The same
//   applies to a login that may change the factors of a user who has some.
// - If the tenant has enabled no factor, none is required, regardless of the policy.
// - A login is risky in a browser in which this user has not passed before, without a browser, or from a network where many
//   logins have just failed.
import type { Client } from '../clients/client'
import type { TenantSettings } from '../tenants/settings'
import { type Authenticator, isRecovery, type OobChannel } from './authenticator'

export const MULTI_FACTOR_ACR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

export const FACTOR_NAMES = ['otp', 'push', 'sms', 'voice', 'email', 'recovery-code'] as const
export type FactorName = (typeof FACTOR_NAMES)[number]

export type MfaPolicy = 'never' | 'always' | 'risky'

/** What requires a factor: nothing, the policy, the application, or the purpose of the login. */
export type MfaDemand = 'none' | 'risky' | 'always' | 'step-up' | 'if-enrolled'

type Requested = {
  acrValues: readonly string[]
  forFactors: boolean
  /** What an action requires for this login. */
  rules?: 'always' | 'step-up' | null
}

export function mfaDemand(
  settings: TenantSettings,
  client: Client,
  { acrValues, forFactors, rules = null }: Requested,
): MfaDemand {
  if (enrollableFactors(settings).length === 0) return 'none'
  if (rules === 'step-up' || acrValues.includes(MULTI_FACTOR_ACR)) return 'step-up'
  const policy = policyOf(settings, client)
  if (forFactors) return policy === 'always' || rules !== null ? 'step-up' : 'if-enrolled'
  if (rules !== null) return rules
  return policy === 'never' ? 'none' : policy
}

export const policyOf = (settings: TenantSettings, client: Client): MfaPolicy =>
  client.settings.mfa_policy ?? tenantPolicy(settings)

function tenantPolicy({ guardianPolicies: { policies } }: TenantSettings): MfaPolicy {
  if (policies.includes('all-applications')) return 'always'
  return policies.includes('confidence-score') ? 'risky' : 'never'
}

/** In the vendor's records, a call is a message type of the factor `sms`. */
export function isEnabled(name: FactorName, settings: TenantSettings): boolean {
  const { guardianFactors, guardianPhoneFactorMessageTypes: types } = settings
  if ((name === 'sms' || name === 'voice') && !types.message_types.includes(name)) return false
  const record = name === 'push' ? 'push-notification' : name === 'voice' ? 'sms' : name
  return guardianFactors.some((factor) => factor.name === record && factor.enabled)
}

/** A recovery code is no factor by itself: it replaces one. */
export const enrollableFactors = (settings: TenantSettings): FactorName[] =>
  FACTOR_NAMES.filter((name) => name !== 'recovery-code' && isEnabled(name, settings))

/** The stored kinds of factors. A factor of a disabled kind proves nothing, so it does not prevent adding another. */
export const enrollableKinds = (settings: TenantSettings): string[] => {
  const names = enrollableFactors(settings)
  return Object.entries({ otp: 'otp' as const, ...BY_CHANNEL }).flatMap(([kind, name]) =>
    names.includes(name) ? [kind] : [],
  )
}

const BY_CHANNEL = { auth0: 'push', sms: 'sms', voice: 'voice', email: 'email' } as const satisfies Record<
  OobChannel,
  FactorName
>

export function factorNameOf({ type, channel }: Pick<Authenticator, 'type' | 'channel'>): FactorName {
  if (type === 'recovery-code') return 'recovery-code'
  return channel === null ? 'otp' : BY_CHANNEL[channel]
}

/** How this browser is known for this user. */
export type BrowserStanding = 'remembered' | 'known' | 'unknown'

type Circumstances = { demand: MfaDemand; browser: BrowserStanding; busyNetwork: boolean; enrolled: boolean }

export function isRequired({ demand, browser, busyNetwork, enrolled }: Circumstances): boolean {
  if (demand === 'none' || demand === 'step-up') return demand === 'step-up'
  if (demand === 'if-enrolled') return enrolled
  if (browser === 'remembered') return false
  return demand === 'always' || browser === 'unknown' || busyNetwork
}

/** The active factors of an enabled kind. */
export const usable = (authenticators: readonly Authenticator[], settings: TenantSettings): Authenticator[] =>
  authenticators.filter((each) => each.active && isEnabled(factorNameOf(each), settings))

/** A user with only a recovery code has no factor. */
export const isEnrolled = (usableOnes: readonly Authenticator[]): boolean =>
  usableOnes.some((each) => !isRecovery(each))
