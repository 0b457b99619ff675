import { tenantSection } from '../../settings'
import { settingsSection } from './settings'

export const tenant = settingsSection('tenant', tenantSection)
