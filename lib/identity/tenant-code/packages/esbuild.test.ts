// What one package may bring into a bundle: files of its own, and of the packages that were recorded for it. Each test is a package that wants more.
import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundlePackages } from './esbuild'

const root = process.cwd()
const SECRET = 'a secret of the server'

let outer = ''
let folder = ''
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'latchkey-test-')))
  folder = join(outer, 'build')
  await put('../secret.json', JSON.stringify({ secret: SECRET }))
  await put('../secret.js', `module.exports = '${SECRET}'`)
  await put('package.json', '{"private":true}')
})
afterEach(() => rm(outer, { recursive: true, force: true }))

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

type Files = Record<string, string>

async function install(packages: Record<string, Files>): Promise<void> {
  for (const [location, files] of Object.entries(packages))
    for (const [path, text] of Object.entries(files)) await put(`${location}/${path}`, text)
}

const at = (location: string, name = location.replace(/^.*node_modules\//, '')) => ({
  ...{ location, name, version: '1.0.0', integrity: 'sha512-AA==' },
})

/** Bundles `p`, and what else is there. */
const bundled = (tree = [at('node_modules/p')], entries = ['p']) => bundlePackages(entries, { folder, root, tree })

type Modules = Record<string, unknown>
const evaluate = (
  code: string,
  require: (name: string) => unknown = (name) => expect.fail(`required ${name}`),
): Modules => (runInThisContext(`(${code})`) as (given: typeof require) => Modules)(require)

const withP = (code: string, more: Files = {}) => install({ 'node_modules/p': { 'index.js': code, ...more } })

describe('a bundle', () => {
  it('has a package with its dependencies, and evaluates each when it is used', async () => {
    await install({
      'node_modules/p': {
        'index.js': "exports.q = require('q').name; exports.own = require('./lib').own",
        'lib/index.js': 'exports.own = 1',
      },
      'node_modules/q': { 'index.js': "exports.name = 'q'" },
      'node_modules/@s/bad': { 'index.js': "throw new Error('while loading')" },
    })
    const tree = [at('node_modules/p'), at('node_modules/q'), at('node_modules/@s/bad')]
    const { code, map, loaded } = await bundled(tree, ['p', '@s/bad'])
    const modules = evaluate(code)
    expect(modules.p).toEqual({ q: 'q', own: 1 })
    expect(() => modules['@s/bad']).toThrow('while loading')
    expect(loaded.sort()).toEqual(['node_modules/@s/bad', 'node_modules/p', 'node_modules/q'])
    expect(JSON.parse(map ?? '').sources).toContain('node_modules/p/lib/index.js')
    expect(code + map).not.toContain(outer)
  })

  it('is the same for the same packages in another folder', async () => {
    await withP("exports.a = class Some {}; exports.b = require('./b.json')", { 'b.json': '{"b":1}' })
    const first = await bundled()
    await rm(folder, { recursive: true })
    folder = join(outer, 'elsewhere')
    await put('package.json', '{"private":true}')
    await withP("exports.a = class Some {}; exports.b = require('./b.json')", { 'b.json': '{"b":1}' })
    expect((await bundled()).code).toBe(first.code)
  })

  it('has modules that a package exports, conditions for Node.js, and names of its own', async () => {
    const manifest = {
      ...{ name: 'p', type: 'module', imports: { '#own': './own.js', '#q': 'q', '#crypto': 'node:crypto' } },
      exports: { '.': { browser: './no.js', node: './node.js' }, './sub': './deep/sub.js' },
    }
    const node =
      "import own from '#own'; import q from '#q'; import { sign } from '#crypto'; import sub from 'p/sub'; export default [own, q, sign, sub]"
    await install({
      'node_modules/p': {
        'package.json': JSON.stringify(manifest),
        'node.js': node,
        'own.js': 'export default 1',
        'deep/sub.js': 'export default 3',
      },
      'node_modules/q': { 'index.js': 'module.exports = 2' },
    })
    const { code } = await bundled([at('node_modules/p'), at('node_modules/q')], ['p', 'p/sub'])
    const modules = evaluate(code, (name) => (name === 'node:crypto' ? { sign: 'sign' } : expect.fail(name)))
    expect(modules).toMatchObject({ p: { default: [1, 2, 'sign', 3] }, 'p/sub': { default: 3 } })
  })

  it('gets the nested version of a package that its parent has', async () => {
    await install({
      'node_modules/p': { 'index.js': "module.exports = require('q')" },
      'node_modules/p/node_modules/q': { 'index.js': "module.exports = 'nested'" },
      'node_modules/q': { 'index.js': "module.exports = 'outer'" },
    })
    const tree = [at('node_modules/p'), at('node_modules/p/node_modules/q'), at('node_modules/q')]
    expect(evaluate((await bundled(tree, ['p', 'q'])).code)).toMatchObject({ p: 'nested', q: 'outer' })
  })

  it('gets a package under another name than its own', async () => {
    await install({
      'node_modules/p': { 'index.js': "module.exports = require('q-legacy')" },
      'node_modules/q-legacy': {
        'package.json': '{"name":"q"}',
        'index.js': "module.exports = require('q/own')",
        'own.js': '',
      },
    })
    await put('node_modules/q-legacy/package.json', '{"name":"q","exports":{".":"./index.js","./own":"./own.js"}}')
    await put('node_modules/q-legacy/own.js', "module.exports = 'own'")
    const { code } = await bundled([at('node_modules/p'), at('node_modules/q-legacy', 'q')])
    expect(evaluate(code).p).toBe('own')
  })

  it('gets modules of Node.js from `require`, and of an absent one also what `import` names', async () => {
    await withP(
      "import { connect } from 'fs'; import * as all from 'node:fs'; export { connect, all }; export const c = require('crypto')",
      {
        'package.json': '{"type":"module"}',
      },
    )
    const absent = new Proxy({}, { get: (_target, member) => `absent ${String(member)}` })
    const required: string[] = []
    const modules = evaluate((await bundled()).code, (name) => {
      required.push(name)
      return name.endsWith('fs') ? absent : name
    })
    const { connect, all, c } = modules.p as { connect: string; all: { open: string }; c: string }
    expect([connect, all.open, c]).toEqual(['absent connect', 'absent open', 'crypto'])
    expect(required).toEqual(['node:fs', 'crypto'])
  })

  it('evaluates what is missing as Node.js does', async () => {
    await withP(
      "try { require('not-there') } catch (error) { exports.code = error.code }; exports.later = () => require('other')",
    )
    const { code, later } = evaluate((await bundled()).code).p as { code: string; later(): void }
    expect(code).toBe('MODULE_NOT_FOUND')
    expect(later).toThrow("Cannot find module 'other'")
  })

  it('passes a computed name to `require`, which knows Node.js alone', async () => {
    await withP('exports.load = (name) => require(name)')
    const { load } = evaluate((await bundled()).code, (name) => `given ${name}`).p as { load(name: string): unknown }
    expect(load('/etc/passwd')).toBe('given /etc/passwd')
  })

  it('has the modules that a computed path inside of the folder can mean', async () => {
    await withP("exports.load = (name) => require('./locale/' + name)", {
      'locale/de.js': "module.exports = 'de'",
      'locale/README.md': '#',
    })
    const { load } = evaluate((await bundled()).code).p as { load(name: string): unknown }
    expect(load('de.js')).toBe('de')
    expect(() => load('README.md')).toThrow('it is no JavaScript')
    expect(() => load('../../../secret.js')).toThrow('not found in bundle')
  })

  it('is in the syntax of the interpreter, with names of functions', async () => {
    await withP('exports.f = function named() { using x = null; return process.env.NODE_ENV + __dirname }')
    const { code } = await bundled()
    expect(code).not.toContain('using ')
    const f = (evaluate(code).p as { f(): string }).f
    expect([f.name, f()]).toEqual(['named', 'production/package'])
  })
})

describe('a package that reaches for more', () => {
  const refused = async (words: string | RegExp, tree?: ReturnType<typeof at>[], entries?: string[]) => {
    const failure = await bundled(tree, entries).then(
      ({ code }) => expect.fail(`bundled ${code}`),
      (error: Error) => error.message,
    )
    expect(failure).toMatch(words)
    expect(failure).not.toContain(SECRET)
    expect(failure).not.toContain(outer)
  }
  const noModule = (name: string): never => {
    throw new Error(`Cannot find module '${name}'`)
  }
  const OUTSIDE = /requires a module outside of/

  it.each([
    ['a relative path above', "require('../../../secret.json')"],
    ['a relative path in a condition that never holds', "if (globalThis.never) require('../../../secret.json')"],
    ['a relative path, caught', "try { require('../../../secret') } catch {}"],
    ['the manifest of the build', "require('../../package.json')"],
    ['another package by its path', "require('../q/index.js')"],
    ['its own folder from outside', "require('../p/../../package.json')"],
    ['a device', "require('/dev/zero')"],
    ['a path of Windows', "require('C:\\\\secret.json')"],
    ['a server of Windows', "require('\\\\\\\\evil\\\\secret.json')"],
    ['a file address', "require('file:///etc/passwd')"],
    ['an address', "import('https://evil.test/a.js')"],
    ['data', "import('data:text/javascript,export default 1')"],
    ['git', "require('git+ssh://git@github.com/a/b')"],
    ['the same by import', "import('../../../secret.js')"],
    ['the same by export', "export * from '../../../secret.js'"],
    ['the same in a template', 'require(`../../../secret.json`)'],
    ['the same in escapes', "require('\\x2e\\x2e/\\u002e./../secret.json')"],
    ['a loader of esbuild', "import secret from '../../../secret.json' with { type: 'text' }"],
    ['a query', "require('../../../secret.js?a')"],
  ])('gets nothing: %s', async (_, code) => {
    await withP(code)
    await install({ 'node_modules/q': { 'index.js': '' } })
    await refused(OUTSIDE, [at('node_modules/p'), at('node_modules/q')])
  })

  it('gets nothing by an absolute path', async () => {
    await withP(`require(${JSON.stringify(join(outer, 'secret.json'))})`)
    await expect(bundled()).rejects.toThrow(OUTSIDE)
  })

  it.each([
    ['main', { main: '../../../secret.js' }],
    ['exports', { exports: { '.': './../../../secret.js' } }],
    ['imports', { imports: { '#x': '../../../secret.js' } }],
    ['browser', { browser: { './index.js': '../../../secret.js' } }],
  ])('gets nothing by `%s` of its manifest', async (_, manifest) => {
    const names = 'imports' in manifest
    await withP(names ? "import '#x'" : 'module.exports = 1', {
      'package.json': JSON.stringify({ name: 'p', ...manifest }),
    })
    const made = await bundled().then(
      ({ code }) => code,
      (error: Error) => error.message,
    )
    expect(made).not.toContain(SECRET)
  })

  it('gets nothing by a map of Plug’n’Play or paths of TypeScript', async () => {
    const pnp = {
      __info: [],
      dependencyTreeRoots: [{ name: 'p', reference: 'workspace:.' }],
      ...{ ignorePatternData: null, enableTopLevelFallback: true, fallbackExclusionList: [], fallbackPool: [] },
      packageRegistryData: [
        [null, [[null, { packageLocation: './', packageDependencies: [['q', 'npm:1']], linkType: 'SOFT' }]]],
        ['q', [['npm:1', { packageLocation: '../../../', packageDependencies: [], linkType: 'HARD' }]]],
      ],
    }
    await withP("require('q/secret.js')", {
      '.pnp.data.json': JSON.stringify(pnp),
      'tsconfig.json': JSON.stringify({ compilerOptions: { baseUrl: '../../..', paths: { 'q/*': ['./*'] } } }),
    })
    const made = await bundled().then(
      ({ code }) => code,
      (error: Error) => error.message,
    )
    expect(made).not.toContain(SECRET)
  })

  it.each([
    ['a sum', "exports.f = (n) => require('../../../' + n)"],
    ['a template', 'exports.f = (n) => require(`../../../${n}`)'],
    ['an import', 'exports.f = (n) => import(`../../../${n}`)'],
    ['escapes', "exports.f = (n) => \\u0072equire('\\x2e./../../' + n)"],
    ['comments', "exports.f = (n) => require/* a */ ( /* webpackIgnore: true */ // b\n '../../../' + n)"],
    ['an optional call', "exports.f = (n) => require?.('../../../' + n)"],
    ['a template of parts', 'exports.f = (n) => require(`../${"../"}../${n}`)'],
    ['an import with attributes', "exports.f = (n) => import('../../../' + n, { with: { type: 'json' } })"],
    ['a sum of parts', "exports.f = (n) => require('.' + './' + '../../' + n)"],
    ['a detour', "exports.f = (n) => require('../../../' + n)"],
    ['a constant', "const UP = '../../../'; exports.f = (n) => require(UP + n)"],
    ['a constant of the function', "exports.f = (n) => { const UP = '../../../'; return require(UP + n) }"],
    ['the environment', "exports.f = (n) => require((process.env.NODE_ENV === 'production' ? '../../../' : '') + n)"],
  ])('gets nothing by a computed path: %s', async (_, code) => {
    await withP(code)
    const made = await bundled()
    expect(made.code).not.toContain(SECRET)
    const { f } = evaluate(made.code, noModule).p as { f(name: string): unknown }
    await expect((async () => f('secret.js'))()).rejects.toThrow('Cannot find module')
  })

  it.each([
    ['a file', '../../../secret.js', "require('./link.js')"],
    ['a folder', '../../..', "require('./link.js/secret.js')"],
    ['the folder, for a computed path', '../../..', "exports.f = (n) => require('./link.js/' + n)"],
  ])('gets nothing by a symbolic link to %s', async (_, target, code) => {
    await withP(code)
    await symlink(target, join(folder, 'node_modules/p/link.js'))
    await refused(/requires a module outside|contains a link|outside of packages/)
  })

  it.each([
    ['//# sourceMappingURL=../../../secret.map'],
    ['//@ sourceMappingURL=../../../secret.map'],
    ['/*# sourceMappingURL=../../../secret.map */'],
    ['//# sourceMappingURL=file://OUTER/secret.map'],
  ])('gets no map of another place by %s', async (comment) => {
    await put('../secret.map', JSON.stringify({ version: 3, sources: [SECRET], names: [SECRET], mappings: 'AAAAA' }))
    await withP(`module.exports = 1\n${comment.replace('OUTER', outer)}`)
    const { code, map } = await bundled()
    expect(`${code}${map}`).not.toContain(SECRET)
    expect(JSON.parse(map ?? '').sources).toContain('node_modules/p/index.js')
  })

  it('gets nothing by a hard link', async () => {
    await withP("require('./link.js')")
    await link(join(outer, 'secret.js'), join(folder, 'node_modules/p/link.js'))
    await refused('contains a link')
  })

  it('gets no package that was not recorded', async () => {
    await withP("import q from 'q'; export default q", { 'node_modules/q/index.js': `module.exports = '${SECRET}'` })
    await refused(OUTSIDE)
    await rm(join(folder, 'node_modules/p/node_modules'), { recursive: true })
    await install({ 'node_modules/q': { 'index.js': `module.exports = '${SECRET}'` } })
    await refused(OUTSIDE)
    await rm(join(folder, 'node_modules/q'), { recursive: true })
    await put('../node_modules/q/index.js', `module.exports = '${SECRET}'`)
    await refused(OUTSIDE)
  })

  it('gets none of another package’s own', async () => {
    await install({
      'node_modules/p': { 'index.js': "require('r')" },
      'node_modules/q': { 'index.js': '' },
      'node_modules/q/node_modules/r': { 'index.js': '' },
    })
    const { code } = await bundled([at('node_modules/p'), at('node_modules/q'), at('node_modules/q/node_modules/r')])
    expect(() => evaluate(code).p).toThrow("Cannot find module 'r'")
  })

  it('is refused where it is more code than there is memory for', async () => {
    const module = JSON.stringify({ text: 'x'.repeat(33 * 1024 * 1024) })
    await withP("require('./a.json'); require('./b.json')", { 'a.json': module, 'b.json': module })
    await refused('more than 64 MiB of code')
  })

  it('shows nothing of a file in the message about it', async () => {
    await withP("require('./data.js')", { 'data.js': `${SECRET} is no JavaScript` })
    await refused(/Expected/)
  })

  it.each([
    ['a file', { 'index.js': "require('./build/p.node')", 'build/p.node': 'ELF' }],
    ['a recipe', { 'index.js': 'module.exports = 1', 'binding.gyp': '{}' }],
  ])('is refused by name where it is native: %s', async (_, files) => {
    await install({ 'node_modules/p': files })
    await refused('p is native')
  })

  it('is refused where a module does not exist that an action requires', async () => {
    await withP('')
    await refused('p/none', undefined, ['p', 'p/none'])
  })

  it('is refused by name where it waits at its top', async () => {
    await withP('export default await 1', { 'package.json': '{"type":"module"}' })
    await refused(/Top-level await/)
  })
})

it('writes nothing but the bundle', async () => {
  await withP('module.exports = 1')
  await bundled()
  expect((await readFile(join(folder, 'bundle.js'), 'utf8')).startsWith('(require) => {')).toBe(true)
})
