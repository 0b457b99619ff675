// The list of users, as the Management API searches it.

import type { ManagedUser, ManagedUserRecords } from '../../data/users/managed-user'
import type { Page, Window } from '../operations/list'
import type { SearchExpression } from '../search/query'

export type UserFilter = {
  query?: SearchExpression | undefined
  connection?: string | undefined
  /** Those of the tenant. */
  connections: readonly { id: string; name: string }[]
  sort?: { field: string; descending: boolean } | undefined
  /** Whether the total is asked for: it costs a walk through all that is found. */
  totals: boolean
}

export type ManagedUserStore = ManagedUserRecords & {
  list(filter: UserFilter, window: Window): Promise<Page<ManagedUser>>
}
