// The input and output of planning a tenant file, as plain data: the stored configuration, the changes to make, and the parts of
// the file that are not applied.

import type { SigningAlgorithm } from '../../crypto/keys/algorithms'
import type { EventFacts } from '../../data/audit/audit'
import type { ImportedHash } from '../../data/users/imported-hash'
import type { JsonObject } from '../../kernel/json'
import type { Document, DocumentKind } from '../operations/documents'
import type { PermissionRow } from '../operations/permission-body'
import type { TenantRecord } from '../operations/singleton'
import type { ActionResourceRow } from '../resources/actions'
import type { ClientGrantResourceRow } from '../resources/client-grants'
import type { ClientResourceRow } from '../resources/clients'
import type { ConnectionResourceRow } from '../resources/connections'
import type { EmailProviderRow } from '../resources/email-provider'
import type { EnabledConnectionRow } from '../resources/enabled-connection'
import type { LogStreamRow } from '../resources/log-streams'
import type { OrganizationRow } from '../resources/organizations'
import type { PhoneProviderRow } from '../resources/phone-providers'
import type { ApiResourceRow } from '../resources/resource-servers'
import type { RoleResourceRow } from '../resources/roles'
import type { TokenExchangeProfileRow } from '../resources/token-exchange-profiles'
import type { StoreWrite } from './stores'

export type { Json, JsonObject } from '../../kernel/json'

/** One that registered itself chose its own name, so a file can refer to it only by id. */
export type ClientRow = ClientResourceRow
export type ApiRow = ApiResourceRow
export type FileRole = RoleResourceRow & { permissions: readonly PermissionRow[] }
export type ConnectionRow = ConnectionResourceRow
export type ActionRow = ActionResourceRow & {
  /** The number of its newest version; 0 before the first. */
  newest: number
}
export type DocumentRow = Document & { kind: DocumentKind }
export type FileOrganization = OrganizationRow & {
  connections: EnabledConnectionRow[]
  /** The client grants that may be used for it. */
  clientGrants: readonly ClientGrantResourceRow[]
}

export type Configuration = {
  /** Null before the tenant's first file. */
  tenant: TenantRecord | null
  clients: ClientRow[]
  apis: ApiRow[]
  /** Of clients, and for their users. */
  clientGrants: ClientGrantResourceRow[]
  connections: ConnectionRow[]
  roles: FileRole[]
  actions: ActionRow[]
  tokenExchangeProfiles: TokenExchangeProfileRow[]
  documents: DocumentRow[]
  emailProvider: EmailProviderRow | null
  phoneProvider: PhoneProviderRow | null
  logStreams: LogStreamRow[]
  organizations: FileOrganization[]
}

/** A tenant without anything. */
export const NOTHING: Configuration = {
  tenant: null,
  clients: [],
  apis: [],
  clientGrants: [],
  connections: [],
  roles: [],
  actions: [],
  tokenExchangeProfiles: [],
  documents: [],
  emailProvider: null,
  phoneProvider: null,
  logStreams: [],
  organizations: [],
}

export const newTenant = (name: string): TenantRecord => ({ name, settings: {}, kept: {} })

export type UserRow = {
  id: string
  email: string | null
  emailVerified: boolean
  username: string | null
  phoneNumber: string | null
  phoneVerified: boolean
  name: string | null
  givenName: string | null
  familyName: string | null
  nickname: string | null
  picture: string | null
  profile: JsonObject
  userMetadata: JsonObject
  appMetadata: JsonObject
  blocked: boolean
  createdAt: Date | null
}

/** An account at a database connection. */
export type AccountRow = {
  connectionId: string
  providerUserId: string
  emailKey: string | null
  usernameKey: string | null
  /** Marks the last password applied from a file, to detect whether the file's password is already set. */
  fileCredential: Uint8Array | null
  profile: JsonObject
}

export type FactorRow = {
  id: string
  /** `otp` or `oob`; `oob` has the channel `sms` or `email`. */
  type: string
  channel: string | null
  sealed: Uint8Array | null
  phoneNumber: string | null
  email: string | null
}

/** `roles` are ids. */
export type StoredUser = { user: UserRow; accounts: AccountRow[]; factors: FactorRow[]; roles: string[] }

export type Credential = { kind: 'plain'; password: string } | { kind: 'imported'; hash: ImportedHash }

/** A user to write. `factors` are the factors to add; undefined `roles` and `passwordHash` leave the stored ones unchanged. */
export type UserWrite = {
  isNew: boolean
  user: UserRow
  account: AccountRow
  factors: FactorRow[]
  roles?: string[]
  passwordHash?: string
}

/** The facts of an audit record. */
export type ChangeRecord = EventFacts<'changed'>

export type Write = StoreWrite | { table: 'user'; row: UserWrite }

export type Change = {
  section: string
  action: 'create' | 'update'
  name: string
  /** One line per field that differs. */
  details: string[]
  writes: Write[]
  /** Of the operations that make it. */
  records: ChangeRecord[]
  /** The password to hash before the write, and the index of its entry in the file. */
  credential?: Credential & { entry: number }
}

/** A secret generated for a client that needs one: shown once, stored only as a digest. */
export type MadeSecret = { name: string; clientId: string; secret: string }

export type Problem = { path: string; reason: string }

export type Plan = {
  changes: Change[]
  notApplied: string[]
  secrets: MadeSecret[]
  /** The configuration once it is applied. */
  after: Configuration
  /** Each needs a signing key. */
  algorithms: readonly SigningAlgorithm[]
}

/** All problems of a file, each with its place. Nothing of the file was applied. */
export class TenantFileError extends Error {
  constructor(
    readonly file: string,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map(({ path, reason }) => `${file}: ${path === '' ? '' : `${path}: `}${reason}`).join('\n'))
    this.name = 'TenantFileError'
  }
}
