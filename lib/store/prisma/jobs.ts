// Jobs on PostgreSQL. Taking one is decided by the database (FOR UPDATE SKIP LOCKED); every step names the attempt that it belongs to,
// so a process that lost its lease changes nothing.
import type { Prisma } from '../../../prisma/generated/client'
import { UserChanged } from '../../jobs/import'
import type { EntryError, ExportedUser, Job, JobError, JobStore, JobType, TenantJobStore } from '../../jobs/job'
import type { Json, JsonObject } from '../../kernel/json'
import { type Database, IN_TIME } from '../database'
import { inTransaction, isTaken } from './management/transaction'
import { findRoles, reader } from './tenant-file'
import { writeRow } from './tenant-file-writes'

const TAKE = `UPDATE job SET status = 'processing', attempt = attempt + 1, stalls = stalls + 1, due_at = $2
WHERE id = (SELECT id FROM job WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id`

export function jobStore(db: Database): JobStore {
  const mine = ({ id, attempt }: Job) => ({ id, attempt, dueAt: { not: null } })
  return {
    async take({ at, leaseUntil }) {
      const { rows } = await db.pool.query<{ id: string }>({ text: TAKE, values: [at, leaseUntil], ...IN_TIME })
      const [taken] = rows
      if (!taken) return null
      const row = await (await db.prisma()).job.findUnique({ where: { id: taken.id } })
      return row && toJob(row)
    },
    part: async (jobId, number) =>
      (await (await db.prisma()).jobPart.findUnique({ where: { jobId_number: { jobId, number } } }))?.sealed ?? null,
    doEntry: (job, number, { at, leaseUntil }, work) =>
      inTransaction(db, async (tx) => {
        const { count } = await tx.job.updateMany({
          where: { ...mine(job), done: number },
          data: { done: number + 1, dueAt: leaseUntil, stalls: 0 },
        })
        if (count === 0) return null
        const result = await work({
          users: (lookup) => reader(tx).users(job.tenantId, lookup),
          write: (row) => writeRow(tx, job.tenantId, { table: 'user', row }, at),
        })
        const counted = typeof result === 'string' ? result : 'failed'
        await tx.job.update({ where: { id: job.id }, data: { [counted]: { increment: 1 } } })
        if (typeof result !== 'string')
          await tx.jobError.create({
            data: { jobId: job.id, number, user: stored(result.user), errors: result.errors },
          })
        return result
      }).catch((error: unknown) => {
        if (isTaken(error)) throw new UserChanged()
        throw error
      }),
    users: async (tenantId, lookup) => reader(await db.prisma()).users(tenantId, lookup),
    async importContext({ tenantId, connectionId }) {
      const prisma = await db.prisma()
      const key = { tenantId_id: { tenantId, id: connectionId ?? '' } }
      const row = await prisma.connection.findUnique({
        where: key,
        select: { id: true, name: true, strategy: true, settings: true },
      })
      if (!row) return null
      const connection = { ...row, settings: row.settings as JsonObject }
      return { connection, roles: await findRoles(prisma, tenantId) }
    },
    async usersToExport({ tenantId, connectionId, cursor }, limit, withHashes) {
      const prisma = await db.prisma()
      const rows = await prisma.user.findMany({
        where: {
          tenantId,
          ...(cursor === null ? {} : { id: { gt: cursor } }),
          ...(connectionId === null ? {} : { identities: { some: { connectionId } } }),
        },
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
        if (count === 0) return null
        const value = { sealed: new Uint8Array(sealed) }
        // A file without users has one part, which a process that takes over writes again.
        await tx.jobPart.upsert({
          where: { jobId_number: { jobId: job.id, number } },
          create: { jobId: job.id, number, ...value },
          update: value,
        })
        const [sum] = await tx.$queryRaw<{ bytes: number }[]>`
          SELECT sum(octet_length(sealed))::float8 AS bytes FROM job_part WHERE job_id = ${job.id}`
        return sum?.bytes ?? 0
      }),
    async finish(job, { status, details }, at) {
      const data = { status, statusDetails: details, dueAt: null, finishedAt: at }
      const keepsParts = job.type === 'users_export' && status === 'completed'
      await inTransaction(db, async (tx) => {
        const { count } = await tx.job.updateMany({ where: mine(job), data })
        if (count === 1 && !keepsParts) await tx.jobPart.deleteMany({ where: { jobId: job.id } })
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
    insert: (job, parts) =>
      inTransaction(db, async (tx) => {
        const isDone = job.status === 'completed'
        const times = { dueAt: isDone ? null : job.createdAt, finishedAt: isDone ? job.createdAt : null }
        await tx.job.create({ data: { tenantId, ...job, ...times } })
        for (const [number, sealed] of parts.entries())
          await tx.jobPart.create({ data: { jobId: job.id, number, sealed: new Uint8Array(sealed) } })
      }),
    async errors(id) {
      const prisma = await db.prisma()
      const rows = await prisma.jobError.findMany({
        where: { jobId: id, job: { tenantId } },
        orderBy: { number: 'asc' },
      })
      return rows.map(
        ({ user, errors }): JobError => ({ user: user as Json, errors: errors as unknown as EntryError[] }),
      )
    },
    async parts(id) {
      const prisma = await db.prisma()
      const rows = await prisma.jobPart.findMany({
        where: { jobId: id, job: { tenantId } },
        orderBy: { number: 'asc' },
      })
      return rows.map(({ sealed }) => sealed)
    },
  }
}

type JobRecord = Prisma.JobGetPayload<Record<string, never>>

const toJob = ({ dueAt: _due, finishedAt: _finished, ...row }: JobRecord): Job => ({
  ...row,
  type: row.type as JobType,
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
