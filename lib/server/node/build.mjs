// `npm run build`: the database client, the server and the commands (dist/), the style sheet, and Next's own build.
// Other launchers request the parts they need. Only parts older than the sources are built.
import { writeActionTypes } from './action-types.mjs'
import './launch/node-version.mjs'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { writeExplorer } from './explorer.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { capture, tail } from './launch/run.mjs'
import { hashSources, isCurrent, markCurrent } from './launch/stamp.mjs'
import { LaunchError, launch, step } from './launch/step.mjs'
import { writePlatform } from './platform.mjs'
import { writeXmlThread } from './xml-thread.mjs'

const parts = {
  server: { stamp: inRoot('dist', 'server.stamp'), proof: inRoot('dist', 'server.js'), build: buildServer },
  commands: { stamp: inRoot('dist', 'cli.stamp'), proof: inRoot('dist', 'cli.js'), build: buildCommands },
  next: { stamp: inRoot('.next', 'latchkey.stamp'), proof: inRoot('.next', 'BUILD_ID'), build: buildNext },
}

/** The server, and the secondary process in which Next renders pages for it. */
export const SERVER = { server: 'server.ts', pages: 'lib/server/node/next-process.ts' }

/** @param {(keyof typeof parts)[]} names */
export async function ensureBuilt(...names) {
  const hash = await hashSources()
  const current = await Promise.all(names.map((name) => isFresh(parts[name], hash)))
  const stale = names.filter((_, index) => !current[index])
  if (stale.length === 0) return
  await ensureDependencies({ development: true })
  await ensureGenerated()
  for (const name of stale) {
    await rm(parts[name].stamp, { force: true })
    await parts[name].build()
    await markCurrent(parts[name].stamp, hash)
  }
}

const isFresh = async ({ stamp, proof }, hash) => existsSync(proof) && (await isCurrent(stamp, hash))

function buildServer() {
  return step('Building the server', async () => {
    const { writeStyleSheets } = await import('./css.mjs')
    await mkdir(inRoot('dist'), { recursive: true })
    await Promise.all([
      writeStyleSheets(inRoot('dist')),
      bundle(SERVER),
      writeXmlThread(),
      writePlatform(),
      writeExplorer(),
    ])
  })
}

function buildCommands() {
  return step('Building the commands', () =>
    Promise.all([bundle({ cli: 'lib/server/node/cli.ts' }), writePlatform(), writeActionTypes()]),
  )
}

/** @param {Record<string, string>} entries file name in dist → source */
async function bundle(entries) {
  const { build } = await import('esbuild')
  await mkdir(inRoot('dist'), { recursive: true })
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
  return step('Building the pages', async () => {
    const { code, output } = await capture(process.execPath, [inRoot('node_modules/next/dist/bin/next'), 'build'], {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    })
    if (output.includes('ENOSPC')) throw new LaunchError('The disk is full: free some space and try again.')
    if (code !== 0) throw new LaunchError(`The pages could not be built:\n${tail(output, 40)}`)
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.chdir(root)
  await launch(() => ensureBuilt('server', 'commands', 'next'))
}
