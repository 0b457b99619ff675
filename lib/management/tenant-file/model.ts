// The input and output of planning a tenant file, as plain data: the stored configuration, the changes to make, and the parts of
// the file that are not applied.

import type { SigningAlgorithm } from '../../crypto/keys/algorithms'
import type { EventFacts } from '../../data/audit/audit'
import type { ImportedHash } from '../../data/users/imported-hash'
import type { BuiltBundle } from '../../identity/tenant-code/packages/bundle'
import type { JsonObject } from '../../kernel/json'
import type { Document, DocumentDeps, DocumentKind } from '../operations/documents'
import type { SingletonDeps, TenantRecord } from '../operations/singleton'

export type { Json, JsonObject } from '../../kernel/json'

export type DocumentRow = Document & { kind: DocumentKind }

/**
 * What a plan copies, by member of the configuration: its rows, and the stores of the operations that write them. A section whose objects
 * have a table of their own adds a member here, by declaration merging.
 */
export interface Copied {
  /** Null before the tenant's first file. */
  tenant: { rows: TenantRecord | null; stores: Pick<SingletonDeps, 'tenantRecord'> }
  documents: { rows: DocumentRow[]; stores: Pick<DocumentDeps, 'documents'> }
}

/** What the database port reads by itself: no list of a store has the whole of it. */
export type ReadTogether = 'tenant' | 'documents' | 'roles' | 'actions' | 'organizations'

export type Configuration = { [Name in keyof Copied]: Copied[Name]['rows'] }

type EachStore<Name> = Name extends keyof Copied ? (stores: Copied[Name]['stores']) => void : never
/** A type that is inferred from several parameters is their intersection. */
type AllStores<Each> = [Each] extends [(stores: infer Stores) => void] ? Stores : never

/** The stores that the operations of a file write to: in memory while it is planned, on the database once the plan is applied. */
export type FileStores = AllStores<EachStore<keyof Copied>> & {
  /** For the first file of a tenant. */
  createTenant(name: string): Promise<void>
  /** Of packages that were built before. */
  keepBundle(bundle: BuiltBundle, at: Date): Promise<void>
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

/** What an operation wrote, and how the same is written to the database. */
export type StoreWrite = { table: Table; row: object; run(stores: FileStores, at: Date): Promise<unknown> }

/** A member of the configuration, or what belongs to one and is written by itself. */
type Table =
  | keyof Configuration
  | 'rolePermissions'
  | 'organizationConnections'
  | 'organizationClientGrants'
  | 'actionBundles'

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
