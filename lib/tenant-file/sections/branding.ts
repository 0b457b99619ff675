import { isJsonObject } from '../../kernel/json'
import { brandingSection } from '../../tenants/settings'
import { settingsSection } from './settings'

/** The vendor takes any object as a gradient. */
export const branding = settingsSection('branding', brandingSection, {
  'colors.page_background': isJsonObject,
})
