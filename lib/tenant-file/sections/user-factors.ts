// `mfa_factors` of an imported user → authenticators to enrol. A factor that the user already has stays unchanged, and none is
// ever removed: the file contains the imported factors, not those that the user added since.

import { alphanumeric } from '../../kernel/random'
import { canonical } from '../../users/user'
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

function isSame(row: FactorRow, { totp, phone, email }: FactorEntry, { vault }: PlanContext): boolean {
  if (phone) return row.channel === 'sms' && row.phoneNumber === phone.value
  if (email) return row.channel === 'email' && row.email === canonical(email.value)
  return row.type === 'otp' && row.sealed !== null && vault.open('totp', row.sealed)?.toString() === totp?.secret
}

function enrolled({ totp, phone, email }: FactorEntry, { vault, random }: PlanContext): FactorRow {
  const device = `dev_${alphanumeric(random, 16)}`
  const none = { channel: null, sealed: null, phoneNumber: null, email: null }
  if (phone) return { ...none, id: `sms|${device}`, type: 'oob', channel: 'sms', phoneNumber: phone.value }
  if (email) return { ...none, id: `email|${device}`, type: 'oob', channel: 'email', email: canonical(email.value) }
  return { ...none, id: `totp|${device}`, type: 'otp', sealed: vault.seal('totp', totp?.secret ?? '', random) }
}

/** Factors that are stored but not used, because the tenant has disabled them. */
export const dormantFactors = (entries: readonly FactorEntry[], path: string, context: PlanContext): string[] =>
  [...new Set(entries.map(recordOf))]
    .filter((name) => !isSwitchedOn(name, context))
    .map((name) => `${path}.mfa_factors: kept, but guardianFactors has ${name} switched off`)

const recordOf = ({ phone, email }: FactorEntry) => (phone ? 'sms' : email ? 'email' : 'otp')
