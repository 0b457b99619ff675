// Reads a tenant's configuration and users for a tenant file, and writes the changes of the file. It runs rarely and long, hence
// an interactive Prisma transaction. An advisory lock applies one file at a time to a tenant.

import type { Prisma } from '../../../../prisma/generated/client'
import { DATABASE } from '../../../data/connections/database-options'
import type {
  ActionRow,
  DocumentRow,
  FileOrganization,
  FileRole,
  JsonObject,
  StoredUser,
} from '../../../management/tenant-file/model'
import type {
  TenantFileReader,
  TenantFileStore,
  TenantFileTransaction,
  UserLookup,
} from '../../../management/tenant-file/port'
import type { FileStores } from '../../../management/tenant-file/stores'
import type { Database } from '../database'
import { AS_OPERATOR } from '../operator'
import { putBundle } from './action-builds'
import { ACTION_FIELDS, managedActions, toActionRow } from './management/actions'
import { GRANT_FIELDS, grantsOf, managedClientGrants, toGrantRow } from './management/client-grants'
import { clientsOf, managedClients } from './management/clients'
import { connectionsOf, managedConnections } from './management/connections'
import { documentStore, lockTenant, orderPackages } from './management/documents'
import type { KeepManagingClient } from './management/last-managing-client'
import { managedLogStreams, streamsOf } from './management/log-streams'
import { managedOrganizationClientGrants } from './management/organization-client-grants'
import {
  ENABLED_CONNECTION_FIELDS,
  managedOrganizationConnections,
  toEnabledConnectionRow,
} from './management/organization-connections'
import { managedOrganizations, ORGANIZATION_FIELDS, toOrganizationRow } from './management/organizations'
import { apisOf, managedApis } from './management/resource-servers'
import { managedRoles, ROLE_FIELDS, toRoleRow } from './management/roles'
import { TENANT_FIELDS, tenantRecordStore, toRecord } from './management/tenant-record'
import { managedTokenExchangeProfiles, PROFILE_FIELDS } from './management/token-exchange-profiles'
import { joined } from './management/transaction'
import { EMAIL, emailProviderStore, PHONE, phoneProviderStore, readProvider } from './message-providers'
import { findBundle, keepBuild } from './script-builds'
import { changeUser, insertUsers } from './user-writes'

type Db = Prisma.TransactionClient

/** In milliseconds: a file of ten thousand users takes about one minute. */
const MAX_TRANSACTION = 300_000
const MAX_WAIT = 10_000
/** Autovacuum analyzes a table that grew by this much within minutes; until then a login might use the wrong index. */
export const MANY_USERS = 50

export const tenantFileStore = (db: Database): TenantFileStore => ({
  configuration: async (tenantId) => reader(await db.prisma()).configuration(tenantId),
  findBundle: async (tenantId, need) => findBundle(await db.prisma(), tenantId, need),
  users: async (tenantId, lookup) => reader(await db.prisma()).users(tenantId, lookup),
  usersAfter: async (tenantId, after, limit) => reader(await db.prisma()).usersAfter(tenantId, after, limit),
  async transaction(work) {
    const prisma = await db.prisma()
    const written = { users: 0 }
    const limits = { timeout: MAX_TRANSACTION, maxWait: MAX_WAIT }
    const result = await prisma.$transaction((tx) => work(transaction(tx, written)), limits)
    if (written.users >= MANY_USERS) await analyzeUsers(prisma)
    return result
  },
})

/** The stores of the operations, within the transaction. The caches of a server read the file's changes like those of another process. */
function storesIn(tx: Db, tenantId: string): FileStores {
  const db = joined(tx)
  const forget = () => {}
  // A file may take the last client that can manage the tenant, because a file gives it back.
  const keep: KeepManagingClient = async (_tx, _clientId, change) => void (await change())
  return {
    managedClients: managedClients(db, tenantId, keep, forget),
    managedActions: managedActions(db, tenantId, forget),
    keepBundle: (bundle, at) => putBundle(tx, tenantId, bundle, at),
    tokenExchangeProfiles: managedTokenExchangeProfiles(db, tenantId),
    roles: managedRoles(db, tenantId),
    resourceServers: managedApis(db, tenantId, forget),
    managedGrants: managedClientGrants(db, tenantId, keep, {
      forgetGrant: forget,
      forgetApi: forget,
    }),
    managedConnections: managedConnections(db, tenantId, forget),
    logStreams: managedLogStreams(db, tenantId),
    organizations: managedOrganizations(db, tenantId),
    organizationConnections: managedOrganizationConnections(db, tenantId),
    organizationClientGrants: managedOrganizationClientGrants(db, tenantId),
    // `keepBuilds` orders the packages once all is written.
    documents: documentStore(db, tenantId, async () => {}),
    emailProvider: emailProviderStore(db, tenantId),
    phoneProvider: phoneProviderStore(db, tenantId),
    tenantRecord: tenantRecordStore(db, tenantId),
    async createTenant(name) {
      await tx.tenant.createMany({ data: [{ id: tenantId, name, settings: {} }], skipDuplicates: true })
    },
  }
}

const transaction = (tx: Db, written: { users: number }): TenantFileTransaction => ({
  ...reader(tx),
  async lock(tenantId) {
    // A large file may take long, and so may the file before it.
    await tx.$executeRaw`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`
    await tx.$executeRawUnsafe(AS_OPERATOR)
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tenant-file ${tenantId}`}, 0))`
    await lockTenant(tx, tenantId)
  },
  async write(tenantId, write, at) {
    if ('run' in write) await write.run(storesIn(tx, tenantId), at)
    else {
      await (write.row.isNew ? insertUsers(tx, tenantId, [write.row], at) : changeUser(tx, tenantId, write.row, at))
      written.users += 1
    }
  },
  async keepBuilds(tenantId, builds, at) {
    for (const { need, built } of builds) await keepBuild(tx, tenantId, need, built, at)
    await orderPackages(tx, tenantId, at)
  },
})

export const reader = (db: Db): TenantFileReader => ({
  async configuration(tenantId) {
    const where = { tenantId }
    const tenant = await db.tenant.findUnique({ where: { id: tenantId }, select: TENANT_FIELDS })
    return {
      tenant: tenant && toRecord(tenant),
      clients: await clientsOf(db, tenantId),
      apis: await apisOf(db, tenantId),
      clientGrants: await grantsOf(db, tenantId),
      connections: await connectionsOf(db, tenantId),
      roles: await findRoles(db, tenantId),
      actions: await actionsOf(db, tenantId),
      tokenExchangeProfiles: await db.tokenExchangeProfile.findMany({
        where,
        orderBy: { createdAt: 'asc' },
        select: PROFILE_FIELDS,
      }),
      documents: (
        await db.document.findMany({
          where,
          orderBy: [{ kind: 'asc' }, { id: 'asc' }],
          select: { kind: true, id: true, body: true },
        })
      ).map(({ kind, id, body }) => ({ kind: kind as DocumentRow['kind'], id, body: object(body) })),
      emailProvider: await readProvider(db, tenantId, EMAIL),
      phoneProvider: await readProvider(db, tenantId, PHONE),
      logStreams: await streamsOf(db, tenantId),
      organizations: await organizationsOf(db, tenantId),
    }
  },
  findBundle: (tenantId, need) => findBundle(db, tenantId, need),
  async users(tenantId, lookup) {
    const ids = await idsOf(db, tenantId, lookup)
    if (ids.length === 0) return []
    return findUsers(db, tenantId, ids)
  },
  async usersAfter(tenantId, after, limit) {
    const ids = await db.$queryRaw<{ id: string }[]>`
      SELECT user_id AS id FROM identity WHERE tenant_id = ${tenantId} AND provider = ${DATABASE} AND user_id > ${after}
      GROUP BY user_id ORDER BY user_id LIMIT ${limit}`
    return findUsers(
      db,
      tenantId,
      ids.map(({ id }) => id),
    )
  },
})

export const analyzeUsers = (db: Db) => db.$executeRaw`ANALYZE "user", identity, authenticator`

async function actionsOf(db: Db, tenantId: string): Promise<ActionRow[]> {
  const newest = { select: { number: true }, orderBy: { number: 'desc' as const }, take: 1 }
  const select = { ...ACTION_FIELDS, versions: newest }
  const rows = await db.action.findMany({ where: { tenantId }, orderBy: { name: 'asc' }, select })
  return rows.map(({ versions, ...row }) => ({ ...toActionRow(row), newest: versions[0]?.number ?? 0 }))
}

export async function findRoles(db: Db, tenantId: string): Promise<FileRole[]> {
  const order = [{ audience: 'asc' as const }, { permission: 'asc' as const }]
  const rows = await db.role.findMany({
    where: { tenantId },
    orderBy: { name: 'asc' },
    select: { ...ROLE_FIELDS, permissions: { orderBy: order, select: { audience: true, permission: true } } },
  })
  return rows.map((row) => ({ ...toRoleRow(row), permissions: row.permissions }))
}

async function organizationsOf(db: Db, tenantId: string): Promise<FileOrganization[]> {
  const rows = await db.organization.findMany({
    where: { tenantId },
    orderBy: { name: 'asc' },
    select: {
      ...ORGANIZATION_FIELDS,
      connections: { orderBy: { connectionId: 'asc' }, select: ENABLED_CONNECTION_FIELDS },
      clientGrants: { select: { grant: { select: GRANT_FIELDS } } },
    },
  })
  return rows.map(({ connections, clientGrants, ...row }) => ({
    ...toOrganizationRow(row),
    connections: connections.map(toEnabledConnectionRow),
    clientGrants: clientGrants
      .map(({ grant }) => toGrantRow(grant))
      .sort((a, b) => (`${a.clientId} ${a.audience}` < `${b.clientId} ${b.audience}` ? -1 : 1)),
  }))
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
