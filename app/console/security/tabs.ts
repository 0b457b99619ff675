import { addressBlocks } from '../../../lib/management/resources/address-blocks'
import { attackProtection } from '../../../lib/management/resources/attack-protection'
import { guardian } from '../../../lib/management/resources/guardian'
import { signingKeys } from '../../../lib/management/resources/signing-keys'
import { say } from '../../../lib/text/console'
import type { Tabbed } from '../_parts/tabs'

export const SECURITY: Tabbed = {
  title: say('security.title'),
  lead: say('security.lead'),
  tabs: [
    { path: '/console/security', title: say('security.attacks'), operation: attackProtection.bruteForce.read },
    { path: '/console/security/factors', title: say('security.factors'), operation: guardian.factorsList },
    { path: '/console/security/keys', title: say('security.keys'), operation: signingKeys.list },
    { path: '/console/security/blocks', title: say('security.blocks'), operation: addressBlocks.blockedIpsRead },
  ],
}
