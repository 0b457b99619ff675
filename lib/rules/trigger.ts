// The moments at which a tenant's rules run, and what comes of a run: data that the caller carries out.
// - Nothing bound costs nothing: ask `isBound` before an event is put together.
// - `run` never rejects for what a rule does; where one failed, its setting has been applied already (`denied`, or nothing).
//   It rejects with 503 alone, when rules that decide access cannot run because too many wait.
// - Effects are plain JSON: a login that leaves for a redirect or a factor stores them, and hands them back to go on.
import type { Json } from '../kernel/json'
import type { RuleEvents } from './event'

export const TRIGGERS = [
  'post-login',
  'credentials-exchange',
  'pre-user-registration',
  'post-user-registration',
  'post-change-password',
  'send-phone-message',
] as const

export type TriggerName = (typeof TRIGGERS)[number]

/** By the vendor's names: `otp`, `phone`, `email`, `push-notification`, `recovery-code`. */
export type Factor = { type: string; preferredMethod?: 'sms' | 'voice' | 'both' }

export type Denied = {
  /** `access_denied`, or the code that the rule gave. */
  code: string
  /** For the application's developer (`error_description`) and the log. */
  reason: string
  /** For the person, where the rule has words for them. */
  userMessage: string | null
  /** A rule failed, and its setting denies; the reason is a sentence of ours. */
  failed: boolean
}

export type MultifactorWish =
  /** `multifactor.enable`: a factor in this login; of `factors`, when it names any. `none` asks for none. */
  { kind: 'enable' | 'challenge' | 'enroll'; factors: Factor[]; allowRememberBrowser: boolean } | { kind: 'none' }

/** A run that stopped in the middle; it goes on by handing the effects back to `run`. */
export type Suspension = {
  /** The action after which it stopped. */
  action: string
  /** Its browser goes elsewhere and comes back to `/continue`, or a factor is to be proven first. */
  awaits: 'redirect' | 'factor'
}

export type Effects = {
  denied: Denied | null
  idTokenClaims: Record<string, Json>
  accessTokenClaims: Record<string, Json>
  /** Of the access token; what is removed wins. */
  addScopes: string[]
  removeScopes: string[]
  /** To be merged into the user's by its first level; null removes a name. */
  userMetadata: Record<string, Json>
  appMetadata: Record<string, Json>
  multifactor: MultifactorWish | null
  /** Further methods that the login is to name, as URLs. */
  recordedMethods: string[]
  /** Absolute http(s) URL; the caller adds `state`. */
  redirect: { url: string } | null
  suspended: Suspension | null
}

export const noEffects = (): Effects => ({
  denied: null,
  idTokenClaims: {},
  accessTokenClaims: {},
  addScopes: [],
  removeScopes: [],
  userMetadata: {},
  appMetadata: {},
  multifactor: null,
  recordedMethods: [],
  redirect: null,
  suspended: null,
})

export type RulesEngine = {
  /** Whether anything would run; free, so that hot paths may ask. */
  isBound(trigger: TriggerName): boolean
  /** `past` is what an earlier run of the same login returned with `suspended`: it goes on from there. */
  run<T extends TriggerName>(trigger: T, event: RuleEvents[T], past?: Effects): Promise<Effects>
}
