// The tenant registry: returns the runtime of a tenant, chosen by the request's host. A change takes effect within a second;
// while the database is unavailable, the last known configuration serves (threat-model.md RE4).

import { UNANNOUNCED } from '../../adapters/store/announcements'
import { readThrough } from '../../adapters/store/cache'
import { createNewTransactionCache, type NewTransactionCache } from '../../adapters/store/new-transaction-cache'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import { tenantStore } from '../../adapters/store/sql/configuration'
import { ensureKeys, openKeyring, stateOf } from '../../crypto/keys/keyring'
import { siteOf, type TenantAddress } from '../../data/tenants/custom-domain'
import { FIRST_NAME, FIRST_TENANT, type Tenant } from '../../data/tenants/settings'
import { once } from '../../kernel/lazy'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { openClaimRules } from './claim-rules'
import { isServed } from './demo-tenants'
import type { Sites } from './opening'
import { createRuntime, type Runtime } from './runtime'
import type { Shared } from './shared'
import { createStores, type TenantStores } from './stores'
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
  await tenants.ensure(FIRST_TENANT, FIRST_NAME)
  for (const tenant of await tenants.list()) {
    const host = hostOf(tenant, { baseUrl })
    await ensureKeys(signingKeyStore(db, tenant.id), { clock, random, vault, host })
  }
}

export function createTenantRegistry(shared: Shared): TenantRegistry {
  const runtimes = new Map<string, TenantEntry>()
  const newTransactions = createNewTransactionCache()
  const read = readThrough(
    shared.clock,
    async (_all: 'all') => {
      const tenants = (await tenantStore(shared.db).list()).filter(isServed(shared))
      const open = (tenant: Tenant) => entryOf(tenant, runtimes, newTransactions, shared)
      return byAddress(await mapBounded(tenants, open), shared)
    },
    (shared.announced ?? UNANNOUNCED).of('tenant', 'document'),
  )
  return {
    async runtimeFor(host) {
      const { byHost, byDomain, first } = await read('all')
      const requested = host?.toLowerCase() ?? ''
      const found = byHost.get(requested) ?? byDomain.get(requested)?.() ?? first
      if (!found) throw new Error('the database holds no tenant')
      return found
    },
    async runtimeOf(tenantId) {
      return (await read('all')).byId.get(tenantId) ?? null
    },
  }
}

/** The name in the certificates of its keys. */
const hostOf = (tenant: Tenant, { baseUrl }: Pick<Shared, 'baseUrl'>): string => new URL(tenant.baseUrl ?? baseUrl).host

type TenantEntry = {
  fingerprint: string
  tenant: Tenant
  stores: TenantStores
  /** At its base URL. */
  runtime: Runtime
  at(baseUrl: string): Runtime
}

/** A custom domain never takes the host of a base URL. */
function byAddress(entries: readonly TenantEntry[], { baseUrl }: Pick<Shared, 'baseUrl'>) {
  const byId = new Map(entries.map(({ runtime }) => [runtime.tenantId, runtime]))
  const first = (entries.find(({ tenant }) => tenant.baseUrl === null) ?? entries[0])?.runtime
  const own = entries.flatMap(({ tenant, runtime }) => (tenant.baseUrl === null ? [] : [runtime]))
  const byHost = new Map(own.map((runtime) => [new URL(runtime.baseUrl).host, runtime]))
  if (first) byHost.set(new URL(baseUrl).host, byHost.get(new URL(baseUrl).host) ?? first)
  const byDomain = new Map(
    entries.flatMap(({ tenant, at }) => tenant.domains.map((each) => [each.domain, () => at(siteOf(each).baseUrl)])),
  )
  return { byId, byHost, byDomain, first }
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
  const { clock, random, vault } = shared
  const now = clock.now()
  const fingerprint = JSON.stringify([tenant, keys.map((key) => [key.kid, stateOf(key, now)])])
  if (known?.fingerprint === fingerprint) return known
  const keyring = await openKeyring(keys, stores.keys, { clock, random, vault, host: hostOf(tenant, shared) })
  const claimRules = await openClaimRules(tenant, shared.log)
  const wording = await openWording(tenant, stores.wording, shared.log)
  const opened = { keyring, claimRules, ...wording }
  const canonical: TenantAddress = { baseUrl: tenant.baseUrl ?? shared.baseUrl, custom: null }
  const all: Sites['all'] = [canonical, ...tenant.domains.map(siteOf)]
  const open = (site: TenantAddress): Runtime =>
    createRuntime({ tenant, site, sites: { all, at }, ...opened, stores, shared })
  const custom = new Map(tenant.domains.map(siteOf).map((site) => [site.baseUrl, once(() => open(site))]))
  const at = (baseUrl: string): Runtime => custom.get(baseUrl)?.() ?? runtime
  const runtime = open(canonical)
  const entry = { fingerprint, tenant, stores, runtime, at }
  runtimes.set(tenant.id, entry)
  return entry
}
