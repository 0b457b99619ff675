// The custom token exchange (RFC 8693): an action judges a subject token, and what its tokens are good for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { payloadOf, refresh, SPA, signInForTokens, userinfo } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { demand } from '../../../testing/mfa'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const TYPE = 'urn:acme:legacy-token'
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const API = 'https://api.test/'

let server: TestServer
let manager: Manager
let actionId = ''

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, token_exchange: { allow_any_profile_of_type: ['custom_authentication'] } },
  })
  await server.addClient({ clientId: 'other', settings: SPA.settings })
  await server.addApi(API, { scopes: [{ value: 'read' }, { value: 'write' }], allow_offline_access: true })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'ada', email: 'ada@mail.test' })
  const action = await manager.post('/actions/actions', {
    name: 'Judge',
    supported_triggers: [{ id: 'custom-token-exchange', version: 'v1' }],
    code: code("api.access.deny('x')"),
    deploy: true,
  })
  actionId = String(action.json().id)
  const profile = {
    name: 'Legacy tokens',
    subject_token_type: TYPE,
    action_id: actionId,
    type: 'custom_authentication',
  }
  expect((await manager.post('/token-exchange-profiles', profile)).status).toBe(201)
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.advance(20)
  await server.setTenant({})
})

const code = (body: string) => `exports.onExecuteCustomTokenExchange = async (event, api) => {\n${body}\n}`

async function judge(body: string): Promise<void> {
  expect((await manager.patch(`/actions/actions/${actionId}`, { code: code(body) })).status).toBe(200)
  expect((await manager.send('POST', `/actions/actions/${actionId}/deploy`)).status).toBe(202)
  server.clock.advance(2)
}

const exchange = (more: Record<string, string | undefined> = {}, ip?: string): Promise<TestResponse> =>
  server.browser(ip ? { ip } : {}).post('/oauth/token', {
    form: { grant_type: GRANT, client_id: 'spa', subject_token: 'a token', subject_token_type: TYPE, ...more },
  })
const KIM = "api.authentication.setUserById('auth0|kim')"

describe('a subject token', () => {
  it('becomes tokens of the user whom the action names', async () => {
    await judge(`
      const { transaction, client, resource_server, request } = event
      if (transaction.subject_token !== 'a token' || transaction.subject_token_type !== '${TYPE}') return api.access.deny('invalid_request', 'not sent')
      if (client.client_id !== 'spa' || resource_server.identifier !== '${API}') return api.access.deny('invalid_request', 'not so')
      if (request.body.more !== 'kept' || 'subject_token' in request.body) return api.access.deny('invalid_request', JSON.stringify(request.body))
      if (transaction.requested_scopes.join() !== 'openid,read,offline_access') return api.access.deny('invalid_scope', transaction.requested_scopes.join())
      ${KIM}; api.user.setAppMetadata('moved', true)`)
    const answer = await exchange({ audience: API, scope: 'openid read offline_access', more: 'kept' })
    expect(answer.status, answer.text).toBe(200)
    const tokens = answer.json()
    expect(payloadOf(tokens.access_token)).toMatchObject({
      sub: 'auth0|kim',
      azp: 'spa',
      scope: 'openid read offline_access',
      gty: 'token-exchange',
    })
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: 'auth0|kim', aud: 'spa', gty: 'token-exchange' })
    expect((await userinfo(server.browser(), tokens.access_token)).json()).toMatchObject({ sub: 'auth0|kim' })
    const again = await refresh(server.browser(), tokens.refresh_token)
    expect(payloadOf(again.json().access_token)).toMatchObject({ gty: ['refresh_token', 'token-exchange'] })
    expect((await manager.get('/users/auth0%7Ckim')).json()).toMatchObject({ app_metadata: { moved: true } })
    expect(await server.audited()).toContainEqual(expect.objectContaining({ type: 'secte', user_id: 'auth0|kim' }))
  })

  it('runs the actions after a login, which know the protocol', async () => {
    await judge(KIM)
    const after = await manager.post('/actions/actions', {
      ...{ name: 'After', supported_triggers: [{ id: 'post-login', version: 'v3' }], deploy: true },
      code: "exports.onExecutePostLogin = async (event, api) => api.idToken.setCustomClaim('https://a.test/p', event.transaction.protocol)",
    })
    await manager.patch('/actions/triggers/post-login/bindings', {
      bindings: [{ ref: { type: 'action_id', value: after.json().id } }],
    })
    server.clock.advance(2)
    const { id_token } = (await exchange({ scope: 'openid' })).json()
    expect(payloadOf(id_token)).toMatchObject({ 'https://a.test/p': 'oauth2-token-exchange' })
    await manager.patch('/actions/triggers/post-login/bindings', { bindings: [] })
  })

  it.each([
    ['without a type', { subject_token_type: undefined }, 400, 'invalid_request'],
    ['without a token', { subject_token: undefined }, 400, 'invalid_request'],
    ['of an unknown type', { subject_token_type: 'urn:acme:other' }, 400, 'invalid_request'],
    ['that is too long', { subject_token: 'a'.repeat(33_000) }, 400, 'invalid_request'],
    ['with an actor without a type', { actor_token: 'a' }, 400, 'invalid_request'],
    ['of a client that may not', { client_id: 'other' }, 403, 'unauthorized_client'],
    ['for an unknown API', { audience: 'https://none.test/' }, 403, 'access_denied'],
  ])('is refused %s', async (_what, more, status, error) => {
    await judge(KIM)
    const answer = await exchange(more)
    expect([answer.status, answer.json().error], answer.text).toEqual([status, error])
  })

  it('is refused with the code of the action, also one of its own', async () => {
    await judge("api.access.deny('invalid_scope', 'not this one')")
    expect((await exchange()).json()).toMatchObject({ error: 'invalid_scope', error_description: 'not this one' })
    await judge("api.access.deny('acme_closed', 'at night')")
    const own = await exchange()
    expect([own.status, own.json()]).toMatchObject([403, { error: 'acme_closed', error_description: 'at night' }])
    await judge("api.access.deny('server_error', 'not the fault of this server')")
    expect((await exchange()).json()).toMatchObject({ error: 'access_denied' })
  })

  it.each([
    ['names no user', ''],
    ['names a user who is not there', "api.authentication.setUserById('auth0|none')"],
    ['throws', "throw new Error('broken')"],
    ['names two arguments of a wrong kind', 'api.authentication.setUserById({})'],
    ['names a connection that is not there', "api.authentication.setUserByConnection('None', { user_id: 'kim' })"],
    ['names an account that is not there', "api.authentication.setUserByConnection('Users', { user_id: 'none' })"],
    [
      'sets an attribute that has no effect',
      "api.authentication.setUserByConnection('Users', { user_id: 'x', blocked: false }, { creationBehavior: 'create_if_not_exists' })",
    ],
  ])('is refused where the action %s', async (_what, body) => {
    await judge(body)
    const answer = await exchange()
    expect([answer.status, answer.json().error], answer.text).toEqual([403, 'access_denied'])
    expect(answer.text).not.toContain('broken')
  })

  it('is in no record of a run, whatever the action prints', async () => {
    await judge(`console.log(event, event.transaction.subject_token); ${KIM}`)
    const sent = { subject_token: 'a-token-to-hide', actor_token: 'another-to-hide', actor_token_type: 'urn:acme:a' }
    expect((await exchange(sent)).status).toBe(200)
    const query = { action_name: 'Judge', take: '1' }
    await expect.poll(async () => (await manager.get('/actions/executions', { query })).text).toContain('***')
    const { rows } = await server.database.pool.query('SELECT lines::text AS lines FROM action_run')
    expect(rows.filter(({ lines }) => String(lines).includes('to-hide'))).toEqual([])
    expect(JSON.stringify([await server.audited(), server.lines])).not.toContain('to-hide')
  })

  it('is refused while its action is not deployed', async () => {
    const draft = await manager.post('/actions/actions', {
      ...{ name: 'Draft', code: code(KIM), supported_triggers: [{ id: 'custom-token-exchange', version: 'v1' }] },
    })
    const profile = { name: 'Drafts', subject_token_type: 'urn:acme:draft', type: 'custom_authentication' }
    await manager.post('/token-exchange-profiles', { ...profile, action_id: draft.json().id })
    expect((await exchange({ subject_token_type: 'urn:acme:draft' })).json()).toMatchObject({ error: 'access_denied' })
  })

  it('a subject token is not judged again from an address that sent ten bad ones', async () => {
    await judge("api.access.rejectInvalidSubjectToken('not signed')")
    const ip = '203.0.113.77'
    for (let n = 0; n < 10; n += 1) {
      const bad = await exchange({}, ip)
      expect([bad.status, bad.json()]).toMatchObject([
        400,
        { error: 'invalid_request', error_description: 'not signed' },
      ])
    }
    await judge(KIM)
    expect((await exchange({}, ip)).status).toBe(429)
    expect((await exchange({}, '192.0.2.200')).status).toBe(200)
    server.clock.advance(12_000)
    expect((await exchange({}, ip)).status).toBe(200)
  })
})

describe('the tokens of an exchange', () => {
  it.each(['https://id.test/api/v2/', 'https://id.test/me/', 'https://id.test/mfa/'])(
    'are not for %s',
    async (audience) => {
      await judge(KIM)
      expect((await exchange({ audience })).json()).toMatchObject({ error: 'invalid_target' })
    },
  )

  it('prove no account for linking', async () => {
    await judge("api.authentication.setUserById('auth0|ada')")
    const { id_token } = (await exchange({ scope: 'openid' })).json()
    const kim = await signInForTokens(server.browser(), 'kim@mail.test', {
      ...{ audience: 'https://id.test/api/v2/', scope: 'openid update:current_user_identities' },
    })
    const answer = await server.browser().post('/api/v2/users/auth0%7Ckim/identities', {
      json: { link_with: id_token },
      headers: { authorization: `Bearer ${kim.access_token}` },
    })
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    expect((await manager.get('/users/auth0%7Cada')).status).toBe(200)
  })

  it('are refused for an administrator', async () => {
    await (await server.runtime()).administrators.put('auth0|ada', 'auditor', server.clock.now())
    await judge("api.authentication.setUserById('auth0|ada')")
    expect((await exchange()).json()).toMatchObject({ error: 'access_denied' })
    await (await server.runtime()).administrators.change('auth0|ada', null, 'operator')
    expect((await exchange()).status).toBe(200)
  })

  it('are refused for a blocked person', async () => {
    await server.addUser({ id: 'eve', email: 'eve@mail.test', blocked: true })
    await judge("api.authentication.setUserById('auth0|eve')")
    expect((await exchange()).status).toBe(403)
  })

  it('an exchange needs a factor where one is demanded, and proves no factor', async () => {
    await demand(server, ['all-applications'], ['otp'])
    await judge(KIM)
    const answer = await exchange()
    expect([answer.status, answer.json().error], answer.text).toEqual([403, 'access_denied'])
    expect(answer.json()).not.toHaveProperty('mfa_token')
  })

  it('name the actor, and are not refreshed', async () => {
    await judge(`${KIM}; api.authentication.setActor({ sub: 'agent-7', client: 'desk' })`)
    const sent = {
      actor_token: 'b',
      actor_token_type: 'urn:acme:agent',
      scope: 'openid read offline_access',
      audience: API,
    }
    const tokens = (await exchange(sent)).json()
    expect(payloadOf(tokens.access_token)).toMatchObject({
      act: { sub: 'agent-7', client: 'desk' },
      scope: 'openid read',
    })
    expect(payloadOf(tokens.id_token)).toMatchObject({ act: { sub: 'agent-7' } })
    expect(tokens).not.toHaveProperty('refresh_token')
  })
})

describe('an account at a connection', () => {
  const account = (attributes: object, options: object = {}) =>
    judge(`api.authentication.setUserByConnection('Users', ${JSON.stringify(attributes)}, ${JSON.stringify(options)})`)
  const creates = { creationBehavior: 'create_if_not_exists' }

  it('is made at the first exchange, and found at the next', async () => {
    await account(
      { user_id: 'new', email: 'New@Mail.test', email_verified: true, name: 'New', username: 'ignored' },
      creates,
    )
    for (let n = 0; n < 2; n += 1) {
      const answer = await exchange({ scope: 'openid email' })
      expect(payloadOf(answer.json().id_token)).toMatchObject({ sub: 'auth0|new', email: 'new@mail.test' })
    }
    expect((await manager.get('/users/auth0%7Cnew')).json()).toMatchObject({ name: 'New', email_verified: true })
  })

  it('is not joined to another with the same address', async () => {
    await account({ user_id: 'thief', email: 'kim@mail.test', email_verified: true }, creates)
    expect((await exchange()).json()).toMatchObject({ error: 'access_denied' })
    expect((await manager.get('/users/auth0%7Cthief')).status).toBe(404)
  })

  it('gets another name where the action replaces it, and never another address', async () => {
    await account({ user_id: 'kim', email: 'other@mail.test', name: 'Kim Ito' }, { updateBehavior: 'replace' })
    expect((await exchange()).status).toBe(200)
    expect((await manager.get('/users/auth0%7Ckim')).json()).toMatchObject({ name: 'Kim Ito', email: 'kim@mail.test' })
  })

  it('of a connection that is not the client’s is not found', async () => {
    await server.addConnection('Hidden', { enabled_clients: [] }, 'con_hidden')
    await server.addUser({ id: 'mia', email: 'mia@mail.test', connectionId: 'con_hidden' })
    await judge("api.authentication.setUserByConnection('Hidden', { user_id: 'mia' })")
    expect((await exchange()).json()).toMatchObject({ error: 'access_denied' })
    await judge("api.authentication.setUserByConnection('Users', { user_id: 'mia' })")
    expect((await exchange()).json()).toMatchObject({ error: 'access_denied' })
  })
})

describe('token exchange profiles', () => {
  const profile = (more: object = {}) => ({
    ...{ name: 'More', subject_token_type: 'urn:acme:more', action_id: actionId, type: 'custom_authentication' },
    ...more,
  })

  it('are made, listed, changed and removed', async () => {
    const made = (await manager.post('/token-exchange-profiles', profile())).json()
    const times = { created_at: expect.any(String), updated_at: expect.any(String) }
    expect(made).toEqual({ ...profile(), ...times, id: expect.stringMatching(/^tep_/) })
    const list = (await manager.get('/token-exchange-profiles', { query: { take: '50' } })).json()
    expect(list.token_exchange_profiles).toContainEqual(expect.objectContaining({ id: made.id }))
    const changed = await manager.patch(`/token-exchange-profiles/${made.id}`, { name: 'Others' })
    expect(changed.json()).toMatchObject({ name: 'Others', subject_token_type: 'urn:acme:more' })
    expect((await manager.remove(`/token-exchange-profiles/${made.id}`)).status).toBe(204)
    expect((await manager.get(`/token-exchange-profiles/${made.id}`)).status).toBe(404)
  })

  it.each([
    ['a type of the IETF', { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
    ['a type of the vendor', { subject_token_type: 'https://auth0.com/token' }],
    ['a type of the vendor’s tenants', { subject_token_type: 'https://acme.eu.auth0.com/token' }],
    ['a type that is no URI', { subject_token_type: 'legacy-token' }],
    ['an unknown action', { action_id: 'none' }],
    ['another kind', { type: 'on_behalf_of_token_exchange' }],
    ['no name', { name: '' }],
  ])('are refused with %s', async (_what, more) => {
    expect((await manager.post('/token-exchange-profiles', profile(more))).json()).toMatchObject({ statusCode: 400 })
  })

  it('are refused for an action of another trigger, and for a type that is taken', async () => {
    const login = await manager.post('/actions/actions', {
      ...{ name: 'Login', supported_triggers: [{ id: 'post-login', version: 'v3' }], code: '' },
    })
    expect((await manager.post('/token-exchange-profiles', profile({ action_id: login.json().id }))).status).toBe(400)
    expect((await manager.post('/token-exchange-profiles', profile({ subject_token_type: TYPE }))).status).toBe(409)
  })
})
