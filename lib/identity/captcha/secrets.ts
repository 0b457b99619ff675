// The keys by which this server asks a captcha provider: stored sealed with the tenant's settings, opened only for use.
import { isJsonObject, type JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

/** The provider's member that is secret. */
export const CAPTCHA_SECRETS = {
  recaptcha_v2: 'secret',
  recaptcha_enterprise: 'api_key',
  hcaptcha: 'secret',
  turnstile: 'secret',
} as const

type Provider = keyof typeof CAPTCHA_SECRETS

const purposeOf = (provider: string): string => `captcha ${provider}`

export const openCaptchaSecret = (provider: Provider, sealed: string, vault: Vault): string | null =>
  vault.open(purposeOf(provider), Buffer.from(sealed, 'base64'))?.toString() ?? null

/** The given settings with sealed secrets. An unchanged secret keeps its sealed value. */
export function sealCaptcha(given: JsonObject, stored: JsonObject, vault: Vault, random: Random): JsonObject {
  const result = { ...given }
  for (const [provider, name] of Object.entries(CAPTCHA_SECRETS) as [Provider, string][]) {
    const settings = given[provider]
    const before = stored[provider]
    const plain = isJsonObject(settings) ? settings[name] : undefined
    if (!isJsonObject(settings) || typeof plain !== 'string' || plain === '') continue
    const kept = isJsonObject(before) && typeof before[name] === 'string' ? before[name] : null
    const isSame = kept !== null && openCaptchaSecret(provider, kept, vault) === plain
    const sealed = isSame ? kept : vault.seal(purposeOf(provider), plain, random).toString('base64')
    result[provider] = { ...settings, [name]: sealed }
  }
  return result
}

/** The settings as they are shown: without secrets, as the vendor does. */
export const withoutSecrets = (captcha: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(captcha).map(([name, value]) => {
      const secret = Object.hasOwn(CAPTCHA_SECRETS, name) ? CAPTCHA_SECRETS[name as Provider] : undefined
      if (secret === undefined || !isJsonObject(value)) return [name, value]
      const { [secret]: _, ...shown } = value
      return [name, shown]
    }),
  )
