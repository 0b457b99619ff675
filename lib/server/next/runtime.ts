// The tenant registry for Next's routes and pages. The first request that needs it opens it, once per process.
// - Under the Node adapter this is a secondary process, which receives the address of its parent's database (docs/adr/0002).
// - There is no embedded database here: platforms that run `next build` only have no persistent files.
// - After a failure the next request tries again; invalid settings stay invalid until a restart.
import { after } from 'next/server'
import type { Pool } from 'pg'
import { createSystemClock, systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { renderPage } from '../../pages/renderer'
import { appUrlOf } from '../../settings/app-url'
import { type Env, EnvError, parseEnv } from '../../settings/env'
import { clockReports } from '../maintenance/clock-step'
import { createLogger } from '../maintenance/log'
import { createOutages, type Outages } from '../maintenance/outages'
import { type OpenServer, openServer, SECRET_NOT_LOGGED } from '../runtime/bootstrap'
import { databaseTime } from '../runtime/database-clock'
import { idleConnectionsClosed, openPool } from '../runtime/pool'
import type { TenantRegistry } from '../runtime/tenant-registry'
import { createReadPeer, type ReadPeer } from './address'
import { isSecondaryProcess } from './secondary-process'

export type NextRuntime = {
  registry: TenantRegistry
  readPeer: ReadPeer
  /** Work after the response; it must run before a platform freezes the process. */
  afterAnswer(): Promise<void>
}

/**
 * Milliseconds. Connections are closed before a platform freezes the process, where no timer would close them (threat-model.md
 * BF15).
 */
const IDLE_ON_PLATFORM_MS = 500

/** next.config.js compiles the style sheets; public/ contains the script. */
const ASSETS = { stylesheet: '/hosted.css', themed: '/themed.css', script: '/comfort.js' }

/** Next loads a copy of every module per route, so a module variable would exist several times. */
const PLACE = Symbol.for('latchkey.next-runtime')

export function nextRuntime(): Promise<NextRuntime> {
  const known = Reflect.get(globalThis, PLACE) as Promise<NextRuntime> | undefined
  if (known) return known
  const opening = open()
  Reflect.set(globalThis, PLACE, opening)
  opening.catch(() => Reflect.deleteProperty(globalThis, PLACE))
  return opening
}

/** For the current request, whatever its outcome: schedules the work after its response. */
export async function runtimeForRequest(): Promise<NextRuntime> {
  const opened = await nextRuntime()
  after(opened.afterAnswer)
  return opened
}

const OUTAGES_PLACE = Symbol.for('latchkey.next-outages')

/** Once a minute for each cause. Uses a separate log, because the setting of the log level may be invalid. */
export function reportFailure(error: unknown): void {
  const known = Reflect.get(globalThis, OUTAGES_PLACE) as Outages | undefined
  const outages = known ?? createOutages({ clock: systemClock, log: createLogger('error'), level: 'error' })
  if (!known) Reflect.set(globalThis, OUTAGES_PLACE, outages)
  outages.report(error, {})
}

/** Known before the settings are read. */
// biome-ignore lint/style/noProcessEnv: the entry point of this adapter, like server.ts for the Node adapter.
export const publicOrigin = (): string => appUrlOf(process.env)

async function open(): Promise<NextRuntime> {
  // biome-ignore lint/style/noProcessEnv: the entry point of this adapter, like server.ts for the Node adapter.
  const source = process.env
  // next-auth takes the origin that lib/server/next/console/sign-in.ts states, for the tenant of the request.
  source.AUTH_TRUST_HOST = '1'
  delete source.NEXTAUTH_URL
  const env = parseEnv(source)
  const readPeer = createReadPeer(env)
  const { opened, pool } = await openOwn(env, source)
  const { registry, delivered } = opened
  const afterAnswer = async (): Promise<void> => {
    await delivered()
    if (env.platform !== undefined) await idleConnectionsClosed(pool)
  }
  return { registry, readPeer, afterAnswer }
}

async function openOwn(env: Env, source: NodeJS.ProcessEnv): Promise<{ opened: OpenServer; pool: Pool }> {
  const { databaseUrl, secret } = env
  if (databaseUrl === undefined || secret === undefined) throw new EnvError([NO_DATABASE])
  const log = createLogger(env.logLevel)
  // A platform that freezes the process between requests causes a clock step with every thaw.
  const isFrozen = env.platform === 'vercel'
  const clock = createSystemClock(isFrozen ? {} : clockReports(log))
  const pool = openPool({
    url: databaseUrl,
    max: env.databasePoolSize,
    pooled: env.databasePooled,
    ...(env.platform === undefined ? {} : { idleMs: IDLE_ON_PLATFORM_MS }),
    random: systemRandom,
    onLostConnection: (error) => log.warn({ err: error }, 'An idle database connection was lost.'),
  })
  if (!isFrozen) clock.consult(databaseTime(pool))
  const opening = openServer({
    env,
    root: process.cwd(),
    pool,
    secret,
    variables: source,
    clock,
    random: systemRandom,
    log,
    printLine: (line, fields = {}) => log.info(fields, line.trim()),
    printSecret: () => log.warn({}, SECRET_NOT_LOGGED),
    renderPage,
    assets: ASSETS,
    secondary: isSecondaryProcess(),
  })
  opening.catch(() => pool.end())
  const opened = await opening
  opened.beginWork()
  return { opened, pool }
}

const NO_DATABASE =
  'DATABASE_URL is missing: without server.ts there is no embedded database. Name a PostgreSQL, or start with `npm start`.'
