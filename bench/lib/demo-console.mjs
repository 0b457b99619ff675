// A server of the demo tenant from a production build, and its owner at the console.
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { freePort } from '../../lib/testing/free-port.mjs'
import { inFolder } from '../chaos/folder.mjs'
import { createCleanup } from './cleanup.mjs'
import { settle, startServer } from './server-process.mjs'

export const OWNER = { email: 'ada@demo.test', password: 'analytical engine 1843' }
const HOME = '/console'

/** `root` is the folder of the repository, `name` that of the run's data. Calls `use` with the address of the server. */
export async function withDemoServer(root, name, use) {
  const cleanup = createCleanup()
  try {
    await ensureBuilt('server', 'commands', 'next')
    await inFolder(root, name, cleanup, async (folder) => {
      const port = await freePort()
      const url = `http://localhost:${port}`
      const env = {
        NODE_ENV: 'production',
        PORT: String(port),
        APP_URL: url,
        LATCHKEY_DEMO: '1',
        LATCHKEY_DATA_DIR: `${folder}/data`,
      }
      const { PATH, HOME: home } = process.env
      const server = await startServer({
        args: ['dist/server.js'],
        env: { PATH, HOME: home, ...env },
        cwd: root,
        url: `${url}/healthz`,
        log: `${folder}/server.log`,
      })
      cleanup.add(server.stop)
      await settle(server.pid)
      await use(url)
    })
  } finally {
    await cleanup.run()
  }
}

/** A page that may lead to a provider asks for the address alone at first. */
export async function fillSignIn(page, { email, password }) {
  await page.getByLabel('Email address', { exact: true }).fill(email)
  const secret = page.getByLabel('Password', { exact: true })
  if (!(await secret.isVisible())) await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await secret.fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function enterConsole(page, url) {
  await page.goto(`${url}${HOME}`)
  await fillSignIn(page, OWNER)
  await page.waitForURL((address) => address.pathname === HOME)
}
