// `npm run hosts`: tests the server on the supported hosts and writes docs/hosts.md.
// --only container,node,browsers,vercel these only; the results of the others stay
// --report writes docs/hosts.md from the last results
import '../../lib/server/node/launch/node-version.mjs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { ensureDependencies } from '../../lib/server/node/launch/dependencies.mjs'
import { inRoot, root } from '../../lib/server/node/launch/root.mjs'
import { capture, show } from '../../lib/server/node/launch/run.mjs'
import { LaunchError, launch } from '../../lib/server/node/launch/step.mjs'
import { ensureNode, NODE_VERSIONS } from './node-binaries.mjs'
import { ensurePrograms } from './programs.mjs'
import { writeReport } from './report.mjs'

const RESULTS = inRoot('test-results', 'hosts')
const CONFIG = 'e2e/hosts/vitest.config.ts'

/**
 * The fast part of the suite: what depends on the version of Node.js (native modules, sockets, crypto, workers and the sandbox
 * in them, the database driver). Pure code behaves the same in all versions.
 */
const FAST = [
  ...['kernel', 'http', 'crypto/keys', 'tokens', 'data/users', 'identity/tenant-code', 'server/node', 'adapters/store'],
].map((folder) => `lib/${folder}/`)

/** Runs a part; returns whether all of it passed. */
const PARTS = {
  async container() {
    await ensurePrograms({
      buildah: 'buildah',
      podman: 'podman',
      runc: 'runc',
      debootstrap: 'debootstrap',
      pg_lsclusters: 'postgresql',
    })
    return runVitest('container', process.execPath, ['--config', CONFIG, 'e2e/hosts/container.test.ts'])
  },
  async node() {
    const outcomes = []
    for (const version of NODE_VERSIONS) {
      const node = await ensureNode(version)
      const figures = { host: `Node.js ${version}`, version: (await capture(node, ['--version'])).output.trim() }
      outcomes.push(await runVitest(`node-${version}`, node, FAST, figures))
    }
    return outcomes.every(Boolean)
  },
  async browsers() {
    await ensurePrograms({ 'firefox-esr': 'firefox-esr', WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' })
    const outcomes = []
    for (const engine of ['firefox', 'firefox-plain', 'webkit'])
      outcomes.push(
        await runVitest(engine, process.execPath, [
          '--config',
          CONFIG,
          'e2e/hosts/browsers.test.ts',
          '-t',
          `^${engine} `,
        ]),
      )
    return outcomes.every(Boolean)
  },
  vercel: async () => (await show(process.execPath, [inRoot('e2e/hosts/vercel/run.mjs')])) === 0,
}

await launch(async () => {
  process.chdir(root)
  const { only, report } = parseArgs({ options: { only: { type: 'string' }, report: { type: 'boolean' } } }).values
  if (!report && !(await runParts(only?.split(',') ?? Object.keys(PARTS)))) process.exitCode = 1
  await writeReport(RESULTS)
})

async function runParts(names) {
  const unknown = names.filter((name) => !(name in PARTS))
  if (unknown.length > 0)
    throw new LaunchError(`Say --only with ${Object.keys(PARTS).join(', ')}: there is no ${unknown}.`)
  await ensureDependencies({ development: true })
  await ensureBuilt('server', 'commands', 'next')
  await mkdir(RESULTS, { recursive: true })
  const failed = []
  for (const name of names) if (!(await PARTS[name]())) failed.push(name)
  console.log(failed.length === 0 ? 'All of it passed.' : `Failed: ${failed.join(', ')}.`)
  return failed.length === 0
}

/** Runs tests with that Node.js, and keeps their results with their measured values. */
async function runVitest(name, node, args, known = {}) {
  const output = inRoot('test-results', 'hosts', 'vitest', `${name}.json`)
  await rm(output, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
  const code = await show(node, [inRoot('node_modules/vitest/vitest.mjs'), 'run', ...args, ...reporters])
  const tests = (await readJson(output))?.testResults.flatMap((file) => file.assertionResults) ?? []
  const names = (status) => tests.filter((test) => test.status === status).map((test) => test.fullName)
  const figures = await readJson(inRoot('test-results', 'hosts', 'figures', `${name}.json`))
  const date = new Date().toISOString().slice(0, 10)
  const result = { ...known, ...figures, date, passed: names('passed'), failed: names('failed') }
  await writeFile(inRoot('test-results', 'hosts', `${name}.json`), JSON.stringify(result, null, 2))
  return code === 0
}

function readJson(path) {
  return readFile(path, 'utf8').then(JSON.parse, () => undefined)
}
