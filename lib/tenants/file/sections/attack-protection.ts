import { attackProtectionSection } from '../../settings'
import { settingsSection } from './settings'

export const attackProtection = settingsSection('attackProtection', attackProtectionSection)
