// The vendor's hooks: stored and answered, and run at their points before the actions.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import { SAMPLES } from '../../../identity/tenant-code/actions/samples'
import type { HookTrigger } from '../../../identity/tenant-code/scripts/hooks'
import type { Effects } from '../../../identity/tenant-code/trigger'
import { bindAction } from '../../../testing/bind-action'
import { payloadOf, SPA, WEB } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const API = 'https://orders.test'
const CLAIM = 'https://acme.example/by'
const PLAIN = 'module.exports = function (user, context, cb) { cb(null, { user }) }'

let server: TestServer
let manager: Manager
let runs: RunRecord[] = []

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['client_credentials'] } })
  await server.addApi(API, { scopes: [{ value: 'read' }] })
  await server.addClientGrant('web', API, ['read'])
})
afterAll(() => server.close())
afterEach(async () => {
  runs = []
  await server.database.pool.query("DELETE FROM document WHERE kind = 'hook'")
  await server.database.pool.query('DELETE FROM action')
  await server.setTenant({})
})

const make = (triggerId: HookTrigger, script: string, more: object = {}) =>
  manager.post('/hooks', { name: `At ${triggerId}`, triggerId, script, enabled: true, ...more })

/** Runs a hook with this body. */
async function hooked(triggerId: HookTrigger, parameters: string, body: string): Promise<Effects> {
  expect((await make(triggerId, `module.exports = function (${parameters}) { ${body} }`)).status).toBe(201)
  server.clock.advance(2)
  return (await server.runtime()).triggers.run(triggerId, SAMPLES[triggerId] as never)
}

describe('hooks', () => {
  it('are made, listed, changed and removed', async () => {
    const made = (await make('pre-user-registration', PLAIN, { dependencies: {} })).json()
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^hok_\w{16}$/), name: 'At pre-user-registration', script: PLAIN },
      ...{ triggerId: 'pre-user-registration', enabled: true, dependencies: {} },
    })
    const other = (await make('post-change-password', PLAIN, { enabled: false })).json()
    expect((await manager.get('/hooks')).json()).toEqual([other, made])
    expect((await manager.get('/hooks', { query: { triggerId: 'pre-user-registration' } })).json()).toEqual([made])
    expect((await manager.get('/hooks', { query: { enabled: 'false' } })).json()).toEqual([other])
    const path = `/hooks/${made.id}`
    expect((await manager.get(path)).json()).toEqual(made)
    expect((await manager.patch(path, { enabled: false, name: 'Off' })).json()).toEqual({
      ...made,
      ...{ enabled: false, name: 'Off' },
    })
    expect((await manager.patch(path, { name: other.name })).json()).toMatchObject({ errorCode: 'hook_conflict' })
    expect((await manager.remove(path)).status).toBe(204)
    expect((await manager.get(path)).json()).toMatchObject({ errorCode: 'inexistent_hook' })
  })

  it.each([
    [{ script: 'module.exports = (' }, 400, 'is no JavaScript'],
    [{ script: "require('fs')" }, 400, 'no file system'],
    [{ dependencies: { argon2: '0.40.0' } }, 400, 'bcryptjs'],
    [{ name: '-wrong' }, 400, 'name'],
    [{ triggerId: 'post-login' }, 400, 'triggerId'],
  ])('are refused with %j', async (more, status, word) => {
    const answer = await make('post-change-password', PLAIN, more)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(word)])
  })

  it('may need what is not here while they are disabled, and one is enabled at a trigger', async () => {
    const old = { enabled: false, dependencies: { argon2: '0.40.0' } }
    const { id } = (await make('post-change-password', PLAIN, old)).json()
    expect((await manager.patch(`/hooks/${id}`, { enabled: true })).status).toBe(400)
    await make('post-change-password', PLAIN, { name: 'First' })
    const second = await make('post-change-password', PLAIN, { name: 'Second' })
    expect(second.json()).toMatchObject({ statusCode: 409, errorCode: 'hook_conflict' })
    expect((await make('post-user-registration', PLAIN, { name: 'Third' })).status).toBe(201)
  })

  it('are one at a trigger, and one of a name, whichever of several requests at the same time is first', async () => {
    const names = ['One', 'Two', 'Three']
    const enabled = await Promise.all(names.map((name) => make('post-change-password', PLAIN, { name })))
    expect(enabled.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const same = await Promise.all(
      (['post-user-registration', 'pre-user-registration', 'credentials-exchange'] as const).map((triggerId) =>
        make(triggerId, PLAIN, { name: 'Same' }),
      ),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const off = await Promise.all(
      names.map((name) => make('send-phone-message', PLAIN, { name: `${name} of ${name}`, enabled: false })),
    )
    const turned = await Promise.all(off.map((each) => manager.patch(`/hooks/${each.json().id}`, { enabled: true })))
    expect(turned.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('keep all of what requests at the same time change', async () => {
    const { id } = (await make('pre-user-registration', PLAIN)).json()
    const names = ['A', 'B', 'C', 'D']
    const answers = await Promise.all([
      ...names.map((name) => manager.post(`/hooks/${id}/secrets`, { [name]: 'x' })),
      manager.patch(`/hooks/${id}`, { enabled: false }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200])
    expect(Object.keys((await manager.get(`/hooks/${id}/secrets`)).json()).sort()).toEqual(names)
    expect((await manager.get(`/hooks/${id}`)).json().enabled).toBe(false)
  })

  it('have secrets that are sealed, never shown, and redacted in what they print', async () => {
    const script = 'module.exports = (user, context, cb) => { console.log(context.webtask.secrets.KEY); cb() }'
    const { id } = (await make('post-change-password', script)).json()
    const path = `/hooks/${id}/secrets`
    const shown = { KEY: '_VALUE_NOT_SHOWN_' }
    expect((await manager.post(path, { KEY: 'a hidden value' })).json()).toEqual(shown)
    expect((await manager.patch(path, { OTHER: 'b' })).json()).toEqual({ ...shown, OTHER: '_VALUE_NOT_SHOWN_' })
    expect((await manager.send('DELETE', path, { json: ['OTHER'] })).status).toBe(204)
    expect((await manager.get(path)).json()).toEqual(shown)
    const { rows } = await server.database.pool.query("SELECT body FROM document WHERE kind = 'hook'")
    expect(JSON.stringify([rows, await server.audited()])).not.toContain('a hidden value')
    server.clock.advance(2)
    await (await server.runtime()).triggers.run('post-change-password', SAMPLES['post-change-password'])
    expect(runs).toMatchObject([{ action: 'At post-change-password', lines: [{ level: 'log', text: '***' }] }])
    for (const answer of [await manager.get('/hooks/none/secrets'), await manager.post('/hooks/none/secrets', {})])
      expect(answer.json()).toMatchObject({ errorCode: 'inexistent_hook' })
  })
})

describe('a sign-up', () => {
  const signUp = (email: string) => {
    server.clock.advance(2)
    return server.browser().post('/dbconnections/signup', {
      json: { client_id: 'spa', connection: 'Users', email, password: PASSWORD, user_metadata: { plan: 'free' } },
    })
  }

  it('gets metadata of a hook, which sees no password', async () => {
    await make(
      'pre-user-registration',
      `module.exports = function (user, context, cb) {
        user.user_metadata.seen = [user.email, context.connection.name, context.request.ip]
        cb(null, { user: { user_metadata: user.user_metadata, app_metadata: { keys: Object.keys(user).join() } } })
      }`,
    )
    expect((await signUp('new@mail.test')).status).toBe(200)
    const { rows } = await server.database.pool.query(
      'SELECT user_metadata, app_metadata FROM "user" WHERE email = \'new@mail.test\'',
    )
    expect(rows[0]).toEqual({
      user_metadata: { plan: 'free', seen: ['new@mail.test', 'Users', '198.51.100.7'] },
      app_metadata: { keys: expect.not.stringContaining('password') },
    })
  })

  it('is refused by a hook, with the message for the user', async () => {
    await make(
      'pre-user-registration',
      "module.exports = (user, context, cb) => cb(new PreUserRegistrationError('not_invited', 'Only by invitation'))",
    )
    expect((await signUp('other@mail.test')).json()).toMatchObject({
      ...{ code: 'extensibility_error', description: 'not_invited', friendly_message: 'Only by invitation' },
    })
  })

  it.each([
    ['throws', "throw new Error('broken')"],
    ['answers an error', "cb(new Error('broken'))"],
    ['never calls back', ''],
    ['rejects', "return Promise.reject(new Error('broken'))"],
  ])('is refused by a hook that %s', async (_what, body) => {
    await make('pre-user-registration', `module.exports = function (user, context, cb) { ${body} }`)
    expect((await signUp('broken@mail.test')).status).toBe(400)
  })
})

describe('a token of a client for itself', () => {
  const ask = () => {
    server.clock.advance(2)
    const form = { grant_type: 'client_credentials', client_id: 'web', client_secret: WEB.secret, audience: API }
    return server.browser().post('/oauth/token', { form })
  }
  const atExchange = (body: string) =>
    make('credentials-exchange', `module.exports = function (client, scope, audience, context, cb) { ${body} }`)

  it('gets claims of a hook, before an action sees to it', async () => {
    await atExchange(
      `const token = { scope }; token['${CLAIM}'] = [client.id, audience, scope].join(); cb(null, token)`,
    )
    expect(payloadOf((await ask()).json().access_token)).toMatchObject({ [CLAIM]: `web,${API},read` })
    await bindAction(
      server,
      'credentials-exchange',
      `exports.onExecuteCredentialsExchange = async (event, api) => api.accessToken.setCustomClaim('${CLAIM}', 'action')`,
    )
    expect(payloadOf((await ask()).json().access_token)).toMatchObject({ [CLAIM]: 'action' })
  })

  it('is refused by a hook', async () => {
    await atExchange("cb(new InvalidScopeError('Ask for less'))")
    expect((await ask()).json()).toEqual({ error: 'invalid_scope', error_description: 'Ask for less' })
  })

  it('has no scope of a hook, and is refused where one sets it', async () => {
    await atExchange("cb(null, { scope: [...scope, 'write'] })")
    expect((await ask()).json()).toMatchObject({ error: 'access_denied' })
    expect(runs.at(-1)?.reason).toContain('a hook cannot change the scopes here')
  })
})

it.each([
  [
    'post-user-registration',
    'user, context, cb',
    'console.log(user.id, context.connection.name); cb()',
    'auth0|sample',
  ],
  ['post-change-password', 'user, context, cb', 'console.log(user.id, user.email); cb()', 'auth0|sample ada@'],
  [
    'send-phone-message',
    'recipient, text, context, cb',
    'console.log(recipient, context.message_type, context.action, context.user.email); cb()',
    '+1555***7 sms second-factor-authentication ada@',
  ],
] as const)('a hook at %s is called with the vendor’s arguments', async (triggerId, parameters, body, printed) => {
  expect((await hooked(triggerId, parameters, body)).denied).toBeNull()
  expect(runs).toMatchObject([
    { trigger: triggerId, outcome: 'ok', lines: [{ level: 'log', text: expect.stringContaining(printed) }] },
  ])
})

it('a hook delivers the codes of second factors where the tenant selected it', async () => {
  const script = 'module.exports = (recipient, text, context, cb) => { console.log(recipient); cb() }'
  await make('send-phone-message', script)
  server.clock.advance(2)
  const { triggers } = await server.runtime()
  expect(await triggers.deliver('send-phone-message', SAMPLES['send-phone-message'])).toMatchObject({ denied: null })
  await bindAction(server, 'send-phone-message', 'exports.onExecuteSendPhoneMessage = async () => {}')
  server.clock.advance(2)
  expect(
    await (await server.runtime()).triggers.deliver('send-phone-message', SAMPLES['send-phone-message']),
  ).toBeNull()
})
