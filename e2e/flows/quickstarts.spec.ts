// The quickstarts whose SDK is a package of this repository, with the packages of its node_modules and on free ports. `npm run quickstarts`
// follows all of them as they are written.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../lib/testing/free-port.mjs'
import { expect, test } from '../fixtures'
import { type DataDir, makeDataDir } from '../interop/support/data-dir'
import { endAll } from '../quickstarts/follow'
import { follow } from '../quickstarts/journey'
import { addressOf, NPM_INSTALL, packagesOf, QUICKSTARTS, readQuickstart } from '../quickstarts/page'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const manifestOf = (path: string) => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'))
const { dependencies, devDependencies } = manifestOf('.')

/** One link each: Vite keeps its cache in node_modules. Turbopack refuses links that lead out of its root. */
const LEND_PACKAGES = `mkdir -p node_modules
ln -sf "${ROOT}"node_modules/{*,.bin} node_modules/
echo "export default { turbopack: { root: '/' } }" > next.config.mjs`

type Package = { name: string; major: string }

const installed = (name: string): Package[] =>
  packagesOf(readQuickstart(name)).map((written) => {
    const [, name = written, major = ''] = /^(.+)@(\d+)$/.exec(written) ?? []
    return { name, major }
  })

/** The SDK has the name of the page, with or without a scope. */
const hasItsSdk = (page: string) =>
  installed(page).some(({ name }) => name.split('/').at(-1) === page && name in { ...dependencies, ...devDependencies })

let folder: string
let data: DataDir

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-quickstarts-'))
  data = await makeDataDir()
})

test.afterEach(async () => {
  await endAll()
  await data?.remove()
  // A process that has just ended may have left writers behind for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

for (const name of QUICKSTARTS.filter(hasItsSdk)) {
  test(name, async ({ page }) => {
    test.slow()
    for (const { name: each, major } of installed(name))
      expect(`${each}@${manifestOf(`node_modules/${each}`).version}`).toContain(`${each}@${major}`)
    await follow(page, name, { folder, rewrite: await rewriting(name) })
  })
}

async function rewriting(name: string): Promise<(text: string) => string> {
  const port = Number(new URL(addressOf(readQuickstart(name)) ?? 'http://localhost:4000').port)
  const latchkey = await freePort()
  const ports = { 3000: latchkey, 3001: await freePort(), [port]: await freePort() }
  return (text) =>
    text
      .replaceAll('../quickstart/', `${join(folder, name)}/`)
      .replaceAll('.data-quickstart', data.path)
      .replaceAll('npm start', `NODE_ENV=production PORT=${latchkey} LATCHKEY_LOG_LEVEL=warn node dist/server.js`)
      .replaceAll(NPM_INSTALL, LEND_PACKAGES)
      .replaceAll(/\b\d{4}\b/g, (written) => String(ports[Number(written)] ?? written))
}
