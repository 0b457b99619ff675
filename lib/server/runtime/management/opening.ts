// What each area of the Management API opens with.

import type { Database } from '../../../adapters/store/database'
import type { Runtime } from '../runtime'
import type { Shared } from '../shared'
import type { TenantStores } from '../stores'

export type ManagementOpening = {
  db: Database
  tenantId: string
  runtime: Runtime
  stores: TenantStores
  shared: Shared
}
