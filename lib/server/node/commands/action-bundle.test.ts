import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBundle, readScriptBundle } from '../../../identity/tenant-code/packages/bundle'
import { openRegistry, type Registry } from '../../../testing/registry'
import { actions } from './actions'

let registry: Registry
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
  registry = await openRegistry()
  registry.publish({ name: 'whole', version: '1.0.0' }, { 'index.js': 'module.exports = 1' })
  registry.publish({ name: 'parts', version: '1.0.0' }, { 'index.js': 'module.exports = 2', 'sub.js': 'exports.a = 3' })
  registry.publish({ name: 'parts', version: '2.0.0' }, { 'sub.js': 'exports.a = 4' })
})
afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

async function bundle(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await actions(['bundle', ...args], { root: process.cwd(), source: {}, say: (line) => lines.push(line) })
  return lines
}

it('writes the packages of the files, and names their exact versions', async () => {
  const [one, two, out] = ['one.js', 'two.js', 'x.bundle.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(one, "const { a } = require('parts/sub')")
  await writeFile(two, "require('whole')")
  const lines = await bundle(one, two, '--dependency', 'parts@^1.0.0', '--dependency', 'whole', '--out', out)
  expect(lines).toEqual(['parts@1.0.0', 'whole@1.0.0', expect.stringContaining(`${out}: parts/sub, whole; 1 KiB`)])
  const read = readBundle(await readFile(out, 'utf8'))
  expect(read).toMatchObject({ bundle: { packages: [{ name: 'parts' }, { name: 'whole' }] } })
})

it('writes what scripts require, with the need that a tenant file compares', async () => {
  const [one, two, out] = ['rule.js', 'login.js', 'scripts.bundle.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(one, "function (user, context, callback) { require('parts@1.0.0/sub') }")
  await writeFile(two, "async () => require('whole')")
  const lines = await bundle('--scripts', one, two, '--out', out)
  expect(lines).toEqual(['parts@1.0.0', 'whole@1.0.0', expect.stringContaining('`scriptBundle` of the tenant file')])
  expect(readScriptBundle(await readFile(out, 'utf8'))).toMatchObject({
    need: { dependencies: [{ name: 'parts', version: '1.0.0' }, { name: 'whole' }], entries: ['parts/sub', 'whole'] },
    bundle: { packages: [{ name: 'parts' }, { name: 'whole' }] },
  })
})

it('bundles packages as a whole without a file', async () => {
  const out = join(folder, 'whole.bundle.json')
  expect(await bundle('--dependency', 'whole@1.0.0', '--out', out)).toEqual(['whole@1.0.0', expect.any(String)])
})

it.each([
  ['nothing to bundle', [], 'Usage:'],
  ['what the server has itself', ['--dependency', 'bcrypt'], 'Usage:'],
  ['scripts that require nothing', ['--scripts'], 'Usage:'],
  ['an unknown option', ['--dependencies', 'whole'], 'Usage:'],
  ['a file that is not there', ['/none.js', '--dependency', 'whole'], '/none.js cannot be read'],
  ['a package that is not there', ['--dependency', 'none'], 'The registry has no none@latest'],
])('explains %s, and writes nothing', async (_, args, words) => {
  const out = join(folder, 'none.bundle.json')
  await expect(bundle(...args, '--out', out)).rejects.toThrow(words)
  await expect(readFile(out)).rejects.toThrow('ENOENT')
})
