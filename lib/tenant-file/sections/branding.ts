import { isJsonObject } from '../../kernel/json'
import { brandingSection } from '../../tenants/settings'
import { settingsSection } from './settings'

/** The vendor also supports gradients as page backgrounds. */
export const branding = settingsSection('branding', brandingSection, {
  'colors.page_background': isJsonObject,
})
