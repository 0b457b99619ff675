// The environment of a run: PostgreSQL as the product embeds it, Redis, two instances of the built server, and the proxy in
// front of them. Everything runs on this machine and is removed afterwards.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../lib/testing/free-port.mjs'
import { embeddedIn } from '../lib/cluster.mjs'
import { loadSources } from '../lib/load-sources.mjs'
import { storedPassword } from '../lib/password.mjs'
import { parentOf } from '../lib/proc.mjs'
import { cleanEnvironment } from '../sides/ours.mjs'
import { createInstance } from './instances.mjs'
import { startProxy } from './proxy.mjs'
import { startRelay } from './relay.mjs'
import { chaosTenant } from './tenant.mjs'

async function openDatabase(root, folder) {
  // A short name, because the path of the socket must not change between starts.
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-chaos-'))
  // If this process runs as root, the database runs as another account, which needs access.
  await chmod(dataDir, 0o711)
  const embedded = await embeddedIn(root, folder, dataDir)
  let running = await embedded.start()
  const connected = async (use) => {
    const client = new pg.Client({ connectionString: running.url })
    await client.connect()
    const result = await use(client)
    await client.end()
    return result
  }
  const ask = (sql) => connected(async (client) => (await client.query(sql)).rows[0])
  /** The parent of a connection's process, which lives as long as the connection. */
  const postmaster = () =>
    connected(async (client) => parentOf((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid))
  return {
    url: running.url,
    ask,
    postmaster,
    async start() {
      running = await embedded.start()
    },
    stop: () => running.stop(),
    kill: async () => process.kill(await postmaster(), 'SIGKILL'),
    async close() {
      await running.stop()
      for (const path of [running.home, dataDir]) await rm(path, { recursive: true, force: true })
    },
  }
}

async function openRedis(root, folder) {
  const entry = `export { hasRedis, testRedis } from './lib/testing/redis'`
  const { hasRedis, testRedis } = await loadSources(root, folder, 'redis', entry)
  return hasRedis() ? testRedis() : undefined
}

function run(root, env, args) {
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd: root, env, stdio: 'ignore' })
  return once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  })
}

/** `names`: of the instances; a single one has no proxy. `how`: options of individual instances. */
export async function openWorld({ root, folder, journal, cleanup, names, how }) {
  const database = await openDatabase(root, folder)
  cleanup.add(database.close)
  const redis = await openRedis(root, folder)
  if (redis) cleanup.add(redis.close)

  const config = join(folder, 'tenant.yaml')
  await writeFile(config, chaosTenant(await storedPassword({ cheap: false })))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    ...cleanEnvironment(),
    NODE_ENV: 'production',
    APP_URL: origin,
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url }),
    LATCHKEY_HOST: '127.0.0.1',
    LATCHKEY_SECRET: randomBytes(32).toString('hex'),
    LATCHKEY_DEMO: '0',
    LATCHKEY_WORKERS: '1',
    // Longer than the interval of the proxy's checks plus the slowest response it waits for.
    LATCHKEY_STOP_DELAY: '3',
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
  }
  // The clocks of the first of several instances are stepped.
  const relay = names.length > 1 ? await startRelay(database.url) : undefined
  if (relay) cleanup.add(relay.stop)
  const instances = []
  for (const name of names) {
    const own = {
      ...env,
      ...(relay && instances.length === 0 && { DATABASE_URL: relay.url }),
      LATCHKEY_AUDIT_LOG: join(folder, `audit-${name}.jsonl`),
    }
    const instance = createInstance({
      root,
      folder,
      name,
      port: names.length === 1 ? port : await freePort(),
      env: own,
      journal,
      ...how,
    })
    instances.push(instance)
    cleanup.add(() => instance.end('SIGTERM'))
    // The first instance initialises the database; later ones find it initialised.
    await instance.start(instances.length === 1 ? { LATCHKEY_CONFIG: config } : {})
  }
  if (instances.length > 1) {
    const ports = instances.map((instance) => instance.port)
    cleanup.add((await startProxy(port, ports)).stop)
  }
  return {
    origin,
    database,
    redis,
    hasSecondClock: relay !== undefined,
    instances,
    command: (args) => run(root, env, args),
  }
}
