import { attackProtectionSection } from '../../tenants/settings'
import { settingsSection } from './settings'

export const attackProtection = settingsSection('attackProtection', attackProtectionSection)
