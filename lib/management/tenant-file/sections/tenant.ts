import * as z from 'zod'
import { writtenTenantUrls } from '../../../data/clients/client'
import { tenantSection } from '../../../data/tenants/settings'
import { tenantSettings } from '../../resources/tenant-settings'
import { hasPlaceholder, wholeNumber } from '../elsewhere'
import { changedBy, settingsSection } from './settings'

/** The vendor's plans set the longest lifetimes; here it is a year. */
const HOURS = wholeNumber(1)

export const tenant = settingsSection({
  name: 'tenant',
  fields: tenantSection.extend(z.object(writtenTenantUrls).partial().shape),
  elsewhere: {
    'allowed_logout_urls[]': hasPlaceholder,
    session_lifetime: HOURS,
    idle_session_lifetime: HOURS,
    ephemeral_session_lifetime: HOURS,
    idle_ephemeral_session_lifetime: HOURS,
  },
  operate: changedBy(tenantSettings.update),
})
