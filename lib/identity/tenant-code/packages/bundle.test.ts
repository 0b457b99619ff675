// From a declared dependency to a bundle: npm as it is installed, and a registry of the test's own.
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRegistry, type Registry } from '../../../testing/registry'
import { type BuiltBundle, createBundler, type Dependency, readBundle } from './bundle'

const bundler = createBundler({ root: process.cwd() })

let registry: Registry
beforeAll(async () => {
  registry = await openRegistry()
})
afterEach(() => {
  registry.status = undefined
})
afterAll(async () => {
  await registry.close()
})

const build = (dependencies: readonly Dependency[], entries = dependencies.map(({ name }) => name)) =>
  bundler.build(dependencies, entries)

async function made(...dependencies: Dependency[]): Promise<BuiltBundle> {
  const built = await build(dependencies)
  return 'bundle' in built ? built.bundle : expect.fail(built.failure)
}

async function refused(...dependencies: Dependency[]): Promise<string> {
  const built = await build(dependencies)
  return 'failure' in built ? built.failure : expect.fail('it was built')
}

const evaluate = (code: string): Record<string, unknown> =>
  (runInThisContext(`(${code})`) as (require: unknown) => Record<string, unknown>)(() => expect.fail('required'))

const publish = (name: string, version: string, more: Record<string, unknown> = {}, code = 'module.exports = 1') =>
  registry.publish({ name, version, ...more }, { 'index.js': code })

describe('packages', () => {
  it('are bundled at the version that a range, a tag or nothing means, with those that they need', async () => {
    publish('inner', '1.0.0', {}, "module.exports = 'inner 1.0.0'")
    publish('inner', '1.4.0', {}, "module.exports = 'inner 1.4.0'")
    publish('inner', '2.0.0', {}, "module.exports = 'inner 2.0.0'")
    publish(
      '@acme/outer',
      '0.1.0',
      { dependencies: { inner: '^1.0.0' } },
      "module.exports = ['outer', require('inner')]",
    )
    const { code, digest, packages } = await made({ name: '@acme/outer' }, { name: 'inner', version: '~2.0.0' })
    expect(evaluate(code)).toMatchObject({ '@acme/outer': ['outer', 'inner 1.4.0'], inner: 'inner 2.0.0' })
    const integrity = expect.stringMatching(/^sha512-/)
    expect(packages).toEqual([
      { name: '@acme/outer', version: '0.1.0', integrity },
      { name: 'inner', version: '1.4.0', integrity },
      { name: 'inner', version: '2.0.0', integrity },
    ])
    expect(digest).toMatch(/^[\w-]{43}$/)
    expect((await made({ name: '@acme/outer' }, { name: 'inner', version: '2.0.0' })).digest).toBe(digest)
  })

  it('run nothing of theirs while they are installed', async () => {
    const file = join(tmpdir(), `latchkey-ran-${process.pid}`)
    const run = `node -e "require('fs').writeFileSync(${JSON.stringify(file).replaceAll('"', "'")}, '')"`
    const scripts = Object.fromEntries(['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, run]))
    publish('scripted', '1.0.0', { scripts })
    await made({ name: 'scripted' })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('leave nothing behind', async () => {
    publish('tidy', '1.0.0')
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    await made({ name: 'tidy' })
    await refused({ name: 'not-there' })
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('come with the credentials of npm’s configuration', async () => {
    publish('private', '1.0.0')
    const name = `npm_config_//${new URL(registry.url).host}/:_authToken`
    process.env[name] = 'token-of-the-operator'
    registry.requests.length = 0
    await made({ name: 'private' }).finally(() => delete process.env[name])
    expect(registry.requests.map(({ token }) => token)).toContain('Bearer token-of-the-operator')
  })

  it.each([
    ['the user', 'npmrc', (folder: string) => ({ npm_config_userconfig: join(folder, 'npmrc') })],
    ['the machine', 'etc/npmrc', (folder: string) => ({ npm_config_prefix: folder })],
  ])('come from the registry that the configuration of %s names', async (_, path, environment) => {
    publish('configured', '1.0.0')
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
    await mkdir(join(folder, 'etc'))
    await writeFile(join(folder, path), `registry=${registry.url}\n`)
    const there = { ...process.env }
    delete process.env.npm_config_registry
    delete process.env.npm_config_globalconfig
    Object.assign(process.env, environment(folder))
    const built = await build([{ name: 'configured' }]).finally(() => {
      for (const name of Object.keys(environment(folder))) delete process.env[name]
      Object.assign(process.env, there)
    })
    expect(built).toMatchObject({ bundle: { packages: [{ name: 'configured' }] } })
    await rm(folder, { recursive: true })
  })

  it('have optional ones left out', async () => {
    publish('fast', '1.0.0', {}, "throw new Error('native')")
    const code = "try { module.exports = require('fast') } catch (error) { module.exports = error.code }"
    publish('slow', '1.0.0', { optionalDependencies: { fast: '1' } }, code)
    expect(evaluate((await made({ name: 'slow' })).code).slow).toBe('MODULE_NOT_FOUND')
  })
})

describe('packages that are refused', () => {
  it('are named where the registry lacks them or their version', async () => {
    publish('known', '1.0.0')
    expect(await refused({ name: 'unknown' })).toContain('The registry has no unknown@latest')
    expect(await refused({ name: 'known', version: '7' })).toContain('No matching version found for known@7')
  })

  it('say so where the registry refuses or does not answer', async () => {
    registry.status = 403
    expect(await refused({ name: 'known' })).toContain('The registry refuses access (E403)')
    process.env.npm_config_registry = 'http://127.0.0.1:9/'
    const failure = await refused({ name: 'known' }).finally(() => {
      process.env.npm_config_registry = registry.url
    })
    expect(failure).toContain('The registry does not answer (ECONNREFUSED)')
  })

  it('do not match their integrity', async () => {
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    registry.publish({ name: 'forged', version: '1.0.0' }, { 'index.js': '' }, { integrity })
    expect(await refused({ name: 'forged' })).toContain('EINTEGRITY')
  })

  it.each([
    ['a repository', 'git+ssh://git@127.0.0.1/a/b.git', 'elsewhere than a registry (a program)'],
    ['a repository over https', 'git+https://127.0.0.1:9/a/b.git', 'elsewhere than a registry (a program)'],
    ['a name of GitHub', 'a/b', 'elsewhere than a registry (a program)'],
    ['a file', 'file:../../../../../../etc/hostname', 'it is a link'],
    ['a folder', 'file:../..', 'it is a link'],
  ])('need another from %s', async (_, spec, words) => {
    publish('reaching', '1.0.0', { dependencies: { far: spec } })
    const failure = await refused({ name: 'reaching' })
    expect(failure).toContain(words)
    expect(failure).not.toMatch(/latchkey-packages|\/tmp/)
  })

  it('need another from an address of the inner network, which is never requested', async () => {
    const requests: string[] = []
    const inner = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end('secret')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => inner.once('listening', resolve))
    const address = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
    publish('reaching', '2.0.0', { dependencies: { far: `${address}/latest/meta-data.tgz` } })
    expect(await refused({ name: 'reaching' })).toContain('from elsewhere than a registry')
    registry.publish({ name: 'elsewhere', version: '1.0.0' }, { 'index.js': '' }, { tarball: `${address}/a.tgz` })
    expect(await refused({ name: 'elsewhere' })).toContain('from elsewhere than a registry')
    expect(requests).toEqual([])
    await new Promise((resolve) => inner.close(resolve))
  })

  it('contain a symbolic link, which npm leaves out', async () => {
    registry.publish(
      { name: 'linked', version: '1.0.0' },
      { 'index.js': "require('./link.js')", 'link.js': { link: '/etc/passwd' } },
    )
    const { code } = await made({ name: 'linked' })
    expect(() => evaluate(code).linked).toThrow("Cannot find module './link.js'")
  })

  it('a registry is never requested with an invalid name or version', async () => {
    registry.requests.length = 0
    expect(await refused({ name: 'known', version: 'file:/etc' })).toContain('no version, range or tag')
    expect(await refused({ name: '--registry=http://127.0.0.1:9' })).toContain('no name of a package')
    expect(registry.requests).toEqual([])
  })
})

describe('a host that cannot bundle names the command that does it elsewhere', () => {
  const elsewhere = async (parts: readonly string[]) => {
    const root = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
    const packages = join('lib', 'identity', 'tenant-code', 'packages')
    await mkdir(join(root, packages), { recursive: true })
    for (const part of parts) await copyFile(join(packages, part), join(root, packages, part))
    registry.requests.length = 0
    const built = await createBundler({ root }).build([{ name: 'known' }], ['known'])
    expect(built).toEqual({ failure: expect.stringContaining('npm run actions -- bundle') })
    expect(registry.requests).toEqual([])
    await rm(root, { recursive: true })
  }

  it('a host without its parts names the command', () => elsewhere([]))

  it('a host without esbuild names the command', () => elsewhere(['bundle-process.mjs', 'judge.mjs', 'npm-guard.mjs']))

  it('a host without a temporary folder names the command', async () => {
    const { TMPDIR } = process.env
    process.env.TMPDIR = '/nowhere'
    const failure = await refused({ name: 'known' }).finally(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    })
    expect(failure).toContain('npm run actions -- bundle')
  })
})

describe('a bundle from elsewhere', () => {
  it('is taken as it was made', async () => {
    publish('known', '1.0.0')
    const bundle = await made({ name: 'known' })
    expect(readBundle(JSON.stringify(bundle))).toEqual({ bundle })
  })

  it.each([
    ['no JSON', () => 'code'],
    ['another document', () => '{"code":1}'],
    ['more members', (bundle: BuiltBundle) => JSON.stringify({ ...bundle, more: 1 })],
    ['other code', (bundle: BuiltBundle) => JSON.stringify({ ...bundle, code: 'process.exit()' })],
  ])('is refused with %s', async (_, text) => {
    const bundle = { digest: '', code: '(require) => {}', map: null, packages: [] }
    expect(readBundle(text(bundle))).toEqual({ failure: expect.stringContaining('It is no bundle') })
  })

  it('is refused where its code was changed', async () => {
    const bundle = { digest: 'A'.repeat(43), code: '(require) => { return {} }', map: null, packages: [] }
    expect(readBundle(JSON.stringify(bundle))).toEqual({ failure: expect.stringContaining('digest') })
  })
})
