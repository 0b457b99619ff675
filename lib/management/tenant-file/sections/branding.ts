import { brandingSection } from '../../../data/tenants/settings'
import { isJsonObject } from '../../../kernel/json'
import { branding as resource } from '../../resources/branding'
import { changedBy, settingsSection } from './settings'

export const branding = settingsSection({
  name: 'branding',
  fields: brandingSection,
  /** The vendor takes any object as a gradient. */
  elsewhere: { 'colors.page_background': isJsonObject },
  operate: changedBy(resource.update),
})
