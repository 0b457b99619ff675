// Whether a login needs a second factor. Pure; lib/login/steps/requirements.ts is where it bites (threat-model.md MF1).
// - The client's `mfa_policy` before the tenant's `guardianPolicies`: never, always, or when the login is risky.
// - A rule of the tenant may ask for it in one login, whatever the policy is (lib/login/rules/run-rules.ts).
// - An application may ask for it by itself (`acr_values`): then neither "never" nor a remembered browser answers. Nor do
//   they for a login that may change the factors of somebody who has some.
// - Where the tenant has switched no factor on there is nothing to ask for, whatever a policy says.
// - Risky is a browser in which this person has not passed before, or a network from which many sign-ins have just
//   failed. A login without a browser is risky.
import type { Client } from '../clients/client'
import type { TenantSettings } from '../tenants/settings'
import { type Authenticator, isRecovery, type OobChannel } from './authenticator'

export const MULTI_FACTOR_ACR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

export const FACTOR_NAMES = ['otp', 'push', 'sms', 'voice', 'email', 'recovery-code'] as const
export type FactorName = (typeof FACTOR_NAMES)[number]

export type MfaPolicy = 'never' | 'always' | 'risky'

/** What asks for a factor: nothing, the policy, the application itself, or what the login is for. */
export type MfaDemand = 'none' | 'risky' | 'always' | 'step-up' | 'if-enrolled'

type Asked = {
  acrValues: readonly string[]
  forFactors: boolean
  /** What a rule asks for in this login. */
  rules?: 'always' | 'step-up' | null
}

export function mfaDemand(
  settings: TenantSettings,
  client: Client,
  { acrValues, forFactors, rules = null }: Asked,
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

/** The vendor's records: a call is a message type of the factor `sms`. */
export function isEnabled(name: FactorName, settings: TenantSettings): boolean {
  const { guardianFactors, guardianPhoneFactorMessageTypes: types } = settings
  if ((name === 'sms' || name === 'voice') && !types.message_types.includes(name)) return false
  const record = name === 'push' ? 'push-notification' : name === 'voice' ? 'sms' : name
  return guardianFactors.some((factor) => factor.name === record && factor.enabled)
}

/** A recovery code alone is no factor: it stands in for one. */
export const enrollableFactors = (settings: TenantSettings): FactorName[] =>
  FACTOR_NAMES.filter((name) => name !== 'recovery-code' && isEnabled(name, settings))

/** As factors are stored: those of a kind that is switched off prove nothing, so they keep nobody from adding one. */
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

/** What this browser is to this person. */
export type BrowserStanding = 'remembered' | 'known' | 'unknown'

type Circumstances = { demand: MfaDemand; browser: BrowserStanding; busyNetwork: boolean; enrolled: boolean }

export function isRequired({ demand, browser, busyNetwork, enrolled }: Circumstances): boolean {
  if (demand === 'none' || demand === 'step-up') return demand === 'step-up'
  if (demand === 'if-enrolled') return enrolled
  if (browser === 'remembered') return false
  return demand === 'always' || browser === 'unknown' || busyNetwork
}

/** Those that can answer: active, of a kind that is switched on. */
export const usable = (authenticators: readonly Authenticator[], settings: TenantSettings): Authenticator[] =>
  authenticators.filter((each) => each.active && isEnabled(factorNameOf(each), settings))

/** A person with nothing but a recovery code has no factor. */
export const isEnrolled = (usableOnes: readonly Authenticator[]): boolean =>
  usableOnes.some((each) => !isRecovery(each))
