// The stores that the operations of a file write to: in memory while the file is planned (copied-stores.ts), on the database once the
// plan is applied.
import type { BuiltBundle } from '../../identity/tenant-code/packages/bundle'
import type { Document, DocumentDeps, DocumentKind } from '../operations/documents'
import type { PermissionRow } from '../operations/permission-body'
import type { SingletonDeps, TenantRecord } from '../operations/singleton'
import type { ActionDeps, ActionResourceRow } from '../resources/actions'
import type { ClientGrantDeps, ClientGrantResourceRow } from '../resources/client-grants'
import type { ClientDeps, ClientResourceRow } from '../resources/clients'
import type { ConnectionDeps, ConnectionResourceRow } from '../resources/connections'
import type { EmailProviderDeps, EmailProviderRow } from '../resources/email-provider'
import type { EnabledConnectionRow } from '../resources/enabled-connection'
import type { LogStreamDeps, LogStreamRow } from '../resources/log-streams'
import type { OrganizationClientGrantDeps } from '../resources/organization-client-grants'
import type { OrganizationConnectionDeps } from '../resources/organization-connections'
import type { OrganizationDeps, OrganizationRow } from '../resources/organizations'
import type { PhoneProviderDeps, PhoneProviderRow } from '../resources/phone-providers'
import type { ApiResourceRow, ResourceServerDeps } from '../resources/resource-servers'
import type { RoleDeps, RoleResourceRow } from '../resources/roles'
import type { TokenExchangeProfileDeps, TokenExchangeProfileRow } from '../resources/token-exchange-profiles'

export type FileStores = Pick<ClientDeps, 'managedClients'> &
  Pick<ActionDeps, 'managedActions'> &
  Pick<RoleDeps, 'roles'> &
  Pick<ResourceServerDeps, 'resourceServers'> &
  Pick<ClientGrantDeps, 'managedGrants'> &
  Pick<ConnectionDeps, 'managedConnections'> &
  Pick<LogStreamDeps, 'logStreams'> &
  Pick<OrganizationDeps, 'organizations'> &
  Pick<OrganizationConnectionDeps, 'organizationConnections'> &
  Pick<OrganizationClientGrantDeps, 'organizationClientGrants'> &
  Pick<DocumentDeps, 'documents'> &
  Pick<EmailProviderDeps, 'emailProvider'> &
  Pick<PhoneProviderDeps, 'phoneProvider'> &
  Pick<TokenExchangeProfileDeps, 'tokenExchangeProfiles'> &
  Pick<SingletonDeps, 'tenantRecord'> & {
    /** For the first file of a tenant. */
    createTenant(name: string): Promise<void>
    /** Of packages that were built before. */
    keepBundle(bundle: BuiltBundle, at: Date): Promise<void>
  }

type Rows = {
  tenant: TenantRecord
  action: ActionResourceRow
  /** Without its text, which is no value of the file. */
  actionBundle: Pick<BuiltBundle, 'digest'>
  client: ClientResourceRow
  role: RoleResourceRow
  rolePermissions: { roleId: string; permissions: readonly PermissionRow[] }
  api: ApiResourceRow
  clientGrant: ClientGrantResourceRow
  connection: ConnectionResourceRow
  logStream: LogStreamRow
  organization: OrganizationRow
  /** The id alone of one that is removed. */
  organizationConnection: { organizationId: string; connection: EnabledConnectionRow | string }
  organizationClientGrant: { organizationId: string; grantId: string }
  document: Document & { kind: DocumentKind }
  emailProvider: EmailProviderRow
  phoneProvider: PhoneProviderRow
  tokenExchangeProfile: TokenExchangeProfileRow
}

/** What an operation wrote, and how the same is written to the database. */
export type StoreWrite = {
  [Table in keyof Rows]: { table: Table; row: Rows[Table]; run(stores: FileStores, at: Date): Promise<unknown> }
}[keyof Rows]
