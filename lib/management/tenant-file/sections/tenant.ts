import * as z from 'zod'
import { writtenTenantUrls } from '../../../data/clients/client'
import { tenantSection } from '../../../data/tenants/settings'
import { hasPlaceholder, wholeNumber } from '../elsewhere'
import { settingsSection } from './settings'

/** The vendor's plans set the longest lifetimes; here it is a year. */
const HOURS = wholeNumber(1)

const written = tenantSection.extend(z.object(writtenTenantUrls).partial().shape)

export const tenant = settingsSection('tenant', written, {
  'allowed_logout_urls[]': hasPlaceholder,
  session_lifetime: HOURS,
  idle_session_lifetime: HOURS,
  ephemeral_session_lifetime: HOURS,
  idle_ephemeral_session_lifetime: HOURS,
})
