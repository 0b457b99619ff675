// Jobs on PostgreSQL. Taking one is decided by the database (FOR UPDATE SKIP LOCKED); every step names the attempt that it belongs to,
// so a process that lost its lease changes nothing.

import type { Prisma } from '../../../../prisma/generated/client'
import type { Json, JsonObject } from '../../../kernel/json'
import {
  type EntryError,
  type ExportedUser,
  type Job,
  type JobError,
  type JobStore,
  MAX_ERRORS,
  type StoredJobType,
  type TenantJobStore,
  UserChanged,
} from '../../../management/jobs/job'
import type { StoredUser } from '../../../management/tenant-file/model'
import { columns } from '../columns'
import { type Database, explain, IN_TIME, run } from '../database'
import { managedConnections } from './management/connections'
import { aboveMaker } from './management/rank'
import { rolesWithPermissions } from './management/roles'
import { inTransaction, isTaken } from './management/transaction'
import { analyzeUsers, lockedUsers, MANY_USERS, usersOf } from './stored-users'
import { changeUser, insertUsers, isDeadlock } from './user-writes'

const TAKE = `UPDATE job SET status = 'processing', attempt = attempt + 1, stalls = stalls + 1, due_at = $2
WHERE id = (SELECT id FROM job WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id`

/** By the index of accounts: with a condition on accounts, PostgreSQL would join all of them for each piece. */
const WITH_ACCOUNT = {
  name: 'export-with-account',
  text: `SELECT user_id AS id FROM identity
WHERE tenant_id = $1 AND connection_id = $2 AND user_id > $3 GROUP BY user_id ORDER BY user_id LIMIT $4`,
  row: columns<{ id: string }>({ id: 'text' }),
}

const ADD_PART = 'INSERT INTO job_part (job_id, number, sealed) VALUES ($1, $2, $3)'

export function jobStore(db: Database): JobStore {
  const mine = ({ id, attempt }: Job) => ({ id, attempt, dueAt: { not: null } })
  return {
    async take({ at, leaseUntil }) {
      const { rows } = await db.pool
        .query<{ id: string }>({ text: TAKE, values: [at, leaseUntil], ...IN_TIME })
        .catch((error: unknown) => {
          throw explain(error)
        })
      const [taken] = rows
      if (!taken) return null
      const row = await (await db.prisma()).job.findUnique({ where: { id: taken.id } })
      return row && toJob(row)
    },
    part: async (jobId, number) =>
      (await (await db.prisma()).jobPart.findUnique({ where: { jobId_number: { jobId, number } } }))?.sealed ?? null,
    async doBatch(job, { from, count, cursor }, { at, leaseUntil }, work) {
      const { tenantId, id } = job
      const result = await inTransaction(db, async (tx) => {
        const taken = await tx.job.updateMany({
          where: { ...mine(job), done: from },
          data: { done: from + count, cursor, dueAt: leaseUntil, stalls: 0 },
        })
        if (taken.count === 0) return null
        let locked: StoredUser[] = []
        const { inserted, updated, refused } = await work({
          insert: (users) => insertUsers(tx, tenantId, users, at),
          async users(ids) {
            locked = await lockedUsers(tx, tenantId, ids)
            return locked
          },
          write(write) {
            const before = locked.find(({ user }) => user.id === write.user.id)
            return changeUser(tx, tenantId, write, before?.user, at)
          },
          above: (named, maker) => aboveMaker(tx, tenantId, named, maker),
        })
        const counts = { inserted: { increment: inserted }, updated: { increment: updated } }
        const before = await tx.job.update({
          where: { id },
          data: { ...counts, failed: { increment: refused.length } },
        })
        const listed = refused.slice(0, Math.max(0, MAX_ERRORS - (before.failed - refused.length)))
        await tx.jobError.createMany({
          data: listed.map(({ number, user, errors }) => ({ jobId: id, number, user: stored(user), errors })),
        })
        return { inserted, updated, refused, before: before.inserted - inserted }
      }).catch((error: unknown) => {
        if (isTaken(error) || isDeadlock(error)) throw new UserChanged()
        throw error
      })
      if (result && hasGrown(result.before, result.before + result.inserted)) await analyzeUsers(await db.prisma())
      return result
    },
    users: async (tenantId, lookup) => usersOf(await db.prisma(), tenantId, lookup),
    importContext: ({ tenantId, connectionId }) => importContextOf(db, tenantId, connectionId ?? ''),
    async usersToExport({ tenantId, connectionId, cursor }, limit, withHashes) {
      const after = cursor ?? ''
      const theirs =
        connectionId === null ? null : await run(db.pool, WITH_ACCOUNT, [tenantId, connectionId, after, limit])
      const prisma = await db.prisma()
      const rows = await prisma.user.findMany({
        where: { tenantId, id: theirs === null ? { gt: after } : { in: theirs.map(({ id }) => id) } },
        orderBy: { id: 'asc' },
        take: limit,
        include: { identities: { include: { connection: { select: { name: true } } } } },
      })
      return rows.map((row) => exported(row, withHashes ? connectionId : undefined))
    },
    appendPart: (job, { number, sealed, users, cursor }, { leaseUntil }) =>
      inTransaction(db, async (tx) => {
        const { count } = await tx.job.updateMany({
          where: { ...mine(job), done: job.done },
          data: { done: job.done + users, cursor, dueAt: leaseUntil, stalls: 0 },
        })
        if (count === 0) return false
        const value = { sealed: new Uint8Array(sealed) }
        // A file without users has one part, which a process that takes over writes again.
        await tx.jobPart.upsert({
          where: { jobId_number: { jobId: job.id, number } },
          create: { jobId: job.id, number, ...value },
          update: value,
        })
        return true
      }),
    async find(id) {
      const row = await (await db.prisma()).job.findUnique({ where: { id } })
      return row && toJob(row)
    },
    async finish(job, { status, details, mail }, at) {
      const data = { status, statusDetails: details, dueAt: null, finishedAt: at }
      const keepsParts = job.type === 'users_export' && status === 'completed'
      await inTransaction(db, async (tx) => {
        const { count } = await tx.job.updateMany({ where: mine(job), data })
        if (count === 0) return
        if (mail)
          await tx.outboxMessage.create({ data: { ...mail, sealedContent: new Uint8Array(mail.sealedContent) } })
        if (!keepsParts) await tx.jobPart.deleteMany({ where: { jobId: job.id } })
      })
    },
    async release(job, at) {
      await (await db.prisma()).job.updateMany({ where: mine(job), data: { dueAt: at } })
    },
  }
}

export function tenantJobStore(db: Database, tenantId: string): TenantJobStore {
  return {
    async find(id) {
      const row = await (await db.prisma()).job.findFirst({ where: { id, tenantId } })
      return row && toJob(row)
    },
    async insert(job) {
      const isDone = job.status === 'completed'
      const times = { dueAt: isDone ? null : job.createdAt, finishedAt: isDone ? job.createdAt : null }
      await (await db.prisma()).job.create({ data: { tenantId, ...job, ...times } })
    },
    beginUpload: (id, { at, staleBefore, most }) =>
      inTransaction(db, async (tx) => {
        const theirs = { tenantId, type: 'users_import' }
        await tx.job.deleteMany({ where: { ...theirs, status: 'uploading', createdAt: { lt: staleBefore } } })
        const unfinished = await tx.job.count({
          where: { ...theirs, status: { in: ['uploading', 'pending', 'processing'] } },
        })
        if (unfinished >= most) return false
        const data = { ...theirs, id, status: 'uploading', settings: {}, createdAt: at }
        await tx.job.create({ data })
        return true
      }),
    async addPart(jobId, number, sealed) {
      await db.pool.query({ text: ADD_PART, values: [jobId, number, sealed], ...IN_TIME }).catch((error: unknown) => {
        throw explain(error)
      })
    },
    async submit({ id, ...job }) {
      const prisma = await db.prisma()
      await prisma.job.update({ where: { id, tenantId, status: 'uploading' }, data: { ...job, dueAt: job.createdAt } })
    },
    beginFile: (id, { at, staleBefore, by }) =>
      inTransaction(db, async (tx) => {
        const files = { tenantId, type: 'people_file' }
        const theirs = { settings: { path: ['by'], equals: by } }
        await tx.job.deleteMany({ where: { ...files, OR: [{ createdAt: { lt: staleBefore } }, theirs] } })
        await tx.job.create({ data: { ...files, id, status: 'uploading', settings: { by }, createdAt: at } })
      }),
    async describeFile(id, settings, people) {
      const prisma = await db.prisma()
      await prisma.job.update({ where: { id, tenantId, type: 'people_file' }, data: { settings, total: people } })
    },
    importContext: (connectionId) => importContextOf(db, tenantId, connectionId),
    users: async (lookup) => usersOf(await db.prisma(), tenantId, lookup),
    async discardUpload(id) {
      await (await db.prisma()).job.deleteMany({ where: { id, tenantId, status: 'uploading' } })
    },
    async errors(id) {
      const prisma = await db.prisma()
      const rows = await prisma.jobError.findMany({
        where: { jobId: id, job: { tenantId } },
        orderBy: { number: 'asc' },
      })
      return rows.map(
        ({ number, user, errors }): JobError => ({
          number: number + 1,
          user: user as Json,
          errors: errors as unknown as EntryError[],
        }),
      )
    },
    async part(jobId, number) {
      const prisma = await db.prisma()
      return (await prisma.jobPart.findFirst({ where: { jobId, number, job: { tenantId } } }))?.sealed ?? null
    },
  }
}

async function importContextOf(db: Database, tenantId: string, connectionId: string) {
  const connection = await managedConnections(db, tenantId, () => {}).find(connectionId)
  return connection && { connection, roles: await rolesWithPermissions(await db.prisma(), tenantId) }
}

/** At each power of ten: the planner must not take a table of thousands for one of tens. */
const hasGrown = (before: number, after: number): boolean =>
  after >= MANY_USERS && String(after).length > String(before).length

type JobRecord = Prisma.JobGetPayload<Record<string, never>>

const toJob = ({ dueAt: _due, finishedAt: _finished, ...row }: JobRecord): Job => ({
  ...row,
  type: row.type as StoredJobType,
  status: row.status as Job['status'],
  settings: row.settings as JsonObject,
})

type UserRecord = Prisma.UserGetPayload<{
  include: { identities: { include: { connection: { select: { name: true } } } } }
}>

/** With `hashesOf`, the hash of the account there; null means any connection. */
function exported(user: UserRecord, hashesOf: string | null | undefined): ExportedUser {
  const withHash = user.identities.find(
    ({ connectionId, passwordHash }) => passwordHash !== null && (hashesOf === null || connectionId === hashesOf),
  )
  const fields: JsonObject = {
    ...(user.profile as JsonObject),
    user_id: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    username: user.username,
    phone_number: user.phoneNumber,
    phone_verified: user.phoneVerified,
    name: user.name,
    given_name: user.givenName,
    family_name: user.familyName,
    nickname: user.nickname,
    picture: user.picture,
    blocked: user.blocked,
    user_metadata: user.userMetadata as JsonObject,
    app_metadata: user.appMetadata as JsonObject,
    identities: user.identities.map(({ provider, providerUserId, isSocial, connection }) => ({
      user_id: providerUserId,
      provider,
      connection: connection.name,
      isSocial,
    })),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login: user.lastLoginAt?.toISOString() ?? null,
    last_ip: user.lastIp,
    logins_count: user.loginsCount,
    ...(hashesOf === undefined ? {} : { password_hash: withHash?.passwordHash ?? null }),
  }
  return { id: user.id, fields }
}

/** A JSON column does not take a bare null from Prisma. */
const stored = (value: Json): Prisma.InputJsonValue => value ?? {}
