// The shape of a factor: one file each, the list in index.ts.
import type { OutboxRow } from '../../outbox/outbox'
import type { Authenticator, AuthenticatorType, OobChannel } from '../authenticator'
import type { MfaDeps, MfaSubject } from '../deps'
import type { FactorName } from '../policy'

/** Where a person enrols something that has an address; as it was typed. */
export type EnrollInput = { phoneNumber?: string | undefined; email?: string | undefined }

/** What a new authenticator holds, and what is shown once to whoever enrols it. */
export type Enrolled = {
  holds: Partial<Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email'>>
  secret?: string
  barcodeUri?: string
}

/** How it is asked: a code on its way, or a prompt that waits on a device. */
export type Asked = { codeDigest: Uint8Array | null; message: OutboxRow | null }

export type Factor = {
  name: FactorName
  type: AuthenticatorType
  channel: OobChannel | null
  /** Before the bar in the ids of its authenticators. */
  idPrefix: string
  /** The vendor's word for it where an application is told what a person may use (`mfa_requirements`). */
  kind: 'otp' | 'phone' | 'push-notification' | 'email' | 'recovery-code'
  /** Throws for an input that nothing can be sent to; null where nobody enrols it by itself. */
  enroll: ((input: EnrollInput, subject: MfaSubject, deps: MfaDeps) => Enrolled | Promise<Enrolled>) | null
  /** Null where nothing is ever sent; answers null where nothing more may be sent today. */
  challenge:
    | ((authenticator: Authenticator, subject: MfaSubject, deps: MfaDeps) => Asked | Promise<Asked | null>)
    | null
}
