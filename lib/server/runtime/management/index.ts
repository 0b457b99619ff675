// What the Management API's operations need, for one tenant: its stores (lib/adapters/store/prisma/management/index.ts) and a list of areas. Loaded
// with its first request.
import { type Forget, managementStores } from '../../../adapters/store/prisma/management'
import { keepManagingClient } from '../../../adapters/store/prisma/management/last-managing-client'
import { managementAudience } from '../../../data/apis/built-in'
import type { ManagementDeps } from '../../../management/deps'
import type { Runtime } from '../runtime'
import type { Shared } from '../shared'
import type { TenantStores } from '../stores'
import { actions } from './actions'
import { applications } from './applications'
import { jobs } from './jobs'
import { messages } from './messages'
import type { ManagementOpening } from './opening'
import { people } from './people'
import { tenant } from './tenant'

export function openManagement(runtime: Runtime, stores: TenantStores, shared: Shared): ManagementDeps {
  const { db } = shared
  const { tenantId } = runtime
  const keep = keepManagingClient(tenantId, managementAudience(runtime.canonicalUrl))
  const opening: ManagementOpening = { db, tenantId, runtime, stores, shared }
  const forget: Forget = {
    client: stores.clients.forget,
    clientGrant: stores.clientGrants.forget,
    api: stores.apis.forget,
    connections: stores.connections.forget,
    action: stores.actions.find.forget,
  }
  return {
    ...(managementStores(db, tenantId, keep, forget) satisfies Partial<ManagementDeps>),
    ...tenant(opening),
    ...applications(opening),
    ...people(opening),
    ...actions(opening),
    ...messages(opening),
    ...jobs(opening),
  }
}
