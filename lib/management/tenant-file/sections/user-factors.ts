// `mfa_factors` of an imported user → authenticators to enrol. A factor that the user already has stays unchanged, and none is
// ever removed: the file contains the imported factors, not those that the user added since.

import { canonical } from '../../../data/users/user'
import { newAuthenticatorId } from '../../../identity/mfa/authenticator'
import { email } from '../../../identity/mfa/factors/email'
import type { Factor } from '../../../identity/mfa/factors/factor'
import { otp, SEED_PURPOSE } from '../../../identity/mfa/factors/otp'
import { sms } from '../../../identity/mfa/factors/phone'
import type { PlanContext } from '../context'
import type { FactorRow, StoredUser } from '../model'
import { isSwitchedOn } from './guardian'
import type { FactorEntry } from './user-entry'

export function missingFactors(
  entries: readonly FactorEntry[],
  stored: StoredUser | undefined,
  context: PlanContext,
): FactorRow[] {
  return entries.flatMap((entry): FactorRow[] => {
    const has = stored?.factors.some((row) => isSame(row, entry, context)) ?? false
    return has ? [] : [enrolled(entry, context)]
  })
}

function isSame(row: FactorRow, { totp, phone, email: mail }: FactorEntry, { vault }: PlanContext): boolean {
  if (phone) return row.channel === sms.names.channel && row.phoneNumber === phone.value
  if (mail) return row.channel === email.names.channel && row.email === canonical(mail.value)
  const sealed = row.type === otp.names.authenticatorType ? row.sealed : null
  return sealed !== null && vault.open(SEED_PURPOSE, sealed)?.toString() === totp?.secret
}

function enrolled({ totp, phone, email: mail }: FactorEntry, context: PlanContext): FactorRow {
  const { vault, random } = context
  if (phone) return rowOf(sms, { phoneNumber: phone.value }, context)
  if (mail) return rowOf(email, { email: canonical(mail.value) }, context)
  return rowOf(otp, { sealed: vault.seal(SEED_PURPOSE, totp?.secret ?? '', random) }, context)
}

const rowOf = (
  { names: { idPrefix, authenticatorType, channel } }: Factor,
  holds: Partial<Pick<FactorRow, 'sealed' | 'phoneNumber' | 'email'>>,
  { random }: PlanContext,
): FactorRow => ({
  id: newAuthenticatorId(idPrefix, random),
  type: authenticatorType,
  channel,
  sealed: null,
  phoneNumber: null,
  email: null,
  ...holds,
})

/** Factors that are stored but not used, because the tenant has disabled them. */
export const dormantFactors = (entries: readonly FactorEntry[], path: string, context: PlanContext): string[] =>
  [...new Set(entries.map(recordOf))]
    .filter((name) => !isSwitchedOn(name, context))
    .map((name) => `${path}.mfa_factors: kept, but guardianFactors has ${name} switched off`)

const recordOf = ({ phone, email: mail }: FactorEntry): string => (phone ? sms : mail ? email : otp).names.record
