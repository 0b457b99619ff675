// What the Management API's operations need, for one tenant: a list of areas. Loaded with its first request. A store of a new resource is
// a line in its area.
import { keepManagingClient } from '../../../adapters/store/prisma/management/last-managing-client'
import { managementAudience } from '../../../data/apis/built-in'
import type { ManagementDeps } from '../../../management/deps'
import type { Runtime } from '../runtime'
import type { Shared } from '../shared'
import type { TenantStores } from '../stores'
import { actions } from './actions'
import { applications } from './applications'
import { connections } from './connections'
import { jobs } from './jobs'
import { logs } from './logs'
import { messages } from './messages'
import type { ManagementOpening } from './opening'
import { organizations } from './organizations'
import { people } from './people'
import { tenant } from './tenant'

export function openManagement(runtime: Runtime, stores: TenantStores, shared: Shared): ManagementDeps {
  const { db } = shared
  const { tenantId } = runtime
  const keep = keepManagingClient(tenantId, managementAudience(runtime.canonicalUrl))
  const opening: ManagementOpening = { db, tenantId, keep, runtime, stores, shared }
  return {
    ...tenant(opening),
    ...applications(opening),
    ...connections(opening),
    ...people(opening),
    ...organizations(opening),
    ...actions(opening),
    ...messages(opening),
    ...logs(opening),
    ...jobs(opening),
  }
}
