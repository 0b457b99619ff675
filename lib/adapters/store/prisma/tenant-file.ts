// Reads a tenant's configuration and users for a tenant file, and writes the changes of the file. It runs rarely and long, hence
// an interactive Prisma transaction. An advisory lock applies one file at a time to a tenant.

import type { Prisma } from '../../../../prisma/generated/client'
import { COPIES } from '../../../management/tenant-file/configuration'
import type {
  Configuration,
  DocumentRow,
  FileStores,
  JsonObject,
  ReadTogether,
} from '../../../management/tenant-file/model'
import type { TenantFileReader, TenantFileStore, TenantFileTransaction } from '../../../management/tenant-file/port'
import type { ActionRow } from '../../../management/tenant-file/sections/actions'
import type { FileOrganization } from '../../../management/tenant-file/sections/organizations'
import type { Database } from '../database'
import { AS_OPERATOR } from '../operator'
import { putBundle } from './action-builds'
import { type Forget, managementStores } from './management'
import { ACTION_FIELDS, toActionRow } from './management/actions'
import { GRANT_FIELDS, toGrantRow } from './management/client-grants'
import { documentStore, lockTenant, orderPackages } from './management/documents'
import type { KeepManagingClient } from './management/last-managing-client'
import { ENABLED_CONNECTION_FIELDS, toEnabledConnectionRow } from './management/organization-connections'
import { ORGANIZATION_FIELDS, toOrganizationRow } from './management/organizations'
import { rolesWithPermissions } from './management/roles'
import { TENANT_FIELDS, toRecord } from './management/tenant-record'
import { joined } from './management/transaction'
import { findBundle, keepBuild } from './script-builds'
import { analyzeUsers, MANY_USERS, usersAfter, usersOf } from './stored-users'
import { changeUser, insertUsers, lockedUser } from './user-writes'

type Db = Prisma.TransactionClient

/** In milliseconds: a file of ten thousand users takes about one minute. */
const MAX_TRANSACTION = 300_000
const MAX_WAIT = 10_000

export const tenantFileStore = (db: Database): TenantFileStore => ({
  ...reader(db),
  async transaction(work) {
    const prisma = await db.prisma()
    const written = { users: 0 }
    const limits = { timeout: MAX_TRANSACTION, maxWait: MAX_WAIT }
    const result = await prisma.$transaction((tx) => work(transaction(tx, joined(tx), written)), limits)
    if (written.users >= MANY_USERS) await analyzeUsers(prisma)
    return result
  },
})

/** The caches of a server read the file's changes like those of another process. */
const FORGET: Forget = { client() {}, clientGrant() {}, api() {}, connections() {}, action() {} }

/** A file may take the last client that can manage the tenant, because a file gives it back. */
const KEEP: KeepManagingClient = async (_tx, _clientId, change) => void (await change())

const storesIn = (db: Database, tenantId: string): FileStores => ({
  ...managementStores(db, tenantId, KEEP, FORGET),
  // `keepBuilds` orders the packages once all is written.
  documents: documentStore(db, tenantId, async () => {}),
  keepBundle: async (bundle, at) => putBundle(await db.prisma(), tenantId, bundle, at),
  async createTenant(name) {
    const tenant = { id: tenantId, name, settings: {} }
    await (await db.prisma()).tenant.createMany({ data: [tenant], skipDuplicates: true })
  },
})

/** @param joining the same transaction, for stores */
const transaction = (tx: Db, joining: Database, written: { users: number }): TenantFileTransaction => ({
  ...reader(joining),
  async lock(tenantId) {
    // A large file may take long, and so may the file before it.
    await tx.$executeRaw`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`
    await tx.$executeRawUnsafe(AS_OPERATOR)
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tenant-file ${tenantId}`}, 0))`
    await lockTenant(tx, tenantId)
  },
  async write(tenantId, write, at) {
    if ('run' in write) await write.run(storesIn(joining, tenantId), at)
    else {
      const { row } = write
      if (row.isNew) await insertUsers(tx, tenantId, [row], at)
      else await changeUser(tx, tenantId, row, await lockedUser(tx, tenantId, row.user.id), at)
      written.users += 1
    }
  },
  async keepBuilds(tenantId, builds, at) {
    for (const { need, built } of builds) await keepBuild(tx, tenantId, need, built, at)
    await orderPackages(tx, tenantId, at)
  },
})

const reader = (db: Database): TenantFileReader => ({
  async configuration(tenantId) {
    const stores = storesIn(db, tenantId)
    const listed: [string, unknown][] = []
    for (const { name, read } of COPIES) if (read) listed.push([name, await read(stores)])
    return { ...(Object.fromEntries(listed) as Configuration), ...(await readTogether(await db.prisma(), tenantId)) }
  },
  findBundle: async (tenantId, need) => findBundle(await db.prisma(), tenantId, need),
  users: async (tenantId, lookup) => usersOf(await db.prisma(), tenantId, lookup),
  usersAfter: async (tenantId, after, limit) => usersAfter(await db.prisma(), tenantId, after, limit),
})

/** What no list reads as a whole. Queries run in sequence: a transaction has one connection, which runs one statement at a time. */
async function readTogether(db: Db, tenantId: string): Promise<Pick<Configuration, ReadTogether>> {
  const tenant = await db.tenant.findUnique({ where: { id: tenantId }, select: TENANT_FIELDS })
  return {
    tenant: tenant && toRecord(tenant),
    documents: await documentsOf(db, tenantId),
    roles: await rolesWithPermissions(db, tenantId),
    actions: await actionsOf(db, tenantId),
    organizations: await organizationsOf(db, tenantId),
  }
}

async function documentsOf(db: Db, tenantId: string): Promise<DocumentRow[]> {
  const rows = await db.document.findMany({
    where: { tenantId },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
    select: { kind: true, id: true, body: true },
  })
  return rows.map(({ kind, id, body }) => ({ kind: kind as DocumentRow['kind'], id, body: object(body) }))
}

async function actionsOf(db: Db, tenantId: string): Promise<ActionRow[]> {
  const newest = { select: { number: true }, orderBy: { number: 'desc' as const }, take: 1 }
  const select = { ...ACTION_FIELDS, versions: newest }
  const rows = await db.action.findMany({ where: { tenantId }, orderBy: { name: 'asc' }, select })
  return rows.map(({ versions, ...row }) => ({ ...toActionRow(row), newest: versions[0]?.number ?? 0 }))
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

/** Every JSON column read here contains an object. */
const object = (value: Prisma.JsonValue): JsonObject => value as JsonObject
