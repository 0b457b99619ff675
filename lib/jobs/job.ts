// Jobs: imports and exports of users, which outlive the request that made them.
// - A job is a row. One process at a time works on it, under a lease; `attempt` is the fencing token, so a process whose lease ended
//   changes nothing any more.
// - Each step is one transaction that contains its effect and the progress. A process that dies loses the step under way alone.
import type { Json, JsonObject } from '../kernel/json'
import type { ConnectionRow, RoleRow, StoredUser, UserWrite } from '../tenant-file/model'
import type { UserLookup } from '../tenant-file/port'

export type JobType = 'users_import' | 'users_export' | 'verification_email'
export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

export type Job = {
  id: string
  tenantId: string
  type: JobType
  status: JobStatus
  connectionId: string | null
  settings: JsonObject
  done: number
  total: number | null
  inserted: number
  updated: number
  failed: number
  cursor: string | null
  statusDetails: string | null
  attempt: number
  stalls: number
  createdAt: Date
}

export type NewJob = Pick<Job, 'id' | 'type' | 'status' | 'connectionId' | 'settings' | 'total' | 'createdAt'>

export type EntryError = { code: string; message: string; path?: string }
export type JobError = { user: Json; errors: EntryError[] }

export type EntryResult = 'inserted' | 'updated' | JobError

/** A user, as an export reads it. */
export type ExportedUser = { id: string; fields: JsonObject }

/** What an import reads and writes within the transaction of one entry. */
export type EntryWriter = {
  users(lookup: UserLookup): Promise<StoredUser[]>
  write(user: UserWrite): Promise<void>
}

/** The time of a step, and the end of the lease that it extends. */
export type Step = { at: Date; leaseUntil: Date }

export type JobStore = {
  /** Takes a job that is due, if there is one. */
  take(step: Step): Promise<Job | null>
  part(jobId: string, number: number): Promise<Uint8Array | null>
  /** Null where the job is no longer this process's; nothing happened then. */
  doEntry(
    job: Job,
    number: number,
    step: Step,
    work: (writer: EntryWriter) => Promise<EntryResult>,
  ): Promise<EntryResult | null>
  users(tenantId: string, lookup: UserLookup): Promise<StoredUser[]>
  /** The connection of an import and the tenant's roles; null if the connection is gone. */
  importContext(job: Job): Promise<{ connection: ConnectionRow; roles: RoleRow[] } | null>
  /** Users after `job.cursor` in the order of ids, of the job's connection if it has one. */
  usersToExport(job: Job, limit: number, withHashes: boolean): Promise<ExportedUser[]>
  /** The bytes of the parts, or null where the job is no longer this process's. */
  appendPart(
    job: Job,
    part: { number: number; sealed: Uint8Array; users: number; cursor: string },
    step: Step,
  ): Promise<number | null>
  finish(job: Job, outcome: { status: 'completed' | 'failed'; details: string | null }, at: Date): Promise<void>
  /** Lets another process go on with it at once. */
  release(job: Job, at: Date): Promise<void>
}

/** The jobs of one tenant, for the Management API. */
export type TenantJobStore = {
  find(id: string): Promise<Job | null>
  insert(job: NewJob, parts: readonly Uint8Array[]): Promise<void>
  errors(id: string): Promise<JobError[]>
  /** In the order of their numbers. */
  parts(id: string): Promise<Uint8Array[]>
}

/** The purpose under which parts are sealed. */
export const PART_PURPOSE = 'job-part'

/** Entries in a part of an import. */
export const ENTRIES_IN_PART = 100
