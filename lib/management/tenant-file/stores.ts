// The stores that the operations of a file write to: in memory while the file is planned (working-copy.ts), on the database once the
// plan is applied.
import type { PermissionRow } from '../operations/permissions'
import type { ClientGrantDeps, ClientGrantResourceRow } from '../resources/client-grants'
import type { ApiResourceRow, ResourceServerDeps } from '../resources/resource-servers'
import type { RoleDeps, RoleResourceRow } from '../resources/roles'

export type FileStores = Pick<RoleDeps, 'roles'> &
  Pick<ResourceServerDeps, 'resourceServers'> &
  Pick<ClientGrantDeps, 'managedGrants'>

type Rows = {
  role: RoleResourceRow
  rolePermissions: { roleId: string; permissions: readonly PermissionRow[] }
  api: ApiResourceRow
  clientGrant: ClientGrantResourceRow
}

/** What an operation wrote, and how the same is written to the database. */
export type StoreWrite = {
  [Table in keyof Rows]: { table: Table; row: Rows[Table]; run(stores: FileStores, at: Date): Promise<unknown> }
}[keyof Rows]
