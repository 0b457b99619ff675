// Enrolment of a factor: it waits until it has been proven once (prove.ts), by a code of the app, the code sent to it or the
// enrolled device. The first factor comes with a recovery code, which becomes active at the same time.
import { invalidRequest } from '../kernel/errors'
import { issueTicket, ticketKind } from '../tickets/ticket'
import { type Authenticator, isRecovery, newAuthenticatorId } from './authenticator'
import type { MfaDeps, MfaSubject } from './deps'
import { listFactors } from './enrolled'
import type { EnrollInput } from './factors/factor'
import { factorNamed } from './factors/index'
import { digestOfRecoveryCode, newRecoveryCode, recoveryCode } from './factors/recovery-code'
import { openChallenge } from './open-challenge'
import { type FactorName, isEnabled } from './policy'

/** The content of the ticket in the QR code that a phone scans. */
export type DeviceTicket = {
  authenticatorId: string
  userId: string
  challenge: string
  login: string
  /** Absent in tickets that the previous release issued. */
  clientName?: string
}
export const DEVICE_TICKET = ticketKind<DeviceTicket>('mfa-device', 600)

/** The path that a phone opens after scanning the QR code. */
export const DEVICE_PATH = '/u/device'

export type Enrolment = {
  authenticator: Authenticator
  /** For an authenticator app: to be typed or scanned; for a device: the address to open. */
  secret?: string
  barcodeUri?: string
  /** Present if a code was sent, or the device is pending. */
  challenge?: { oobCode: string; digest: Uint8Array; prompt: boolean }
  /** Present with the first factor. */
  recoveryCode?: string
}

/** `vouched`: the caller has proven a factor. Otherwise only the first factor can be added. */
export async function beginEnrollment(
  subject: MfaSubject,
  name: FactorName,
  input: EnrollInput,
  { vouched }: { vouched: boolean },
  deps: MfaDeps,
): Promise<Enrolment> {
  const factor = factorNamed(name)
  if (!factor.enroll || !isEnabled(name, deps.settings)) throw invalidRequest('This factor cannot be enrolled')
  const { holds, ...shown } = await factor.enroll(input, subject, deps)
  const id = newAuthenticatorId(factor.idPrefix, deps.random)
  const authenticator = waiting(id, { ...factor, ...holds }, subject, vouched, deps)
  const { all } = await listFactors(subject.user, deps)
  await insert(authenticator, subject, deps)
  deps.trail.record('factor_enrolling', { user: subject.user, factor: name })
  const code = await issueRecoveryCode(authenticator, all, subject, deps)
  const challenge = await openChallenge(authenticator, subject, { showsNumber: false }, deps)
  const barcodeUri =
    factor.name === 'push' && challenge
      ? await deviceUri(authenticator, subject, challenge.digest, deps)
      : shown.barcodeUri
  return {
    authenticator,
    ...shown,
    ...(barcodeUri === undefined ? {} : { barcodeUri }),
    ...(challenge === null ? {} : { challenge }),
    ...(code === null ? {} : { recoveryCode: code }),
  }
}

type Holding = Pick<Authenticator, 'type' | 'channel'> &
  Partial<Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email' | 'secretDigest'>>

const waiting = (
  id: string,
  { type, channel, sealed = null, phoneNumber = null, email = null, secretDigest = null }: Holding,
  { user }: MfaSubject,
  vouched: boolean,
  { clock }: MfaDeps,
): Authenticator => ({
  id,
  userId: user.id,
  type,
  channel,
  name: null,
  active: false,
  sealed,
  phoneNumber,
  email,
  secretDigest,
  vouched,
  createdAt: clock.now(),
})

/** An enrolment that started before the first verification of the owner's address cannot be completed after it. */
async function insert(authenticator: Authenticator, { user }: MfaSubject, deps: MfaDeps): Promise<void> {
  if (await deps.authenticators.insert(authenticator, user)) return
  throw invalidRequest('The account has changed meanwhile')
}

/** It shares the device part of the factor's id, so that confirming the factor confirms this recovery code and no other. */
async function issueRecoveryCode(
  factor: Authenticator,
  all: readonly Authenticator[],
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<string | null> {
  if (!isEnabled('recovery-code', deps.settings) || all.some((each) => each.active && isRecovery(each))) return null
  const code = newRecoveryCode(deps.random)
  const secretDigest = digestOfRecoveryCode(code, deps.vault)
  const id = recoveryIdFor(factor.id)
  await insert(waiting(id, { ...recoveryCode, secretDigest }, subject, factor.vouched, deps), subject, deps)
  return code
}

export const recoveryIdFor = (factorId: string): string => `${recoveryCode.idPrefix}|${factorId.split('|')[1]}`

async function deviceUri(
  { id, userId }: Authenticator,
  { login, clientName }: MfaSubject,
  challenge: Uint8Array,
  deps: MfaDeps,
): Promise<string> {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const payload = { authenticatorId: id, userId, challenge: text(challenge), login: text(login), clientName }
  const ticket = await issueTicket(DEVICE_TICKET, payload, deps, { subject: id })
  const query = new URLSearchParams({ enrollment_tx_id: ticket, base_url: deps.baseUrl })
  return `${deps.baseUrl}${DEVICE_PATH}?${query}`
}
