// The triggers of a tenant's actions, and the result of a run: data that the caller applies.
// - A trigger without actions costs nothing: call `isBound` before building an event.
// - `run` never rejects because of an action; if one failed, its setting has been applied already (`denied`, or no effect). It
//   rejects only with 503, if actions that decide access cannot run because the queue is full.
// - Effects are plain JSON: a login that waits for a redirect or a factor stores them, and passes them back to continue.

import type { SamlSettings } from '../../data/clients/saml'
import type { RecordedMethod } from '../../data/sessions/session'
import type { RefreshChanges, SessionChanges } from '../../data/sessions/session-changes'
import type { DeliveringTrigger, TriggerName } from '../../data/tenants/triggers'
import type { Json } from '../../kernel/json'
import type { Reason } from '../../kernel/reasons'
import type { TriggerEvents } from './event'
import type { ExchangedAttributes } from './exchanged-attributes'

/** The vendor's names: `otp`, `phone`, `email`, `push-notification`, `recovery-code`. */
export type RequestedFactor = { type: string; preferredMethod?: 'sms' | 'voice' | 'both' }

/** Why, for the log. */
export const reasonOfDenial = ({ failed, by }: Pick<Denied, 'failed' | 'by'>): Reason =>
  by === 'script' ? (failed ? 'script_failed' : 'script_denied') : failed ? 'action_failed' : 'action_denied'

export type Denied = {
  /** `access_denied`, or the code that the action set. */
  code: string
  /** For the application's developer (`error_description`) and the log. */
  reason: string
  /** For the user, if the action set a message. */
  userMessage: string | null
  /** An action failed and its setting denies; the reason is our own sentence. */
  failed: boolean
  /** A script of a custom database, in place of an action. */
  by?: 'script'
  /** The refresh token that the login came by ends with it. */
  revokes?: true
  /** The session of the browser ends with it, and its refresh tokens unless they are kept. */
  endsSession?: { keepsTokens: boolean }
  /** The subject token of a custom token exchange is bad: a guess, perhaps. */
  rejectsToken?: true
}

export type MultifactorWish =
  /** `multifactor.enable`: requires a factor for this login; one of `factors`, if any are listed. `none` requires none. */
  | { kind: 'enable' | 'challenge' | 'enroll'; factors: RequestedFactor[]; allowRememberBrowser: boolean }
  | { kind: 'none' }

/** A suspended run; `run` continues it when it gets the effects again. */
export type Suspension = {
  /** The action at which it stopped. */
  action: string
  /** The browser is redirected and returns to `/continue`, a factor has to be proven first, or the login goes on as another user. */
  awaits: 'redirect' | 'factor' | 'user'
  /** A factor that an earlier action enabled, and that is required besides the awaited one. */
  enabled?: MultifactorWish
}

/** Who acts for the user (RFC 8693 4.1). */
export type DelegatedActor = { sub: string; [claim: string]: Json }

export type SamlEffects = {
  /** Added to those of the profile, of which none is replaced. */
  attributes: Record<string, Json>
  /** In place of the application's. */
  settings: Partial<SamlSettings>
}

/** Whom a custom token exchange is for: a user, or an account at a connection, which may be made. */
export type ExchangedUser =
  | { by: 'id'; userId: string }
  | { by: 'connection'; connection: string; attributes: ExchangedAttributes; creates: boolean; updates: boolean }

/** The action did not deliver the message: for good, or until the next attempt. */
export type Undelivered = { kind: 'drop' | 'retry' }

export type Effects = {
  denied: Denied | null
  /** Of a message that an action delivers; missing where it delivered it. */
  undelivered?: Undelivered
  /** Of a custom token exchange. */
  exchange?: { user?: ExchangedUser; organization?: string; actor?: DelegatedActor }
  idTokenClaims: Record<string, Json>
  accessTokenClaims: Record<string, Json>
  /** Scopes of the access token; removal wins. */
  addScopes: string[]
  removeScopes: string[]
  /** Of a token for a client: in place of the requested ones, within its grant. */
  targetScopes?: string[]
  /** Merged into the user's metadata at the first level; null removes a name. */
  userMetadata: Record<string, Json>
  appMetadata: Record<string, Json>
  multifactor: MultifactorWish | null
  /** What `event.transaction.metadata` of the later actions of this login has; missing where there is nothing. */
  transaction?: Record<string, string | number | boolean>
  /** For the session of this login. */
  session?: SessionChanges
  /** For the refresh token that the login gives, or that is exchanged. */
  refreshToken?: RefreshChanges
  /** Attributes for the SAML response of this login; undefined without any. */
  saml?: SamlEffects
  /** Methods of other sites that the person completed in this login; missing where there are none. */
  recorded?: RecordedMethod[]
  /** Whom the login goes on as, once; the actions run again for that user. */
  primaryUser?: string
  /** Absolute http(s) URL to which the page of a reset leads in the end. */
  resultUrl?: string
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
  redirect: null,
  suspended: null,
})

/** What one action did, for the login inspector. */
export type ObservedAction = {
  trigger: TriggerName
  name: string
  /** `ok`, `denied`, or the kind of failure, as in the log of runs. */
  outcome: string
  /** Of a failure: the error, and the line of the action, without its secrets. */
  failure: string | null
  milliseconds: number
  event: TriggerEvents[TriggerName]
  before: Effects
  after: Effects
}

export type TriggerEngine = {
  /** Whether the trigger has actions; free, so hot paths may call it. */
  isBound(trigger: TriggerName): boolean
  /** The names of what would run, in order. */
  bound(trigger: TriggerName): readonly string[]
  /** `past` is the suspended result of an earlier run of the same login, which continues from there; `observe` gets each action as it ends. */
  run<T extends TriggerName>(
    trigger: T,
    event: TriggerEvents[T],
    past?: Effects,
    observe?: (ran: ObservedAction) => void,
  ): Promise<Effects>
  /** By the action that is bound, or else by the only one that is deployed for the trigger; null if there is none. */
  deliver<T extends DeliveringTrigger | 'send-phone-message'>(
    trigger: T,
    event: TriggerEvents[T],
  ): Promise<Effects | null>
  /** One action by its name, whether it is bound or not. */
  runOne<T extends TriggerName>(action: string, trigger: T, event: TriggerEvents[T]): Promise<Effects>
}
