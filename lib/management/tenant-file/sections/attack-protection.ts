// Attack protection. The secrets of captcha providers are not exported. A provider without a secret, and one that does not exist here,
// is reported; until another is named, the captcha is the one that needs no provider.

import { attackProtectionSection } from '../../../data/tenants/settings'
import { CAPTCHA_SECRETS, openCaptcha, withoutSecrets } from '../../../identity/captcha/secrets'
import { isJsonObject, type JsonObject, objectIn } from '../../../kernel/json'
import type { Operation } from '../../operations/operation'
import { attackProtection as resource } from '../../resources/attack-protection'
import type { PlanContext, Section } from '../context'
import { oneOf } from '../elsewhere'
import type { Json } from '../model'
import { unsetVariable } from '../variables'
import type { FileDeps } from '../working-copy'
import { changedBy, settingsSection } from './settings'

const NAME = 'attackProtection'

const SECRETS = Object.entries(CAPTCHA_SECRETS)

const PARTS: Readonly<Record<string, { update: Operation<FileDeps> }>> = {
  bruteForceProtection: resource.bruteForce,
  suspiciousIpThrottling: resource.suspiciousIps,
  breachedPasswordDetection: resource.breachedPasswords,
  botDetection: resource.botDetection,
  captcha: resource.captcha,
}

const section = settingsSection({
  name: NAME,
  fields: attackProtectionSection,
  elsewhere: { 'captcha.active_provider_id': oneOf('arkose', 'friendly_captcha', 'simple_captcha') },
  async operate(entry, before, context) {
    const known: JsonObject = { ...before, captcha: openCaptcha(objectIn(before.captcha), context.vault) }
    for (const [name, part] of Object.entries(entry)) {
      const { update } = PARTS[name] ?? {}
      if (update) await changedBy(update)(objectIn(part), objectIn(known[name]), context)
    }
  },
  shown: withoutKeys,
  secrets({ captcha }, vault) {
    const keys = openCaptcha(objectIn(captcha), vault)
    return Object.fromEntries(
      SECRETS.map(([provider, secret]) => [`captcha.${provider}.${secret}`, objectIn(keys[provider])[secret] ?? null]),
    )
  },
})

export const attackProtection: Section = {
  ...section,
  async plan(given, context) {
    const { captcha } = objectIn(given)
    const complete = isJsonObject(captcha) ? { ...objectIn(given), captcha: withStoredKeys(captcha, context) } : given
    await section.plan(complete, context)
  },
  export(...given) {
    const exported = section.export(...given)
    return exported && withoutKeys(exported)
  },
}

function withoutKeys(stored: Json | undefined): JsonObject {
  const { captcha, ...others } = objectIn(stored)
  return isJsonObject(captcha) ? { ...others, captcha: withoutSecrets(captcha) } : others
}

/** A variable that is not set: the keys of a provider that is not used are not needed. */
const unsetIn = (keys: JsonObject): string | undefined => {
  const names = Object.values(keys).map((value) => (typeof value === 'string' ? unsetVariable(value) : undefined))
  const name = names.find((each) => each !== undefined)
  return name && `the environment variable ${name}`
}

/** With the keys that the tenant has and the file, as an export, does not. A provider without its keys is reported and left out. */
function withStoredKeys(given: JsonObject, { stored, vault, notApplied }: PlanContext): JsonObject {
  const before = openCaptcha(objectIn(objectIn(stored.tenant?.settings[NAME]).captcha), vault)
  const captcha = { ...given }
  for (const [provider, secret] of SECRETS) {
    const isActive = given.active_provider_id === provider
    if (given[provider] === undefined && !isActive) continue
    const complete = { ...objectIn(before[provider]), ...objectIn(given[provider]) }
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
