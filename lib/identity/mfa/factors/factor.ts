// The interface of a second factor: one object per factor, in a file of its own, listed in index.ts. Every table of names, the order
// of preference, enrolment, challenge, proof and pages derive from these objects (docs/adr/0030-one-object-per-factor.md).
import type { EventName } from '../../../data/audit/events'
import type { OutboxRow } from '../../../data/outbox/outbox'
import type { User } from '../../../data/users/user'
import type { CreationOptions, RequestOptions } from '../../passkeys/options'
import type { PasskeySite } from '../../passkeys/relying-party'
import type { Authenticator } from '../authenticator'
import type { FactorChallenge } from '../challenge'
import type { MfaDeps, MfaSubject } from '../deps'
import type { FactorKey } from '../factor-key'
import type { MfaFailure } from '../prove'

/** What the vendor's APIs call a factor. */
export type FactorNames = {
  /** `authenticator_type`; also the end of the name of the grant that takes its answers (`mfa-otp`). */
  authenticatorType: string
  /** `oob_channel`; null if it has none. */
  channel: string | null
  /** The prefix before the bar in the ids of its authenticators. */
  idPrefix: string
  /** `type` in `mfa_requirements`, at /mfa/authenticators, in calls of actions and in their event. */
  type: string
  /** `type` at /me/v1/authentication-methods and /api/v2/users/{id}/authentication-methods. */
  method: string
  /** The record in `guardianFactors`. */
  record: string
  /** The entry in `guardianPhoneFactorMessageTypes` that has to be enabled too. */
  messageType?: string
  /** `type` and `auth_method` at /api/v2/users/{id}/enrollments. */
  enrollment: { type: string; method: string }
  /** The provider whose factors `DELETE /api/v2/users/{id}/multifactor/{provider}` removes; null for none. */
  removedBy: string | null
  /** The provider with which an action's `multifactor.enable` requires it; null for `any` alone. */
  enabledBy: string | null
}

/** The address to enrol, as typed. */
export type EnrollInput = { phoneNumber?: string | undefined; email?: string | undefined }

/** What a new authenticator stores, and what is shown once to the user who enrols it. */
export type NewEnrolment = {
  holds: Partial<Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email'>>
  secret?: string
  barcodeUri?: string
}

/** What a challenge consists of: a code in a message, or a prompt on a device. */
export type ChallengeSecrets = { codeDigest: Uint8Array | null; message: OutboxRow | null }

/** Whose key it is, and in which login. */
export type KeyHolder = Pick<MfaSubject, 'user' | 'login'>
export type KeyDeps = PasskeySite & Pick<MfaDeps, 'settings' | 'tenantId' | 'tickets' | 'vault' | 'random' | 'clock'>

/** What the script of a page passes to the browser; the session comes back with its answer. */
export type KeyCeremony =
  | { does: 'create'; session: string; options: CreationOptions }
  | { does: 'get'; session: string; options: RequestOptions }

export type Attempt = {
  /** The authenticators that can have given the answer: those of this type, or the challenged one. */
  authenticators: readonly Authenticator[]
  /** The open challenge; null if the factor has none. */
  challenge: FactorChallenge | null
  /** The answer as sent: a code, or JSON. */
  answer: string | undefined
  /** Activates a waiting authenticator after its right answer; false if that is no longer possible. */
  confirm(authenticator: Authenticator, step: number | null): Promise<boolean>
}

export type Judged = { outcome: 'passed'; recoveryCode?: string } | MfaFailure

export type Factor<Id extends string = string> = {
  /** Our name, in drafts, audit events and texts. */
  id: Id
  names: FactorNames
  /** The order in which enrolled factors are asked: the least effort first. */
  rank: number
  /** It replaces a factor, and is not a factor by itself. */
  isFallback: boolean
  /** Offered only beside another factor, unless the tenant enables none that stands alone. */
  needsOther?: true
  /** Whether it can be added at this host; absent means yes. */
  isPossible?(site: PasskeySite): boolean
  /** Throws if no message can be sent to the input; null if the factor cannot be enrolled by itself. */
  enroll: ((input: EnrollInput, subject: MfaSubject, deps: MfaDeps) => NewEnrolment | Promise<NewEnrolment>) | null
  /** The authenticator that a user has without enrolment. */
  implied?(user: User): Authenticator | null
  /** Null if the factor sends no message; returns null if the daily limit of messages is reached. */
  challenge:
    | ((
        authenticator: Authenticator,
        subject: MfaSubject,
        deps: MfaDeps,
      ) => ChallengeSecrets | Promise<ChallengeSecrets | null>)
    | null
  /** The address for the QR code of an enrolment that its challenge completes. */
  invite?(authenticator: Authenticator, subject: MfaSubject, challenge: Uint8Array, deps: MfaDeps): Promise<string>
  /**
   * The browser asks the authenticator, so only pages enrol and challenge it: to add the waiting one of these, or to use the active
   * ones. Null if none of their keys is of this host.
   */
  ceremony?(
    authenticators: readonly Authenticator[],
    keys: readonly FactorKey[],
    holder: KeyHolder,
    deps: KeyDeps,
  ): KeyCeremony | null
  prove(attempt: Attempt, subject: MfaSubject, deps: MfaDeps): Promise<Judged>
  /** What names an authenticator, masked; null if nothing does. */
  mask(authenticator: Authenticator): string | null
  page: {
    /** The phase of the enrolment page that confirms it; null if it cannot be enrolled. */
    confirms: 'otp' | 'code' | 'push' | 'key' | null
    /** The address that the enrolment page asks for first. */
    asksFor?: 'phone'
    /** Offered only to users with an e-mail address. */
    needsEmail?: true
  }
  audit: {
    /** A challenge was sent. */
    sent: EventName | null
    /** The result of an answer; other results are not recorded. */
    answered: Partial<Record<Judged['outcome'], EventName>>
  }
}

export const ANSWERED: Factor['audit']['answered'] = {
  passed: 'factor_passed',
  wrong: 'factor_failed',
  blocked: 'factor_limited',
  rejected: 'factor_rejected',
}
