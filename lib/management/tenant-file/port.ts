// The database port for applying a tenant file, implemented in lib/adapters/store/prisma/tenant-file.ts.
import type { Need } from '../../identity/tenant-code/actions/need'
import type { Configuration, StoredUser, Write } from './model'
import type { ScriptBuilds } from './script-packages'

/** The users that a file refers to: their ids, and their canonical names at any database connection. */
export type UserLookup = { ids: string[]; emailKeys: string[]; usernameKeys: string[] }

export type TenantFileReader = {
  configuration(tenantId: string): Promise<Configuration>
  /** The digest of the bundle that scripts of this need run with; null where there is none. */
  findBundle(tenantId: string, need: Need): Promise<string | null>
  users(tenantId: string, lookup: UserLookup): Promise<StoredUser[]>
  /** Up to `limit` database users with ids after `after`, in order of id. */
  usersAfter(tenantId: string, after: string, limit: number): Promise<StoredUser[]>
}

export type TenantFileTransaction = TenantFileReader & {
  /** Prevents other transactions from applying a file to this tenant, and from changing its rules and hooks, until this one ends. */
  lock(tenantId: string): Promise<void>
  write(tenantId: string, write: Write, at: Date): Promise<void>
  /** Once all is written. Has also built what rules and hooks need that others added since these were built. */
  keepBuilds(tenantId: string, builds: ScriptBuilds, at: Date): Promise<void>
}

export type TenantFileStore = TenantFileReader & {
  transaction<T>(work: (tx: TenantFileTransaction) => Promise<T>): Promise<T>
}
