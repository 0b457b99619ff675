// The keys by which this server asks a captcha provider: stored sealed with the tenant's settings, opened only for use.
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
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

/** The given settings with sealed secrets. */
export const sealCaptcha = (given: JsonObject, vault: Vault, random: Random): JsonObject =>
  withSecrets(given, (provider, plain) => vault.seal(purposeOf(provider), plain, random).toString('base64'))

/** Stored settings with their secrets in the clear; one that another secret sealed is left out. */
export const openCaptcha = (stored: JsonObject, vault: Vault): JsonObject =>
  withSecrets(stored, (provider, sealed) => openCaptchaSecret(provider, sealed, vault))

function withSecrets(captcha: JsonObject, change: (provider: Provider, secret: string) => string | null): JsonObject {
  const result = { ...captcha }
  for (const [provider, name] of Object.entries(CAPTCHA_SECRETS) as [Provider, string][]) {
    const { [name]: secret, ...others } = objectIn(captcha[provider])
    if (typeof secret !== 'string' || secret === '') continue
    const changed = change(provider, secret)
    result[provider] = changed === null ? others : { ...others, [name]: changed }
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
