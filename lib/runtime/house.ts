// The composition root: a process's settings and database become a house that answers each request with the runtime of
// its tenant, chosen by host. A change is seen within a second; while the database is away, what was last known serves
// (threat-model.md RE4).
import { ensureKeys, openKeyring, stateOf } from '../keys/keyring'
import { UNANNOUNCED } from '../store/announcements'
import { type BegunLogins, createBegunLogins } from '../store/begun-logins'
import { readThrough } from '../store/cache'
import { tenantStore } from '../store/prisma/configuration'
import { signingKeyStore } from '../store/prisma/keys'
import type { Tenant } from '../tenants/settings'
import { openClaimRules } from './claim-rules'
import { isServed } from './demo-tenants'
import { createRuntime, createStores, type Runtime, type Shared, type TenantStores } from './runtime'

export type House = {
  /** `host` is the request's Host header, in any case; one that names no tenant gets the first. */
  runtimeFor(host: string | undefined): Promise<Runtime>
  /** For work that no request asked for. */
  runtimeOf(tenantId: string): Promise<Runtime | null>
}

export const FIRST_TENANT = 'default'

type FurnishingDeps = Pick<Shared, 'db' | 'clock' | 'random' | 'vault' | 'baseUrl'>

/** Makes what a fresh database lacks: the first tenant and every tenant's signing keys. */
export async function furnish({ db, clock, random, vault, baseUrl }: FurnishingDeps): Promise<void> {
  const tenants = tenantStore(db)
  await tenants.ensure(FIRST_TENANT, 'Latchkey')
  for (const tenant of await tenants.list()) {
    const host = new URL(tenant.baseUrl ?? baseUrl).host
    await ensureKeys(signingKeyStore(db, tenant.id), { clock, random, vault, host })
  }
}

export function createHouse(shared: Shared): House {
  const rooms = new Map<string, Room>()
  const begun = createBegunLogins()
  const read = readThrough(
    shared.clock,
    async (_all: 'all') => {
      const tenants = await tenantStore(shared.db).list()
      return Promise.all(tenants.filter(isServed(shared)).map((tenant) => furnishRoom(tenant, rooms, begun, shared)))
    },
    (shared.announced ?? UNANNOUNCED).of('tenant'),
  )
  return {
    async runtimeFor(host) {
      const all = await read('all')
      const asked = host?.toLowerCase()
      const named = all.find((room) => room.host !== null && room.host === asked)
      const room = named ?? all.find((room) => room.host === null) ?? all[0]
      if (!room) throw new Error('the database holds no tenant')
      return room.runtime
    },
    async runtimeOf(tenantId) {
      return (await read('all')).find(({ runtime }) => runtime.tenantId === tenantId)?.runtime ?? null
    },
  }
}

type Room = {
  print: string
  /** Of the tenant's own base URL; null where the process's serves it. */
  host: string | null
  stores: TenantStores
  runtime: Runtime
}

/** The room as it was, unless the tenant or its keys changed since. */
async function furnishRoom(
  tenant: Tenant,
  rooms: Map<string, Room>,
  begun: BegunLogins,
  shared: Shared,
): Promise<Room> {
  const known = rooms.get(tenant.id)
  const stores = known?.stores ?? createStores(shared, tenant.id, begun)
  const keys = await stores.keys.list()
  const now = shared.clock.now()
  const print = JSON.stringify([tenant, keys.map((key) => [key.kid, stateOf(key, now)])])
  if (known?.print === print) return known
  const keyring = await openKeyring(keys, now, shared.vault)
  const host = tenant.baseUrl === null ? null : new URL(tenant.baseUrl).host
  const claimRules = await openClaimRules(tenant, shared.log)
  const room = { print, host, stores, runtime: createRuntime(tenant, { keyring, claimRules }, stores, shared) }
  rooms.set(tenant.id, room)
  return room
}
