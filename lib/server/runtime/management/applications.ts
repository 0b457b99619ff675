// Applications, APIs, and what applications may have of them.
import { managedClientGrants } from '../../../adapters/store/prisma/management/client-grants'
import { managedClients } from '../../../adapters/store/prisma/management/clients'
import { managedApis } from '../../../adapters/store/prisma/management/resource-servers'
import { managedTokenExchangeProfiles } from '../../../adapters/store/prisma/management/token-exchange-profiles'
import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'

export const applications = ({ db, tenantId, keep, runtime, stores }: ManagementOpening) =>
  ({
    clients: stores.clients,
    managedClients: managedClients(db, tenantId, keep, stores.clients.forget),
    managedGrants: managedClientGrants(db, tenantId, keep, {
      forgetGrant: stores.clientGrants.forget,
      forgetApi: stores.apis.forget,
    }),
    apis: runtime.apis,
    resourceServers: managedApis(db, tenantId, stores.apis.forget),
    tokenExchangeProfiles: managedTokenExchangeProfiles(db, tenantId),
  }) satisfies Partial<ManagementDeps>
