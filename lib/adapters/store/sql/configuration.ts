// Tenants, clients, APIs and connections: rarely written and read on every request, so cached (cache.ts).
import { type ApiPort, toApi } from '../../../data/apis/api'
import { type Client, type ClientPort, type ClientRecord, toClient } from '../../../data/clients/client'
import { loginOrigins, registeredOrigins } from '../../../data/clients/origins'
import { type ConnectionPort, type ConnectionRecord, toConnection } from '../../../data/connections/connection'
import { type Tenant, tenantSettings } from '../../../data/tenants/settings'
import { readTheme } from '../../../data/tenants/theme'
import type { Clock } from '../../../kernel/clock'
import { type Announcements, UNANNOUNCED } from '../announcements'
import { type ReadThrough, readThrough } from '../cache'
import { columns, type KindsOf } from '../columns'
import { type Database, run } from '../database'
import { IS_WORDING } from './wording'

type StoredClient = Omit<ClientRecord, 'isRegistered' | 'earlierSecretDigest' | 'earlierSecretExpiresAt'>
const CLIENT = {
  clientId: 'text',
  name: 'text',
  secretDigest: 'bytes?',
  settings: 'json',
} satisfies KindsOf<StoredClient>

/** `forget` evicts what this process has just changed. */
type Forgets<Key> = { forget(key: Key): void }

export async function hasClient({ pool }: Database, tenantId: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM client WHERE tenant_id = $1 LIMIT 1', [tenantId])
  return rowCount === 1
}

type ClientStore = ClientPort & Forgets<string> & { find: ReadThrough<string, Client | null> }

export const clientStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ClientStore => {
  const news = announced.of('client')
  const readFirstParty = readThrough(
    clock,
    async (_all: 'all') => {
      const rows = await run(pool, FIRST_PARTY_CLIENTS, [tenantId])
      const clients = rows.map(toClient)
      const [login, registered] = [loginOrigins, registeredOrigins].map((of) => [...new Set(clients.flatMap(of))])
      const apps = clients.flatMap(({ settings }) => settings.mobile ?? [])
      return { login: login ?? [], registered: registered ?? [], apps }
    },
    news,
  )
  const readAliases = readThrough(
    clock,
    async (_all: 'all') => {
      const rows = await run(pool, UNIQUE_ALIASES, [tenantId])
      return new Map(rows.map(({ alias, clientId }) => [alias, clientId]))
    },
    news,
  )
  const find = readThrough(
    clock,
    async (clientId: string) => {
      const [row] = await run(pool, FIND_CLIENT, [tenantId, clientId])
      return row ? toClient(row) : null
    },
    news,
  )
  return {
    find,
    async findByAlias(alias) {
      const clientId = (await readAliases('all')).get(alias)
      return clientId === undefined ? null : find(clientId)
    },
    loginOrigins: async () => (await readFirstParty('all')).login,
    registeredOrigins: async () => (await readFirstParty('all')).registered,
    mobileApps: async () => (await readFirstParty('all')).apps,
    forget(clientId) {
      find.forget(clientId)
      readFirstParty.forget('all')
      readAliases.forget('all')
    },
  }
}

const FIND_CLIENT = {
  name: 'client-find',
  text: `SELECT client_id AS "clientId", name, secret_digest AS "secretDigest", settings,
  earlier_secret_digest AS "earlierSecretDigest", earlier_secret_expires_at AS "earlierSecretExpiresAt",
  registration_digest IS NOT NULL AS "isRegistered" FROM client
WHERE tenant_id = $1 AND client_id = $2`,
  row: columns<ClientRecord>({
    ...CLIENT,
    earlierSecretDigest: 'bytes?',
    earlierSecretExpiresAt: 'date?',
    isRegistered: 'boolean',
  }),
}

/** Third-party clients are irrelevant here, and there may be many, because anyone may register one. */
const FIRST_PARTY_CLIENTS = {
  name: 'client-first-party',
  text: `SELECT client_id AS "clientId", name, secret_digest AS "secretDigest", settings FROM client
WHERE tenant_id = $1 AND settings->>'is_first_party' IS DISTINCT FROM 'false'`,
  row: columns<StoredClient>(CLIENT),
}

/** Read and cached as a whole: a request with an unknown name must not cost a query. */
const UNIQUE_ALIASES = {
  name: 'client-aliases',
  text: `SELECT alias, min(client_id) AS "clientId"
FROM client, jsonb_array_elements_text(settings->'client_aliases') AS alias
WHERE tenant_id = $1 GROUP BY alias HAVING count(DISTINCT client_id) = 1`,
  row: columns<{ alias: string; clientId: string }>({ alias: 'text', clientId: 'text' }),
}

type StoredApi = Parameters<typeof toApi>[0] & { userGrants: Record<string, string[]> | null }

/** The user grants count only where the API requires them. */
const FIND_API = {
  name: 'api-find',
  text: `SELECT identifier, name, settings,
  CASE WHEN settings->'subject_type_authorization'->'user'->>'policy' = 'require_client_grant' THEN (
    SELECT json_object_agg(client_id, scopes) FROM user_client_grant WHERE tenant_id = $1 AND audience = $2
  ) END AS "userGrants" FROM api
WHERE tenant_id = $1 AND identifier = $2`,
  row: columns<StoredApi>({ identifier: 'text', name: 'text', settings: 'json', userGrants: 'json?' }),
}

export const apiStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ApiPort & Forgets<string> => {
  const find = readThrough(
    clock,
    async (identifier: string) => {
      const [row] = await run(pool, FIND_API, [tenantId, identifier])
      return row ? { ...toApi(row), userGrants: new Map(Object.entries(row.userGrants ?? {})) } : null
    },
    announced.of('api'),
  )
  return { find, forget: find.forget }
}

const LIST_CONNECTIONS = {
  name: 'connection-list',
  text: 'SELECT id, name, strategy, settings FROM connection WHERE tenant_id = $1 ORDER BY created_at, id',
  row: columns<ConnectionRecord>({ id: 'text', name: 'text', strategy: 'text', settings: 'json' }),
}

export const connectionStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ConnectionPort & { forget(): void } => {
  const read = readThrough(
    clock,
    async (_all: 'all') => {
      const rows = await run(pool, LIST_CONNECTIONS, [tenantId])
      return rows.flatMap((row) => toConnection(row) ?? [])
    },
    announced.of('connection'),
  )
  return { all: () => read('all'), forget: () => read.forget('all') }
}

const LIST_TENANTS = {
  name: 'tenant-list',
  // A row's xmin differs after every write of it.
  text: `SELECT id, name, base_url AS "baseUrl", settings,
  (SELECT md5(string_agg(kind || ' ' || id || ' ' || xmin::text, ',' ORDER BY kind, id)) FROM document
    WHERE tenant_id = tenant.id AND ${IS_WORDING}) AS wording,
  (SELECT body FROM document WHERE tenant_id = tenant.id AND kind = 'theme' LIMIT 1) AS theme,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('domain', domain, 'isDefault', is_default, 'relyingPartyId', relying_party_id,
    'clientIpHeader', client_ip_header, 'proxyKeyDigest', encode(proxy_key_digest, 'hex')) ORDER BY domain), '[]')
    FROM custom_domain WHERE tenant_id = tenant.id AND verified_at IS NOT NULL) AS domains
FROM tenant ORDER BY created_at, id`,
  row: columns<Omit<Tenant, 'settings' | 'theme'> & { settings: unknown; theme: unknown }>({
    id: 'text',
    name: 'text',
    baseUrl: 'text?',
    settings: 'json',
    wording: 'text?',
    theme: 'json?',
    domains: 'json',
  }),
}

const PLACE_TENANT = {
  name: 'tenant-place',
  text: `INSERT INTO tenant (id, name, base_url, settings, updated_at) VALUES ($1, $2, $3, '{}', now())
ON CONFLICT (id) DO UPDATE SET base_url = $3, updated_at = now() WHERE tenant.base_url IS DISTINCT FROM $3`,
}

const ENSURE_TENANT = {
  name: 'tenant-ensure',
  text: `INSERT INTO tenant (id, name, settings, updated_at) VALUES ($1, $2, '{}', now()) ON CONFLICT DO NOTHING`,
}

/** SQL, like the signing keys: the first answer after a cold start must not wait for Prisma. */
export const tenantStore = ({ pool }: Database) => ({
  async list(): Promise<Tenant[]> {
    const rows = await run(pool, LIST_TENANTS, [])
    return rows.map(({ theme, settings, ...row }) => ({
      ...row,
      settings: tenantSettings.parse(settings),
      theme: theme === null ? null : readTheme(theme),
    }))
  },
  async ensure(id: string, name: string): Promise<void> {
    await run(pool, ENSURE_TENANT, [id, name])
  },
  /** Stores a tenant with its own public origin, which may have changed. */
  async place(id: string, name: string, baseUrl: string): Promise<void> {
    await run(pool, PLACE_TENANT, [id, name, baseUrl])
  },
})
