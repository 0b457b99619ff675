// People: their accounts, factors, sessions and rights, and the administrators.

import { managedRoles } from '../../../adapters/store/prisma/management/roles'
import { userAccessStore } from '../../../adapters/store/prisma/management/user-access'
import { accountFinder } from '../../../adapters/store/prisma/management/user-accounts'
import { userBlockStore } from '../../../adapters/store/prisma/management/user-blocks'
import { userConsentStore } from '../../../adapters/store/prisma/management/user-consents'
import { managedLinkStore } from '../../../adapters/store/sql/linked-accounts'
import { userFactorStore } from '../../../adapters/store/sql/management/user-factors'
import { userLoginStore } from '../../../adapters/store/sql/management/user-logins'
import { managedUsers } from '../../../adapters/store/sql/management/users'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const people = ({ db, tenantId, runtime, stores }: ManagementOpening) =>
  ({
    roles: managedRoles(db, tenantId),
    managedUsers: managedUsers(db, tenantId),
    managedLinks: managedLinkStore(db, tenantId),
    userAccess: userAccessStore(db, tenantId),
    userBlocks: userBlockStore(db, tenantId),
    userConsents: userConsentStore(db, tenantId),
    userFactors: userFactorStore(db, tenantId),
    userLogins: userLoginStore(db, tenantId),
    administrators: stores.administrators,
    accountFinder: accountFinder(db, tenantId),
    accounts: stores.accounts,
    users: stores.users,
    accountDeletions: stores.accountDeletions,
    undoAddress: stores.undoAddress,
    eventSubjects: runtime.eventSubjects,
    tickets: stores.tickets,
    passwords: runtime.passwords,
    breached: runtime.breached,
    attempts: runtime.attempts,
    authenticators: stores.authenticators,
    passkeys: stores.passkeys,
    knownBrowsers: stores.knownBrowsers,
    portray: runtime.portray,
  }) satisfies Partial<ManagementDeps>
