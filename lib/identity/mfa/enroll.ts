// Enrolment of a factor: it waits until it has been proven once (prove.ts), by a code of the app, the code sent to it or the
// enrolled device. The first factor comes with a recovery code, which becomes active at the same time, unless the caller enrols
// recovery codes by themselves.
import type { TenantSettings } from '../../data/tenants/settings'
import { invalidRequest } from '../../kernel/errors'
import { factorSettings } from './administrator-factors'
import { type Authenticator, newAuthenticatorId } from './authenticator'
import type { MfaDeps, MfaSubject } from './deps'
import { listFactors } from './enrolled'
import type { EnrollInput, Factor } from './factors/factor'
import { type FactorName, factorNamed, factorOf } from './factors/index'
import { digestOfRecoveryCode, newRecoveryCode, recoveryCode, recoveryIdFor } from './factors/recovery-code'
import { openChallenge } from './open-challenge'
import { isEnabled } from './policy'

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
  { vouched, withRecoveryCode = true }: { vouched: boolean; withRecoveryCode?: boolean },
  deps: MfaDeps,
): Promise<Enrolment> {
  const factor = factorNamed(name)
  const settings = await factorSettings(subject.user, deps)
  if (!factor.enroll || !isEnabled(name, settings))
    throw invalidRequest('This factor cannot be enrolled', { reason: 'factor_not_enabled' })
  const { holds, ...shown } = await factor.enroll(input, subject, deps)
  const id = newAuthenticatorId(factor.names.idPrefix, deps.random)
  const authenticator = waiting(id, factor, holds, subject, vouched, deps)
  const { all } = await listFactors(subject.user, deps)
  await insert(authenticator, subject, deps)
  deps.trail.record('factor_enrolling', { user: subject.user, factor: name })
  const code = withRecoveryCode ? await issueRecoveryCode(authenticator, all, settings, subject, deps) : null
  const challenge = await openChallenge(authenticator, subject, { showsNumber: false }, deps)
  const invited = challenge && (await factor.invite?.(authenticator, subject, challenge.digest, deps))
  const barcodeUri = invited ?? shown.barcodeUri
  return {
    authenticator,
    ...shown,
    ...(barcodeUri === undefined ? {} : { barcodeUri }),
    ...(challenge === null ? {} : { challenge }),
    ...(code === null ? {} : { recoveryCode: code }),
  }
}

type Holding = Partial<Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email' | 'secretDigest'>>

const waiting = (
  id: string,
  { names }: Factor,
  { sealed = null, phoneNumber = null, email = null, secretDigest = null }: Holding,
  { user }: MfaSubject,
  vouched: boolean,
  { clock }: MfaDeps,
): Authenticator => ({
  id,
  userId: user.id,
  type: names.authenticatorType,
  channel: names.channel,
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
  throw invalidRequest('The account has changed meanwhile', { reason: 'account_changed' })
}

async function issueRecoveryCode(
  factor: Authenticator,
  all: readonly Authenticator[],
  settings: TenantSettings,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<string | null> {
  const has = all.some((each) => each.active && factorOf(each) === recoveryCode)
  if (!isEnabled(recoveryCode.id, settings) || has) return null
  const code = newRecoveryCode(deps.random)
  const secretDigest = digestOfRecoveryCode(code, deps.vault)
  const id = recoveryIdFor(factor.id)
  await insert(waiting(id, recoveryCode, { secretDigest }, subject, factor.vouched, deps), subject, deps)
  return code
}
