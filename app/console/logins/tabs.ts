import { loginShares } from '../../../lib/management/resources/login-shares'
import { logins } from '../../../lib/management/resources/logins'
import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const LOGINS: Tabbed = {
  title: say('logins.title'),
  lead: say('logins.lead'),
  tabs: [
    { path: '/console/logins', title: say('logins.tab.logins'), operation: logins.list },
    { path: '/console/logins/links', title: say('logins.links'), operation: loginShares.list },
  ],
}
