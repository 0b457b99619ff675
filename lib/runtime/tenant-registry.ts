// The tenant registry: returns the runtime of a tenant, chosen by the request's host. A change takes effect within a second;
// while the database is unavailable, the last known configuration serves (threat-model.md RE4).
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
import { openWording } from './wording'

export type TenantRegistry = {
  /** `host` is the request's Host header, in any case; an unknown host gets the first tenant. */
  runtimeFor(host: string | undefined): Promise<Runtime>
  /** For background work without a request. */
  runtimeOf(tenantId: string): Promise<Runtime | null>
}

type BootstrapDeps = Pick<Shared, 'db' | 'clock' | 'random' | 'vault' | 'baseUrl'>

/** Creates what a new database lacks: the first tenant, and signing keys for every tenant. */
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
    (shared.announced ?? UNANNOUNCED).of('tenant', 'document'),
  )
  return {
    async runtimeFor(host) {
      const all = await read('all')
      const requestedHost = host?.toLowerCase()
      const named = all.find((entry) => entry.host !== null && entry.host === requestedHost)
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
  /** The host of the tenant's own base URL; null where it uses the base URL of the process. */
  host: string | null
  stores: TenantStores
  runtime: Runtime
}

/** Reuses the existing runtime unless the tenant, its keys, texts or templates have changed. */
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
  const wording = await openWording(tenant, stores.wording, shared.log)
  const opened = { keyring, claimRules, ...wording }
  const entry = { fingerprint, host, stores, runtime: createRuntime(tenant, opened, stores, shared) }
  runtimes.set(tenant.id, entry)
  return entry
}
