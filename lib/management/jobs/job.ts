// Jobs: imports and exports of users, which outlive the request that made them.
// - A job is a row. One process at a time works on it, under a lease; `attempt` is the fencing token, so a process whose lease ended
//   changes nothing any more.
// - The file of an import is stored in parts while it arrives. The job begins when all of it has been read.
// - Each step is one transaction that contains its effect and the progress. A process that dies loses the step under way alone.

import type { OutboxRow } from '../../data/outbox/outbox'
import type { Json, JsonObject } from '../../kernel/json'
import type { ConnectionResourceRow } from '../resources/connections'
import type { StoredUser, UserWrite } from '../tenant-file/model'
import type { UserLookup } from '../tenant-file/port'
import type { FileRole } from '../tenant-file/sections/roles'

export const JOB_TYPES = ['users_import', 'users_export', 'verification_email'] as const
export type JobType = (typeof JOB_TYPES)[number]
/** A file that a person looks at before its import (people-file/kept.ts) is no job of the API. */
export type StoredJobType = JobType | 'people_file'
export const JOB_STATUSES = ['uploading', 'pending', 'processing', 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export type Job = {
  id: string
  tenantId: string
  type: StoredJobType
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

export type NewJob = Pick<Job, 'id' | 'status' | 'connectionId' | 'settings' | 'total' | 'createdAt'> & {
  type: JobType
}

export type EntryError = { code: string; message: string; path?: string }
/** `number` is the place of the entry in the file, from 1. */
export type JobError = { number: number; user: Json; errors: EntryError[] }

/** A user, as an export reads it. */
export type ExportedUser = { id: string; fields: JsonObject }

/** What an import reads and writes within the transaction of a batch. */
export type BatchWriter = {
  /** Throws UserChanged where a name or an id is taken. */
  insert(users: readonly UserWrite[]): Promise<void>
  /** Locks them until the end of the transaction. */
  users(ids: readonly string[]): Promise<StoredUser[]>
  write(user: UserWrite): Promise<void>
  /** The ids of those that are above the maker of the job (threat-model.md MG52), while the users are locked. */
  above(named: { users: readonly string[]; roles: readonly string[] }, maker: JobActor): Promise<ReadonlySet<string>>
}

/** Who asked for the job: what it may act on and give is judged when it does so. */
export type JobActor = { audience: string; scopes: readonly string[] }

/** The entries that a batch is about: all before `from` are done. `cursor` is the place after them. */
export type EntryBatch = { from: number; count: number; cursor: string }

export type BatchResult = { inserted: number; updated: number; refused: (JobError & { number: number })[] }

/** Thrown by a transaction that must be planned again. */
export class UserChanged extends Error {
  constructor() {
    super('A user was made, changed or deleted meanwhile: try again.')
  }
}

export type JobEnd = { status: 'completed' | 'failed'; details: string | null; mail: OutboxRow | null }

/** How the work of a process on a job ended: `lost` where another one has the job now. */
export type Ending = 'completed' | 'paused' | 'lost' | { failed: string }

/** The time of a step, and the end of the lease that it extends. */
export type Step = { at: Date; leaseUntil: Date }

export type JobStore = {
  /** Takes a job that is due, if there is one. */
  take(step: Step): Promise<Job | null>
  part(jobId: string, number: number): Promise<Uint8Array | null>
  /** Null where the job is no longer this process's; nothing happened then. */
  doBatch(
    job: Job,
    batch: EntryBatch,
    step: Step,
    work: (writer: BatchWriter) => Promise<BatchResult>,
  ): Promise<BatchResult | null>
  users(tenantId: string, lookup: UserLookup): Promise<StoredUser[]>
  /** The connection of an import and the tenant's roles; null if the connection is gone. */
  importContext(job: Job): Promise<{ connection: ConnectionResourceRow; roles: FileRole[] } | null>
  /** Users after `job.cursor` in the order of ids, of the job's connection if it has one. */
  usersToExport(job: Job, limit: number, withHashes: boolean): Promise<ExportedUser[]>
  /** False where the job is no longer this process's. */
  appendPart(
    job: Job,
    part: { number: number; sealed: Uint8Array; users: number; cursor: string },
    step: Step,
  ): Promise<boolean>
  /** The job as it is stored now. */
  find(id: string): Promise<Job | null>
  /** With the mail about it, in the same transaction. */
  finish(job: Job, outcome: JobEnd, at: Date): Promise<void>
  /** Lets another process go on with it at once. */
  release(job: Job, at: Date): Promise<void>
}

/** The jobs of one tenant, for the Management API. */
export type TenantJobStore = {
  find(id: string): Promise<Job | null>
  insert(job: NewJob): Promise<void>
  /** False if the tenant has `most` unfinished imports. Uploads that began before `staleBefore` are removed. */
  beginUpload(id: string, times: { at: Date; staleBefore: Date; most: number }): Promise<boolean>
  addPart(id: string, number: number, sealed: Uint8Array): Promise<void>
  /** Begins the import of the uploaded file. */
  submit(job: NewJob): Promise<void>
  /** Removes the files of the person, and those that began before `staleBefore`. */
  beginFile(id: string, file: { at: Date; staleBefore: Date; by: string }): Promise<void>
  /** Once all of it is kept. */
  describeFile(id: string, settings: JsonObject, people: number): Promise<void>
  /** What the check of an import reads. */
  importContext(connectionId: string): Promise<{ connection: ConnectionResourceRow; roles: FileRole[] } | null>
  users(lookup: UserLookup): Promise<StoredUser[]>
  /** Removes an upload that was not submitted. */
  discardUpload(id: string): Promise<void>
  errors(id: string): Promise<JobError[]>
  part(id: string, number: number): Promise<Uint8Array | null>
}

/** The purpose under which parts are sealed. */
export const PART_PURPOSE = 'job-part'

/** Entries in a part of an import; fewer where they are large. */
export const ENTRIES_IN_PART = 500

/** Of the refused entries of an import, the first ones are listed. */
export const MAX_ERRORS = 10_000
