import { brandingSection } from '../../../data/tenants/settings'
import { isJsonObject } from '../../../kernel/json'
import { settingsSection } from './settings'

/** The vendor takes any object as a gradient. */
export const branding = settingsSection('branding', brandingSection, {
  'colors.page_background': isJsonObject,
})
