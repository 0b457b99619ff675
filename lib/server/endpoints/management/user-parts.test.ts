// What belongs to a user in the Management API: roles and permissions, logins, consents, factors, accounts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softCredential } from '../../../testing/authenticator'
import { payloadOf, refresh, SPA, signInForTokens, userinfo } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { addPasskey, offerPasskeys } from '../../../testing/passkeys'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let far: Manager['send']

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({
    tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } },
    guardianFactors: [
      { name: 'otp', enabled: true },
      { name: 'sms', enabled: true },
      { name: 'recovery-code', enabled: true },
    ],
  })
  const grant_types = ['authorization_code', 'refresh_token']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await server.addApi('https://api.test', {
    scopes: [{ value: 'read:it', description: 'Reads' }, { value: 'write:it' }],
  })
  await server.addRole('editor', { 'https://api.test': ['read:it'] })
  await server.addRole('reader', { 'https://api.test': ['read:it'] })
  for (const id of ['kim', 'lee', 'max', 'zoe'])
    await server.addUser({ id, email: `${id}@mail.test`, data: { emailVerified: true } })
  far = await farManager()
})
afterAll(() => server.close())

/** A manager of another tenant. */
async function farManager(): Promise<Manager['send']> {
  const { MANAGEMENT_SCOPES } = await import('../../../data/apis/management-scopes')
  const there = await server.addTenant('far', 'https://far.test')
  const audience = 'https://far.test/api/v2/'
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'] }
  await there.addClient({ clientId: 'far', secret: 'the secret of far', settings })
  await there.addClientGrant('far', audience, [...MANAGEMENT_SCOPES.keys()])
  const browser = server.browser({ host: 'far.test' })
  const form = { grant_type: 'client_credentials', client_id: 'far', client_secret: 'the secret of far', audience }
  const token = String((await browser.post('/oauth/token', { form })).json().access_token)
  return (method, path, ask = {}) =>
    browser.send(method, `/api/v2${path}`, { ...ask, headers: { authorization: `Bearer ${token}` } })
}

const KIM = '/users/auth0%7Ckim'
const LEE = '/users/auth0%7Clee'
const UNKNOWN = '/users/auth0%7Cnobody'
const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]
const listOf = (answer: TestResponse): Record<string, unknown>[] => JSON.parse(answer.text)
const logIn = (name: string) =>
  signInForTokens(server.browser(), `${name}@mail.test`, { scope: 'openid offline_access' })
const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)

describe('roles of a user', () => {
  it('are given, listed and taken', async () => {
    expect((await manager.post(`${KIM}/roles`, { roles: ['editor', 'reader'] })).status).toBe(204)
    expect(listOf(await manager.get(`${KIM}/roles`)).map(({ id }) => id)).toEqual(['editor', 'reader'])
    const paged = await manager.get(`${KIM}/roles`, { query: { include_totals: 'true', page: '1', per_page: '1' } })
    expect(paged.json()).toMatchObject({ start: 1, limit: 1, length: 1, total: 2, roles: [{ id: 'reader' }] })
    expect((await manager.remove(`${KIM}/roles`, { roles: ['editor'] })).status).toBe(204)
    expect(listOf(await manager.get(`${KIM}/roles`)).map(({ id }) => id)).toEqual(['reader'])
  })

  it('are refused for unknown users and roles', async () => {
    expect(outcome(await manager.post(`${UNKNOWN}/roles`, { roles: ['editor'] }))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.get(`${UNKNOWN}/roles`))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.remove(`${UNKNOWN}/roles`, { roles: ['editor'] }))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.post(`${KIM}/roles`, { roles: ['editor', 'none'] }))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.post(`${KIM}/roles`, { roles: [] }))).toEqual([400, 'invalid_body'])
    expect(listOf(await manager.get(`${KIM}/roles`)).map(({ id }) => id)).toEqual(['reader'])
    expect((await far('GET', `${KIM}/roles`)).status).toBe(404)
    expect((await far('POST', `${KIM}/roles`, { json: { roles: ['editor'] } })).status).toBe(404)
  })
})

describe('permissions of a user', () => {
  const permission = (permission_name: string) => ({
    permissions: [{ resource_server_identifier: 'https://api.test', permission_name }],
  })

  it('are listed with the roles that give them', async () => {
    await manager.post(`${KIM}/roles`, { roles: ['reader'] })
    expect((await manager.post(`${KIM}/permissions`, permission('write:it'))).status).toBe(201)
    await manager.post(`${KIM}/permissions`, permission('read:it'))
    expect(listOf(await manager.get(`${KIM}/permissions`))).toEqual([
      expect.objectContaining({
        permission_name: 'read:it',
        description: 'Reads',
        sources: [
          { source_id: '', source_name: '', source_type: 'DIRECT' },
          { source_id: 'reader', source_name: 'reader', source_type: 'ROLE' },
        ],
      }),
      expect.objectContaining({ permission_name: 'write:it', resource_server_identifier: 'https://api.test' }),
    ])
    expect((await manager.remove(`${KIM}/permissions`, permission('write:it'))).status).toBe(204)
    expect(listOf(await manager.get(`${KIM}/permissions`))).toHaveLength(1)
  })

  it('are refused for unknown users and scopes', async () => {
    expect(outcome(await manager.post(`${KIM}/permissions`, permission('none')))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.post(`${UNKNOWN}/permissions`, permission('read:it')))).toEqual([
      404,
      'inexistent_user',
    ])
    expect(outcome(await manager.get(`${UNKNOWN}/permissions`))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.remove(`${UNKNOWN}/permissions`, permission('read:it')))).toEqual([
      404,
      'inexistent_user',
    ])
    expect((await far('GET', `${KIM}/permissions`)).status).toBe(404)
  })
})

describe('logins of a user', () => {
  const sessionsOf = async (user: string) =>
    (await manager.get(`${user}/sessions`)).json().sessions as Record<string, unknown>[]
  const tokensOf = async (user: string) =>
    (await manager.get(`${user}/refresh-tokens`)).json().tokens as Record<string, unknown>[]
  const revoked = async (tokens: Record<string, unknown>) =>
    (await refresh(server.browser(), tokens.refresh_token)).status === 403
  const sidOf = (tokens: Record<string, unknown>) => String(payloadOf(tokens.id_token).sid)

  it('are listed, read, and ended one by one', async () => {
    const first = await logIn('lee')
    const second = await logIn('lee')
    const sessions = await sessionsOf(LEE)
    expect(sessions.map(({ id }) => id).sort()).toEqual([sidOf(first), sidOf(second)].sort())
    const read = await manager.get(`/sessions/${sidOf(first)}`)
    expect(read.json()).toMatchObject({
      id: sidOf(first),
      user_id: 'auth0|lee',
      clients: [{ client_id: SPA.clientId }],
      authentication: { methods: [{ name: 'pwd' }] },
    })
    expect((await far('GET', `/sessions/${sidOf(first)}`)).status).toBe(404)
    expect((await far('POST', `/sessions/${sidOf(first)}/revoke`)).status).toBe(404)
    await far('DELETE', `/sessions/${sidOf(first)}`)
    expect(await sessionsOf(LEE)).toHaveLength(2)

    expect((await manager.remove(`/sessions/${sidOf(first)}`)).status).toBe(202)
    expect(outcome(await manager.get(`/sessions/${sidOf(first)}`))).toEqual([404, 'inexistent_session'])
    expect(await revoked(first)).toBe(false)
    expect((await manager.post(`/sessions/${sidOf(second)}/revoke`, undefined)).status).toBe(202)
    expect(await revoked(second)).toBe(true)
    expect(outcome(await manager.post(`/sessions/${sidOf(second)}/revoke`, undefined))).toEqual([
      404,
      'inexistent_session',
    ])
  })

  it('are followed by checkpoint to the end', async () => {
    await logIn('max')
    await logIn('max')
    const MAX = '/users/auth0%7Cmax'
    for (const [path, key] of [
      ['sessions', 'sessions'],
      ['refresh-tokens', 'tokens'],
    ] as const) {
      const one = (await manager.get(`${MAX}/${path}`, { query: { take: '1' } })).json()
      const two = (await manager.get(`${MAX}/${path}`, { query: { take: '1', from: String(one.next) } })).json()
      const ids = [one, two].map((page) => (page[key] as Record<string, unknown>[])[0]?.id)
      expect(new Set(ids).size).toBe(2)
    }
    const from = Buffer.from('not a uuid').toString('base64url')
    expect((await manager.get(`${MAX}/refresh-tokens`, { query: { from } })).json()).toEqual({ tokens: [] })
  })

  it('a refresh token is read and revoked, its access tokens too', async () => {
    const tokens = await logIn('zoe')
    const [listed] = await tokensOf('/users/auth0%7Czoe')
    const path = `/refresh-tokens/${String(listed?.id)}`
    expect((await manager.get(path)).json()).toMatchObject({
      user_id: 'auth0|zoe',
      client_id: SPA.clientId,
      session_id: sidOf(tokens),
    })
    expect((await far('GET', path)).status).toBe(404)
    await far('DELETE', path)
    expect((await manager.get(path)).status).toBe(200)
    expect((await manager.remove(path)).status).toBe(202)
    expect(await revoked(tokens)).toBe(true)
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(401)
    expect(outcome(await manager.get(path))).toEqual([404, 'inexistent_refresh_token'])
    expect((await manager.get('/refresh-tokens/none')).status).toBe(404)
    expect((await manager.remove('/refresh-tokens/none')).status).toBe(202)
  })

  it('say where they began, which a login anew in the same browser keeps', async () => {
    const again = { scope: 'openid', prompt: 'login' }
    const browser = server.browser({ ip: '2001:db8::1', userAgent: `a${'\u{1f98a}'.repeat(400)}` })
    const path = `/sessions/${sidOf(await signInForTokens(browser, 'kim@mail.test', again))}`
    const device = { initial_ip: '2001:db8::1', initial_user_agent: `a${'\u{1f98a}'.repeat(249)}\ufffd` }
    expect((await manager.get(path)).json().device).toEqual(device)
    const moved = server.browser({ ip: '203.0.113.9', userAgent: 'another' })
    for (const cookie of browser.cookies) moved.cookies.set(...cookie)
    expect(`/sessions/${sidOf(await signInForTokens(moved, 'kim@mail.test', again))}`).toBe(path)
    expect((await manager.get(path)).json().device).toEqual(device)
    const silent = sidOf(await signInForTokens(server.browser(), 'kim@mail.test', again))
    expect((await manager.get(`/sessions/${silent}`)).json().device).toEqual({ initial_ip: '198.51.100.7' })
  })

  it('have metadata, which a login anew and a rotated token keep', async () => {
    const browser = server.browser()
    const again = { scope: 'openid offline_access', prompt: 'login' }
    const tokens = await signInForTokens(browser, 'kim@mail.test', again)
    const sid = sidOf(tokens)
    const [listed] = await tokensOf(KIM)
    const places = [
      [`/sessions/${sid}`, 'session_metadata'],
      [`/refresh-tokens/${String(listed?.id)}`, 'refresh_token_metadata'],
    ] as const
    for (const [path, member] of places) {
      expect((await manager.get(path)).json()).toMatchObject({ [member]: null })
      expect((await manager.patch(path, { [member]: { desk: '4', floor: '1' } })).status).toBe(200)
      expect((await manager.patch(path, { [member]: { desk: '5' } })).json()).toMatchObject({ [member]: { desk: '5' } })
      expect((await manager.patch(path, {})).json()).toMatchObject({ [member]: { desk: '5' } })
      expect((await far('PATCH', path, { json: { [member]: {} } })).status).toBe(404)
      const many = Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`m${n}`, '']))
      for (const wrong of [
        { [member]: many },
        { [member]: { a: 1 } },
        { [member]: 'a' },
        { [member]: { a: 'b'.repeat(256) } },
        { x: 1 },
      ])
        expect((await manager.patch(path, wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
    expect(sidOf(await signInForTokens(browser, 'kim@mail.test', again))).toBe(sid)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
    for (const [path, member] of places) {
      expect((await manager.get(path)).json()).toMatchObject({ [member]: { desk: '5' } })
      expect((await manager.patch(path, { [member]: {} })).json()).toMatchObject({ [member]: null })
    }
    for (const path of ['/sessions/none', '/refresh-tokens/none', `/refresh-tokens/${crypto.randomUUID()}`])
      expect((await manager.patch(path, {})).status).toBe(404)
  })

  it('refresh tokens are listed and revoked by user, client, audience and id', async () => {
    await manager.remove('/users/auth0%7Czoe/refresh-tokens')
    const first = await logIn('zoe')
    const second = await logIn('zoe')
    const listed = async (over: Record<string, string> = {}, path = '/refresh-tokens') =>
      (await manager.get(path, { query: { user_id: 'auth0|zoe', ...over } })).json().refresh_tokens as object[]
    const revoke = (json: object) => manager.post('/refresh-tokens/revoke', json)
    expect(await listed()).toEqual(await tokensOf('/users/auth0%7Czoe'))
    expect(await listed({ client_id: SPA.clientId, take: '1' })).toHaveLength(1)
    expect(await listed({ client_id: 'another' })).toEqual([])
    expect(Object.keys((await listed({ fields: 'id,client_id' }))[0] ?? {})).toEqual(['id', 'client_id'])
    expect(outcome(await manager.get('/refresh-tokens'))).toEqual([400, 'invalid_query_string'])
    expect(outcome(await manager.get('/refresh-tokens', { query: { user_id: 'auth0|nobody' } }))).toEqual([
      404,
      'inexistent_user',
    ])
    expect((await far('GET', '/refresh-tokens', { query: { user_id: 'auth0|zoe' } })).status).toBe(404)

    const ids = (await tokensOf('/users/auth0%7Czoe')).map(({ id }) => String(id))
    for (const body of [
      { user_id: 'auth0|zoe', client_id: 'another' },
      { user_id: 'auth0|zoe', client_id: SPA.clientId, audience: 'https://another.test' },
      { ids: ['none'] },
    ])
      expect((await revoke(body)).status).toBe(202)
    expect((await far('POST', '/refresh-tokens/revoke', { json: { ids } })).status).toBe(202)
    expect((await far('POST', '/refresh-tokens/revoke', { json: { user_id: 'auth0|zoe' } })).status).toBe(202)
    expect(await listed()).toHaveLength(2)
    expect((await revoke({ ids: ids.slice(0, 1) })).status).toBe(202)
    expect(await listed()).toHaveLength(1)
    expect((await revoke({ user_id: 'auth0|zoe', client_id: SPA.clientId })).status).toBe(202)
    expect(await listed()).toEqual([])
    expect([await revoked(first), await revoked(second)]).toEqual([true, true])
  })

  it('refresh tokens of an application are counted and end together, but those of people above the caller', async () => {
    const path = `/clients/${SPA.clientId}/refresh-tokens`
    await manager.remove(path)
    const first = await logIn('zoe')
    server.clock.advance(2)
    const second = await logIn('lee')
    const before = (await manager.get(path)).json() as {
      counts: object
      refresh_tokens: { id: string; user_id: string }[]
    }
    expect(before.counts).toEqual({ tokens: 2, users: 2, sessions: 2 })
    expect(before.refresh_tokens.map(({ user_id }) => user_id)).toEqual(['auth0|lee', 'auth0|zoe'])
    const one = (await manager.get(path, { query: { take: '1' } })).json()
    expect(one.refresh_tokens).toHaveLength(1)
    const rest = (await manager.get(path, { query: { take: '1', from: String(one.next) } })).json()
    for (const from of ['x', 'none', Buffer.from('never 1').toString('base64url')])
      expect(outcome(await manager.get(path, { query: { from } })), from).toEqual([400, 'invalid_query_string'])
    expect(rest.refresh_tokens).toEqual(before.refresh_tokens.slice(1))
    expect((await far('GET', path)).status).toBe(404)
    expect((await far('DELETE', path)).status).toBe(404)
    expect((await manager.get('/clients/none/refresh-tokens')).status).toBe(404)

    await (await server.runtime()).administrators.put('auth0|lee', 'auditor', server.clock.now())
    const plain = await addManager(server, { clientId: 'ends-tokens', granted: ['delete:refresh_tokens'] })
    expect((await plain.get(path)).status).toBe(403)
    expect((await plain.remove(path)).json()).toEqual({ ended: 1, users: 1, kept: 1 })
    expect(await revoked(first)).toBe(true)
    expect(await revoked(second)).toBe(false)
    expect((await manager.remove(path)).json()).toEqual({ ended: 1, users: 1, kept: 0 })
    expect((await manager.get(path)).json().counts).toEqual({ tokens: 0, users: 0, sessions: 0 })
    await server.database.pool.query("DELETE FROM administrator WHERE user_id = 'auth0|lee'")
  })

  it('sessions of an application are those in which it has a token that holds, each once, the newest first', async () => {
    const path = `/clients/${SPA.clientId}/sessions`
    const before = (await manager.get(path)).json().sessions as { id: string }[]
    for (const { id } of before) await manager.remove(`/sessions/${id}`)
    expect((await manager.get(path)).json()).toEqual({ sessions: [] })
    await logIn('zoe')
    server.clock.advance(2)
    await logIn('lee')
    type Listed = { sessions: { id: string; user_id: string; device: object }[]; next?: string }
    const all = (await manager.get(path)).json() as Listed
    expect(all.sessions.map(({ user_id }) => user_id)).toEqual(['auth0|lee', 'auth0|zoe'])
    // Beside a session without a token, in no order.
    const own = (await manager.get('/users/auth0%7Clee/sessions')).json().sessions as { id: string }[]
    expect(own).toContainEqual(all.sessions[0])
    const one = (await manager.get(path, { query: { take: '1' } })).json() as Listed
    const rest = await manager.get(path, { query: { take: '1', from: String(one.next) } })
    expect([...one.sessions, ...(rest.json() as Listed).sessions]).toEqual(all.sessions)
    const [token] = (await manager.get(`/clients/${SPA.clientId}/refresh-tokens`)).json().refresh_tokens as object[]
    expect(token).toMatchObject({ user_id: 'auth0|lee', device: all.sessions[0]?.device })

    expect((await far('GET', path)).status).toBe(404)
    expect((await manager.get('/clients/none/sessions')).status).toBe(404)
    expect(outcome(await manager.get(path, { query: { from: 'x' } }))).toEqual([400, 'invalid_query_string'])
    const other = await addManager(server, { clientId: 'reads-tokens', granted: ['read:refresh_tokens'] })
    expect((await other.get(path)).status).toBe(403)
    await manager.remove(`/sessions/${all.sessions[0]?.id}`)
    expect((await manager.get(path)).json()).toMatchObject({ sessions: [{ user_id: 'auth0|zoe' }] })
  })

  it.each<[object]>([
    [{}],
    [{ ids: [] }],
    [{ ids: Array(101).fill('x') }],
    [{ ids: ['x'], user_id: 'auth0|zoe' }],
    [{ client_id: 'spa' }],
    [{ user_id: 'auth0|zoe', audience: 'https://api.test' }],
  ])('are not revoked by %j', async (body) => {
    expect(outcome(await manager.post('/refresh-tokens/revoke', body))).toEqual([400, 'invalid_body'])
  })

  it('end all at once', async () => {
    const tokens = await logIn('lee')
    expect((await manager.remove(`${LEE}/sessions`)).status).toBe(202)
    expect(await sessionsOf(LEE)).toEqual([])
    expect(await tokensOf(LEE)).not.toEqual([])
    expect((await manager.remove(`${LEE}/refresh-tokens`)).status).toBe(202)
    expect(await tokensOf(LEE)).toEqual([])
    expect(await revoked(tokens)).toBe(true)
    for (const path of ['sessions', 'refresh-tokens']) {
      expect(outcome(await manager.get(`${UNKNOWN}/${path}`))).toEqual([404, 'inexistent_user'])
      expect(outcome(await manager.remove(`${UNKNOWN}/${path}`))).toEqual([404, 'inexistent_user'])
    }
  })

  it('end by revoke-access: all of them, the sessions alone, or one', async () => {
    const revoke = (json?: object, token?: string) =>
      manager.send('POST', `${LEE}/revoke-access`, {
        ...(json ? { json } : {}),
        ...(token ? { token } : {}),
      })
    const one = await logIn('lee')
    const other = await logIn('lee')
    expect((await revoke({ session_id: sidOf(one) })).status).toBe(204)
    expect([await revoked(one), await revoked(other)]).toEqual([true, false])
    expect(outcome(await revoke({ session_id: 'none' }))).toEqual([404, 'inexistent_session'])
    const kept = await logIn('lee')
    expect((await revoke({ preserve_refresh_tokens: true })).status).toBe(204)
    expect(await sessionsOf(LEE)).toEqual([])
    expect(await revoked(kept)).toBe(false)
    const half = await manager.token(['delete:sessions'])
    expect(outcome(await revoke(undefined, half))).toEqual([403, 'insufficient_scope'])
    expect((await revoke()).status).toBe(204)
    expect(await revoked(kept)).toBe(true)
    expect(outcome(await manager.post(`${UNKNOWN}/revoke-access`, {}))).toEqual([404, 'inexistent_user'])
  })

  it('of another user are not ended by a session’s id', async () => {
    const tokens = await logIn('max')
    const answer = await manager.post(`${LEE}/revoke-access`, { session_id: sidOf(tokens) })
    expect(outcome(answer)).toEqual([404, 'inexistent_session'])
    expect(await revoked(tokens)).toBe(false)
  })
})

describe('grants', () => {
  const consent = (user: string, client: string, audience: string) =>
    query(
      `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at)
       SELECT tenant_id, id, $2, $3, '{read:it}', now() FROM "user" WHERE id = $1`,
      [user, client, audience],
    )
  const grants = async (filter: Record<string, string> = {}) => listOf(await manager.get('/grants', { query: filter }))

  it('are listed by user, client and API, and removed with their tokens', async () => {
    const tokens = await logIn('max')
    await consent('auth0|max', SPA.clientId, '')
    await consent('auth0|max', 'other', 'https://api.test')
    await consent('auth0|lee', 'other', 'https://api.test')
    expect(await grants()).toHaveLength(3)
    expect(await grants({ user_id: 'auth0|max', audience: 'https://api.test' })).toEqual([
      {
        id: expect.any(String),
        clientID: 'other',
        user_id: 'auth0|max',
        audience: 'https://api.test',
        scope: ['read:it'],
      },
    ])
    const [own] = await grants({ user_id: 'auth0|max', client_id: SPA.clientId })
    await far('DELETE', `/grants/${String(own?.id)}`)
    expect(await grants()).toHaveLength(3)
    expect((await manager.remove(`/grants/${String(own?.id)}`)).status).toBe(204)
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    expect(await grants()).toHaveLength(2)
    expect((await manager.remove('/grants/none')).status).toBe(204)
    expect(outcome(await manager.remove('/grants'))).toEqual([400, 'invalid_query_string'])
    expect((await manager.send('DELETE', '/grants', { query: { user_id: 'auth0|max' } })).status).toBe(204)
    expect((await grants()).map(({ user_id }) => user_id)).toEqual(['auth0|lee'])
  })
})

describe('device credentials', () => {
  it('are listed and removed', async () => {
    await query(
      `INSERT INTO device_credential (tenant_id, id, user_id, client_id, type, device_name, device_id, value, created_at)
       SELECT tenant_id, 'dcr_1', id, 'app', 'public_key', 'Phone', 'd1', 'key', now() FROM "user" WHERE id = 'auth0|kim'`,
    )
    const list = async (filter: Record<string, string>) =>
      listOf(await manager.get('/device-credentials', { query: filter }))
    expect(await list({ user_id: 'auth0|kim' })).toEqual([
      {
        id: 'dcr_1',
        device_name: 'Phone',
        device_id: 'd1',
        type: 'public_key',
        user_id: 'auth0|kim',
        client_id: 'app',
      },
    ])
    expect(await list({ type: 'refresh_token' })).toEqual([])
    await far('DELETE', '/device-credentials/dcr_1')
    expect(await list({})).toHaveLength(1)
    expect((await manager.remove('/device-credentials/dcr_1')).status).toBe(204)
    expect(await list({})).toEqual([])
  })
})

describe('factors of a user', () => {
  const METHODS = `${KIM}/authentication-methods`
  const SECRET = 'JBSWY3DPEHPK3PXP'
  const left = async () => (await query('SELECT id FROM authenticator ORDER BY id')).rows.map(({ id }) => String(id))

  it('are added confirmed, listed, read and removed', async () => {
    const made = await manager.post(METHODS, {
      type: 'totp',
      totp_secret: SECRET.toLowerCase().replace(/.{4}/g, '$& '),
    })
    expect(made.status, made.text).toBe(201)
    expect(made.json()).toMatchObject({ type: 'totp', confirmed: true, id: expect.stringMatching(/^totp\|dev_/) })
    expect(made.text).not.toContain(SECRET)
    await manager.post(METHODS, { type: 'phone', phone_number: '+49 1511 2349167' })
    await manager.post(METHODS, { type: 'email', email: 'second@mail.test' })
    expect(
      listOf(await manager.get(METHODS))
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['email', 'phone', 'totp'])
    const totals = await manager.get(METHODS, { query: { include_totals: 'true', per_page: '2' } })
    expect(totals.json()).toMatchObject({ total: 3, limit: 2, length: 2 })
    const one = `${METHODS}/${encodeURIComponent(String(made.json().id))}`
    expect((await manager.get(one)).json()).toMatchObject({ type: 'totp' })
    expect((await far('GET', one)).status).toBe(404)
    expect((await far('DELETE', one)).status).toBe(404)
    expect(listOf(await manager.get(`${KIM}/enrollments`))).toEqual(
      expect.arrayContaining([expect.objectContaining({ status: 'confirmed', phone_number: 'XXXXXXXXX9167' })]),
    )
    expect((await manager.remove(one)).status).toBe(204)
    expect(outcome(await manager.get(one))).toEqual([404, 'inexistent_authentication_method'])
    expect((await manager.remove(`${KIM}/multifactor/guardian`)).status).toBe(204)
    expect(await left()).toEqual([])
  })

  it('keep the names that they are added with', async () => {
    const named = [
      { type: 'totp', totp_secret: SECRET, name: 'Work phone' },
      { type: 'phone', phone_number: '+49 1511 2349167', name: 'Mobile' },
      { type: 'email', email: 'second@mail.test', name: 'Second' },
    ]
    for (const each of named) expect((await manager.post(METHODS, each)).json()).toMatchObject({ name: each.name })
    const shown = listOf(await manager.get(METHODS)).map(({ name }) => name)
    expect(shown.sort()).toEqual(['Mobile', 'Second', 'Work phone'])
    await manager.remove(METHODS)
  })

  it.each<[object]>([
    [{ type: 'totp' }],
    [{ type: 'totp', totp_secret: 'not base32!' }],
    [{ type: 'phone' }],
    [{ type: 'phone', phone_number: '12' }],
    [{ type: 'email' }],
    [{ type: 'passkey' }],
    [{ type: 'email', email: 'a@mail.test', key_id: 'unknown here' }],
    [{ type: 'email', email: 'a@mail.test', name: '' }],
  ])('are refused as %j', async (body) => {
    expect(outcome(await manager.post(METHODS, body))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.put(METHODS, [body]))).toEqual([400, 'invalid_body'])
  })

  it('are all replaced in one step, and the remembered browsers forgotten', async () => {
    await manager.post(METHODS, { type: 'totp', totp_secret: SECRET })
    await query(
      `INSERT INTO authenticator (tenant_id, user_id, id, type, active, secret_digest, created_at)
       SELECT tenant_id, id, 'recovery-code|dev_0', 'recovery-code', true, '\\x01', now() FROM "user" WHERE id = 'auth0|kim'`,
    )
    await rememberBrowser()
    const given = [
      { type: 'phone', phone_number: '+49 1511 2349167', preferred_authentication_method: 'voice', name: 'Mobile' },
      { type: 'totp', totp_secret: SECRET },
    ]
    const answer = await manager.put(METHODS, given)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toContain(SECRET)
    expect(listOf(answer)).toEqual(listOf(await manager.get(METHODS)))
    expect(listOf(answer).sort((a, b) => (String(a.type) < String(b.type) ? -1 : 1))).toMatchObject([
      { type: 'phone', name: 'Mobile', preferred_authentication_method: 'voice', confirmed: true },
      { type: 'totp', confirmed: true },
    ])
    expect((await query('SELECT 1 FROM known_browser')).rows).toEqual([])
    expect(JSON.stringify(await server.audited())).not.toContain(SECRET)
    await Promise.all([manager.put(METHODS, given), manager.put(METHODS, given), manager.put(METHODS, [given[1]])])
    expect([1, 2]).toContain(listOf(await manager.get(METHODS)).length)
    expect((await far('PUT', METHODS, { json: given })).status).toBe(404)
    expect(outcome(await manager.put(METHODS, Array(21).fill(given[1])))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.put(METHODS, given[0]))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.put(`${UNKNOWN}/authentication-methods`, []))).toEqual([404, 'inexistent_user'])
    expect((await manager.put(METHODS, [])).text).toBe('[]')
    expect(await left()).toEqual([])
  })

  it('get another name, and a phone another way to be reached', async () => {
    const made = async (body: object) =>
      `${METHODS}/${encodeURIComponent(String((await manager.post(METHODS, body)).json().id))}`
    const phone = await made({ type: 'phone', phone_number: '+49 1511 2349167', name: 'Old' })
    const totp = await made({ type: 'totp', totp_secret: SECRET })
    const named = await manager.patch(phone, { name: 'New' })
    expect(named.json()).toMatchObject({ name: 'New', preferred_authentication_method: 'sms' })
    const called = await manager.patch(phone, { preferred_authentication_method: 'voice' })
    expect(called.json()).toEqual({ ...named.json(), preferred_authentication_method: 'voice' })
    expect((await manager.get(phone)).json()).toEqual(called.json())
    expect((await manager.patch(totp, { name: 'App' })).json()).toMatchObject({ type: 'totp', name: 'App' })
    expect(outcome(await manager.patch(totp, { preferred_authentication_method: 'sms' }))).toEqual([
      400,
      'invalid_body',
    ])
    expect(outcome(await manager.patch(phone, { phone_number: '+4915112349168' }))).toEqual([400, 'invalid_body'])
    expect(outcome(await manager.patch(phone, { preferred_authentication_method: 'fax' }))).toEqual([
      400,
      'invalid_body',
    ])
    expect((await far('PATCH', phone, { json: { name: 'Theirs' } })).status).toBe(404)
    expect(outcome(await manager.patch(`${METHODS}/none`, { name: 'x' }))).toEqual([
      404,
      'inexistent_authentication_method',
    ])
    await manager.remove(METHODS)
  })

  it('all go at once, and with them the browsers that were remembered', async () => {
    for (const path of ['authenticators', 'authentication-methods']) {
      await manager.post(METHODS, { type: 'totp', totp_secret: SECRET })
      await rememberBrowser()
      expect((await manager.remove(`${KIM}/${path}`)).status).toBe(204)
      expect(await left()).toEqual([])
      expect((await query('SELECT 1 FROM known_browser')).rows).toEqual([])
    }
    await rememberBrowser()
    expect((await manager.post(`${KIM}/multifactor/actions/invalidate-remember-browser`, undefined)).status).toBe(204)
    expect((await query('SELECT 1 FROM known_browser')).rows).toEqual([])
  })

  const rememberBrowser = () =>
    query(
      `INSERT INTO known_browser (tenant_id, user_id, digest, created_at, seen_at)
       SELECT tenant_id, id, '\\x01', now(), now() FROM "user" WHERE id = 'auth0|kim'`,
    )

  it('the recovery code is replaced, once there is one', async () => {
    const path = `${KIM}/recovery-code-regeneration`
    expect(outcome(await manager.post(path, undefined))).toEqual([404, 'inexistent_recovery_code'])
    await query(
      `INSERT INTO authenticator (tenant_id, user_id, id, type, active, secret_digest, created_at)
       SELECT tenant_id, id, 'recovery-code|dev_1', 'recovery-code', true, '\\x01', now() FROM "user" WHERE id = 'auth0|kim'`,
    )
    const answer = await manager.post(path, undefined)
    expect(answer.status).toBe(201)
    expect(answer.json().recovery_code).toMatch(/^[A-Z0-9]{24}$/)
    const { rows } = await query("SELECT secret_digest FROM authenticator WHERE type = 'recovery-code'")
    expect(rows[0]?.secret_digest).toHaveLength(32)
    const log = JSON.stringify(await server.audited())
    expect(log).not.toContain(answer.json().recovery_code)
  })

  it('are no unknown user’s', async () => {
    for (const path of ['enrollments', 'authentication-methods'])
      expect(outcome(await manager.get(`${UNKNOWN}/${path}`))).toEqual([404, 'inexistent_user'])
    for (const path of ['authenticators', 'authentication-methods', 'multifactor/guardian'])
      expect(outcome(await manager.remove(`${UNKNOWN}/${path}`))).toEqual([404, 'inexistent_user'])
    for (const path of ['recovery-code-regeneration', 'multifactor/actions/invalidate-remember-browser'])
      expect(outcome(await manager.post(`${UNKNOWN}/${path}`, undefined))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.remove(`${KIM}/multifactor/none`))).toEqual([400, 'invalid_uri'])
  })
})

describe('accounts of a user', () => {
  it('are linked and unlinked, and the logins of the other user end', async () => {
    await server.addUser({ id: 'main', email: 'main@mail.test', data: { emailVerified: true } })
    await server.addUser({ id: 'side', email: 'side@mail.test', data: { emailVerified: true } })
    const tokens = await logIn('side')
    const path = '/users/auth0%7Cmain/identities'
    expect((await far('POST', path, { json: { provider: 'auth0', user_id: 'side' } })).status).toBe(404)
    const linked = await manager.post(path, { provider: 'auth0', user_id: 'auth0|side' })
    expect(linked.status, linked.text).toBe(201)
    expect(listOf(linked).map(({ user_id }) => user_id)).toEqual(['main', 'side'])
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    expect((await manager.get('/users/auth0%7Cside')).status).toBe(404)
    const unlinked = await manager.remove(`${path}/auth0/side`)
    expect(listOf(unlinked).map(({ user_id }) => user_id)).toEqual(['main'])
    expect((await manager.get('/users/auth0%7Cside')).json()).toMatchObject({ email: 'side@mail.test' })
  })

  it.each<[string, object, [number, string]]>([
    ['the same user', { provider: 'auth0', user_id: 'kim' }, [400, 'invalid_body']],
    ['an unknown account', { provider: 'auth0', user_id: 'nobody' }, [404, 'inexistent_identity']],
    [
      'an account of another connection',
      { provider: 'auth0', user_id: 'lee', connection_id: 'con_none' },
      [404, 'inexistent_identity'],
    ],
    ['an unverified address (BF2)', { provider: 'auth0', user_id: 'unproven' }, [400, 'invalid_body']],
    ['link_with, which is for users themselves', { link_with: 'eyJ' }, [400, 'invalid_body']],
  ])('are not linked with %s', async (_what, body, refusal) => {
    await server.addUser({ id: 'unproven', email: 'unproven@mail.test' }).catch(() => {})
    expect(outcome(await manager.post(`${KIM}/identities`, body))).toEqual(refusal)
  })

  it('the one that names the user, and an unknown one, are not unlinked', async () => {
    expect((await manager.remove(`${KIM}/identities/auth0/kim`)).status).toBe(400)
    expect(outcome(await manager.remove(`${KIM}/identities/auth0/none`))).toEqual([404, 'inexistent_identity'])
    expect(outcome(await manager.remove(`${UNKNOWN}/identities/auth0/none`))).toEqual([404, 'inexistent_user'])
    expect(outcome(await manager.post(`${UNKNOWN}/identities`, { provider: 'auth0', user_id: 'kim' }))).toEqual([
      404,
      'inexistent_user',
    ])
  })
})

describe('the audit log of a user', () => {
  it('has the records of that user alone, and an end', async () => {
    await logIn('zoe')
    await logIn('max')
    await server.audited()
    const path = '/users/auth0%7Czoe/logs'
    const all = listOf(await manager.get(path))
    expect(all.length).toBeGreaterThan(0)
    expect(new Set(all.map(({ user_id }) => user_id))).toEqual(new Set(['auth0|zoe']))
    const page = (await manager.get(path, { query: { include_totals: 'true', per_page: '1', sort: 'date:1' } })).json()
    expect(page).toMatchObject({ start: 0, limit: 1, length: 1, total: all.length, logs: [{ user_id: 'auth0|zoe' }] })
    expect(outcome(await manager.get(path, { query: { page: '10', per_page: '100' } }))).toEqual([
      400,
      'invalid_query_string',
    ])
    expect(outcome(await manager.get(path, { query: { sort: 'type:1' } }))).toEqual([400, 'invalid_query_string'])
    expect(outcome(await manager.get(`${UNKNOWN}/logs`))).toEqual([404, 'inexistent_user'])
    expect((await far('GET', path)).status).toBe(404)
  })
})

describe('passkeys of a user', () => {
  const METHODS = '/users/auth0%7Cpass/authentication-methods'

  it('are listed, read, renamed and removed beside factors, and never added', async () => {
    await offerPasskeys(server)
    const userId = await server.addUser({ id: 'pass', email: 'pass@mail.test', data: { emailVerified: true } })
    const credential = softCredential()
    const id = await addPasskey(server, userId, credential)
    const path = `${METHODS}/${encodeURIComponent(id)}`
    const shown = {
      id,
      type: 'passkey',
      name: 'Apple Passwords',
      created_at: server.clock.now().toISOString(),
      key_id: credential.id,
      public_key: expect.stringMatching(/^[\w-]+$/),
      credential_device_type: 'multi_device',
      credential_backed_up: true,
      identity_user_id: 'pass',
      user_handle: expect.stringMatching(/^[\w-]{43}$/),
      transports: ['internal', 'hybrid'],
      aaguid: expect.any(String),
      relying_party_id: 'id.test',
    }
    expect((await manager.get(METHODS)).json()).toEqual([shown])
    expect((await manager.get(path)).json()).toEqual(shown)
    expect((await manager.patch(path, { name: 'Tablet' })).json()).toEqual({ ...shown, name: 'Tablet' })
    expect((await manager.patch(path, { preferred_authentication_method: 'sms' })).status).toBe(400)
    expect((await manager.post(METHODS, { type: 'passkey' })).status).toBe(400)
    expect((await far('DELETE', path)).status).toBe(404)
    expect((await manager.send('DELETE', path)).status).toBe(204)
    expect((await manager.get(path)).status).toBe(404)
    await addPasskey(server, userId, softCredential())
    expect((await manager.send('DELETE', METHODS)).status).toBe(204)
    expect((await manager.get(METHODS)).json()).toEqual([])
  })
})
