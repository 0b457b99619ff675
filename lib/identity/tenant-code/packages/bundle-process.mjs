// The process that bundles: reads the entries and the recorded packages from its input, and writes bundle.js and bundle.js.map to its folder. It
// prints what it loaded, or why it failed.
import { realpathSync } from 'node:fs'
import { lstat, readFile, writeFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { build, transform } from 'esbuild'
import { createTree, faultOfSpecifier, isAbsent, nodeModule } from './judge.mjs'

const folder = realpathSync(process.cwd())
const { entries, tree: packages } = JSON.parse(await text(process.stdin))
const tree = createTree(packages)
const loaded = new Set()

const answer = (what) => process.stdout.write(JSON.stringify(what))

const pathOf = (file) => relative(folder, file).split(sep).join('/')
const locationOf = (file) => tree.ownerOf(pathOf(file))
const nameAt = (location) => tree.nameOf(location ?? '')

/** What follows the rules is left to esbuild, which also knows then whether a file is a module or CommonJS. */
const LEAVE_TO_ESBUILD = undefined
const OWN = Symbol('own')

const recordedOnly = {
  name: 'recorded-only',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, importer, kind, resolveDir, namespace, pluginData }) => {
      if (pluginData === OWN) return LEAVE_TO_ESBUILD
      const from = namespace === 'file' && importer !== '<stdin>' ? locationOf(importer) : ''
      const refusal = (why) => ({ errors: [{ text: `${nameAt(from)} requires ${why}: ${shortened(path)}` }] })
      if (namespace === 'absent') return { path, external: true }
      const builtin = nodeModule(path)
      if (builtin !== null) return ofNode(builtin, path, kind)
      const fault = faultOfSpecifier(path)
      if (fault !== null) return refusal(fault)
      if (kind === 'require-resolve') return { path, external: true }
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: OWN })
      if (found.external) return ofNode(nodeModule(found.path) ?? found.path, found.path, kind)
      if (found.errors.length > 0) {
        if (from !== '' && (kind === 'require-call' || kind === 'dynamic-import')) return { path, namespace: 'missing' }
        return refusal(from === '' ? 'a module that does not exist' : 'a module that is not there')
      }
      if (found.namespace !== 'file' || !tree.mayReach(from, path, pathOf(found.path)))
        return refusal('a module outside of its folder and its dependencies')
      return LEAVE_TO_ESBUILD
    })

    onLoad({ filter: /.*/, namespace: 'file' }, async ({ path }) => {
      const location = locationOf(path)
      const fault = (why) => ({ errors: [{ text: `${nameAt(location)} ${why}` }] })
      if (location === null) return fault('reaches a file outside of packages')
      const stats = await lstat(path)
      if (!stats.isFile() || stats.nlink > 1 || realpathSync(path) !== path) return fault('contains a link')
      loaded.add(location)
      if (extname(path) === '.node' || (await isNative(location))) return fault('is native, which actions cannot load')
      const loader = LOADERS[extname(path)]
      if (loader === undefined)
        return { contents: thrown(`Cannot load ${pathOf(path)}: it is no JavaScript`), loader: 'js' }
      read += stats.size
      if (read > MAX_SOURCE_BYTES) return fault(`needs more than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB of code`)
      const source = withoutMapping(await readFile(path, 'utf8'))
      const contents = loader === 'js' ? await withoutFarPatterns(source) : source
      return contents === null
        ? fault('requires computed paths outside of the folder of their file')
        : { contents, loader }
    })

    /** In an object of its own, because `import` copies the members of a module, and this one has them only when they are used. */
    onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `module.exports = Object.create(require(${JSON.stringify(path)}))`,
      resolveDir: folder,
    }))

    /** As Node.js does where an optional package is missing. */
    onLoad({ filter: /.*/, namespace: 'missing' }, ({ path }) => ({
      contents: thrown(`Cannot find module '${shortened(path)}'`, 'MODULE_NOT_FOUND'),
    }))
  },
}

const ofNode = (name, path, kind) =>
  isAbsent(name) && kind === 'import-statement'
    ? { path: `node:${name}`, namespace: 'absent' }
    : { path, external: true }

/** esbuild needs some tens of times as much memory. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024
let read = 0

/** esbuild would read the file that the comment of a source map names, wherever it is. */
const withoutMapping = (source) => source.replaceAll('sourceMappingURL=', 'sourceMappingURL =')

const LOADERS = { '.js': 'js', '.cjs': 'js', '.mjs': 'js', '': 'js', '.json': 'json' }

const thrown = (message, code) =>
  `throw Object.assign(new Error(${JSON.stringify(message)}), ${JSON.stringify(code === undefined ? {} : { code })})`

const natives = new Map()
function isNative(location) {
  if (!natives.has(location))
    natives.set(
      location,
      lstat(join(folder, location, 'binding.gyp')).then(
        () => true,
        () => false,
      ),
    )
  return natives.get(location)
}

/** A call with a computed path that begins as a relative one; the second group is that beginning. */
const PATTERN =
  /\b(require|import)\((?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*(?=(["'`])(\.\.?\/(?:(?!\2|\$\{)(?:[^\\]|\\[\s\S]))*)(?:\$\{|\2\s*[^)\s]))/g
const FAR = /(?:^|\/)\.\.(?:\/|$)/

const REPLACEMENT = {
  require: '(path=>{throw Object.assign(new Error("Cannot find module "+path),{code:"MODULE_NOT_FOUND"})})(',
  import: '(async path=>{throw new Error("Cannot find module "+path)})(',
}

/**
 * esbuild takes `require('../' + name)` for all files that it could mean, without asking: for those of the whole disk, with enough dots. A pattern
 * that leaves the folder of its file becomes the error that it would be here. The text is brought into one form first, so that every
 * spelling is recognised; null if one is left.
 */
async function withoutFarPatterns(source) {
  if (!(await hasFarPattern(source))) return source
  const { code } = await transform(source, { ...SYNTAX, loader: 'js', sourcemap: 'inline' })
  const changed = code.replace(PATTERN, (call, callee, _quote, path) => (FAR.test(path) ? REPLACEMENT[callee] : call))
  return (await hasFarPattern(changed)) ? null : changed
}

/** With constants in place of their names, as in a bundle. A module that waits at its top has no other format. */
async function hasFarPattern(source) {
  const as = async (format) => (await transform(source, { ...SYNTAX, loader: 'js', format })).code
  // What cannot be read is reported by the build.
  const code = await as('cjs').catch(() => as('esm').catch(() => ''))
  return [...code.matchAll(PATTERN)].some(([, , , path]) => FAR.test(path))
}

/** What the interpreter understands, and what a package may ask of its surroundings. */
const SYNTAX = {
  target: 'es2022',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'silent',
  define: {
    'process.env.NODE_ENV': '"production"',
    'import.meta.url': '"file:///package/index.js"',
    __dirname: '"/package"',
    __filename: '"/package/index.js"',
  },
}

const shortened = (path) => (path.length > 100 ? `${path.slice(0, 100)}…` : path)

async function bundle() {
  const getters = entries.map((entry) => `get ${JSON.stringify(entry)}() { return require(${JSON.stringify(entry)}) }`)
  const { outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents: `module.exports = { ${getters.join(', ')} }`, resolveDir: folder },
    outfile: join(folder, 'bundle.js'),
    write: false,
    bundle: true,
    ...SYNTAX,
    platform: 'node',
    format: 'cjs',
    keepNames: true,
    sourcemap: 'external',
    sourcesContent: false,
    tsconfigRaw: {},
    banner: { js: '(require) => { const module = { exports: {} }, exports = module.exports;' },
    footer: { js: 'return module.exports }' },
    plugins: [recordedOnly],
  })
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)))
  answer({ loaded: [...loaded] })
}

await bundle().catch((error) => {
  // The text of a message, and never its excerpt of the file.
  const [first] = error.errors ?? []
  const where = first?.location?.file ? `${first.location.file}: ` : ''
  const reason = first?.text ?? error.message
  answer({ failure: `${where.replace('<stdin>: ', '')}${reason}`.replaceAll(folder, '').slice(0, 400) })
})
