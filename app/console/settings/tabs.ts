import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const SETTINGS: Tabbed = {
  title: say('settings.title'),
  lead: say('settings.lead'),
  tabs: [
    { path: '/console/settings', title: say('settings.general'), operation: 'tenant_settings.read' },
    { path: '/console/settings/domains', title: say('domains.title'), operation: 'custom_domains.list' },
  ],
}
