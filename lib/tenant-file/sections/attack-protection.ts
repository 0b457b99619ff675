// Attack protection. The secrets of captcha providers are sealed when they are read, and not exported.
import { sealCaptcha, withoutSecrets } from '../../captcha/secrets'
import { isJsonObject } from '../../kernel/json'
import { attackProtectionSection } from '../../tenants/settings'
import type { Section } from '../context'
import { settingsSection } from './settings'

const section = settingsSection('attackProtection', attackProtectionSection, [], (given, before, { vault, random }) => {
  const { captcha } = given
  if (!isJsonObject(captcha)) return given
  return { ...given, captcha: sealCaptcha(captcha, isJsonObject(before.captcha) ? before.captcha : {}, vault, random) }
})

export const attackProtection: Section = {
  ...section,
  export(...given) {
    const shown = section.export(...given)
    const captcha = isJsonObject(shown) ? shown.captcha : undefined
    return isJsonObject(shown) && isJsonObject(captcha) ? { ...shown, captcha: withoutSecrets(captcha) } : shown
  },
}
