// Looks a password up in a local file of breached passwords: no password, and no part of one, leaves the machine. The adapter is
// lib/store/breached-file.ts; the tenant decides when passwords are checked.
import type { TenantSettings } from '../tenants/settings'

export type BreachedPasswords = { includes(password: string): Promise<boolean> }

/** When a password is looked up; `pre-user-registration` and `pre-change-password` are the vendor's names. */
export type BreachStage = 'login' | 'pre-user-registration' | 'pre-change-password'

export type BreachDeps = { breached: BreachedPasswords; settings: TenantSettings }

export async function isBreached(
  password: string,
  stage: BreachStage,
  { breached, settings }: BreachDeps,
): Promise<boolean> {
  const { enabled, shields: atLogin, stage: stages } = settings.attackProtection.breachedPasswordDetection
  const shields = stage === 'login' ? atLogin : stages[stage].shields
  return enabled && shields.includes('block') && (await breached.includes(password))
}
