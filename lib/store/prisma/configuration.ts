// Tenants, clients, APIs and connections: rarely written, read on every request, so read through a cache (cache.ts).
import { type ApiPort, toApi } from '../../apis/api'
import { type Client, type ClientPort, type ClientRecord, toClient } from '../../clients/client'
import { loginOrigins, registeredOrigins } from '../../clients/origins'
import { type ConnectionPort, toConnection } from '../../connections/connection'
import type { Clock } from '../../kernel/clock'
import { type Tenant, tenantSettings } from '../../tenants/settings'
import { type ReadThrough, readThrough } from '../cache'
import { type Database, run } from '../database'

type ClientStore = ClientPort & { find: ReadThrough<string, Client | null> }

export const clientStore = (db: Database, tenantId: string, clock: Clock): ClientStore => {
  const readOrigins = readThrough(clock, async (_all: 'all') => {
    const rows = await run<ClientRecord>(db.pool, FIRST_PARTY_CLIENTS, [tenantId])
    const clients = rows.map(toClient)
    const [login, registered] = [loginOrigins, registeredOrigins].map((of) => [...new Set(clients.flatMap(of))])
    return { login: login ?? [], registered: registered ?? [] }
  })
  const readAliases = readThrough(clock, async (_all: 'all') => {
    const rows = await run<{ alias: string; clientId: string }>(db.pool, UNIQUE_ALIASES, [tenantId])
    return new Map(rows.map(({ alias, clientId }) => [alias, clientId]))
  })
  const find = readThrough(clock, async (clientId: string) => {
    const prisma = await db.prisma()
    const row = await prisma.client.findUnique({ where: { tenantId_clientId: { tenantId, clientId } } })
    return row && toClient(row)
  })
  return {
    find,
    async findByAlias(alias) {
      const clientId = (await readAliases('all')).get(alias)
      return clientId === undefined ? null : find(clientId)
    },
    loginOrigins: async () => (await readOrigins('all')).login,
    registeredOrigins: async () => (await readOrigins('all')).registered,
  }
}

/** The others may be many (anybody can register one), and none of them counts here. */
const FIRST_PARTY_CLIENTS = {
  name: 'client-first-party',
  text: `SELECT client_id AS "clientId", name, secret_digest AS "secretDigest", settings FROM client
WHERE tenant_id = $1 AND settings->>'is_first_party' IS DISTINCT FROM 'false'`,
}

/** All at once and cached: what a stranger asks for by a made-up name must cost nothing. */
const UNIQUE_ALIASES = {
  name: 'client-aliases',
  text: `SELECT alias, min(client_id) AS "clientId"
FROM client, jsonb_array_elements_text(settings->'client_aliases') AS alias
WHERE tenant_id = $1 GROUP BY alias HAVING count(DISTINCT client_id) = 1`,
}

export const apiStore = (db: Database, tenantId: string, clock: Clock): ApiPort => ({
  find: readThrough(clock, async (identifier: string) => {
    const prisma = await db.prisma()
    const row = await prisma.api.findUnique({ where: { tenantId_identifier: { tenantId, identifier } } })
    return row && toApi(row)
  }),
})

export const connectionStore = (db: Database, tenantId: string, clock: Clock): ConnectionPort => {
  const read = readThrough(clock, async (_all: 'all') => {
    const prisma = await db.prisma()
    const rows = await prisma.connection.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(toConnection)
  })
  return { all: () => read('all') }
}

const LIST_TENANTS = {
  name: 'tenant-list',
  text: 'SELECT id, name, base_url AS "baseUrl", settings FROM tenant ORDER BY created_at, id',
}

const ENSURE_TENANT = {
  name: 'tenant-ensure',
  text: `INSERT INTO tenant (id, name, settings, updated_at) VALUES ($1, $2, '{}', now()) ON CONFLICT DO NOTHING`,
}

/** In SQL, as the keys are: what a start needs before its first answer must not wait for Prisma to load. */
export const tenantStore = ({ pool }: Database) => ({
  async list(): Promise<Tenant[]> {
    const rows = await run<Omit<Tenant, 'settings'> & { settings: unknown }>(pool, LIST_TENANTS, [])
    return rows.map((row) => ({ ...row, settings: tenantSettings.parse(row.settings) }))
  },
  async ensure(id: string, name: string): Promise<void> {
    await run(pool, ENSURE_TENANT, [id, name])
  },
})
