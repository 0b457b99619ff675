// What applying a tenant file needs of the database; implemented in lib/store/prisma/tenant-file.ts.
import type { Configuration, StoredUser, Write } from './model'

/** Whom a file speaks of: the user ids, and the canonical names at whatever database connection. */
export type UserLookup = { ids: string[]; emailKeys: string[]; usernameKeys: string[] }

export type TenantFileReader = {
  configuration(tenantId: string): Promise<Configuration>
  users(tenantId: string, lookup: UserLookup): Promise<StoredUser[]>
  /** Up to `limit` database users in order of id, after `after`. */
  usersAfter(tenantId: string, after: string, limit: number): Promise<StoredUser[]>
}

export type TenantFileTransaction = TenantFileReader & {
  /** Until the transaction ends, no other one applies a file to this tenant. */
  lock(tenantId: string): Promise<void>
  write(tenantId: string, write: Write, at: Date): Promise<void>
}

export type TenantFileStore = TenantFileReader & {
  transaction<T>(work: (tx: TenantFileTransaction) => Promise<T>): Promise<T>
}
