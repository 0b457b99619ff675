// A complete server without a socket, for endpoint tests: real PostgreSQL, a fixed clock, repeatable randomness.

import { relative } from 'node:path'
import { expect } from 'vitest'
import { createDatabase } from '../adapters/store/prisma/client'
import { auditStore } from '../adapters/store/sql/audit'
import { listRecords } from '../adapters/store/sql/audit-read'
import { loginPartStore } from '../adapters/store/sql/login-records'
import { createOutboxStore } from '../adapters/store/sql/outbox'
import { createAuditLog } from '../data/audit/log'
import { presentRecord } from '../data/audit/record'
import { createLoginLog } from '../data/logins/login-log'
import type { BucketStanding, Limit } from '../data/rate-limit/bucket'
import { processBuckets } from '../data/rate-limit/in-process'
import { FIRST_TENANT } from '../data/tenants/settings'
import { createPasswordHasher } from '../data/users/password'
import { createBuildWaits } from '../identity/tenant-code/scripts/script-build'
import { CallOutError } from '../kernel/call-out'
import { type Clock, type FixedClock, fixedClock } from '../kernel/clock'
import { TextLookupError } from '../kernel/domain'
import { type Random, seededRandom, systemRandom } from '../kernel/random'
import { createVault, type Vault } from '../kernel/secret'
import { renderPage } from '../pages/renderer'
import type { Logger } from '../server/maintenance/log'
import { createOutages } from '../server/maintenance/outages'
import { openActions } from '../server/runtime/actions'
import { openExplorer } from '../server/runtime/explorer'
import type { Runtime } from '../server/runtime/runtime'
import type { Shared } from '../server/runtime/shared'
import { bootstrapTenants, createTenantRegistry } from '../server/runtime/tenant-registry'
import { openXml } from '../server/runtime/xml-threads'
import { noBundler, testOutgoing, withoutTimeLimit } from './actions'
import { type Browser, type BrowserOptions, createBrowser } from './browser'
import { BASE_URL, TEST_SECRET, type TestDatabase, testDatabase } from './database'
import { type Seed, seedTenant } from './seed'

export type { Browser, BrowserOptions, TestRequest, TestResponse } from './browser'
export { PASSWORD } from './seed'

/** The only password that the test server treats as breached. */
export const BREACHED = 'a password that was leaked'

export type TestServer = Seed & {
  clock: FixedClock
  random: Random
  vault: Vault
  database: TestDatabase
  /** The process's one Prisma client, which every test of the server uses: each client leaves a listener at the pool. */
  db: Shared['db']
  audit: Shared['audit']
  loginLog: Shared['loginLog']
  lines: LogLine[]
  /** The current audit log, oldest first, in the vendor's format. */
  audited(): Promise<Record<string, unknown>[]>
  runtime(host?: string): Promise<Runtime>
  browser(options?: BrowserOptions): Browser
  /** Adds a tenant with its own origin, its keys and one database connection `Users`. */
  addTenant(id: string, baseUrl: string): Promise<Seed>
  /** Another instance on the same database, with nothing else in common. */
  instance(overrides?: Partial<Shared>): Pick<TestServer, 'runtime' | 'browser'>
  close(): Promise<void>
}

export type LogLine = { level: string; fields: Record<string, unknown>; sentence: string }

let servers = 0

/** Shared by all test servers of a process. */
const xmlThreads = openXml(process.cwd())

/** The random seed: the same in every run, and different for each server of a file, so that runs are repeatable. */
const seedOfNext = (): string => `${relative(process.cwd(), expect.getState().testPath ?? '')} ${++servers}`

export async function testServer(overrides: Partial<Shared> = {}): Promise<TestServer> {
  const database = await testDatabase({ bootstrapped: true })
  const clock = fixedClock()
  const random = seededRandom(seedOfNext())
  const vault = createVault(TEST_SECRET)
  const lines: LogLine[] = []
  const shared = share(database, clock, random, vault, recordingLog(lines), overrides)
  await bootstrapTenants(shared)
  const server = createTenantRegistry(shared)
  const prisma = await shared.db.prisma()
  const seed = (tenantId: string): Seed =>
    seedTenant(tenantId, { prisma, clock, random, vault, passwords: shared.passwords })
  const first = seed(FIRST_TENANT)
  await first.addConnection('Users', { is_domain_connection: true })
  const runtime = (host = 'id.test'): Promise<Runtime> => server.runtimeFor(host)
  return {
    ...first,
    clock,
    random,
    vault,
    database,
    db: shared.db,
    audit: shared.audit,
    loginLog: shared.loginLog,
    lines,
    async audited() {
      await shared.audit.flush()
      const records = await listRecords(database.pool, FIRST_TENANT, { limit: 10_000 })
      return records.map(presentRecord).reverse()
    },
    runtime,
    browser: (options) => createBrowser(runtime, random, options),
    instance(more = {}) {
      const other = createTenantRegistry(
        share(database, clock, random, vault, recordingLog(lines), { ...overrides, ...more }),
      )
      const there = (host = 'id.test'): Promise<Runtime> => other.runtimeFor(host)
      return { runtime: there, browser: (options) => createBrowser(there, random, options) }
    },
    async addTenant(id, baseUrl) {
      await prisma.tenant.create({ data: { id, name: `Tenant ${id}`, baseUrl, settings: {} } })
      await bootstrapTenants(shared)
      const further = seed(id)
      await further.addConnection('Users')
      return further
    },
    async close() {
      await prisma.$disconnect()
      await database.drop()
    },
  }
}

function share(
  database: TestDatabase,
  clock: FixedClock,
  random: Random,
  vault: Vault,
  log: Logger,
  overrides: Partial<Shared>,
): Shared {
  const { endActions: _, sandbox, ...actions } = openActions(process.cwd(), database.pool, log, testOutgoing())
  return {
    baseUrl: BASE_URL,
    port: 3000,
    vendorHost: 'auth0.com',
    demo: false,
    devOutbox: false,
    db: createDatabase(database.pool),
    clock,
    random,
    vault,
    log,
    outages: createOutages({ clock, log }),
    passwords: createPasswordHasher({
      concurrency: 2,
      queueLimit: 100,
      cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
    }),
    buckets: unthrottled(clock),
    redis: undefined,
    placeOf: null,
    passesRequestIds: false,
    breached: { includes: async (password) => password === BREACHED },
    outbox: createOutboxStore(database.pool),
    // Audit events are stored only when a test reads them.
    audit: createAuditLog({
      store: auditStore({ pool: database.pool, vault, clock, random: systemRandom }),
      lines: null,
      clock,
      random,
      log,
    }),
    loginLog: createLoginLog({
      store: loginPartStore({ pool: database.pool, vault, random: systemRandom }),
      clock,
      log,
    }),
    callOut: () => Promise.reject(new CallOutError('ENOTFOUND')),
    findTexts: () => Promise.reject(new TextLookupError(null)),
    tenantChannel: async () => null,
    wakeDispatcher: () => {},
    wakeJobs: () => {},
    admitWait: createBuildWaits(),
    bundler: noBundler,
    maxImportBytes: 5 * 1024 * 1024,
    wakeStreams: () => {},
    renderPage,
    assets: { stylesheet: '/u/hosted.css', themed: '/u/themed.css', script: '/comfort.js' },
    readiness: async () => ({ ready: true, checks: {} }),
    ...actions,
    xmlThreads,
    explorerFiles: openExplorer(process.cwd()),
    sandbox: withoutTimeLimit(sandbox),
    ...overrides,
  }
}

/** Limits are counted in this process, as with the embedded database. */
export function inProcess(clock: Clock): Shared['buckets'] {
  const own = processBuckets(clock)
  return { own, shared: own }
}

/** The same without the login limit per account: the clock is fixed, so all logins happen at one moment. */
function unthrottled(clock: Clock): Shared['buckets'] {
  const { own } = inProcess(clock)
  const take = (key: string, limit: Limit): BucketStanding =>
    own.take(key, key.split('\n')[1] === 'login' ? { burst: 1000, per_minute: 1 } : limit)
  return { own, shared: { take } }
}

export const recordingLog = (lines: LogLine[]): Logger => {
  const at = (level: string) => (fields: Record<string, unknown>, sentence: string) => {
    lines.push({ level, fields, sentence })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') }
}
