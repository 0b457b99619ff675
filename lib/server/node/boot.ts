// The start sequence of the server: settings, log, database, tenant registry, listening. Next starts in the background.
// Every expected failure prints one sentence and exits with code 1. Everything opened by then is closed again.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { createSystemClock, systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { isLoopback } from '../../kernel/url'
import { prepareRenderer, renderPage } from '../../pages/renderer'
import { type Env, parseEnv } from '../../settings/env'
import { clockReports } from '../maintenance/clock-step'
import { writeAsLines } from '../maintenance/lines'
import { createLogger } from '../maintenance/log'
import { createOutages } from '../maintenance/outages'
import { openServer, SECRET_NOT_LOGGED, type ServerParts } from '../runtime/bootstrap'
import { databaseTime } from '../runtime/database-clock'
import { firstOwnerLink } from '../runtime/first-owner'
import type { Shared } from '../runtime/shared'
import { keepAddress, type OpenDatabase, openDatabase } from './database'
import { explainFailure } from './failure'
import { openNextAdapter } from './next-adapter'
import { createHttpServer } from './server'
import { createShutdown, Interrupted, type Shutdown } from './shutdown'
import { answersAt, startFields, startLines } from './start-lines'
import { loadStaticFiles } from './static'
import { isFirstProcess, joinParent, otherMetrics, processesOf } from './worker'

export type BootOptions = {
  root: string
  /** The environment of the process, unchanged. */
  source: Readonly<Record<string, string | undefined>>
  dev: boolean
  /** Only names settings that cannot be used. */
  check: boolean
}

/** The longest wait for running requests when the server stops; actions that are under way have as long again as their trigger has. */
const DRAIN_MS = 10_000
const ACTIONS_MS = 20_000
/** How long clients may use their open connections once more after another worker took this one's place. */
const RETIRE_MS = 2000
const SWEEP_MS = 20
/** The delay after the start until the renderer is prepared, before the first page request is likely. */
const PREPARE_MS = 250

export async function boot(options: BootOptions): Promise<void> {
  const shutdown = createShutdown({
    clock: systemClock,
    exit: (code) => process.exit(code),
    onError: (name, error) => complain(`${name} did not close: ${explainFailure(error) ?? String(error)}`, 'error'),
  })
  let env: Env | undefined
  // A closed pipe or a full disk behind the output must not end the process (threat-model.md RE10).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    env = parseEnv(options.source)
    if (options.check) process.exit(0)
    const retire = await start(env, options, shutdown)
    shutdown.startIsOver()
    joinParent(() => {
      retire()
      void shutdown.stop().then(() => process.exit(0))
    })
  } catch (error) {
    await shutdown.stop()
    if (error instanceof Interrupted) process.exit(0)
    complain(explainFailure(error, env) ?? error, 'fatal')
    process.exit(1)
  }
}

/** Returns what makes the next stop one in favour of another worker: the server goes on, so readiness stays. */
async function start(env: Env, { root, source, dev }: BootOptions, shutdown: Shutdown): Promise<() => void> {
  const log = createLogger(env.logLevel)
  const isTerminal = process.stdout.isTTY === true
  if (!isTerminal) writeAsLines(log)
  const printLine: ServerParts['printLine'] = isTerminal
    ? (line) => void process.stdout.write(`${line}\n`)
    : (line, fields = {}) => log.info(fields, line.trim())
  const clock = createSystemClock(clockReports(log))
  const random = systemRandom
  const onLostConnection = (error: Error): void => log.warn({ err: error }, 'An idle database connection was lost.')
  const database = await openDatabase(env, { clock, random, note: printLine, onLostConnection })
  shutdown.onStop('The database', database.close)
  clock.consult(databaseTime(database.pool))

  const files = loadStaticFiles(join(root, 'public'), join(root, 'dist'))
  const { pool, secret } = database
  const parts = {
    env,
    root,
    pool,
    secret,
    variables: { APP_URL: env.appUrl, ...source },
    clock,
    random,
    log,
    printLine,
    printSecret: isTerminal ? printLine : () => printLine(SECRET_NOT_LOGGED),
    renderPage,
    assets: files.assets,
    processes: processesOf(env),
    otherMetrics,
  }
  const { registry, shared, beginWork, close } = await openServer(parts)
  shutdown.onStop('The runtime', close)

  const variables = variablesOfPages(source, env, database)
  // Next compares rewrites with this name, and writes addresses of this machine as `localhost`.
  const hostname = isLoopback(env.host) ? 'localhost' : env.host
  const next = openNextAdapter({
    dir: root,
    dev,
    hostname,
    port: env.port,
    logLevel: env.logLevel,
    variables,
    log,
  })
  shutdown.onStop('Next', next.close)
  let leaving = false
  let isRetired = false
  const server = createHttpServer({
    isLeaving: () => leaving,
    isStopping: () => leaving && !isRetired,
    registry,
    random,
    outages: createOutages({ clock, log, level: 'error' }),
    appUrl: env.appUrl,
    peer: env,
    files,
    next: next.handle,
  })
  next.attach(server)
  const owner = isFirstProcess() && !env.demo ? ownerlessLine(shared, isTerminal) : Promise.resolve(null)
  // It fails where it is awaited, below: the server listens meanwhile, and closes as every other part then.
  owner.catch(() => {})
  await listen(server, env)
  shutdown.onStop('The server', () => drain(server, isRetired ? RETIRE_MS : 0, () => shared.sandbox.settled()))
  shutdown.onStop('Readiness', () => {
    leaving = true
    return isRetired ? undefined : sleep(env.stopDelay * 1000)
  })
  beginWork()
  const ownerless = await owner
  if (isFirstProcess()) await keepAddress(database, env.appUrl)
  if (isFirstProcess()) {
    if (isTerminal) for (const line of startLines(env)) printLine(line)
    else printLine(answersAt(env), startFields(env))
    if (ownerless !== null) printLine(ownerless)
  }
  // A renderer that cannot be loaded is reported by the page that needs it.
  setTimeout(() => prepareRenderer().catch(() => {}), PREPARE_MS).unref()
  // The demo app is the first page that a new user opens. In other modes requests for Next's pages are rare.
  if (env.demo || dev) next.prepareSoon()
  return () => {
    isRetired = true
  }
}

/** The same settings for the secondary process that renders Next's pages, with the database that this process opened. */
const variablesOfPages = (source: BootOptions['source'], env: Env, { url, secret }: OpenDatabase) => ({
  ...source,
  APP_URL: env.appUrl,
  DATABASE_URL: url,
  DATABASE_URL_FILE: '',
  LATCHKEY_SECRET: secret,
  LATCHKEY_SECRET_FILE: '',
  LATCHKEY_DEMO: env.demo ? '1' : '0',
  LATCHKEY_DEV_OUTBOX: env.devOutbox ? '1' : '0',
  LATCHKEY_DATABASE_POOL: '2',
})

async function listen(server: Server, { port, host }: Env): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** Accepts no more connections, waits for running requests and for actions, and then closes the remaining connections. */
async function drain(server: Server, graceMs: number, actionsEnd: () => Promise<void>): Promise<void> {
  const closed = once(server, 'close')
  // `server.close()` would also end idle connections at once, perhaps while the next request is on its way.
  NetServer.prototype.close.call(server)
  // Node keeps a connection alive after its response; it would delay the stop until the timeout.
  let sweep: NodeJS.Timeout | undefined
  const grace = setTimeout(() => {
    server.closeIdleConnections()
    sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  }, graceMs)
  let actions: NodeJS.Timeout | undefined
  const impatience = setTimeout(() => {
    const end = (): void => server.closeAllConnections()
    actions = setTimeout(end, ACTIONS_MS)
    void actionsEnd().then(() => setTimeout(end, SWEEP_MS))
  }, graceMs + DRAIN_MS)
  await closed
  clearTimeout(actions)
  clearTimeout(grace)
  clearInterval(sweep)
  clearTimeout(impatience)
}

/** A link is a secret, so it is shown on a terminal and never written to a log. */
async function ownerlessLine(shared: Shared, isTerminal: boolean): Promise<string | null> {
  if (!isTerminal) return (await administratorStore(shared.db, FIRST_TENANT).hasOwner()) ? null : NO_OWNER
  const link = await firstOwnerLink(shared)
  return link === null
    ? null
    : `No owner of the console can sign in yet. This link makes one, once, within a day:\n  ${link}\n`
}

const NO_OWNER =
  'No owner of the console can sign in yet: `npm run admin -- invite --role owner` prints a link that makes one.'

/** To standard error, in the same shape as the log unless it is a terminal. */
function complain(what: unknown, level: 'error' | 'fatal'): void {
  if (process.stderr.isTTY)
    process.stderr.write(`${what instanceof Error ? (what.stack ?? what.message) : String(what)}\n`)
  else if (what instanceof Error) createLogger(level, process.stderr)[level]({ err: what }, what.message)
  else createLogger(level, process.stderr)[level]({}, String(what))
}
