// Attack protection. The secrets of captcha providers are sealed when they are read, and not exported. A provider without a secret,
// and one that does not exist here, is reported; until another is named, the captcha is the one that needs no provider.

import { attackProtectionSection } from '../../../data/tenants/settings'
import { CAPTCHA_SECRETS, openCaptchaSecret, sealCaptcha, withoutSecrets } from '../../../identity/captcha/secrets'
import { isJsonObject, type JsonObject, objectIn } from '../../../kernel/json'
import type { PlanContext, Section } from '../context'
import { oneOf } from '../elsewhere'
import { unsetVariable } from '../variables'
import { settingsSection } from './settings'

const NAME = 'attackProtection'

const section = settingsSection(
  NAME,
  attackProtectionSection,
  { 'captcha.active_provider_id': oneOf('arkose', 'friendly_captcha', 'simple_captcha') },
  (given, before, { vault, random }) => {
    const { captcha } = given
    if (!isJsonObject(captcha)) return given
    return { ...given, captcha: sealCaptcha(captcha, objectIn(before.captcha), vault, random) }
  },
)

export const attackProtection: Section = {
  ...section,
  async plan(given, context) {
    const { captcha } = objectIn(given)
    const complete = isJsonObject(captcha) ? { ...objectIn(given), captcha: withStoredKeys(captcha, context) } : given
    await section.plan(complete, context)
  },
  export(...given) {
    const shown = section.export(...given)
    const captcha = isJsonObject(shown) ? shown.captcha : undefined
    return isJsonObject(shown) && isJsonObject(captcha) ? { ...shown, captcha: withoutSecrets(captcha) } : shown
  },
}

/** A variable that is not set: the keys of a provider that is not used are not needed. */
const unsetIn = (keys: JsonObject): string | undefined => {
  const names = Object.values(keys).map((value) => (typeof value === 'string' ? unsetVariable(value) : undefined))
  const name = names.find((each) => each !== undefined)
  return name && `the environment variable ${name}`
}

type Provider = keyof typeof CAPTCHA_SECRETS

/** With the keys that the tenant has and the file, as an export, does not. A provider without its keys is reported and left out. */
function withStoredKeys(given: JsonObject, { stored, vault, notApplied }: PlanContext): JsonObject {
  const before = objectIn(objectIn(stored.tenant?.settings[NAME]).captcha)
  const captcha = { ...given }
  for (const [provider, secret] of Object.entries(CAPTCHA_SECRETS) as [Provider, string][]) {
    const isActive = given.active_provider_id === provider
    if (given[provider] === undefined && !isActive) continue
    const { [secret]: sealed, ...keys } = objectIn(before[provider])
    const plain = typeof sealed === 'string' ? openCaptchaSecret(provider, sealed, vault) : null
    const complete = { ...keys, ...(plain === null ? {} : { [secret]: plain }), ...objectIn(given[provider]) }
    const lack = complete[secret] === undefined ? secret : isActive ? undefined : unsetIn(complete)
    if (lack === undefined) {
      captcha[provider] = complete
      continue
    }
    delete captcha[provider]
    if (given[provider] !== undefined) notApplied.push(`${NAME}.captcha.${provider}: needs ${lack}`)
    if (isActive) {
      delete captcha.active_provider_id
      notApplied.push(`${NAME}.captcha.active_provider_id: ${JSON.stringify(provider)}`)
    }
  }
  return captcha
}
