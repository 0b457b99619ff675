// Decides whether a password is refused because it is known from a data breach. It is looked up in a local file
// (lib/adapters/store/breached-file.ts): no password, and no part of one, leaves the machine. The tenant decides when passwords are checked.
import type { TenantSettings } from '../tenants/settings'

export type BreachedPasswords = { includes(password: string): Promise<boolean> }

/** When a password is looked up; `pre-user-registration` and `pre-change-password` are the vendor's names. */
export type BreachStage = 'login' | 'pre-user-registration' | 'pre-change-password'

export type BreachDeps = { breached: BreachedPasswords; settings: TenantSettings }

export async function isRefusedAsBreached(
  password: string,
  stage: BreachStage,
  { breached, settings }: BreachDeps,
): Promise<boolean> {
  return refusesBreached(stage, settings) && (await breached.includes(password))
}

/** Whether the tenant refuses such passwords there. */
export function refusesBreached(stage: BreachStage, settings: BreachDeps['settings']): boolean {
  const detection = settings.attackProtection.breachedPasswordDetection
  const { shields } = stage === 'login' ? detection : detection.stage[stage]
  return detection.enabled && shields.includes('block')
}
