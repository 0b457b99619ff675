// Latchkey, prepared and started as in production: the built server, a database of its own, a tenant file. The only
// thing unusual is that the database runs already, so that its start is in neither side's cold start.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { storedPassword } from '../lib/password.mjs'
import { freePort, startServer } from '../lib/server-process.mjs'
import { tenantFile } from './ours-tenant.mjs'

/** Settings of the caller's own shell must not reach the server under test. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(LATCHKEY_|SMTP|REDIS_URL|APP_URL)/.test(name)))

export const isBuilt = (root) => existsSync(join(root, 'dist/server.js'))

export async function prepareOurs({ root, folder, cluster, preload, cheap, suffix }) {
  const database = await cluster.createDatabase(`bench_ours_${suffix}`)
  const config = join(folder, `tenant-${suffix}.yaml`)
  await writeFile(config, tenantFile(await storedPassword({ cheap })))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    ...cleanEnvironment(),
    NODE_ENV: 'production',
    PORT: String(port),
    APP_URL: origin,
    DATABASE_URL: database,
    LATCHKEY_SECRET: randomBytes(32).toString('hex'),
    LATCHKEY_CONFIG: config,
    LATCHKEY_DEMO: '0',
  }

  return {
    name: 'Latchkey',
    origin,
    apiParameter: 'audience',
    submitFields: { action: 'login' },
    paths: { authorize: '/authorize', token: '/oauth/token', userinfo: '/userinfo', jwks: '/.well-known/jwks.json' },
    start: () =>
      startServer({
        args: [...preload, join(root, 'dist/server.js')],
        cwd: root,
        env,
        url: `${origin}/.well-known/openid-configuration`,
        log: join(folder, `ours-${suffix}.log`),
      }),
  }
}
