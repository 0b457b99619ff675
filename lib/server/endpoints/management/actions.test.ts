// Actions in the Management API: drafts, deployment, versions, secrets and bindings, and that what is bound runs in a login.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../identity/tenant-code/sandbox/sandbox'
import { testServices } from '../../../testing/actions'
import { payloadOf, SPA, signInForTokens } from '../../../testing/journey'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { sandboxFiles } from '../../runtime/actions'

const CODE = (claim: string) =>
  `exports.onExecutePostLogin = async (event, api) => { api.idToken.setCustomClaim('${claim}', event.secrets.KEY ?? 'none') }`
const POST_LOGIN = [{ id: 'post-login', version: 'v3' }]

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

let made = 0
async function create(over: Record<string, unknown> = {}) {
  made += 1
  const body = { name: `Action ${made}`, supported_triggers: POST_LOGIN, code: CODE('https://a.test/a'), ...over }
  return manager.post('/actions/actions', body)
}
const deploy = (id: unknown) => manager.send('POST', `/actions/actions/${id}/deploy`)
const bind = (bindings: unknown) => manager.patch('/actions/triggers/post-login/bindings', { bindings })

describe('an action', () => {
  it('is created as a draft, deployed as a version, and then changed again', async () => {
    const action = (await create()).json()
    expect(action).toMatchObject({ status: 'built', all_changes_deployed: false, supported_triggers: POST_LOGIN })
    expect(action).not.toHaveProperty('deployed_version')
    const deployed = await deploy(action.id)
    expect(deployed.status).toBe(202)
    expect(deployed.json()).toMatchObject({ action_id: action.id, number: 1, deployed: true, status: 'built' })
    const read = (await manager.get(`/actions/actions/${action.id}`)).json()
    expect(read).toMatchObject({ all_changes_deployed: true, deployed_version: { number: 1 } })
    const changed = (await manager.patch(`/actions/actions/${action.id}`, { code: CODE('https://a.test/b') })).json()
    expect(changed).toMatchObject({
      all_changes_deployed: false,
      deployed_version: { number: 1, code: CODE('https://a.test/a') },
    })
    await deploy(action.id)
    const list = (await manager.get(`/actions/actions/${action.id}/versions`)).json() as {
      versions: { id: string; number: number }[]
    }
    expect(list).toMatchObject({
      total: 2,
      versions: [
        { number: 2, deployed: true },
        { number: 1, deployed: false },
      ],
    })
    const first = list.versions[1]?.id
    expect((await manager.post(`/actions/actions/${action.id}/versions/${first}/deploy`, {})).json()).toMatchObject({
      number: 3,
      code: CODE('https://a.test/a'),
    })
  })

  it('is deployed with its creation where the body asks for that, and refused before it exists where it could not run', async () => {
    const action = (await create({ deploy: true })).json()
    expect(action).toMatchObject({ all_changes_deployed: true, deployed_version: { number: 1 } })
    expect((await manager.get(`/actions/actions/${action.id}`)).json()).toEqual(action)
    const name = 'Never made'
    expect((await create({ name, deploy: true, code: "require('fs')" })).status).toBe(400)
    expect((await manager.get('/actions/actions', { query: { actionName: name } })).json()).toMatchObject({
      actions: [],
    })
  })

  it('of an earlier version replaces the draft, and reports that it was not to', async () => {
    const { id } = (await create({ deploy: true })).json()
    const { versions } = (await manager.get(`/actions/actions/${id}/versions`)).json() as { versions: { id: string }[] }
    const again = `/actions/actions/${id}/versions/${versions[0]?.id}/deploy`
    await manager.post(again, { update_draft: true })
    expect(await lastReported(server)).toEqual([])
    await manager.post(again, { update_draft: false })
    expect(await lastReported(server)).toEqual(['update_draft'])
  })

  it('keeps and shows members without effect, also when it is deployed', async () => {
    const further = [{ any: 'value' }]
    const action = (await create({ further, deploy: true })).json()
    expect(action).toMatchObject({ further })
    expect((await manager.patch(`/actions/actions/${action.id}`, { runtime: 'node18' })).json()).toMatchObject({
      further,
    })
    await deploy(action.id)
    expect((await manager.get(`/actions/actions/${action.id}`)).json()).toMatchObject({ further })
    expect((await manager.patch(`/actions/actions/${action.id}`, { further: null })).json()).not.toHaveProperty(
      'further',
    )
  })

  it('is changed and deleted only as it was read, where the request says so', async () => {
    const path = `/actions/actions/${(await create()).json().id}`
    const tag = async () => (await manager.get(path)).header('etag') ?? ''
    const stale = await tag()
    expect((await manager.patch(path, { runtime: 'node18' }, { 'if-match': stale })).status).toBe(200)
    expect((await manager.patch(path, { runtime: 'node22' }, { 'if-match': stale })).status).toBe(412)
    expect((await manager.get(path)).json()).toMatchObject({ runtime: 'node18' })
    expect((await manager.send('DELETE', path, { headers: { 'if-match': stale } })).status).toBe(412)
    expect((await manager.send('DELETE', path, { headers: { 'if-match': await tag() } })).status).toBe(204)
  })

  it('is listed with a total, by trigger and by name', async () => {
    const { name } = (await create()).json()
    const all = (await manager.get('/actions/actions', { query: { per_page: '1' } })).json()
    expect(all).toMatchObject({ page: 0, per_page: 1, actions: [expect.anything()] })
    expect(Number(all.total)).toBeGreaterThan(1)
    const named = (await manager.get('/actions/actions', { query: { actionName: String(name) } })).json()
    expect(named).toMatchObject({ total: 1, actions: [{ name }] })
    expect((await manager.get('/actions/actions', { query: { triggerId: 'send-phone-message' } })).json()).toEqual({
      actions: [],
      page: 0,
      per_page: 50,
    })
  })

  it.each([
    ['an unknown trigger', { supported_triggers: [{ id: 'on-monday' }] }],
    ['no trigger', { supported_triggers: [] }],
    ['a secret without a value', { secrets: [{ name: 'KEY' }] }],
    ['a secret by the name of what every object has', { secrets: [{ name: 'constructor' }] }],
    ['a secret that would be lost', { secrets: [{ name: '__proto__', value: 'x' }] }],
  ])('is refused with %s', async (_what, over) => {
    expect((await create(over)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('has a name of its own', async () => {
    const { name } = (await create()).json()
    expect((await create({ name })).json()).toMatchObject({ statusCode: 409, errorCode: 'action_conflict' })
  })

  it.each([
    ['code that is no JavaScript', { code: 'exports.onExecutePostLogin = (' }],
    ['a package that it does not declare', { code: `require('axios'); ${CODE('https://a.test/a')}` }],
    ['a call that does not exist', { code: 'exports.onExecutePostLogin = async (event, api) => { api.magic.do() }' }],
    ['no handler', { code: 'exports.other = 1' }],
  ])('with %s can be saved but not deployed', async (_what, over) => {
    const { id } = (await create(over)).json()
    expect((await deploy(id)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect((await manager.get(`/actions/actions/${id}`)).json()).not.toHaveProperty('deployed_version')
  })

  it('shows the names of its secrets alone, and keeps one that is sent without a value', async () => {
    const { id, secrets } = (await create({ secrets: [{ name: 'KEY', value: 'do not show' }] })).json()
    expect(secrets).toEqual([{ name: 'KEY', updated_at: expect.any(String) }])
    const { text } = await manager.patch(`/actions/actions/${id}`, {
      secrets: [{ name: 'KEY' }, { name: 'B', value: 'b' }],
    })
    expect(text).not.toContain('do not show')
    expect(JSON.stringify(await server.audited())).not.toContain('do not show')
    const { rows } = await server.database.pool.query('SELECT t::text AS row FROM action t')
    expect(rows.filter(({ row }) => String(row).includes('do not show'))).toEqual([])
  })
})

describe('the bindings of a trigger', () => {
  it('are one list, whose deployed actions run in order in a login', async () => {
    const { id, name } = (
      await create({ code: CODE('https://a.test/key'), secrets: [{ name: 'KEY', value: 'sesame' }] })
    ).json()
    expect((await bind([{ ref: { type: 'action_id', value: id } }])).status).toBe(400)
    await deploy(id)
    const bound = await bind([{ ref: { type: 'action_name', value: name }, display_name: 'First' }])
    expect(bound.json()).toMatchObject({
      bindings: [{ trigger_id: 'post-login', display_name: 'First', action: { id } }],
    })
    expect((await manager.get('/actions/triggers/post-login/bindings')).json()).toMatchObject({
      total: 1,
      bindings: [{ action: { name } }],
    })
    server.clock.advance(2)
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', {})
    expect(payloadOf(tokens.id_token)).toMatchObject({ 'https://a.test/key': 'sesame' })
    expect((await manager.remove(`/actions/actions/${id}`)).json()).toMatchObject({ statusCode: 409 })
    expect((await manager.send('DELETE', `/actions/actions/${id}?force=true`)).status).toBe(204)
    expect((await manager.get('/actions/triggers/post-login/bindings')).json()).toEqual({
      bindings: [],
      page: 0,
      per_page: 50,
    })
    server.clock.advance(2)
    const after = await signInForTokens(server.browser(), 'kim@mail.test', {})
    expect(payloadOf(after.id_token)).not.toHaveProperty('https://a.test/key')
  })

  it('name actions of that trigger, each once', async () => {
    const { id } = (await create()).json()
    await deploy(id)
    const ref = { type: 'action_id', value: id }
    expect((await bind([{ ref }, { ref }])).status).toBe(400)
    expect((await bind([{ ref: { type: 'action_id', value: 'none' } }])).status).toBe(400)
    expect((await manager.patch('/actions/triggers/send-phone-message/bindings', { bindings: [{ ref }] })).status).toBe(
      400,
    )
    expect((await manager.patch('/actions/triggers/on-monday/bindings', { bindings: [] })).status).toBe(404)
  })

  it('follow an action that gets another name', async () => {
    const { id } = (await create()).json()
    await deploy(id)
    await bind([{ ref: { type: 'action_id', value: id } }])
    await manager.patch(`/actions/actions/${id}`, { name: 'Renamed' })
    expect((await manager.get('/actions/triggers/post-login/bindings')).json()).toMatchObject({
      bindings: [{ action: { name: 'Renamed' } }],
    })
    await bind([])
  })

  it('exist for every trigger that there is', async () => {
    const { triggers } = (await manager.get('/actions/triggers')).json() as {
      triggers: { id: string; version: string; status: string }[]
    }
    expect(triggers.map(({ id }) => id)).toContain('post-login')
    expect(triggers.filter(({ version }) => version === 'v1').map(({ id }) => id)).toEqual([
      'custom-token-exchange',
      'password-reset-post-challenge',
      'custom-phone-provider',
      'custom-email-provider',
    ])
    expect(triggers.every(({ status }) => status === 'CURRENT')).toBe(true)
  })
})

it('concurrent deployments of one draft make a version each', async () => {
  const { id } = (await create()).json()
  const answers = await Promise.all([deploy(id), deploy(id), deploy(id)])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(answers.map((answer) => answer.json().number).sort()).toEqual([1, 2, 3])
})

it('keeps its fifty newest versions', async () => {
  const { id } = (await create()).json()
  for (let n = 0; n < 52; n += 1) expect((await deploy(id)).json()).toMatchObject({ number: n + 1 })
  const query = { per_page: '100' }
  const { versions } = (await manager.get(`/actions/actions/${id}/versions`, { query })).json() as {
    versions: { number: number; deployed: boolean }[]
  }
  expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => 52 - n))
  expect(versions[0]).toMatchObject({ deployed: true })
})

describe('a test run', () => {
  const test = (id: unknown, payload: unknown) => manager.post(`/actions/actions/${id}/test`, { payload })
  const handler = (body: string) => `exports.onExecutePostLogin = async (event, api) => {\n${body}\n}`
  const runsOf = async (name: unknown) =>
    (await manager.get('/actions/executions', { query: { action_name: String(name) } })).json().executions

  it('runs the draft on the given event, shows what it would do, and does none of it', async () => {
    const code = handler(
      "console.log('for', event.user.email); api.user.setAppMetadata('seen', event.n); api.accessToken.setCustomClaim('https://a.test/k', event.secrets.KEY)",
    )
    const action = (await create({ code, secrets: [{ name: 'KEY', value: 'the value of it' }] })).json()
    const answer = await test(action.id, { user: { user_id: 'auth0|kim', email: 'kim@mail.test' }, n: 3 })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json().payload).toEqual({
      outcome: 'ok',
      error: null,
      effects: { appMetadata: { seen: 3 }, accessTokenClaims: { 'https://a.test/k': '***' } },
      calls: [
        { method: 'api.user.setAppMetadata', arguments: ['seen', 3] },
        { method: 'api.accessToken.setCustomClaim', arguments: ['https://a.test/k', '***'] },
      ],
      requests: [],
      stack: null,
      logs: [{ level: 'log', text: 'for kim@mail.test' }],
      milliseconds: expect.any(Number),
    })
    expect((await manager.get('/users/auth0%7Ckim')).json()).not.toHaveProperty('app_metadata.seen')
    expect(await runsOf(action.name)).toEqual([])
    expect((await manager.get(`/actions/actions/${action.id}`)).json()).toMatchObject({ all_changes_deployed: false })
  })

  it.each([
    ['denies', "api.access.deny('not today')", { outcome: 'denied', error: null }],
    [
      'throws',
      "throw new Error('broke at the value of it')",
      {
        outcome: 'threw',
        error: expect.stringContaining('broke at ***'),
        stack: expect.stringMatching(/\.js:2:\d+\)/),
      },
    ],
    [
      'requests what it may not reach',
      "await fetch('http://10.0.0.1/the value of it').catch(() => {})",
      { requests: [{ method: 'GET', host: '10.0.0.1', status: null, failure: expect.any(String) }] },
    ],
  ])('says that the action %s', async (_what, body, payload) => {
    const secrets = [{ name: 'KEY', value: 'the value of it' }]
    const action = (await create({ code: handler(body), secrets })).json()
    expect((await test(action.id, { user: {} })).json().payload).toMatchObject(payload)
  })

  it('says that the action does not end', async () => {
    const sandbox = createSandbox({
      ...sandboxFiles(process.cwd()),
      services: testServices(),
      threads: 1,
      queueLimit: 10,
    })
    const limited = await testServer({ sandbox })
    try {
      const own = await addManager(limited)
      const body = {
        name: 'Endless',
        supported_triggers: [{ id: 'post-login', version: 'v3' }],
        code: handler('for (;;) {}'),
      }
      const action = (await own.post('/actions/actions', body)).json()
      const answer = await own.post(`/actions/actions/${action.id}/test`, { payload: { user: {} } })
      expect(answer.json().payload).toMatchObject({ outcome: 'timeout', error: expect.any(String) })
    } finally {
      sandbox.close()
      await limited.close()
    }
  })

  it('is refused for an unknown action, code that cannot run, and no event', async () => {
    const action = (await create({ code: "require('fs')" })).json()
    expect((await test(action.id, {})).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect((await test('none', {})).status).toBe(404)
    const works = (await create()).json()
    for (const payload of [undefined, null, 'text', []])
      expect((await test(works.id, payload)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })
})

describe('executions', () => {
  it('are listed by their numbers, the newest first, of all actions and of one', async () => {
    const ids = ['10000001', '10000000', '9999999', '9999998']
    await server.database.pool.query(
      `INSERT INTO action_run (tenant_id, id, at, trigger, action, outcome, milliseconds, lines)
       SELECT 'default', id::bigint, now(), 'post-login', 'numbered', 'done', 1, '[]' FROM unnest($1::text[]) AS id`,
      [ids],
    )
    for (const query of [{}, { action_name: 'numbered' }]) {
      const first = (await manager.get('/actions/executions', { query: { ...query, take: '2' } })).json()
      const second = (
        await manager.get('/actions/executions', { query: { ...query, take: '2', from: String(first.next) } })
      ).json()
      const listed = [first, second].flatMap(({ executions }) => executions as { id: string }[])
      expect(listed.map(({ id }) => id)).toEqual(ids)
    }
    await server.database.pool.query("DELETE FROM action_run WHERE action = 'numbered'")
  })

  it('are listed and read, without secrets, and are no other tenant’s', async () => {
    const code =
      "exports.onExecutePostLogin = async (event, api) => { console.log('key', event.secrets.KEY); throw new Error('away') }"
    const action = (
      await create({ code, on_failure: 'pass', secrets: [{ name: 'KEY', value: 'the value of it' }] })
    ).json()
    await deploy(action.id)
    await bind([{ ref: { type: 'action_id', value: action.id } }])
    server.clock.advance(60)
    for (let n = 0; n < 2; n += 1) await signInForTokens(server.browser(), 'kim@mail.test')
    await bind([])
    const list = async (query: Record<string, string> = {}) =>
      (await manager.get('/actions/executions', { query: { action_name: String(action.name), ...query } })).json()
    await expect.poll(async () => (await list()).executions).toHaveLength(2)
    const first = await list({ take: '1' })
    const second = await list({ take: '1', from: String(first.next) })
    const ids = [first, second].map(({ executions }) => (executions as { id: string }[])[0]?.id)
    expect(Number(ids[0])).toBeGreaterThan(Number(ids[1]))
    const one = await manager.get(`/actions/executions/${ids[0]}`)
    expect(one.json()).toMatchObject({
      trigger_id: 'post-login',
      status: 'final',
      user_id: 'auth0|kim',
      client_id: SPA.clientId,
      results: [
        {
          action_name: action.name,
          error: { id: 'threw', msg: expect.stringContaining('away') },
          logs: [{ level: 'log', text: 'key ***' }],
        },
      ],
    })
    await server.database.pool.query(
      "INSERT INTO tenant (id, name, settings, updated_at) VALUES ('other', 'O', '{}', now())",
    )
    await server.database.pool.query("UPDATE action_run SET tenant_id = 'other' WHERE id = $1", [ids[0]])
    expect((await manager.get(`/actions/executions/${ids[0]}`)).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_action_execution',
    })
    expect((await list()).executions).toHaveLength(1)
    for (const id of ['none', '0', '-1', '99999999999999999999'])
      expect((await manager.get(`/actions/executions/${id}`)).status).toBe(404)
  })
})

it('is refused where the tenant has a hundred', async () => {
  const { rows } = await server.database.pool.query("SELECT count(*)::int AS n FROM action WHERE tenant_id = 'default'")
  await server.database.pool.query(
    `INSERT INTO action (tenant_id, name, settings, updated_at)
    SELECT 'default', 'Filler ' || n, '{"code": "", "trigger": "post-login", "deployed": false}', now() FROM generate_series(1, $1) n`,
    [99 - rows[0].n],
  )
  expect((await create()).status).toBe(201)
  const refused = await create()
  expect([refused.status, refused.json().errorCode]).toEqual([409, 'too_many_actions'])
  await server.database.pool.query("DELETE FROM action WHERE name LIKE 'Filler %'")
  expect((await create()).status).toBe(201)
})
