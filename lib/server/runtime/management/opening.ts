// What each area of the Management API opens with.

import type { Database } from '../../../adapters/store/database'
import type { keepManagingClient } from '../../../adapters/store/prisma/management/last-managing-client'
import type { Runtime } from '../runtime'
import type { Shared } from '../shared'
import type { TenantStores } from '../stores'

export type ManagementOpening = {
  db: Database
  tenantId: string
  /** Refuses a change after which no administrator could sign in. */
  keep: ReturnType<typeof keepManagingClient>
  runtime: Runtime
  stores: TenantStores
  shared: Shared
}
