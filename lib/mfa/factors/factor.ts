// The interface of a factor: one file per factor, listed in index.ts.
import type { OutboxRow } from '../../outbox/outbox'
import type { Authenticator, AuthenticatorType, OobChannel } from '../authenticator'
import type { MfaDeps, MfaSubject } from '../deps'
import type { FactorName } from '../policy'

/** The address to enrol, as typed. */
export type EnrollInput = { phoneNumber?: string | undefined; email?: string | undefined }

/** What a new authenticator stores, and what is shown once to the user who enrols it. */
export type Enrolled = {
  holds: Partial<Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email'>>
  secret?: string
  barcodeUri?: string
}

/** A challenge: a code in a message, or a prompt on a device. */
export type ChallengeSecrets = { codeDigest: Uint8Array | null; message: OutboxRow | null }

/** The vendor's types of factors. */
export type FactorType = 'otp' | 'phone' | 'push-notification' | 'email' | 'recovery-code'

export type Factor = {
  name: FactorName
  type: AuthenticatorType
  channel: OobChannel | null
  /** The prefix before the bar in the ids of its authenticators. */
  idPrefix: string
  /** The vendor's name in the list of factors that an application receives (`mfa_requirements`). */
  kind: FactorType
  /** Throws if no message can be sent to the input; null if the factor cannot be enrolled by itself. */
  enroll: ((input: EnrollInput, subject: MfaSubject, deps: MfaDeps) => Enrolled | Promise<Enrolled>) | null
  /** Null if the factor sends no message; returns null if the daily limit of messages is reached. */
  challenge:
    | ((
        authenticator: Authenticator,
        subject: MfaSubject,
        deps: MfaDeps,
      ) => ChallengeSecrets | Promise<ChallengeSecrets | null>)
    | null
}
