// Packages of npm in the vendor's rules and hooks: built before a request that needs them is answered.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scriptBuildStore } from '../../../adapters/store/prisma/script-builds'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import { SAMPLES } from '../../../identity/tenant-code/actions/samples'
import type { Bundler } from '../../../identity/tenant-code/packages/bundle'
import type { Dependency } from '../../../identity/tenant-code/packages/need'
import { digest } from '../../../kernel/secret'
import { buildActions } from '../../../management/jobs/action-builds'
import { loginEvent } from '../../../testing/actions'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const CLAIM = 'https://a.test/packages'

let server: TestServer
let manager: Manager
let runs: RunRecord[] = []
let built: string[][] = []
/** Nothing is built before it. */
let opened: Promise<void> = Promise.resolve()

function hold(): () => void {
  let open = () => {}
  opened = new Promise((resolve) => {
    open = resolve
  })
  return () => open()
}

/** Each package is its version. */
const bundler: Bundler = {
  async build(dependencies) {
    const named = dependencies.map(({ name, version = 'latest' }: Dependency) => `${name}@${version}`)
    await opened
    built.push(named)
    const absent = named.find((each) => /^(absent@|unlisted@latest)/.test(each))
    if (absent) return { failure: `The registry has no ${absent}` }
    if (named.length > 1 && named.includes('alone@latest')) return { failure: 'They do not fit together' }
    const members = dependencies.map(({ name, version = 'latest' }) => `get '${name}'() { return '${version}' }`)
    const code = `(require) => { return { ${members.join(', ')} } }`
    return { bundle: { digest: digest(code).toString('base64url'), code, map: null, packages: [] } }
  },
}

beforeAll(async () => {
  let building = Promise.resolve()
  let stores: ReturnType<typeof scriptBuildStore>[] | undefined
  server = await testServer({
    actionRuns: { note: (record) => void runs.push(record) },
    wakeJobs() {
      stores ??= [scriptBuildStore(server.db)]
      const known = stores
      const fail = ({ err }: Record<string, unknown>) => expect.fail(String(err))
      const log = { warn: fail, error: fail }
      building = building.then(() => buildActions({ stores: known, bundler, clock: server.clock, log }))
    },
  })
  manager = await addManager(server)
})
afterAll(() => server.close())
afterEach(async () => {
  runs = []
  built = []
  opened = Promise.resolve()
  for (const table of ['document', 'script_build', 'action_bundle'])
    await server.database.pool.query(`DELETE FROM ${table}`)
  await server.setTenant({})
})

/** Adds what it requires to the claim. */
const requiring = (name: string): string => `function (user, context, callback) {
  context.idToken['${CLAIM}'] = [...(context.idToken['${CLAIM}'] || []), require('${name}')]
  callback(null, user, context)
}`

const make = (name: string, script: string, more: object = {}) => manager.post('/rules', { name, script, ...more })

async function logIn() {
  server.clock.advance(2)
  return (await server.runtime()).triggers.run('post-login', loginEvent({}))
}

const claim = async () => (await logIn()).idTokenClaims[CLAIM]

const due = async () =>
  (await server.database.pool.query('SELECT need FROM script_build WHERE build_due_at IS NOT NULL')).rows

describe('rules', () => {
  it('run with the packages that they require, at the version of the call, of another rule or of the table', async () => {
    expect((await make('First', requiring('lodash'))).status).toBe(201)
    expect((await make('Second', requiring('request@2.80.0'))).status).toBe(201)
    expect(await claim()).toEqual(['4.17.21', '2.80.0'])
    expect((await make('Third', requiring('request'))).status).toBe(201)
    expect(await claim()).toEqual(['4.17.21', '2.80.0', '2.80.0'])
    expect(built).toEqual([['lodash@4.17.21'], ['lodash@4.17.21', 'request@2.80.0']])
  })

  it('stay as they are where those of a change cannot be built', async () => {
    const { id } = (await make('First', requiring('lodash'))).json()
    const script = requiring('absent')
    for (const answer of [await make('Second', script), await manager.patch(`/rules/${id}`, { script })])
      expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('has no absent')])
    expect(await claim()).toEqual(['4.17.21'])
    expect((await make('Off', script, { enabled: false })).status).toBe(201)
    expect(await claim()).toEqual(['4.17.21'])
  })

  it('run on while the packages of fewer rules are built', async () => {
    const { id } = (await make('First', requiring('uuid'))).json()
    await make('Second', requiring('lodash'))
    const other = (await make('Third', requiring('async'))).json()
    built = []
    expect((await manager.remove(`/rules/${id}`)).status).toBe(204)
    expect((await manager.patch(`/rules/${other.id}`, { enabled: false })).status).toBe(200)
    expect([await claim(), built]).toEqual([['4.17.21'], []])
    expect(await due()).toMatchObject([{ need: { entries: ['lodash'] } }])
  })

  it('have one version of a package', async () => {
    await make('First', requiring('lodash@4.0.0'))
    const answer = await make('Second', requiring('lodash@3.0.0'))
    expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('lodash 3.0.0 beside')])
    expect((await make('Second', requiring('lodash@3.0.0'), { enabled: false })).status).toBe(201)
  })

  it('have thirty packages at most in all', async () => {
    const all = (first: string) => Array.from({ length: 16 }, (_, index) => `require('${first}${index}')`).join('\n')
    const rule = (first: string) =>
      `function (user, context, callback) {\n${all(first)}\ncallback(null, user, context)\n}`
    expect((await make('First', rule('a'))).status).toBe(201)
    const answer = await make('Second', rule('b'))
    expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('at most 30 packages')])
  })

  it('two requests at one moment that enable rules give both what they need', async () => {
    const answers = await Promise.all([make('First', requiring('uuid')), make('Second', requiring('async'))])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect((await claim()) as string[]).toHaveLength(2)
  })

  it('are refused where they cannot be built with what another request enabled meanwhile', async () => {
    const open = hold()
    const answers = Promise.all([make('First', requiring('uuid')), make('Second', requiring('alone'))])
    await expect.poll(async () => (await due()).length).toBe(2)
    open()
    const statuses = (await answers).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 400])
    expect((await claim()) as string[]).toHaveLength(1)
  })

  it('stay where those of the others cannot be built without them', async () => {
    const { id } = (await make('First', requiring('unlisted@1.0.0'))).json()
    await make('Second', requiring('unlisted'))
    const answer = await manager.remove(`/rules/${id}`)
    expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('has no unlisted@latest')])
    expect(await claim()).toEqual(['1.0.0', '1.0.0'])
  })

  it('can be disabled and removed where their packages are not there', async () => {
    const first = (await make('First', requiring('lodash'))).json()
    const second = (await make('Second', requiring('uuid'))).json()
    await server.database.pool.query('UPDATE script_build SET bundle = NULL, failure = $1', ['The registry is gone'])
    const other = (await make('Third', requiring('absent'))).json()
    expect((await manager.patch(`/rules/${first.id}`, { enabled: false })).status).toBe(200)
    expect((await manager.remove(`/rules/${other.id}`)).status).toBe(204)
    await expect.poll(claim).toEqual(['9.0.1'])
    expect((await manager.remove(`/rules/${second.id}`)).status).toBe(204)
  })

  it('wait for two requests of a tenant at one moment', async () => {
    const open = hold()
    const waiting = [make('First', requiring('lodash')), make('Second', requiring('uuid'))]
    await expect.poll(async () => (await due()).length).toBe(2)
    const refused = await make('Third', requiring('async'))
    expect([refused.status, refused.header('retry-after')]).toEqual([429, '5'])
    expect(refused.json()).toMatchObject({ statusCode: 429, errorCode: 'too_many_requests' })
    expect(await due()).toHaveLength(2)
    expect((await make('Fourth', requiring('async'), { enabled: false })).status).toBe(201)
    open()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201])
  })

  it('deny, and say why, while what they need is not there', async () => {
    await make('First', requiring('lodash'))
    await server.database.pool.query('DELETE FROM script_build')
    expect((await logIn()).denied).toMatchObject({ failed: true })
    expect(runs.at(-1)).toMatchObject({ action: 'Rules', reason: expect.stringContaining('they are being built') })
  })
})

describe('a hook', () => {
  const hook = (script: string, more: object = {}) =>
    manager.post('/hooks', { name: 'Sign-up', triggerId: 'pre-user-registration', script, enabled: true, ...more })
  const requires = (...names: string[]) =>
    `module.exports = (user, context, cb) => cb(null, { user: { app_metadata: { at: [${names.map((name) => `require('${name}')`)}] } } })`

  it('runs with the packages that it declares or requires', async () => {
    const made = await hook(requires('lodash', 'uuid@8.0.0'), { dependencies: { lodash: '4.5.0' } })
    expect([made.status, made.json().dependencies]).toEqual([201, { lodash: '4.5.0' }])
    server.clock.advance(2)
    const { triggers } = await server.runtime()
    const effects = await triggers.run('pre-user-registration', SAMPLES['pre-user-registration'])
    expect(effects.appMetadata).toEqual({ at: ['4.5.0', '8.0.0'] })
  })

  it.each([
    [requires('absent'), {}, 'has no absent'],
    [requires('argon2'), {}, 'bcryptjs'],
    [requires('./server'), {}, './server'],
    [requires('lodash@4.0.0'), { dependencies: { lodash: '3.0.0' } }, 'one version of a package'],
    [requires('crypto'), { dependencies: { x: 'git+https://evil.test/x.git' } }, 'no version'],
  ])('is refused with %s and %j', async (script, more, word) => {
    const answer = await hook(script, more)
    expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining(word)])
  })

  it('is saved while it is not enabled, and refused when it is', async () => {
    const { id } = (await hook(requires('absent'), { enabled: false })).json()
    expect((await manager.patch(`/hooks/${id}`, { enabled: true })).status).toBe(400)
    expect((await manager.get(`/hooks/${id}`)).json().enabled).toBe(false)
  })
})
