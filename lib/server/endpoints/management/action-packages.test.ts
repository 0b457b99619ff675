// The packages of actions in the Management API: built by a job when a draft is saved, deployed only when they are built.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ENDED, removeBatch } from '../../../adapters/store/clean-up'
import { actionBuildStore } from '../../../adapters/store/prisma/action-builds'
import { type Built, createBundler } from '../../../identity/tenant-code/packages/bundle'
import type { Dependency } from '../../../identity/tenant-code/packages/need'
import { digest } from '../../../kernel/secret'
import { type ActionBuildDeps, buildActions, createActionBuilds } from '../../../management/jobs/action-builds'
import { payloadOf, SPA, signInForTokens } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { openRegistry } from '../../../testing/registry'
import { type TestServer, testServer } from '../../../testing/server'

const LODASH = { name: 'lodash', version: '4.17.21' }
const CODE =
  "const _ = require('lodash'); exports.onExecutePostLogin = async (event, api) => { api.idToken.setCustomClaim('https://a.test/v', _.VERSION) }"

let server: TestServer
let manager: Manager
/** What the bundler received, and what it answers. */
let received: [readonly Dependency[], readonly string[]][] = []
let answer: (dependencies: readonly Dependency[]) => Built | Promise<Built>

const bundleOf = (version: string): Built => {
  const code = `(require) => ({ get lodash() { return { VERSION: '${version}' } } })`
  const packages = [{ name: 'lodash', version, integrity: 'sha512-AAAA' }]
  return { bundle: { code, digest: digest(code).toString('base64url'), map: null, packages } }
}

const worker = (): ActionBuildDeps => ({
  stores: [actionBuildStore(server.db, server.random)],
  bundler: {
    async build(dependencies, entries) {
      received.push([dependencies, entries])
      return answer(dependencies)
    },
  },
  clock: server.clock,
  log: { warn: ({ err }) => expect.fail(String(err)), error: ({ err }) => expect.fail(String(err)) },
})
const build = () => buildActions(worker())

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
beforeEach(() => {
  received = []
  answer = ([first]) => bundleOf(first?.version ?? 'newest')
})
afterAll(() => server.close())

let made = 0
async function create(over: Record<string, unknown> = {}) {
  made += 1
  const supported_triggers = [{ id: 'post-login', version: 'v3' }]
  const body = { name: `Packaged ${made}`, supported_triggers, code: CODE, dependencies: [LODASH], ...over }
  const action = (await manager.post('/actions/actions', body)).json()
  return { id: String(action.id), action }
}
const read = async (id: string) => (await manager.get(`/actions/actions/${id}`)).json()
const deploy = async (id: string) => (await manager.send('POST', `/actions/actions/${id}/deploy`)).json()
const change = async (id: string, body: unknown) => (await manager.patch(`/actions/actions/${id}`, body)).json()
const bundles = async () =>
  (await server.database.pool.query('SELECT digest FROM action_bundle')).rows.map(({ digest }) => String(digest))

describe('an action with packages', () => {
  it('is built by a job, then deployed, and its logins use the packages', async () => {
    const { id, action } = await create()
    expect(action).toMatchObject({ status: 'building', dependencies: [LODASH] })
    expect(await deploy(id)).toMatchObject({
      statusCode: 400,
      message: "A draft must be in the 'built' state before it can be deployed.",
    })
    await build()
    expect(received).toEqual([[[LODASH], ['lodash']]])
    expect(await read(id)).toMatchObject({ status: 'built', all_changes_deployed: false })
    expect(await deploy(id)).toMatchObject({ status: 'built', number: 1, dependencies: [LODASH] })
    const bindings = [{ ref: { type: 'action_id', value: id } }]
    expect((await manager.patch('/actions/triggers/post-login/bindings', { bindings })).status).toBe(200)
    server.clock.advance(2)
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', {})
    expect(payloadOf(tokens.id_token)).toMatchObject({ 'https://a.test/v': '4.17.21' })
    await manager.patch('/actions/triggers/post-login/bindings', { bindings: [] })
    const test = (await manager.post(`/actions/actions/${id}/test`, { payload: { user: {} } })).json()
    expect(test.payload).toMatchObject({ outcome: 'ok', effects: { idTokenClaims: { 'https://a.test/v': '4.17.21' } } })
  })

  it('is not built again for other code, secrets or a deployment', async () => {
    const { id } = await create()
    await build()
    expect(await change(id, { code: `${CODE} // more`, secrets: [{ name: 'A', value: 'b' }] })).toMatchObject({
      status: 'built',
    })
    await deploy(id)
    expect(await change(id, { code: CODE })).toMatchObject({ status: 'built' })
    await build()
    expect(received).toHaveLength(1)
  })

  it('is built again for another version, and for a module that its code requires now', async () => {
    const { id } = await create()
    await build()
    expect(await change(id, { dependencies: [{ name: 'lodash', version: '4.17.20' }] })).toMatchObject({
      status: 'building',
    })
    await build()
    await change(id, { code: `require('lodash/fp'); ${CODE}` })
    await build()
    expect(received.slice(1)).toEqual([
      [[{ name: 'lodash', version: '4.17.20' }], ['lodash']],
      [[{ name: 'lodash', version: '4.17.20' }], ['lodash', 'lodash/fp']],
    ])
    expect(await deploy(id)).toMatchObject({ number: 1 })
  })

  it('keeps what runs while its draft is built, and when that fails', async () => {
    const { id } = await create()
    await build()
    await deploy(id)
    await change(id, { dependencies: [{ name: 'lodash', version: '99.0.0' }] })
    answer = () => ({ failure: 'The registry has no lodash@99.0.0' })
    await build()
    expect(await read(id)).toMatchObject({
      status: 'failed',
      errors: [{ id: 'build_failed', msg: 'The registry has no lodash@99.0.0' }],
      deployed_version: { number: 1, dependencies: [LODASH] },
    })
    const refused = await deploy(id)
    expect(refused).toMatchObject({
      statusCode: 400,
      message: 'The packages of the action could not be built: The registry has no lodash@99.0.0',
    })
    expect(String(refused.message)).not.toContain("'built' state")
  })

  it('a failed action is built again when its packages are saved again', async () => {
    answer = () => ({ failure: 'The registry did not answer' })
    const { id } = await create()
    await build()
    expect(await change(id, { code: `${CODE} ` })).toMatchObject({ status: 'failed' })
    answer = () => bundleOf('4.17.21')
    expect(await change(id, { dependencies: [LODASH] })).toMatchObject({ status: 'building' })
    await build()
    expect(await read(id)).toMatchObject({ status: 'built' })
  })

  it('is deployed when it is built, where its creation says so', async () => {
    const { id, action } = await create({ deploy: true })
    expect(action).toMatchObject({ status: 'building', all_changes_deployed: false })
    expect(action).not.toHaveProperty('deployed_version')
    await build()
    expect(await read(id)).toMatchObject({
      status: 'built',
      all_changes_deployed: true,
      deployed_version: { number: 1, status: 'built' },
    })
  })

  it('of an earlier version runs again with the packages of that version', async () => {
    const { id } = await create()
    await build()
    await deploy(id)
    await change(id, { dependencies: [{ name: 'lodash', version: '3.0.0' }] })
    await build()
    await deploy(id)
    const { versions } = (await manager.get(`/actions/actions/${id}/versions`)).json() as { versions: { id: string }[] }
    await manager.post(`/actions/actions/${id}/versions/${versions[1]?.id}/deploy`, {})
    expect(await read(id)).toMatchObject({ status: 'built', dependencies: [LODASH] })
    const test = (await manager.post(`/actions/actions/${id}/test`, { payload: { user: {} } })).json()
    expect(test.payload).toMatchObject({ effects: { idTokenClaims: { 'https://a.test/v': '4.17.21' } } })
  })

  it('has at most ten', async () => {
    const dependencies = Array.from({ length: 11 }, (_, n) => ({ name: `p${n}` }))
    expect((await create({ dependencies })).action).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('needs nothing built for what the server has', async () => {
    const { id, action } = await create({
      code: "require('bcrypt'); exports.onExecutePostLogin = async () => {}",
      dependencies: [{ name: 'bcrypt', version: '5.1.0' }],
    })
    expect(action).toMatchObject({ status: 'built' })
    expect(await deploy(id)).toMatchObject({ number: 1 })
  })
})

describe('a build', () => {
  it('a build for an earlier draft changes nothing', async () => {
    const { id } = await create()
    answer = async ([first]) => {
      if (first?.version === LODASH.version) await change(id, { dependencies: [{ name: 'lodash', version: '2.0.0' }] })
      return bundleOf(first?.version ?? '')
    }
    await build()
    expect(received.map(([[first]]) => first?.version)).toEqual([LODASH.version, '2.0.0'])
    expect(await read(id)).toMatchObject({ status: 'built', dependencies: [{ name: 'lodash', version: '2.0.0' }] })
    await deploy(id)
    const test = (await manager.post(`/actions/actions/${id}/test`, { payload: { user: {} } })).json()
    expect(test.payload).toMatchObject({ effects: { idTokenClaims: { 'https://a.test/v': '2.0.0' } } })
  })

  it('is taken by one of several processes', async () => {
    await create()
    await Promise.all([build(), build(), build(), build()])
    expect(received).toHaveLength(1)
  })

  it('is taken over from a process that died, and given up after three', async () => {
    const { id } = await create()
    const store = actionBuildStore(server.db, server.random)
    for (let n = 0; n < 3; n += 1) {
      const at = server.clock.now()
      expect(await store.take({ at, leaseUntil: new Date(at.getTime() + 300_000) })).not.toBeNull()
      await build()
      expect(received).toEqual([])
      server.clock.advance(301)
    }
    await build()
    expect(await read(id)).toMatchObject({ status: 'failed', errors: [{ msg: expect.stringContaining('given up') }] })
  })

  it('a build whose process was late changes nothing', async () => {
    const { id } = await create()
    const store = actionBuildStore(server.db, server.random)
    const at = server.clock.now()
    const late = await store.take({ at, leaseUntil: new Date(at.getTime() + 300_000) })
    server.clock.advance(301)
    await build()
    if (late) await store.finish(late, { failure: 'late' }, server.clock.now())
    expect(await read(id)).toMatchObject({ status: 'built' })
  })

  it('of a deleted action ends without a trace', async () => {
    const { id } = await create()
    answer = async () => {
      await manager.remove(`/actions/actions/${id}`)
      return bundleOf('gone')
    }
    const before = await bundles()
    await build()
    expect(await bundles()).toEqual(before)
  })
})

it('bundles are removed a day after nothing names them any more', async () => {
  await server.database.pool.query('DELETE FROM action')
  await server.database.pool.query('DELETE FROM action_bundle')
  const kept = await create()
  await build()
  await deploy(kept.id)
  const left = await create({ dependencies: [{ name: 'lodash', version: '1.0.0' }] })
  await build()
  expect(await bundles()).toHaveLength(2)
  await manager.remove(`/actions/actions/${left.id}`)
  const ended = ENDED.find(({ table }) => table === 'action_bundle')
  if (!ended) return expect.fail('there is no such table')
  const clean = () => removeBatch(server.database.pool, ended, { now: server.clock.now(), keepDays: 30 })
  expect(await clean()).toBe(0)
  await server.database.pool.query("UPDATE action_bundle SET created_at = now() - interval '3 days'")
  expect(await clean()).toBe(1)
  const test = (await manager.post(`/actions/actions/${kept.id}/test`, { payload: { user: {} } })).json()
  expect(test.payload).toMatchObject({ outcome: 'ok' })
})

describe('with npm and a registry', () => {
  const withRegistry = async (work: (registry: Awaited<ReturnType<typeof openRegistry>>) => Promise<void>) => {
    const registry = await openRegistry()
    try {
      await work(registry)
    } finally {
      await registry.close()
    }
  }
  const code =
    "const greet = require('greeter'); exports.onExecutePostLogin = async (event, api) => { api.idToken.setCustomClaim('https://a.test/v', greet('Kim')) }"

  it('a package is resolved, bundled and used', () =>
    withRegistry(async (registry) => {
      registry.publish(
        { name: 'greeter', version: '1.2.0' },
        { 'index.js': 'module.exports = (name) => `Hello ${name}`' },
      )
      const { id } = await create({ code, dependencies: [{ name: 'greeter', version: '^1.0.0' }] })
      await buildActions({ ...worker(), bundler: createBundler({ root: process.cwd() }) })
      expect(await read(id)).toMatchObject({ status: 'built' })
      await deploy(id)
      const test = (await manager.post(`/actions/actions/${id}/test`, { payload: { user: {} } })).json()
      expect(test.payload).toMatchObject({ effects: { idTokenClaims: { 'https://a.test/v': 'Hello Kim' } } })
      const { rows } = await server.database.pool.query("SELECT packages FROM action_bundle WHERE code LIKE '%Hello%'")
      expect(rows).toMatchObject([{ packages: [{ name: 'greeter', version: '1.2.0' }] }])
    }))

  it('a build that a stop ends is left to another process', () =>
    withRegistry(async (registry) => {
      const { id } = await create({ code, dependencies: [{ name: 'greeter', version: '9.9.9' }] })
      const builds = createActionBuilds({ ...worker(), bundler: createBundler({ root: process.cwd() }) })
      builds.start()
      const rows = async () =>
        (await server.database.pool.query('SELECT build_attempt AS n FROM action WHERE id = $1', [id])).rows
      await expect.poll(rows).toEqual([{ n: 1 }])
      await builds.stop()
      expect(await read(id)).toMatchObject({ status: 'building' })
      registry.publish({ name: 'greeter', version: '9.9.9' }, { 'index.js': 'module.exports = () => 1' })
      server.clock.advance(301)
      await buildActions({ ...worker(), bundler: createBundler({ root: process.cwd() }) })
      expect(await read(id)).toMatchObject({ status: 'built' })
    }))
})
