import { tenantSection } from '../../tenants/settings'
import { wholeNumber } from '../elsewhere'
import { settingsSection } from './settings'

/** The vendor's plans set the longest lifetimes; here it is a year. */
const HOURS = wholeNumber(1)

export const tenant = settingsSection('tenant', tenantSection, {
  session_lifetime: HOURS,
  idle_session_lifetime: HOURS,
  ephemeral_session_lifetime: HOURS,
  idle_ephemeral_session_lifetime: HOURS,
})
