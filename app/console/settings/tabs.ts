import { customDomains } from '../../../lib/management/resources/custom-domains'
import { tenantSettings } from '../../../lib/management/resources/tenant-settings'
import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const SETTINGS: Tabbed = {
  title: say('settings.title'),
  lead: say('settings.lead'),
  tabs: [
    { path: '/console/settings', title: say('settings.general'), operation: tenantSettings.read },
    { path: '/console/settings/domains', title: say('domains.title'), operation: customDomains.list },
  ],
}
