import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const SECURITY: Tabbed = {
  title: say('security.title'),
  lead: say('security.lead'),
  tabs: [
    { path: '/console/security', title: say('security.attacks'), operation: 'brute_force_protection.read' },
    { path: '/console/security/factors', title: say('security.factors'), operation: 'guardian.factors.list' },
    { path: '/console/security/keys', title: say('security.keys'), operation: 'signing_keys.list' },
    { path: '/console/security/blocks', title: say('security.blocks'), operation: 'anomaly.blocked_ips.read' },
  ],
}
