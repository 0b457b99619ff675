// The second factors that administrators have beside those of the tenant: the console demands one of each of them, also where the
// tenant has enabled none (threat-model.md MF11). Off with `tenant.console_second_factor`.
// - They count wherever this person's factors do: someone who knows the password alone can neither add a way to sign in nor remove the factor.
// - For anyone else, and for a person who is no administrator any more, the settings of the tenant are all there is.
import type { TenantSettings } from '../../data/tenants/settings'
import type { User } from '../../data/users/user'
import { type FactorName, factorNamed } from './factors/index'

const NAMES: readonly FactorName[] = ['otp', 'webauthn-roaming', 'webauthn-platform', 'recovery-code']

export type AdministratorFactorDeps = {
  settings: TenantSettings
  /** Whether the user may enter the console. */
  isAdministrator(userId: string): Promise<boolean>
}

const extended = new WeakMap<TenantSettings, TenantSettings>()

function withAdministratorFactors(settings: TenantSettings): TenantSettings {
  const known = extended.get(settings)
  if (known) return known
  const added = NAMES.map((name) => factorNamed(name).names.record)
  const others = settings.guardianFactors.filter(({ name }) => !added.includes(name))
  const guardianFactors = [...others, ...added.map((name) => ({ name, enabled: true }))]
  const made = { ...settings, guardianFactors }
  extended.set(settings, made)
  return made
}

/** The settings that this person's factors follow. */
export async function factorSettings(
  { id }: Pick<User, 'id'>,
  { settings, isAdministrator }: AdministratorFactorDeps,
): Promise<TenantSettings> {
  if (!settings.tenant.console_second_factor) return settings
  return (await isAdministrator(id)) ? withAdministratorFactors(settings) : settings
}
