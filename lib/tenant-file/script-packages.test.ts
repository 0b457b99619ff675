// The packages of scripts of connections, rules and hooks in a tenant file: built before it is applied, kept with it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { digest } from '../kernel/secret'
import { SAMPLES } from '../rules/actions/samples'
import type { Bundler } from '../rules/packages/bundle'
import { loginEvent } from '../testing/actions'
import { type TestServer, testServer } from '../testing/server'
import { applyText } from '../testing/tenant-file'

let server: TestServer
let built: string[] = []
let isReachable = true

/** Each package is its version. */
const bundler: Bundler = {
  async build(dependencies) {
    built.push(dependencies.map(({ name }) => name).join())
    if (!isReachable) return { failure: 'The registry gave no answer' }
    const members = dependencies.map(({ name, version }) => `get '${name}'() { return '${version}' }`)
    const code = `(require) => { return { ${members.join(', ')} } }`
    return { bundle: { digest: digest(code).toString('base64url'), code, map: null, packages: [] } }
  },
}

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(() => {
  built = []
  isReachable = true
})

const apply = (text: string, path?: string) => applyText(server, 'default', text, {}, bundler, path)
const pending = async () =>
  (await server.database.pool.query('SELECT 1 FROM script_build WHERE build_due_at IS NOT NULL')).rowCount

const RULES = `rules:
  - { name: One, script: "function (user, context, cb) { context.idToken['https://a.test/one'] = require('lodash'); cb(null, user, context) }" }
  - { name: Two, script: "function (user, context, cb) { context.idToken['https://a.test/two'] = require('moment'); cb(null, user, context) }" }
  - { name: Off, enabled: false, script: "function (user, context, cb) { require('xml2js') }" }
`
const FILE = `${RULES}hooks:
  - name: Sign-up
    script: "module.exports = (user, context, cb) => cb(null, { user: { app_metadata: { at: require('uuid') } } })"
    triggerId: pre-user-registration
    enabled: true
databases:
  - name: Legacy
    strategy: auth0
    options:
      enabledDatabaseCustomization: true
      customScripts: { login: "async () => require('pg')" }
`

it('are there as soon as it is applied, and are built once', async () => {
  expect((await apply(FILE)).notApplied).toEqual([])
  expect(built.sort()).toEqual(['lodash,moment', 'pg', 'uuid'])
  expect(await pending()).toBe(0)
  const { rules } = await server.runtime()
  expect((await rules.run('post-login', loginEvent({}))).idTokenClaims).toEqual({
    'https://a.test/one': '4.17.21',
    'https://a.test/two': '2.30.1',
  })
  const signedUp = await rules.run('pre-user-registration', SAMPLES['pre-user-registration'])
  expect(signedUp.appMetadata).toEqual({ at: '9.0.1' })
  built = []
  expect((await apply(FILE)).changes).toEqual([])
  expect(built).toEqual([])
})

it('are reported each time until they are built, which the server tries again', async () => {
  isReachable = false
  const file = RULES.replace('enabled: false', 'enabled: true')
  const reported = ['rules: its packages could not be built: The registry gave no answer; it fails until they are']
  expect((await apply(file)).notApplied).toEqual(reported)
  expect(await pending()).toBe(1)
  expect(await apply(file)).toMatchObject({ changes: [], notApplied: reported })
  isReachable = true
  expect((await apply(file)).notApplied).toEqual([])
  expect(await pending()).toBe(0)
})

it('come from a bundle that was made elsewhere, where it has them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const built = await bundler.build([{ name: 'uuid', version: '3' }], [])
  const given = 'bundle' in built ? built.bundle : expect.fail('nothing is built')
  const need = { dependencies: [{ name: 'uuid', version: '3' }, { name: 'left-pad' }], entries: ['left-pad', 'uuid'] }
  await writeFile(join(folder, 'scripts.bundle.json'), JSON.stringify({ ...given, need }))
  isReachable = false
  const rule = (name: string) =>
    `rules: [{ name: Elsewhere, script: "function (user, context, cb) { require('${name}') }" }]`
  const file = (name: string, bundle: string) =>
    apply(
      `scriptBundle: ${bundle}\n${rule(name).replace('rules: [{', 'rules: [{ order: 9,')}`,
      join(folder, 'tenant.yaml'),
    )
  await apply('rules: [{ name: One, enabled: false }, { name: Two, enabled: false }, { name: Off, enabled: false }]')
  expect((await file('uuid@3', './scripts.bundle.json')).notApplied).toEqual([])
  expect((await file('uuid@4', './scripts.bundle.json')).notApplied).toEqual([
    expect.stringContaining('gave no answer'),
  ])
  expect((await file('uuid@5', './none.bundle.json')).notApplied).toEqual([expect.stringContaining('cannot be read')])
  expect((await file('uuid@5', '{}')).notApplied).toEqual([expect.stringContaining('is no bundle')])
})
