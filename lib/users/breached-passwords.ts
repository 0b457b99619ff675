// Whether a password is known from somebody's data breach, asked of a file on this machine: no password, and no part of
// one, ever leaves it. The file is the adapter's business (lib/store/breached-file.ts); the tenant decides where it counts.
import type { TenantSettings } from '../tenants/settings'

export type BreachedPasswords = { includes(password: string): Promise<boolean> }

/** The vendor's names of the moments at which a password is looked up. */
export type BreachStage = 'pre-user-registration' | 'pre-change-password'

export async function isBreached(
  password: string,
  stage: BreachStage,
  { breached, settings }: { breached: BreachedPasswords; settings: TenantSettings },
): Promise<boolean> {
  const { enabled, stage: stages } = settings.attackProtection.breachedPasswordDetection
  return enabled && stages[stage].shields.includes('block') && (await breached.includes(password))
}
