import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadOf } from '../../../testing/journey'
import { PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'
const DEAD = { active: false }

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  const settings = { grant_types: ['password', 'refresh_token', 'client_credentials'] }
  for (const clientId of ['web', 'other']) {
    await server.addClient({ clientId, secret: `${clientId}-secret`, settings })
  }
  const guard = { grant_types: [], resource_server_identifier: API }
  await server.addClient({ clientId: 'guard', secret: 'guard-secret', settings: guard })
  await server.addClient({ clientId: 'public', settings: { app_type: 'spa', resource_server_identifier: API } })
  await server.addApi(API, { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await server.addApi('https://else.test', { scopes: [{ value: 'read:things' }] })
  await server.addClientGrant('web', API, ['read:things'])
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

type Fields = Record<string, string | undefined>
const as = (clientId: string): Fields => ({ client_id: clientId, client_secret: `${clientId}-secret` })
const token = async (extra: Fields = {}) => {
  const form = { ...as('web'), grant_type: 'password', username: 'kim@mail.test', password: PASSWORD, ...extra }
  return (await server.browser().post('/oauth/token', { form })).json()
}
const ask = (form: Fields): Promise<TestResponse> => server.browser().post('/oauth/introspect', { form })
const worth = async (value: unknown, asker = 'web') => (await ask({ ...as(asker), token: String(value) })).json()
const FOR_API = { audience: API, scope: 'openid read:things offline_access' }

describe('an active token', () => {
  it('for an API: everything it says, to its client and to the one that speaks for the API', async () => {
    const { access_token } = await token(FOR_API)
    const answer = await ask({ ...as('web'), token: String(access_token), token_type_hint: 'refresh_token' })
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answer.json()).toEqual({
      ...payloadOf(access_token),
      active: true,
      token_type: 'Bearer',
      client_id: 'web',
      scope: 'openid read:things offline_access',
    })
    expect(await worth(access_token, 'guard')).toEqual(answer.json())
  })

  it('an opaque token is active for its client', async () => {
    const { access_token, expires_in } = await token({ scope: 'openid email' })
    expect(await worth(access_token)).toEqual({
      active: true,
      token_type: 'Bearer',
      client_id: 'web',
      iss: 'https://id.test/',
      sub: 'auth0|kim',
      aud: 'https://id.test/userinfo',
      scope: 'openid email',
      exp: Math.floor(server.clock.now().getTime() / 1000) + Number(expires_in),
    })
  })

  it('to refresh with: to its client, as long as it is the newest', async () => {
    const { refresh_token } = await token(FOR_API)
    expect(await worth(refresh_token)).toEqual({
      active: true,
      client_id: 'web',
      iss: 'https://id.test/',
      sub: 'auth0|kim',
      scope: 'openid read:things offline_access',
      exp: expect.any(Number),
    })
    const newer = await token({ grant_type: 'refresh_token', refresh_token: String(refresh_token) })
    expect(await worth(refresh_token)).toEqual(DEAD)
    expect(await worth(newer.refresh_token)).toMatchObject({ active: true })
  })

  it('a token that a client got for itself is active', async () => {
    const { access_token } = await token({ grant_type: 'client_credentials', audience: API })
    expect(await worth(access_token, 'guard')).toMatchObject({ active: true, sub: 'web@clients', scope: 'read:things' })
  })
})

describe('an inactive token (threat-model.md CO8)', () => {
  it('the tokens of other clients are inactive', async () => {
    const tokens = await token(FOR_API)
    for (const value of [tokens.access_token, tokens.refresh_token]) expect(await worth(value, 'other')).toEqual(DEAD)
    expect(await worth(tokens.refresh_token, 'guard')).toEqual(DEAD)
    expect(await worth((await token({ audience: 'https://else.test' })).access_token, 'guard')).toEqual(DEAD)
    expect(await worth((await token()).access_token, 'guard')).toEqual(DEAD)
  })

  it('any other text or token is inactive', async () => {
    const { id_token } = await token()
    for (const value of [id_token, 'x', 'at1.x', 'v1.x', 'a.b.c', `${id_token}x`])
      expect(await worth(value)).toEqual(DEAD)
  })

  it('a token is inactive after its owner or its client is gone (threat-model.md D5)', async () => {
    const revoked = await token(FOR_API)
    await server.browser().post('/oauth/revoke', { form: { ...as('web'), token: String(revoked.refresh_token) } })
    for (const value of [revoked.access_token, revoked.refresh_token]) expect(await worth(value)).toEqual(DEAD)
    const blocked = await token(FOR_API)
    const block = (is: boolean) =>
      server.database.pool.query(`UPDATE "user" SET blocked = $1 WHERE id = 'auth0|kim'`, [is])
    await block(true)
    for (const value of [blocked.access_token, blocked.refresh_token]) expect(await worth(value)).toEqual(DEAD)
    await block(false)
    expect(await worth(blocked.access_token)).toMatchObject({ active: true })
  })

  it('an expired token is inactive', async () => {
    const tokens = await token(FOR_API)
    server.clock.advance(86401)
    expect(await worth(tokens.access_token)).toEqual(DEAD)
    expect(await worth(tokens.refresh_token)).toMatchObject({ active: true })
    server.clock.advance(40 * 86400)
    expect(await worth(tokens.refresh_token)).toEqual(DEAD)
  })
})

describe('refusals', () => {
  const unauthorized = [401, { error: 'invalid_client', error_description: 'Unauthorized' }]
  it.each<[string, Fields, unknown[]]>([
    ['no client', { client_id: undefined, client_secret: undefined }, unauthorized],
    ['a wrong secret', { client_secret: 'wrong' }, unauthorized],
    ['a client without a secret', { client_id: 'public', client_secret: undefined }, unauthorized],
    [
      'no token',
      { token: undefined },
      [400, { error: 'invalid_request', error_description: 'Missing required parameter: token' }],
    ],
  ])('a request is refused: %s', async (_name, extra, expected) => {
    const answer = await ask({ ...as('web'), token: 'x', ...extra })
    expect([answer.status, answer.json()]).toEqual(expected)
  })
})
