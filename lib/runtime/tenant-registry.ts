// The composition root: a process's settings and database become a house that answers each request with the runtime of
// its tenant, chosen by host. A change is seen within a second; while the database is away, what was last known serves
// (threat-model.md RE4).
import { ensureKeys, openKeyring, stateOf } from '../keys/keyring'
import { UNANNOUNCED } from '../store/announcements'
import { readThrough } from '../store/cache'
import { createNewTransactionCache, type NewTransactionCache } from '../store/new-transaction-cache'
import { tenantStore } from '../store/prisma/configuration'
import { signingKeyStore } from '../store/prisma/keys'
import { FIRST_TENANT, type Tenant } from '../tenants/settings'
import { openClaimRules } from './claim-rules'
import { isServed } from './demo-tenants'
import { createRuntime, createStores, type Runtime, type Shared, type TenantStores } from './runtime'

export type TenantRegistry = {
  /** `host` is the request's Host header, in any case; one that names no tenant gets the first. */
  runtimeFor(host: string | undefined): Promise<Runtime>
  /** For work that no request asked for. */
  runtimeOf(tenantId: string): Promise<Runtime | null>
}

type BootstrapDeps = Pick<Shared, 'db' | 'clock' | 'random' | 'vault' | 'baseUrl'>

/** Makes what a fresh database lacks: the first tenant and every tenant's signing keys. */
export async function bootstrapTenants({ db, clock, random, vault, baseUrl }: BootstrapDeps): Promise<void> {
  const tenants = tenantStore(db)
  await tenants.ensure(FIRST_TENANT, 'Latchkey')
  for (const tenant of await tenants.list()) {
    const host = new URL(tenant.baseUrl ?? baseUrl).host
    await ensureKeys(signingKeyStore(db, tenant.id), { clock, random, vault, host })
  }
}

export function createTenantRegistry(shared: Shared): TenantRegistry {
  const runtimes = new Map<string, TenantEntry>()
  const newTransactions = createNewTransactionCache()
  const read = readThrough(
    shared.clock,
    async (_all: 'all') => {
      const tenants = await tenantStore(shared.db).list()
      return Promise.all(
        tenants.filter(isServed(shared)).map((tenant) => entryOf(tenant, runtimes, newTransactions, shared)),
      )
    },
    (shared.announced ?? UNANNOUNCED).of('tenant'),
  )
  return {
    async runtimeFor(host) {
      const all = await read('all')
      const asked = host?.toLowerCase()
      const named = all.find((entry) => entry.host !== null && entry.host === asked)
      const entry = named ?? all.find((entry) => entry.host === null) ?? all[0]
      if (!entry) throw new Error('the database holds no tenant')
      return entry.runtime
    },
    async runtimeOf(tenantId) {
      return (await read('all')).find(({ runtime }) => runtime.tenantId === tenantId)?.runtime ?? null
    },
  }
}

type TenantEntry = {
  fingerprint: string
  /** Of the tenant's own base URL; null where the process's serves it. */
  host: string | null
  stores: TenantStores
  runtime: Runtime
}

/** The room as it was, unless the tenant or its keys changed since. */
async function entryOf(
  tenant: Tenant,
  runtimes: Map<string, TenantEntry>,
  newTransactions: NewTransactionCache,
  shared: Shared,
): Promise<TenantEntry> {
  const known = runtimes.get(tenant.id)
  const stores = known?.stores ?? createStores(shared, tenant.id, newTransactions)
  const keys = await stores.keys.list()
  const now = shared.clock.now()
  const fingerprint = JSON.stringify([tenant, keys.map((key) => [key.kid, stateOf(key, now)])])
  if (known?.fingerprint === fingerprint) return known
  const keyring = await openKeyring(keys, now, shared.vault)
  const host = tenant.baseUrl === null ? null : new URL(tenant.baseUrl).host
  const claimRules = await openClaimRules(tenant, shared.log)
  const entry = { fingerprint, host, stores, runtime: createRuntime(tenant, { keyring, claimRules }, stores, shared) }
  runtimes.set(tenant.id, entry)
  return entry
}
