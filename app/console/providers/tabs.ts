import { emailProvider } from '../../../lib/management/resources/email-provider'
import { phoneProviders } from '../../../lib/management/resources/phone-providers'
import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const PROVIDERS: Tabbed = {
  title: say('providers.title'),
  lead: say('providers.lead'),
  tabs: [
    { path: '/console/providers', title: say('providers.mail'), operation: emailProvider.read },
    { path: '/console/providers/phone', title: say('providers.phone'), operation: phoneProviders.all },
  ],
}
