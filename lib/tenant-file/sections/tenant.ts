import { tenantSection } from '../../tenants/settings'
import { settingsSection } from './settings'

export const tenant = settingsSection('tenant', tenantSection)
