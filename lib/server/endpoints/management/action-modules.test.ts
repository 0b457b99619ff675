// Actions Modules: drafts and versions, as the vendor's clients use them, and what an action gets of the version that it names.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import type { Effects } from '../../../identity/tenant-code/trigger'
import { loginEvent } from '../../../testing/actions'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let runs: RunRecord[] = []

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
})
afterAll(() => server.close())
afterEach(async () => {
  runs = []
  await server.database.pool.query("DELETE FROM document WHERE kind = 'action-module'")
  await server.database.pool.query('DELETE FROM action')
  await server.setTenant({})
})

const MODULES = '/actions/modules'
const GREET = "exports.greet = (name) => `Hello ${name}, ${actions.secrets.SIGN ?? 'nobody'}`"
const SIGN = [{ name: 'SIGN', value: 'the house of Ada' }]

const make = (more: object = {}) => manager.post(MODULES, { name: 'greetings', code: GREET, ...more })

const USING = `const { greet } = require('actions:greetings')
exports.onExecutePostLogin = async (event, api) => api.idToken.setCustomClaim('greeting', greet('Ada'))`

const action = (modules: object[] | undefined, more: object = {}) =>
  manager.post('/actions/actions', {
    ...{ name: 'Greeter', code: USING, supported_triggers: [{ id: 'post-login', version: 'v3' }], deploy: true },
    ...(modules ? { modules } : {}),
    ...more,
  })

async function logIn(): Promise<Effects> {
  await manager.patch('/actions/triggers/post-login/bindings', {
    bindings: [{ ref: { type: 'action_name', value: 'Greeter' } }],
  })
  server.clock.advance(2)
  return (await server.runtime()).triggers.run('post-login', loginEvent())
}

describe('a module', () => {
  it('is a draft until it is published, and shows no secret', async () => {
    const made = (await make({ secrets: SIGN, dependencies: [] })).json()
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^am_/), name: 'greetings', code: GREET, dependencies: [] },
      secrets: [{ name: 'SIGN', updated_at: expect.any(String) }],
      ...{ actions_using_module_total: 0, all_changes_published: false },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    })
    const versions = `${MODULES}/${made.id}/versions`
    const first = (await manager.post(versions, {})).json()
    expect(first).toEqual({
      ...{ id: expect.stringMatching(/^amv_.*_1$/), module_id: made.id, version_number: 1, code: GREET },
      ...{ dependencies: [], secrets: made.secrets, created_at: expect.any(String) },
    })
    const { module_id: _, ...latest_version } = first
    expect((await manager.get(`${MODULES}/${made.id}`)).json()).toEqual({
      ...made,
      ...{ all_changes_published: true, latest_version_number: 1, latest_version },
      updated_at: expect.any(String),
    })
    const changed = (await manager.patch(`${MODULES}/${made.id}`, { code: 'exports.greet = () => 2' })).json()
    expect(changed).toMatchObject({ all_changes_published: false, latest_version_number: 1, secrets: made.secrets })
    const second = (await manager.post(versions, {})).json()
    expect((await manager.get(versions)).json()).toEqual({ versions: [second, first], total: 2, page: 0, per_page: 50 })
    expect((await manager.get(`${versions}/${first.id}`)).json()).toEqual(first)
    const back = (await manager.post(`${MODULES}/${made.id}/rollback`, { module_version_id: first.id })).json()
    expect(back).toMatchObject({ code: GREET, all_changes_published: false, latest_version_number: 2 })
    expect((await server.database.pool.query('SELECT body FROM document')).rows[0].body).not.toContain('house of Ada')
    expect((await manager.get(MODULES)).json()).toMatchObject({ modules: [{ id: made.id }], total: 1 })
  })

  it.each([
    [{ code: undefined }, 400, 'code'],
    [{ name: "a'b" }, 400, 'quotes'],
    [{ secrets: [{ name: 'SIGN' }] }, 400, 'has no value'],
    [{ secrets: [{ name: 'constructor' }] }, 400, 'has no value'],
    [{ secrets: [{ name: '__proto__', value: 'x' }] }, 400, 'cannot be stored'],
    [{ code: 'exports.greet = (', publish: true }, 400, 'is no JavaScript'],
    [{ code: "require('fs')", publish: true }, 400, 'no file system'],
    [{ code: "require('actions:other')", publish: true }, 400, 'actions:other'],
    [{ dependencies: Array(11).fill({ name: 'lodash' }) }, 400, 'dependencies'],
  ])('is refused with %j', async (more, status, word) => {
    const answer = await make(more)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(word)])
  })

  it('exists once under its name, also for two requests at a time', async () => {
    const answers = await Promise.all([make(), make()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is not changed or deleted by a caller who read it before another change', async () => {
    const path = `${MODULES}/${(await make()).json().id}`
    const tag = async () => (await manager.get(path)).header('etag') ?? ''
    const stale = await tag()
    expect((await manager.patch(path, { code: 'exports.greet = () => 1' }, { 'if-match': stale })).status).toBe(200)
    expect((await manager.patch(path, { code: 'exports.greet = () => 2' }, { 'if-match': stale })).status).toBe(412)
    expect((await manager.send('DELETE', path, { headers: { 'if-match': stale } })).status).toBe(412)
    expect((await manager.get(path)).json().code).toBe('exports.greet = () => 1')
    expect((await manager.send('DELETE', path, { headers: { 'if-match': await tag() } })).status).toBe(204)
  })

  it('an unknown module and an unknown version are not found', async () => {
    const { id } = (await make({ publish: true })).json()
    for (const path of [`${MODULES}/am_none`, `${MODULES}/${id}/versions/amv_none`])
      expect((await manager.get(path)).status).toBe(404)
    expect((await manager.post(`${MODULES}/am_none/versions`, {})).status).toBe(404)
    expect((await manager.patch(`${MODULES}/am_none`, {})).status).toBe(404)
    expect((await manager.post(`${MODULES}/${id}/rollback`, { module_version_id: 'amv_none' })).status).toBe(404)
    expect((await manager.remove(`${MODULES}/am_none`)).status).toBe(204)
  })
})

describe('an action with a module', () => {
  it('runs the version that it names, with the secrets of that version, until it names another one', async () => {
    const { id, latest_version: first } = (await make({ publish: true, secrets: SIGN })).json()
    const named = { module_id: id, module_version_id: (first as { id: string }).id }
    const made = (await action([named])).json()
    expect(made).toMatchObject({
      modules: [{ ...named, module_name: 'greetings', module_version_number: 1 }],
      all_changes_deployed: true,
    })
    expect((await logIn()).idTokenClaims).toEqual({ greeting: 'Hello Ada, the house of Ada' })

    await manager.patch(`${MODULES}/${id}`, { code: "exports.greet = () => 'second'", secrets: [] })
    await manager.post(`${MODULES}/${id}/versions`, {})
    expect((await logIn()).idTokenClaims).toEqual({ greeting: 'Hello Ada, the house of Ada' })
    await manager.patch(`/actions/actions/${made.id}`, {
      modules: [{ module_name: 'greetings', module_version_number: 2 }],
    })
    await manager.post(`/actions/actions/${made.id}/deploy`, {})
    expect((await logIn()).idTokenClaims).toEqual({ greeting: 'second' })
    expect((await manager.get(`${MODULES}/${id}/actions`)).json()).toEqual({
      actions: [
        {
          ...{ action_id: made.id, action_name: 'Greeter', module_version_number: 2 },
          ...{ module_version_id: expect.any(String), supported_triggers: [{ id: 'post-login', version: 'v3' }] },
        },
      ],
      ...{ total: 1, page: 0, per_page: 50 },
    })
    expect((await manager.get(`${MODULES}/${id}`)).json()).toMatchObject({ actions_using_module_total: 1 })
    const refused = await manager.remove(`${MODULES}/${id}`)
    expect([refused.status, refused.json().errorCode]).toEqual([412, 'action_module_in_use'])
    await manager.remove(`/actions/actions/${made.id}?force=true`)
    expect((await manager.remove(`${MODULES}/${id}`)).status).toBe(204)
  })

  it('an action cannot see the secrets of its module, and what the module prints shows none', async () => {
    const code = `${GREET}; console.log('signed by', actions.secrets.SIGN)`
    await make({ publish: true, secrets: SIGN, code })
    await action([{ module_name: 'greetings', module_version_number: 1 }], {
      code: `${USING}; exports.onExecutePostLogin = async (event, api) => {
        require('actions:greetings')
        console.log(typeof actions, JSON.stringify(event.secrets))
      }`,
    })
    await logIn()
    expect(runs.at(-1)?.lines).toEqual([
      { level: 'log', text: expect.stringMatching(/^signed by (?!the house)/) },
      { level: 'log', text: 'undefined {}' },
    ])
  })

  it('is refused by name where it may not have it', async () => {
    await make({ publish: true })
    expect((await action(undefined)).text).toContain('actions:greetings (it is no module of this action)')
    expect((await action([{ module_name: 'greetings', module_version_number: 9 }])).text).toContain(
      'no such version of the module greetings',
    )
    const twice = { module_name: 'greetings', module_version_number: 1 }
    expect((await action([twice, twice])).text).toContain('twice')
    await manager.post(MODULES, {
      ...{ name: 'priced', code: "require('lodash')", publish: true },
      dependencies: [{ name: 'lodash', version: '4.17.20' }],
    })
    const clashing = await action([{ module_name: 'priced', module_version_number: 1 }], {
      code: 'exports.onExecutePostLogin = async () => {}',
      dependencies: [{ name: 'lodash', version: '4.17.21' }],
    })
    expect(clashing.text).toContain('two versions of lodash')
  })

  it('waits for the packages of the module', async () => {
    await manager.post(MODULES, {
      ...{ name: 'priced', code: "require('lodash')", publish: true },
      dependencies: [{ name: 'lodash', version: '4.17.21' }],
    })
    const made = await action([{ module_name: 'priced', module_version_number: 1 }], {
      code: "require('actions:priced'); exports.onExecutePostLogin = async () => {}",
    })
    expect(made.json()).toMatchObject({ status: 'building', all_changes_deployed: false })
  })

  it('a failure of a module names its place in the module', async () => {
    await make({ publish: true, code: "exports.greet = () => {\n  throw new Error('no words')\n}" })
    await action([{ module_name: 'greetings', module_version_number: 1 }])
    expect((await logIn()).denied).not.toBeNull()
    expect(runs.at(-1)?.reason).toBe('Error: no words (modules/greetings.js:2:13, from Greeter.js:2:91)')
  })
})
