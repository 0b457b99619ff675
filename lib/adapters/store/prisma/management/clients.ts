// Clients of the Management API, on PostgreSQL. The global client is a document: no login can use it.

import type { Prisma } from '../../../../../prisma/generated/client'
import { DEFAULT_APP_TYPE } from '../../../../data/clients/client'
import type { JsonObject } from '../../../../kernel/json'
import { digestHex } from '../../../../kernel/secret'
import { windowOf } from '../../../../management/operations/list'
import {
  type ClientDeps,
  type ClientFilter,
  type ClientResourceRow,
  NO_EARLIER_SECRET,
} from '../../../../management/resources/clients'
import { columns } from '../../columns'
import type { Database } from '../../database'
import { run } from '../../database'
import { CLIENTS, inOrder, searchObjects } from '../../sql/management/object-search'
import { settingIs } from './json-null'
import type { KeepManagingClient } from './last-managing-client'
import { rowStore } from './row-store'
import { type Db, idAfter, inTransaction, orderOf, skipOf, totalOf } from './transaction'

const FIELDS = {
  clientId: true,
  name: true,
  secretDigest: true,
  sealedSecret: true,
  earlierSecretDigest: true,
  earlierSecretExpiresAt: true,
  registrationDigest: true,
  settings: true,
  kept: true,
} as const

/** A statement of its own: tools read one client more often than anything else. */
const FIND = {
  name: 'managed-client-find',
  text: `SELECT client_id AS "clientId", name, secret_digest AS "secretDigest", sealed_secret AS "sealedSecret",
  earlier_secret_digest AS "earlierSecretDigest", earlier_secret_expires_at AS "earlierSecretExpiresAt",
  registration_digest AS "registrationDigest", settings, kept FROM client WHERE tenant_id = $1 AND client_id = $2`,
  row: columns<StoredClient>({
    clientId: 'text',
    name: 'text',
    secretDigest: 'bytes?',
    sealedSecret: 'bytes?',
    earlierSecretDigest: 'bytes?',
    earlierSecretExpiresAt: 'date?',
    registrationDigest: 'bytes?',
    settings: 'json',
    kept: 'json',
  }),
}

const GLOBAL = 'global-client'

export function managedClients(
  db: Database,
  tenantId: string,
  keep: KeepManagingClient,
  forget: (clientId: string) => void,
): ClientDeps['managedClients'] {
  const key = (clientId: string) => ({ tenantId_clientId: { tenantId, clientId } })
  const globalId = digestHex(`global client of ${tenantId}`).slice(0, 32)
  const globalKey = { tenantId_kind_id: { tenantId, kind: GLOBAL, id: GLOBAL } }
  const findGlobal = async (tx: Db): Promise<ClientResourceRow> => {
    const document = await tx.document.findUnique({ where: globalKey })
    return globalRow(globalId, (document?.body ?? {}) as JsonObject)
  }
  const rows = rowStore<ClientResourceRow, ClientFilter>(db, {
    async find(tx, id) {
      const row = await tx.client.findUnique({ where: key(id), select: FIELDS })
      return row && toRow(row)
    },
    lock: (tx, id) => tx.$queryRaw`SELECT 1 FROM client WHERE tenant_id = ${tenantId} AND client_id = ${id} FOR UPDATE`,
    async list(tx, filter, window) {
      const { is_global, is_first_party, app_type, name_filter, q } = filter
      const conditions = [
        ...(q === undefined ? [] : [{ clientId: { in: await grantedClients(tx, tenantId, q) } }]),
        ...(is_first_party === undefined ? [] : [await settingIs('is_first_party', is_first_party, true)]),
        ...(app_type === undefined
          ? []
          : [
              {
                OR: await Promise.all(app_type.split(',').map((type) => settingIs('app_type', type, DEFAULT_APP_TYPE))),
              },
            ]),
        ...(name_filter === undefined ? [] : [{ OR: [named(name_filter), { clientId: name_filter }] }]),
      ]
      const where = { tenantId, AND: conditions }
      if (is_global === true) {
        const globals = [await findGlobal(tx)].filter((row) => isNamedBy(filter, row))
        return windowOf(globals, window, ({ clientId }) => clientId)
      }
      const total = await totalOf(window, () => tx.client.count({ where }))
      const found = await tx.client.findMany({
        where: { ...where, clientId: idAfter(window) },
        orderBy: orderOf<Prisma.ClientOrderByWithRelationInput>(window, [{ createdAt: 'asc' }, { clientId: 'asc' }], {
          clientId: 'asc',
        }),
        skip: skipOf(window),
        take: window.limit,
        select: FIELDS,
      })
      return { rows: found.map(toRow), total }
    },
    insert: (tx, row) => tx.client.create({ data: { tenantId, clientId: row.clientId, ...valuesOf(row) } }),
    update: (tx, row) =>
      keep(tx, row.clientId, () => tx.client.update({ where: key(row.clientId), data: valuesOf(row) })),
    remove: (tx, { clientId }) =>
      keep(tx, clientId, async () => {
        await tx.clientGrant.deleteMany({ where: { tenantId, clientId } })
        await tx.$executeRaw`
          UPDATE connection SET updated_at = now(),
            settings = jsonb_set(settings, '{enabled_clients}', (settings -> 'enabled_clients') - ${clientId})
          WHERE tenant_id = ${tenantId} AND jsonb_typeof(settings -> 'enabled_clients') = 'array'
            AND settings -> 'enabled_clients' ? ${clientId}`
        await tx.client.delete({ where: key(clientId) })
      }),
    forget: ({ clientId }) => forget(clientId),
  })
  return {
    ...rows,
    async find(id) {
      if (id === globalId) return findGlobal(await db.prisma())
      const [row] = await run(db.pool, FIND, [tenantId, id])
      return row ? toRow(row) : null
    },
    change: (id, alter, at) =>
      id !== globalId
        ? rows.change(id, alter, at)
        : inTransaction(db, async (tx) => {
            await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${GLOBAL} ${tenantId}`}, 0))`
            const before = await findGlobal(tx)
            const after = await alter(before)
            const body = { settings: after.settings, kept: after.kept }
            await tx.document.upsert({
              where: globalKey,
              create: { tenantId, kind: GLOBAL, id: GLOBAL, body, createdAt: at, updatedAt: at },
              update: { body, updatedAt: at },
            })
            return { before, after }
          }),
    async search(request) {
      const cursors = await searchObjects(db, tenantId, CLIENTS, request)
      const where = { tenantId, clientId: { in: cursors.map(({ id }) => id) } }
      const found = await (await db.prisma()).client.findMany({ where, select: FIELDS })
      return inOrder(cursors, found.map(toRow), ({ clientId }) => clientId)
    },
    async remove(id, check) {
      if (id === globalId) await check(await findGlobal(await db.prisma()))
      return rows.remove(id, check)
    },
  }
}

/** The filters in memory, for the global client. */
const isNamedBy = (
  { is_first_party, app_type, name_filter = '' }: ClientFilter,
  { clientId, name, settings }: ClientResourceRow,
): boolean =>
  (is_first_party ?? true) === (settings.is_first_party ?? true) &&
  (app_type === undefined || app_type.split(',').includes(String(settings.app_type ?? DEFAULT_APP_TYPE))) &&
  (name.toLowerCase().includes(name_filter.toLowerCase()) || clientId === name_filter)

async function grantedClients(tx: Db, tenantId: string, q: NonNullable<ClientFilter['q']>): Promise<string[]> {
  const having =
    q === 'any-organization'
      ? { allowAnyOrganization: true }
      : { organizations: { some: { tenantId, organizationId: q.organizationId } } }
  const grants = await tx.clientGrant.findMany({ where: { tenantId, ...having }, select: { clientId: true } })
  return grants.map(({ clientId }) => clientId)
}

const named = (text: string) => ({ name: { contains: text, mode: 'insensitive' as const } })

type StoredClient = Pick<
  ClientResourceRow,
  'clientId' | 'name' | 'secretDigest' | 'sealedSecret' | 'earlierSecretDigest' | 'earlierSecretExpiresAt'
> & {
  registrationDigest: Uint8Array | null
  settings: unknown
  kept: unknown
}

const toRow = ({ registrationDigest, settings, kept, ...row }: StoredClient): ClientResourceRow => ({
  ...row,
  isRegistered: registrationDigest !== null,
  isGlobal: false,
  settings: settings as JsonObject,
  kept: kept as JsonObject,
})

const bytes = (value: Uint8Array | null) => value && new Uint8Array(value)

const valuesOf = ({ name, secretDigest, sealedSecret, settings, kept, ...row }: ClientResourceRow) => ({
  name,
  settings,
  kept,
  secretDigest: bytes(secretDigest),
  sealedSecret: bytes(sealedSecret),
  earlierSecretDigest: bytes(row.earlierSecretDigest),
  earlierSecretExpiresAt: row.earlierSecretExpiresAt,
})

const globalRow = (clientId: string, { settings = {}, kept = {} }: JsonObject): ClientResourceRow => ({
  clientId,
  name: 'All Applications',
  secretDigest: null,
  sealedSecret: null,
  ...NO_EARLIER_SECRET,
  isRegistered: false,
  isGlobal: true,
  settings: settings as JsonObject,
  kept: kept as JsonObject,
})
