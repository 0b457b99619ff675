// The users of a tenant file or an import, with their accounts, factors and roles.

import type { Prisma } from '../../../../prisma/generated/client'
import { DATABASE } from '../../../data/connections/database-options'
import type { JsonObject, StoredUser } from '../../../management/tenant-file/model'
import type { UserLookup } from '../../../management/tenant-file/port'

type Db = Prisma.TransactionClient

/** Autovacuum analyzes a table that grew by this much within minutes; until then a login might use the wrong index. */
export const MANY_USERS = 50

export const analyzeUsers = (db: Db) => db.$executeRaw`ANALYZE "user", identity, authenticator`

/** Those that a file refers to. */
export async function usersOf(db: Db, tenantId: string, lookup: UserLookup): Promise<StoredUser[]> {
  const ids = await idsOf(db, tenantId, lookup)
  return ids.length === 0 ? [] : findUsers(db, tenantId, ids)
}

/** Up to `limit` database users with ids after `after`, in order of id. */
export async function usersAfter(db: Db, tenantId: string, after: string, limit: number): Promise<StoredUser[]> {
  const ids = await db.$queryRaw<{ id: string }[]>`
    SELECT user_id AS id FROM identity WHERE tenant_id = ${tenantId} AND provider = ${DATABASE} AND user_id > ${after}
    GROUP BY user_id ORDER BY user_id LIMIT ${limit}`
  return findUsers(
    db,
    tenantId,
    ids.map(({ id }) => id),
  )
}

/** The users who are there, by their ids and their account's names. With the connections in the condition the unique indexes apply. */
async function idsOf(db: Db, tenantId: string, { ids: named, emailKeys, usernameKeys }: UserLookup): Promise<string[]> {
  const connections = await db.connection.findMany({ where: { tenantId, strategy: DATABASE }, select: { id: true } })
  const ids = connections.map(({ id }) => id)
  const rows = await db.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM identity
    WHERE tenant_id = ${tenantId} AND connection_id = ANY(${ids}) AND email_key = ANY(${emailKeys})
    UNION SELECT user_id FROM identity
    WHERE tenant_id = ${tenantId} AND connection_id = ANY(${ids}) AND username_key = ANY(${usernameKeys})
    UNION SELECT id FROM "user" WHERE tenant_id = ${tenantId} AND id = ANY(${named})`
  return rows.map(({ userId }) => userId)
}

const USER_FIELDS = {
  ...{ id: true, email: true, emailVerified: true, username: true, phoneNumber: true, phoneVerified: true, name: true },
  ...{ givenName: true, familyName: true, nickname: true, picture: true, profile: true, userMetadata: true },
  ...{ appMetadata: true, blocked: true, createdAt: true },
} as const
const ACCOUNT_FIELDS = {
  ...{ userId: true, connectionId: true, providerUserId: true, emailKey: true, usernameKey: true },
  ...{ fileCredential: true, profile: true },
} as const
const FACTOR_FIELDS = {
  ...{ userId: true, id: true, type: true, channel: true, sealed: true, phoneNumber: true, email: true },
} as const

/** Queries run in sequence: a transaction has one connection, which runs one statement at a time. */
async function findUsers(db: Db, tenantId: string, ids: string[]): Promise<StoredUser[]> {
  const where = { tenantId, userId: { in: ids } }
  const users = await db.user.findMany({
    where: { tenantId, id: { in: ids } },
    orderBy: { id: 'asc' },
    select: USER_FIELDS,
  })
  if (users.length === 0) return []
  const accounts = by(await db.identity.findMany({ where: { ...where, provider: DATABASE }, select: ACCOUNT_FIELDS }))
  const factors = by(await db.authenticator.findMany({ where, select: FACTOR_FIELDS }))
  const roles = by(await db.userRole.findMany({ where, select: { userId: true, roleId: true } }))
  return users.map(({ profile, userMetadata, appMetadata, ...user }) => ({
    user: {
      ...user,
      profile: object(profile),
      userMetadata: object(userMetadata),
      appMetadata: object(appMetadata),
    },
    accounts: accounts(user.id).map(({ userId: _, ...account }) => ({ ...account, profile: object(account.profile) })),
    roles: roles(user.id)
      .map(({ roleId }) => roleId)
      .sort(),
    factors: factors(user.id).map(({ userId: _, ...factor }) => factor),
  }))
}

/** Locked in the order of ids, so that two imports do not wait for each other. */
export async function lockedUsers(tx: Db, tenantId: string, ids: readonly string[]): Promise<StoredUser[]> {
  await tx.$queryRaw`SELECT id FROM "user" WHERE tenant_id = ${tenantId} AND id = ANY(${ids}) ORDER BY id FOR UPDATE`
  return findUsers(tx, tenantId, [...ids])
}

function by<Row extends { userId: string }>(rows: readonly Row[]): (userId: string) => readonly Row[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.userId, [...(groups.get(row.userId) ?? []), row])
  return (userId) => groups.get(userId) ?? []
}

/** Every JSON column read here contains an object. */
const object = (value: Prisma.JsonValue): JsonObject => value as JsonObject
