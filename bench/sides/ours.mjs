// Latchkey, prepared and started as in production: the built server on a separate database, migrated and initialised by one
// start with the tenant file. Later starts find this state, as a restart does, and do not get the file: the peer does not read
// its clients and users at start either.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../lib/testing/free-port.mjs'
import { storedPassword } from '../lib/password.mjs'
import { startServer } from '../lib/server-process.mjs'
import { tenantFile } from './ours-tenant.mjs'

/** Settings of the calling shell must not reach the server under test. */
export const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(LATCHKEY_|SMTP|REDIS_URL|APP_URL|DATABASE_URL|PORT$)/.test(name),
    ),
  )

/** The endpoints for the flows. */
export const describeOurs = (origin) => ({
  name: 'Latchkey',
  origin,
  apiParameter: 'audience',
  submitFields: { action: 'login' },
  paths: {
    authorize: '/authorize',
    token: '/oauth/token',
    device: '/oauth/device/code',
    userinfo: '/userinfo',
    jwks: '/.well-known/jwks.json',
  },
})

export async function prepareOurs({ root, folder, cluster, preload, cheap, suffix, outbox, service }) {
  const database = await cluster.createDatabase(`bench_ours_${suffix}`)
  const config = join(folder, `tenant-${suffix}.yaml`)
  await writeFile(config, tenantFile(await storedPassword({ cheap }), service))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    ...cleanEnvironment(),
    NODE_ENV: 'production',
    PORT: String(port),
    APP_URL: origin,
    DATABASE_URL: database,
    LATCHKEY_SECRET: randomBytes(32).toString('hex'),
    LATCHKEY_DEMO: '0',
    // The peer is one process.
    LATCHKEY_WORKERS: '1',
    ...(service && { LATCHKEY_ALLOW_PRIVATE_TARGETS: '1' }),
    ...(outbox && { LATCHKEY_DEV_OUTBOX: '1', LATCHKEY_TRUSTED_PROXIES: '127.0.0.1,::1' }),
  }
  const start = (added) =>
    startServer({
      args: [...preload, join(root, 'dist/server.js')],
      cwd: root,
      env: { ...env, ...added },
      url: `${origin}/.well-known/openid-configuration`,
      log: join(folder, `ours-${suffix}.log`),
    })

  await (await start({ LATCHKEY_CONFIG: config })).stop()
  return { ...describeOurs(origin), start: () => start() }
}
