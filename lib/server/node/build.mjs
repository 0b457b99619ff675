// `npm run build`: the database client, the server and the commands (dist/), the style sheet, and Next's own build.
// Other launchers request the parts they need. Only parts older than the sources are built.
import { writeActionTypes } from './action-types.mjs'
import './launch/node-version.mjs'
import { readFile, rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { writeStyleSheets } from './css.mjs'
import { writeExplorer } from './explorer.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { succeed } from './launch/run.mjs'
import { hashSources, isCurrent, markCurrent } from './launch/stamp.mjs'
import { launch, step } from './launch/step.mjs'
import { inTurn } from './launch/turns.mjs'
import { writePlatform } from './platform.mjs'
import { writeXmlThread } from './xml-thread.mjs'

const parts = {
  server: { label: 'Building the server', stamp: inRoot('dist', 'server.stamp'), build: buildServer },
  commands: { label: 'Building the commands', stamp: inRoot('dist', 'cli.stamp'), build: buildCommands },
  next: { label: 'Building the pages', stamp: inRoot('.next', 'latchkey.stamp'), build: buildNext },
}

/** The server, and the secondary process in which Next renders pages for it. */
export const SERVER = { server: 'server.ts', pages: 'lib/server/node/next-process.ts' }

/** @param {keyof typeof parts} name */
export const isBuilt = async (name) => isCurrent(parts[name].stamp, await hashSources())

/** @param {(keyof typeof parts)[]} names */
export async function ensureBuilt(...names) {
  const hash = await hashSources()
  const findStale = async () => {
    const current = await Promise.all(names.map((name) => isCurrent(parts[name].stamp, hash)))
    return names.map((name) => parts[name]).filter((_, place) => !current[place])
  }
  if ((await findStale()).length === 0) return
  await ensureDependencies({ development: true })
  await inTurn('build', async () => {
    await ensureGenerated()
    // The process before may have built some.
    for (const { label, stamp, build } of await findStale()) {
      await rm(stamp, { force: true })
      await step(label, build)
      await markCurrent(stamp, hash)
    }
  })
}

function buildServer() {
  return Promise.all([bundle(SERVER), writeOwnParts()])
}

/** What the server reads beside its bundle. */
export const writeOwnParts = () =>
  Promise.all([writeStyleSheets(inRoot('dist')), writeXmlThread(), writePlatform(), writeExplorer()])

function buildCommands() {
  return Promise.all([bundle({ cli: 'lib/server/node/cli.ts' }), writePlatform(), writeActionTypes()])
}

/** @param {Record<string, string>} entries file name in dist → source */
async function bundle(entries) {
  const { build } = await import('esbuild')
  await Promise.all(Object.keys(entries).map((name) => rm(inRoot('dist', name), { recursive: true, force: true })))
  await build(bundleOptions(entries))
}

/**
 * Bundled because every start loads them and they consist of many small files: as one file they make a start a quarter of a
 * second faster. Prisma's adapter checks that its pool comes from its own copy of `pg`, so the two are bundled together.
 * CommonJS packages are imported on demand through a file of the build, because the bundle would not export their names
 * (lib/crypto/saml/signed-xml.ts).
 */
const INLINED = [
  '@prisma/adapter-pg',
  '@xmldom/xmldom',
  'intl-messageformat',
  'ipaddr.js',
  'jose',
  'libphonenumber-js',
  'pg',
  'pino',
  'react',
  'uqr',
  'xml-crypto',
  'zod',
]

/**
 * CommonJS packages load Node's modules with `require`, which does not exist in an ES module. Without `navigator`, which Node
 * has from version 21, `pg` detects its platform by creating a Response, for which Node loads its whole HTTP client.
 */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), navigator = globalThis.navigator ?? { userAgent: 'Node.js' };"

const { dependencies } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))

/**
 * Bundles our own sources, the generated client and the packages named above; other packages stay where npm installed them. The
 * bundle is split at dynamic imports, so that the first response does not wait for code that it does not need.
 */
export function bundleOptions(entries) {
  return {
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    chunkNames: `${Object.keys(entries)[0]}/[name]-[hash]`,
    external: Object.keys(dependencies).filter((name) => !INLINED.includes(name)),
    jsx: 'automatic',
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: BANNER },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  }
}

function buildNext() {
  const args = [inRoot('node_modules/next/dist/bin/next'), 'build']
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  return succeed('The pages could not be built:', process.execPath, args, env)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.chdir(root)
  await launch(() => ensureBuilt('server', 'commands', 'next'))
}
