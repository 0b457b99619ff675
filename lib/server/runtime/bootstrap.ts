// The bootstrap, the same for both adapters: settings and an open database become a tenant registry that is ready for requests.
// - First the schema is migrated (or, where a command does that, checked), then missing tenants and keys are created, then the
//   tenant files are applied (tenant-files.ts).
// - Modules that only some starts need (mail, tenant files) are loaded on demand.
// - Closing completes the deliveries in progress. The caller owns the pool.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { createOutgoing } from '../../adapters/channels/action-network'
import { writeOfAction } from '../../adapters/channels/action-reach'
import { createLogoutSender } from '../../adapters/channels/backchannel-logout'
import { createCallOut } from '../../adapters/channels/call-out'
import { createPhoneChannels } from '../../adapters/channels/phone'
import { post } from '../../adapters/channels/post'
import { createTenantMail } from '../../adapters/channels/tenant-mail'
import { createTenantPhone } from '../../adapters/channels/tenant-phone'
import { createTextLookup } from '../../adapters/channels/text-records'
import type { OtherMetrics } from '../../adapters/metrics/metrics'
import { createListener, type Listener } from '../../adapters/store/announcements'
import { openBreachedFile } from '../../adapters/store/breached-file'
import { isDirectAddress } from '../../adapters/store/direct-address'
import { assertMigrated, migrate } from '../../adapters/store/migrate'
import { actionBuildStore } from '../../adapters/store/prisma/action-builds'
import { createDatabase } from '../../adapters/store/prisma/client'
import { jobStore } from '../../adapters/store/prisma/jobs'
import { findMailProvider, findPhoneProvider } from '../../adapters/store/prisma/message-providers'
import { scriptBuildStore } from '../../adapters/store/prisma/script-builds'
import type { RedisClient } from '../../adapters/store/redis/client'
import { openVault } from '../../adapters/store/root-secret'
import { unifyAddresses } from '../../adapters/store/sql/address-forms'
import { auditStore } from '../../adapters/store/sql/audit'
import { dropOldRecords } from '../../adapters/store/sql/audit-retention'
import { streamStore } from '../../adapters/store/sql/log-streams'
import { loginPartStore } from '../../adapters/store/sql/login-records'
import { createOutboxStore } from '../../adapters/store/sql/outbox'
import { createAuditLog } from '../../data/audit/log'
import { createLoginLog } from '../../data/logins/login-log'
import { createDispatcher } from '../../data/outbox/dispatcher'
import { createPasswordHasher } from '../../data/users/password'
import { createAdmission } from '../../http/admission'
import { createBundler } from '../../identity/tenant-code/packages/bundle'
import { createBuildWaits } from '../../identity/tenant-code/scripts/script-build'
import type { CertainClock } from '../../kernel/clock'
import { observers } from '../../kernel/observe'
import type { Random } from '../../kernel/random'
import { digest } from '../../kernel/secret'
import { hashingConcurrency } from '../../kernel/work-queue'
import { createActionBuilds } from '../../management/jobs/action-builds'
import { createJobRunner } from '../../management/jobs/runner'
import { createStreamRunner } from '../../management/log-streams/delivery'
import type { PageRenderer } from '../../pages/respond'
import type { PageAssets } from '../../pages/view'
import { type Env, EnvError } from '../../settings/env'
import { openAuditLines } from '../maintenance/audit-lines'
import { createCleanUp } from '../maintenance/clean-up'
import { findPlaces } from '../maintenance/geoip'
import type { Logger } from '../maintenance/log'
import { openMetrics } from '../maintenance/metrics'
import { createOutages } from '../maintenance/outages'
import { deleteAndRecord } from '../maintenance/record-deletions'
import { openTraces } from '../maintenance/traces'
import { createActionChannel, createFactorChannel } from './action-channel'
import { openActions } from './actions'
import { openBuckets } from './buckets'
import { placeDemoProvider } from './demo-tenants'
import { openExplorer } from './explorer'
import { composeImportMail } from './mailer'
import { createReadiness } from './readiness'
import { openRedis } from './redis'
import type { Shared } from './shared'
import { applyTenantFiles } from './tenant-files'
import { bootstrapTenants, createTenantRegistry, type TenantRegistry } from './tenant-registry'
import { openXml } from './xml-threads'

export type OpenServer = {
  registry: TenantRegistry
  shared: Shared
  /** Starts the work in the background: deliveries, jobs, clean-up. Each opens connections, so a server listens first. */
  beginWork(): void
  /** Resolves when every delivery in progress has been attempted. */
  delivered(): Promise<void>
  close(): Promise<void>
}

export type ServerParts = {
  env: Env
  /** The folder that contains prisma/migrations and the demo tenant's file. */
  root: string
  pool: Pool
  secret: string
  /** Values for the placeholders in a tenant file. */
  variables: Readonly<Record<string, string | undefined>>
  clock: CertainClock
  random: Random
  log: Logger
  /** Prints a line for the operator, possibly to a log. */
  /** A sentence to the operator: on a terminal as it is, else a record of the log with the fields. */
  printLine(line: string, fields?: Record<string, unknown>): void
  /** Prints a line with a newly generated client secret: to a terminal, never to a log. */
  printSecret(line: string): void
  renderPage: PageRenderer
  assets: PageAssets
  /** Processes that are one server on this machine. */
  processes?: number
  /** How to read the metrics of the others. */
  otherMetrics?: OtherMetrics
  /** Set in a secondary process: its parent migrates the database and sends deliveries. */
  secondary?: boolean
}

/** Printed instead of a secret where output goes to a log. */
export const SECRET_NOT_LOGGED =
  'The tenant file has no client_secret for a new client; the generated secret is not written to a log. Set one in the file, or apply it with `npm run tenant`.'

/** The longest queue for the hashing threads; further logins get 503 (threat-model.md DB5). */
const WAITING_LOGINS = 64

/** Load shedding: concurrent requests per database connection. A busy day has some tens. */
const UNDER_WAY_PER_CONNECTION = 75

/** How long a start waits for Redis, so that its first requests are counted there. */
const REDIS_MS = 2000

export async function openServer(parts: ServerParts): Promise<OpenServer> {
  const redis = await openRedis(parts.env, parts.log, REDIS_MS)
  try {
    return await openWith(redis, parts)
  } catch (error) {
    await redis?.close()
    throw error
  }
}

async function openWith(redis: RedisClient | undefined, parts: ServerParts): Promise<OpenServer> {
  const { env, root, pool, clock, random, log, printLine, secondary = false } = parts
  const migrations = join(root, 'prisma', 'migrations')
  if (!secondary && env.migrateOnStart) {
    const applied = await migrate(pool, migrations, { random })
    if (applied.length > 0) printLine(`Migrations applied: ${applied.length}`, { migrations: applied })
  }
  if (!secondary && !env.migrateOnStart) await assertMigrated(pool, migrations)
  let registry: TenantRegistry
  const listener = announces(parts) ? createListener(pool, { clock, random, log }) : undefined
  const { shared, dispatcher, jobs, builds, streams, audit, loginLog, endActions, tracing } = await share(
    parts,
    { redis, announced: listener },
    (tenantId) => registry.runtimeOf(tenantId),
  )
  registry = createTenantRegistry(shared)
  shared.readiness = createReadiness({ pool, migrations, registry, redis, clock, outages: shared.outages })
  if (!secondary) {
    if (env.demo) await placeDemoProvider(shared)
    await bootstrapTenants(shared)
    await unifyStoredAddresses(pool, log)
  }
  audit.start()
  loginLog.start()
  const dropOldDays = (now: Date) => dropOldRecords(pool, shared.vault, env.auditDays, now)
  const hostname = new URL(env.appUrl).host
  const deleteAccounts = (now: Date) => deleteAndRecord(now, { pool, audit, clock, hostname })
  const cleaning = createCleanUp({ pool, clock, random, log, keepDays: env.keepDays, dropOldDays, deleteAccounts })
  if (!secondary) {
    await applyTenantFiles(shared, parts)
    listener?.start()
    if (env.platform !== undefined) warnOfDirectAddress(env, log)
  }
  // Fails the start early: a tenant that cannot be opened now would fail with every request. After the files, so that the first request has
  // what they say.
  await registry.runtimeFor(undefined)
  const works = [dispatcher, jobs, builds, streams, cleaning]
  const beginWork = (): void => {
    // A platform freezes the process between requests. There deliveries run after each request, and the operator schedules `npm
    // run clean-up`.
    if (secondary || env.platform !== undefined) return
    for (const work of works) work.start()
  }
  const close = async (): Promise<void> => {
    await listener?.close()
    await cleaning.stop()
    await jobs.stop()
    await builds.stop()
    await streams.stop()
    await dispatcher.stop()
    await endActions()
    shared.xmlThreads.close()
    await audit.close()
    await loginLog.close()
    await redis?.close()
    await tracing?.close()
  }
  const deliver = env.platform === undefined ? dispatcher.settled : dispatcher.catchUp
  const delivered = async (): Promise<void> => {
    await Promise.all([deliver(), audit.flush(), shared.loginLog.flush()])
    if (env.platform !== undefined) await Promise.all([jobs.catchUp(), builds.catchUp(), streams.catchUp()])
  }
  return { registry, shared, beginWork, delivered, close }
}

function warnOfDirectAddress({ databaseUrl = '' }: Env, log: Logger): void {
  if (!isDirectAddress(databaseUrl)) return
  log.warn(
    {},
    'DATABASE_URL is a direct connection to the database, and every function instance opens its own connections: use a pooler (docs/runbook.md, "Vercel").',
  )
}

/** False where the process is frozen between requests, and behind a pooler, which shares the connection that LISTEN needs. */
async function unifyStoredAddresses(pool: Pool, log: Logger): Promise<void> {
  const { length: count } = await unifyAddresses(pool)
  if (count > 0)
    log.warn(
      { count },
      'Some accounts have an address that is another spelling of the address of an account. The doctor lists them.',
    )
}

const announces = ({ env, secondary }: ServerParts): boolean =>
  !secondary && !env.databasePooled && env.platform === undefined

type Held = { redis: RedisClient | undefined; announced: Listener | undefined }

async function share(parts: ServerParts, { redis, announced }: Held, tenant: TenantRegistry['runtimeOf']) {
  const { env, root, pool, secret, clock, random, log } = parts
  const vault = await openVault(pool, secret, random)
  const db = createDatabase(pool)
  const outbox = createOutboxStore(pool)
  const policy = {
    allowLoopback: env.development,
    allowPrivate: env.allowPrivateTargets,
    proxy: env.outboundProxy,
  }
  const outgoing = createOutgoing({
    policy,
    reach: {
      inner: env.actionHosts,
      ownUrl: async (tenantId) => (await tenant(tenantId))?.canonicalUrl ?? null,
      customUrls: async (tenantId) => (await tenant(tenantId))?.customUrls ?? [],
    },
    mark: (tenantId) => writeOfAction(tenantId, clock.now(), vault),
    requestIdHeader: env.actionRequestIdHeader,
  })
  const { endActions, ...actions } = openActions(root, pool, log, outgoing)
  const passwords = createPasswordHasher({
    concurrency: hashingConcurrency(availableParallelism(), parts.processes),
    queueLimit: WAITING_LOGINS,
  })
  const metrics = await openMetrics(env, { pool, passwords, clock, redis, others: parts.otherMetrics })
  const tracing = await openTraces(env, pool)
  const audit = createAuditLog({
    store: auditStore({ pool, vault, clock, random }),
    lines: env.auditLines === undefined ? null : openAuditLines(env.auditLines, { log, clock }),
    clock,
    random,
    log,
    observe: metrics?.event,
  })
  const loginLog = createLoginLog({ store: loginPartStore({ pool, vault, random }), clock, log })
  const mail = env.smtp ? [(await import('../../adapters/channels/email')).createEmailChannel(env.smtp)] : []
  const channels = [...mail, ...createPhoneChannels(env.phone, { clock, policy })]
  const byAction = createActionChannel(tenant)
  const tenantMail = createTenantMail({ find: findMailProvider(db), vault, clock, policy, byAction })
  const tenantPhone = createTenantPhone({ find: findPhoneProvider(db), vault, clock, policy, byAction })
  const factorChannel = createFactorChannel(tenant)
  const tenantChannel: Shared['tenantChannel'] = async (channel, tenantId, cause) => {
    if (channel === 'email') return tenantMail(tenantId)
    if (channel === 'push') return null
    return (await factorChannel(channel, tenantId, cause)) ?? (await tenantPhone(tenantId, channel))
  }
  const dispatcher = createDispatcher({
    store: outbox,
    channels,
    tenantChannel,
    sendLogout: createLogoutSender({
      tenant,
      clock,
      policy,
    }),
    keepContent: env.devOutbox,
    vault,
    clock,
    random,
    log,
  })
  const jobs = createJobRunner({
    store: jobStore(db),
    vault,
    random,
    clock,
    hasher: passwords,
    completionMail: {
      compose: async (job, to) => {
        const runtime = await tenant(job.tenantId)
        return runtime && composeImportMail(job, to, runtime.sender, shared)
      },
      wake: () => dispatcher.wake(),
    },
    log,
  })
  const bundler = createBundler({ root })
  const builds = createActionBuilds({
    stores: [actionBuildStore(db, random), scriptBuildStore(db)],
    bundler,
    clock,
    log,
  })
  const streams = createStreamRunner({
    store: streamStore(db),
    send: (request, stop) => post(request.url, request, policy, stop),
    vault,
    clock,
    random,
    log,
  })
  const shared: Shared = {
    baseUrl: env.appUrl,
    hstsSubdomains: env.hstsSubdomains,
    port: env.port,
    vendorHost: env.vendorHost,
    demo: env.demo,
    devOutbox: env.devOutbox,
    db,
    clock,
    random,
    vault,
    log,
    outages: createOutages({ clock, log }),
    passwords,
    placeOf: await findPlaces(env.geoipFile, log),
    passesRequestIds: env.actionRequestIdHeader !== undefined,
    breached: await openBreached(env.breachedPasswords ?? join(root, 'data', 'breached-passwords.txt')),
    buckets: openBuckets({ redis, pool: env.databaseUrl === undefined ? undefined : pool, vault, clock, log }),
    redis,
    announced,
    admit: createAdmission(env.databasePoolSize * UNDER_WAY_PER_CONNECTION),
    outbox,
    ...actions,
    xmlThreads: openXml(root),
    explorerFiles: openExplorer(root),
    audit,
    loginLog,
    metrics,
    observe: observers([tracing?.observe, metrics?.observe]),
    examiner: {
      tokenDigest: env.operatorToken === undefined ? null : digest(env.operatorToken),
      examine: async (arrival) => {
        const { examine } = await import('../maintenance/doctor')
        return examine(
          { env: ofAllProcesses(parts), migrations: join(root, 'prisma', 'migrations'), db, clock, redis },
          arrival,
        )
      },
    },
    callOut: createCallOut(policy),
    findTexts: createTextLookup(),
    tenantChannel,
    wakeDispatcher: () => dispatcher.wake(),
    wakeJobs() {
      jobs.wake()
      builds.wake()
    },
    admitWait: env.platform === undefined ? createBuildWaits() : null,
    bundler,
    maxImportBytes: env.maxImport * 1024 * 1024,
    wakeStreams: () => streams.wake(),
    renderPage: parts.renderPage,
    assets: parts.assets,
    readiness: () => Promise.resolve({ ready: false, checks: {} }),
  }
  return { shared, dispatcher, jobs, builds, streams, audit, loginLog, endActions, tracing }
}

/** The settings as the whole server uses them. */
const ofAllProcesses = ({ env, processes = 1 }: ServerParts): Env => ({
  ...env,
  databasePoolSize: env.databasePoolSize * processes,
})

const openBreached = (path: string): ReturnType<typeof openBreachedFile> =>
  openBreachedFile(path).catch(() => {
    throw new EnvError([`LATCHKEY_BREACHED_PASSWORDS must name a file or folder that can be read: ${path} cannot.`])
  })
