// Looks a password up in a local file of breached passwords: no password, and no part of one, leaves the machine. The adapter is
// lib/store/breached-file.ts; the tenant decides when passwords are checked.
import type { TenantSettings } from '../tenants/settings'

export type BreachedPasswords = { includes(password: string): Promise<boolean> }

/** The vendor's names of the events at which a password is looked up. */
export type BreachStage = 'pre-user-registration' | 'pre-change-password'

export async function isBreached(
  password: string,
  stage: BreachStage,
  { breached, settings }: { breached: BreachedPasswords; settings: TenantSettings },
): Promise<boolean> {
  const { enabled, stage: stages } = settings.attackProtection.breachedPasswordDetection
  return enabled && stages[stage].shields.includes('block') && (await breached.includes(password))
}
