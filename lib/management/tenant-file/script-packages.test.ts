// The packages of scripts of connections, rules and hooks in a tenant file: built before it is applied, kept with it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { SAMPLES } from '../../identity/tenant-code/actions/samples'
import type { Bundler } from '../../identity/tenant-code/packages/bundle'
import { digest } from '../../kernel/secret'
import { loginEvent } from '../../testing/actions'
import { type TestServer, testServer } from '../../testing/server'
import { applyText } from '../../testing/tenant-file'

let server: TestServer
let built: string[] = []
let isReachable = true
let whileBuilding = async () => {}

/** Each package is its version. */
const bundler: Bundler = {
  async build(dependencies) {
    built.push(dependencies.map(({ name }) => name).join())
    await whileBuilding()
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
  whileBuilding = async () => {}
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
  const { triggers } = await server.runtime()
  expect((await triggers.run('post-login', loginEvent({}))).idTokenClaims).toEqual({
    'https://a.test/one': '4.17.21',
    'https://a.test/two': '2.30.1',
  })
  const signedUp = await triggers.run('pre-user-registration', SAMPLES['pre-user-registration'])
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

const NAMES = ['One', 'Two', 'Off', 'Elsewhere', 'Third']

/** Adds what it requires to the claim of its name. */
const rule = (name: string, required: string) =>
  `  - { name: ${name}, enabled: true, script: "function (user, context, cb) { context.idToken['https://a.test/${name}'] = require('${required}'); cb(null, user, context) }" }\n`

/** All rules of this file; the others are disabled. */
const rules = (required: Readonly<Record<string, string>>) => {
  const entry = (name: string) => required[name] && rule(name, required[name])
  const off = (name: string) => `  - { name: ${name}, enabled: false, script: "function () {}" }\n`
  return `rules:\n${NAMES.map((name) => entry(name) ?? off(name)).join('')}`
}

const logIn = async () => (await server.runtime()).triggers.run('post-login', loginEvent({}))

it('of fewer rules are those of more until theirs are built', async () => {
  await apply(rules({ One: 'lodash', Two: 'moment' }))
  isReachable = false
  expect((await apply(rules({ One: 'lodash' }))).notApplied).toEqual([])
  expect((await logIn()).idTokenClaims).toEqual({ 'https://a.test/One': '4.17.21' })
  expect(await pending()).toBe(1)
})

it('are one version: rules that name two are kept, reported and deny', async () => {
  await apply(rules({ One: 'lodash@4.0.0', Two: 'lodash@4.0.0' }))
  const { notApplied } = await apply(rules({ One: 'lodash@4.0.0', Two: 'lodash@3.0.0' }))
  expect(notApplied).toEqual([expect.stringMatching(/^rules: .*lodash 3\.0\.0 beside lodash 4\.0\.0/)])
  expect((await logIn()).denied).toMatchObject({ failed: true })
  expect((await apply(rules({ One: 'lodash@3.0.0', Two: 'lodash@3.0.0' }))).notApplied).toEqual([])
  expect((await logIn()).idTokenClaims).toEqual({ 'https://a.test/One': '3.0.0', 'https://a.test/Two': '3.0.0' })
})

it('are ordered also for what a request added while they were built', async () => {
  await apply(rules({}))
  await server.database.pool.query('UPDATE script_build SET build_due_at = NULL')
  whileBuilding = async () => {
    const added = { name: 'Third', order: 1, enabled: true, script: "() => require('async')" }
    await server.database.pool.query(
      `UPDATE document SET body = $1 WHERE tenant_id = 'default' AND kind = 'rule' AND body->>'name' = 'Third'`,
      [added],
    )
  }
  await apply(`rules:\n${rule('One', 'validator')}`)
  const { rows } = await server.database.pool.query('SELECT need FROM script_build WHERE build_due_at IS NOT NULL')
  expect(rows).toMatchObject([{ need: { entries: ['async', 'validator'] } }])
})

it('come from a bundle that was made elsewhere, where it has them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const built = await bundler.build([{ name: 'uuid', version: '3' }], [])
  const given = 'bundle' in built ? built.bundle : expect.fail('nothing is built')
  const need = { dependencies: [{ name: 'uuid', version: '3' }, { name: 'left-pad' }], entries: ['left-pad', 'uuid'] }
  await writeFile(join(folder, 'scripts.bundle.json'), JSON.stringify({ ...given, need }))
  isReachable = false
  const file = (name: string, bundle: string) =>
    apply(`scriptBundle: ${bundle}\n${rules({ Elsewhere: name })}`, join(folder, 'tenant.yaml'))
  expect((await file('uuid@3', './scripts.bundle.json')).notApplied).toEqual([])
  expect((await file('uuid@4', './scripts.bundle.json')).notApplied).toEqual([
    expect.stringContaining('gave no answer'),
  ])
  for (const [bundle, why] of [
    ['./none.bundle.json', 'scriptBundle: ./none.bundle.json cannot be read beside the tenant file'],
    ['{}', expect.stringMatching(/^scriptBundle: .*is no bundle/)],
    ['5', expect.stringMatching(/^scriptBundle: .*is no bundle/)],
  ] as const) {
    expect((await file('uuid@3', bundle)).notApplied).toEqual([why])
    expect((await file('uuid@5', bundle)).notApplied).toEqual([why, expect.stringMatching(/^rules: /)])
  }
})

it('come from another bundle as soon as the file names it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = async (code: string) => {
    const need = { dependencies: [{ name: 'pad' }], entries: ['pad'] }
    const bundle = { digest: digest(code).toString('base64url'), code, map: null, packages: [] }
    await writeFile(join(folder, 'scripts.bundle.json'), JSON.stringify({ ...bundle, need }))
  }
  const file = () =>
    apply(`scriptBundle: ./scripts.bundle.json\n${rules({ Elsewhere: 'pad' })}`, join(folder, 'tenant.yaml'))
  for (const version of ['1', '2']) {
    await write(`(require) => { return { pad: '${version}' } }`)
    expect((await file()).notApplied).toEqual([])
    expect((await logIn()).idTokenClaims).toEqual({ 'https://a.test/Elsewhere': version })
  }
  expect(built).toEqual([])
})
