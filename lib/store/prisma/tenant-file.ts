// Reads a tenant's configuration and users for a tenant file, and writes what the file changes. Rarely run and long,
// so an interactive Prisma transaction; an advisory lock lets one file at a time be applied to a tenant.
import type { Prisma } from '../../../prisma/generated/client'
import { DATABASE } from '../../connections/connection'
import type {
  ClientRow,
  ConnectionRow,
  JsonObject,
  StoredUser,
  TenantRow,
  UserRow,
  Write,
} from '../../tenants/file/model'
import type { TenantFileReader, TenantFileStore, TenantFileTransaction, UserLookup } from '../../tenants/file/port'
import type { Database } from '../database'

type Db = Prisma.TransactionClient

/** Milliseconds: a file of ten thousand users takes about one of these minutes. */
const LONGEST_TRANSACTION = 300_000
const LONGEST_WAIT = 10_000

export const tenantFileStore = (db: Database): TenantFileStore => ({
  configuration: async (tenantId) => reader(await db.prisma()).configuration(tenantId),
  users: async (tenantId, lookup) => reader(await db.prisma()).users(tenantId, lookup),
  usersAfter: async (tenantId, after, limit) => reader(await db.prisma()).usersAfter(tenantId, after, limit),
  async transaction(work) {
    const prisma = await db.prisma()
    return prisma.$transaction((tx) => work(transaction(tx)), { timeout: LONGEST_TRANSACTION, maxWait: LONGEST_WAIT })
  },
})

const transaction = (tx: Db): TenantFileTransaction => ({
  ...reader(tx),
  async lock(tenantId) {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tenant-file ${tenantId}`}, 0))`
  },
  write: (tenantId, write, at) => writeRow(tx, tenantId, write, at),
})

const reader = (db: Db): TenantFileReader => ({
  async configuration(tenantId) {
    const where = { tenantId }
    const tenant = await db.tenant.findUnique({ where: { id: tenantId } })
    return {
      tenant: tenant && { name: tenant.name, settings: object(tenant.settings) },
      clients: (await db.client.findMany({ where, orderBy: { clientId: 'asc' } })).map(
        (row): ClientRow => withSettings(row),
      ),
      apis: (await db.api.findMany({ where, orderBy: { identifier: 'asc' } })).map((row) => withSettings(row)),
      clientGrants: await db.clientGrant.findMany({ where, orderBy: [{ clientId: 'asc' }, { audience: 'asc' }] }),
      connections: (await db.connection.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map(
        (row): ConnectionRow => withSettings(row),
      ),
    }
  },
  async users(tenantId, lookup) {
    const ids = [...lookup.ids, ...(await ownersOf(db, tenantId, lookup))]
    return findUsers(db, { tenantId, id: { in: ids } })
  },
  usersAfter: (tenantId, after, limit) =>
    findUsers(db, { tenantId, id: { gt: after }, identities: { some: { provider: DATABASE } } }, limit),
})

/** Users by their account's names; with the connections named, the unique indexes answer it. */
async function ownersOf(db: Db, tenantId: string, { emailKeys, usernameKeys }: UserLookup): Promise<string[]> {
  const connections = await db.connection.findMany({ where: { tenantId, strategy: DATABASE }, select: { id: true } })
  const connectionId = { in: connections.map(({ id }) => id) }
  const accounts = await db.identity.findMany({
    where: {
      OR: [
        { tenantId, connectionId, emailKey: { in: emailKeys } },
        { tenantId, connectionId, usernameKey: { in: usernameKeys } },
      ],
    },
    select: { userId: true },
  })
  return accounts.map(({ userId }) => userId)
}

async function findUsers(db: Db, where: Prisma.UserWhereInput, take?: number): Promise<StoredUser[]> {
  const rows = await db.user.findMany({
    where,
    orderBy: { id: 'asc' },
    include: { identities: { where: { provider: DATABASE } }, authenticators: true },
    ...(take === undefined ? {} : { take }),
  })
  return rows.map(({ identities, authenticators, ...user }) => ({
    user: userRow(user),
    accounts: identities.map(({ connectionId, providerUserId, emailKey, usernameKey, profile }) => ({
      connectionId,
      providerUserId,
      emailKey,
      usernameKey,
      profile: object(profile),
    })),
    factors: authenticators.map(({ id, type, channel, sealed, phoneNumber, email }) => ({
      id,
      type,
      channel,
      sealed,
      phoneNumber,
      email,
    })),
  }))
}

type UserRecord = Prisma.UserGetPayload<Record<string, never>>

const userRow = (user: UserRecord): UserRow => ({
  id: user.id,
  email: user.email,
  emailVerified: user.emailVerified,
  username: user.username,
  phoneNumber: user.phoneNumber,
  phoneVerified: user.phoneVerified,
  name: user.name,
  givenName: user.givenName,
  familyName: user.familyName,
  nickname: user.nickname,
  picture: user.picture,
  profile: object(user.profile),
  userMetadata: object(user.userMetadata),
  appMetadata: object(user.appMetadata),
  blocked: user.blocked,
  createdAt: user.createdAt,
})

/** Every JSON column read here is written as an object. */
const object = (value: Prisma.JsonValue): JsonObject => value as JsonObject

const withSettings = <Row extends { settings: Prisma.JsonValue }>({ settings, ...row }: Row) => ({
  ...row,
  settings: object(settings),
})

async function writeRow(tx: Db, tenantId: string, write: Write, at: Date): Promise<void> {
  switch (write.table) {
    case 'tenant':
      return writeTenant(tx, tenantId, write.row)
    case 'client': {
      const { clientId, name, settings } = write.row
      const values = { name, settings, secretDigest: write.row.secretDigest && new Uint8Array(write.row.secretDigest) }
      const where = { tenantId_clientId: { tenantId, clientId } }
      await tx.client.upsert({ where, create: { tenantId, clientId, ...values }, update: values })
      return
    }
    case 'api': {
      const { identifier, name, settings } = write.row
      const where = { tenantId_identifier: { tenantId, identifier } }
      await tx.api.upsert({ where, create: { tenantId, identifier, name, settings }, update: { name, settings } })
      return
    }
    case 'clientGrant': {
      const { clientId, audience, scopes } = write.row
      const where = { tenantId_clientId_audience: { tenantId, clientId, audience } }
      await tx.clientGrant.upsert({ where, create: { tenantId, clientId, audience, scopes }, update: { scopes } })
      return
    }
    case 'connection': {
      const { id, name, strategy, settings } = write.row
      const where = { tenantId_id: { tenantId, id } }
      await tx.connection.upsert({
        where,
        create: { tenantId, id, name, strategy, settings },
        update: { name, settings },
      })
      return
    }
    case 'user':
      return writeUser(tx, tenantId, write.row, at)
  }
}

async function writeTenant(tx: Db, id: string, { name, settings }: TenantRow): Promise<void> {
  await tx.tenant.upsert({ where: { id }, create: { id, name, settings }, update: { name, settings } })
}

type UserWrite = Extract<Write, { table: 'user' }>['row']

async function writeUser(
  tx: Db,
  tenantId: string,
  { user, account, factors, passwordHash }: UserWrite,
  at: Date,
): Promise<void> {
  const { id, createdAt, ...fields } = user
  await tx.user.upsert({
    where: { tenantId_id: { tenantId, id } },
    create: { tenantId, id, ...fields, createdAt: createdAt ?? at, updatedAt: at },
    update: { ...fields, updatedAt: at },
  })
  const { connectionId, providerUserId, ...keys } = account
  const values = { ...keys, ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: at }) }
  await tx.identity.upsert({
    where: { tenantId_connectionId_providerUserId: { tenantId, connectionId, providerUserId } },
    create: { tenantId, connectionId, providerUserId, provider: DATABASE, userId: id, ...values },
    update: values,
  })
  await tx.authenticator.createMany({
    data: factors.map((factor) => ({
      ...factor,
      sealed: factor.sealed && new Uint8Array(factor.sealed),
      tenantId,
      userId: id,
      active: true,
      createdAt: at,
      confirmedAt: at,
    })),
  })
}
