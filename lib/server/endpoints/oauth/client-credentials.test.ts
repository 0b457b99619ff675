import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadOf, userinfo } from '../../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  for (const clientId of ['machine', 'other']) {
    await server.addClient({ clientId, secret: `${clientId}-secret`, settings: { app_type: 'non_interactive' } })
  }
  await server.addClient({
    clientId: 'public',
    settings: { app_type: 'native', grant_types: ['client_credentials'] },
  })
  const scopes = [{ value: 'read:things' }, { value: 'write:things' }, { value: 'openid' }]
  await server.addApi(API, { scopes, token_lifetime: 321 })
  await server.addApi('https://strict.test', {
    scopes,
    token_dialect: 'rfc9068_profile_authz',
    enforce_policies: true,
  })
  await server.addApi('https://bare.test', {})
  await server.addClientGrant('machine', API, ['read:things', 'write:things', 'gone:scope'])
  await server.addClientGrant('machine', 'https://strict.test', ['read:things', 'openid'])
  await server.addClientGrant('machine', 'https://bare.test', [])
})
afterAll(() => server.close())

type Fields = Record<string, string | undefined>
const MACHINE: Fields = {
  grant_type: 'client_credentials',
  client_id: 'machine',
  client_secret: 'machine-secret',
  audience: API,
}
const ask = (extra: Fields = {}): Promise<TestResponse> =>
  server.browser().post('/oauth/token', { form: { ...MACHINE, ...extra } })
const outcome = (answer: TestResponse) => [answer.status, answer.json()]
const denied = (description: string) => [403, { error: 'access_denied', error_description: description }]

describe('a client that acts for itself', () => {
  it('gets an access token for the API and nothing else (threat-model.md CO5)', async () => {
    const answer = await ask()
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 321,
      scope: 'read:things write:things',
    })
    const claims = payloadOf(answer.json().access_token)
    const { iat } = claims
    expect(claims).toEqual({
      iss: 'https://id.test/',
      sub: 'machine@clients',
      aud: API,
      iat,
      exp: Number(iat) + 321,
      jti: expect.any(String),
      azp: 'machine',
      scope: 'read:things write:things',
      gty: 'client-credentials',
    })
  })

  it('receives the requested part of its grant', async () => {
    expect((await ask({ scope: 'write:things' })).json().scope).toBe('write:things')
  })

  it('gets a token without a scope where its grant has none', async () => {
    const tokens = (await ask({ audience: 'https://bare.test' })).json()
    expect(tokens).not.toHaveProperty('scope')
    expect(payloadOf(tokens.access_token)).not.toHaveProperty('scope')
  })

  it('has its scopes for permissions where the API enforces them, in the form of RFC 9068', async () => {
    const claims = payloadOf((await ask({ audience: 'https://strict.test', scope: 'read:things' })).json().access_token)
    expect(claims).toMatchObject({
      sub: 'machine@clients',
      client_id: 'machine',
      scope: 'read:things',
      permissions: ['read:things'],
    })
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(['azp']))
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(['gty']))
  })

  it('uses the default audience, and JSON', async () => {
    await server.setTenant({ tenant: { default_audience: API } })
    const answer = await server.browser().post('/oauth/token', { json: { ...MACHINE, audience: undefined } })
    expect(payloadOf(answer.json().access_token).aud).toBe(API)
    await server.setTenant({})
  })

  it('writes nothing to the database', async () => {
    await ask()
    expect((await server.database.pool.query('SELECT * FROM token_family')).rows).toEqual([])
  })

  it('is no user at user-info, whatever its scope is called (threat-model.md TK2)', async () => {
    const token = (await ask({ audience: 'https://strict.test', scope: 'openid' })).json().access_token
    expect(payloadOf(token).aud).toBe('https://strict.test')
    expect((await userinfo(server.browser(), token)).status).toBe(401)
  })
})

describe('refusals', () => {
  const ungranted =
    'You need to create a "client-grant" associated to this API. See: https://auth0.com/docs/api/v2#!/Client_Grants/post_client_grants'
  it.each<[string, Fields, unknown[]]>([
    ['no audience', { audience: undefined }, denied('Non-global clients are not allowed access to APIv1')],
    [
      'an audience that is no API',
      { audience: 'https://no.test' },
      denied('Service not enabled within domain: https://no.test'),
    ],
    [
      'an API that is not granted',
      { client_id: 'other', client_secret: 'other-secret' },
      denied(`Client is not authorized to access "${API}". ${ungranted}`),
    ],
    [
      'a scope outside the grant',
      { scope: 'read:things openid offline_access' },
      denied('Client has not been granted scopes: openid, offline_access'),
    ],
    [
      'a scope that the API no longer has',
      { scope: 'gone:scope' },
      denied('Client has not been granted scopes: gone:scope'),
    ],
    [
      'a wrong secret',
      { client_secret: 'wrong' },
      [401, { error: 'access_denied', error_description: 'Unauthorized' }],
    ],
    [
      'a client without a secret',
      { client_id: 'public', client_secret: undefined },
      [
        403,
        {
          error: 'unauthorized_client',
          error_description: "Grant type 'client_credentials' not allowed for the client.",
          error_uri: 'https://id.test/troubleshooting#grant_not_allowed',
        },
      ],
    ],
  ])('a request is refused: %s', async (_name, extra, expected) => {
    expect(outcome(await ask(extra))).toEqual(expected)
  })
})
