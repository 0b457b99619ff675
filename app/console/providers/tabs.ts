import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const PROVIDERS: Tabbed = {
  title: say('providers.title'),
  lead: say('providers.lead'),
  tabs: [
    { path: '/console/providers', title: say('providers.mail'), operation: 'email_provider.read' },
    { path: '/console/providers/phone', title: say('providers.phone'), operation: 'phone_providers.all' },
  ],
}
