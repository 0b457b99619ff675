import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signJwt } from '../../../crypto/keys/jwt'
import { payloadOf, redeem, SPA, signIn, signInForTokens } from '../../../testing/journey'
import { type Browser, type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let token: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'query', settings: { ...SPA.settings, allow_userinfo_query_token: true } })
  await server.addClient({ clientId: 'signed', settings: { ...SPA.settings, userinfo_signed_response_alg: 'RS256' } })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }] })
  await server.addApi('https://rfc.test', { scopes: [{ value: 'read:things' }], token_dialect: 'rfc9068_profile' })
  await server.addUser({
    id: 'kim',
    email: 'kim@mail.test',
    data: { name: 'Kim', emailVerified: true, userMetadata: { hobby: 'chess' }, appMetadata: { plan: 'gold' } },
  })
  browser = server.browser()
  token = await tokenFor()
})
afterAll(() => server.close())

async function tokenFor(extra: Record<string, string> = {}): Promise<string> {
  const { client_id = 'spa' } = extra
  const code = (await signIn(server.browser(), 'kim@mail.test', extra)).get('code') ?? ''
  return String((await redeem(server.browser(), code, { client_id })).json().access_token)
}
const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
const get = (headers: Record<string, string>) => browser.get('/userinfo', { headers })

function expectUnauthorized(answer: TestResponse, description?: string): void {
  expect([answer.status, answer.text]).toEqual([401, 'Unauthorized'])
  const challenge = answer.header('www-authenticate') ?? ''
  expect(challenge).toMatch(/^Bearer realm="Users", error="invalid_token", error_description="[\x20-\x7e]+"$/)
  if (description !== undefined) expect(challenge).toContain(`error_description="${description}"`)
}

describe('where a token may be (threat-model.md D9, TK4)', () => {
  it.each<[string, () => [string, TestRequest]]>([
    ['the header of a GET', () => ['GET', { headers: bearer(token) }]],
    ['the header in another case', () => ['GET', { headers: { authorization: `bEARER  ${token}` } }]],
    ['the header of a POST', () => ['POST', { headers: bearer(token) }]],
    ['the form of a POST', () => ['POST', { form: { access_token: token } }]],
    ['the JSON of a POST', () => ['POST', { json: { access_token: token } }]],
  ])('a token is accepted in %s', async (_name, ask) => {
    const answer = await browser.send(ask()[0], '/userinfo', ask()[1])
    expect(answer.status).toBe(200)
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answer.json()).toEqual({
      sub: 'auth0|kim',
      name: 'Kim',
      nickname: 'kim',
      picture: expect.stringMatching(/^https:\/\/id\.test\/avatar\/[\w-]+\.svg$/),
      email: 'kim@mail.test',
      email_verified: true,
      updated_at: expect.stringMatching(/^\d{10}$/),
    })
  })

  it('a token in the URL is refused, except from a client that may send it so', async () => {
    expectUnauthorized(await browser.get('/userinfo', { query: { access_token: token } }))
    const allowed = await tokenFor({ client_id: 'query' })
    expect((await browser.get('/userinfo', { query: { access_token: allowed } })).status).toBe(200)
  })

  it.each<[string, () => [string, TestRequest]]>([
    ['header and URL', () => ['GET', { headers: bearer(token), query: { access_token: token } }]],
    ['header and form', () => ['POST', { headers: bearer(token), form: { access_token: token } }]],
    ['two in the URL', () => ['GET', { query: `access_token=${token}&access_token=${token}` }]],
  ])('a request with two tokens is refused: %s', async (_name, ask) => {
    const answer = await browser.send(ask()[0], '/userinfo', ask()[1])
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request'])
  })

  it('a request without a token is refused', async () => {
    expectUnauthorized(await browser.get('/userinfo'))
    expectUnauthorized(await get({ authorization: 'Basic c3BhOng=' }))
    expectUnauthorized(await get({ authorization: `Bearer ${token} x` }))
  })
})

describe('the claims of user-info', () => {
  it.each([
    ['openid', ['sub']],
    ['openid email', ['email', 'email_verified', 'sub']],
    ['openid profile', ['name', 'nickname', 'picture', 'sub', 'updated_at']],
  ])('the scope %s gives the claims %j', async (scope, names) => {
    expect(Object.keys((await get(bearer(await tokenFor({ scope })))).json()).sort()).toEqual(names)
  })

  it('the claims are the latest, and never metadata', async () => {
    await server.database.pool.query(`UPDATE "user" SET name = 'Kim Renamed' WHERE id = 'auth0|kim'`)
    const { text, json } = await get(bearer(token))
    expect(json().name).toBe('Kim Renamed')
    expect(text).not.toMatch(/chess|gold/)
  })

  it('the update time has the format of the tenant', async () => {
    await server.setTenant({ tenant: { compat: { updated_at: 'iso8601' } } })
    expect((await get(bearer(token))).json().updated_at).toMatch(/^\d{4}-\d\d-\d\dT/)
    await server.setTenant({ tenant: { compat: { updated_at: 'epoch' } } })
    expect((await get(bearer(token))).json().updated_at).toEqual(expect.any(Number))
    await server.setTenant({})
  })

  it.each(['https://api.test', 'https://rfc.test'])('a token for %s with openid is accepted', async (audience) => {
    expect((await get(bearer(await tokenFor({ audience, scope: 'openid read:things' })))).json()).toEqual({
      sub: 'auth0|kim',
    })
  })

  it('a token without openid is refused', async () => {
    const opaque = await get(bearer(await tokenFor({ scope: 'email' })))
    expect(opaque.status).toBe(403)
    expect(opaque.header('www-authenticate')).toContain('error="insufficient_scope"')
    expectUnauthorized(await get(bearer(await tokenFor({ audience: 'https://api.test', scope: 'read:things' }))))
  })
})

describe('a refused token (threat-model.md TK1, TK2)', () => {
  it.each(['x', 'a.b.c', 'at1.', 'at1.AAAA', 'v1.AAAA', 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.', "'--"])(
    'the text %s is not an access token',
    async (other) => {
      expectUnauthorized(await get(bearer(other)))
    },
  )

  it('an ID token and a refresh token are refused', async () => {
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test')
    for (const other of [tokens.id_token, tokens.refresh_token]) expectUnauthorized(await get(bearer(String(other))))
  })

  it('a token of an unknown family is refused, although it is signed by us', async () => {
    const { keyring } = await server.runtime()
    const valid = payloadOf(await tokenFor({ audience: 'https://api.test', scope: 'openid' }))
    const jti = '00000000-0000-4000-8000-000000000000.x'
    expectUnauthorized(
      await get(bearer(await signJwt({ ...valid, jti }, 'JWT', keyring))),
      'The token has been revoked',
    )
  })

  it('an expired token is refused in the words that SDKs know', async () => {
    const [opaque, jwt] = [await tokenFor(), await tokenFor({ audience: 'https://api.test', scope: 'openid' })]
    server.clock.advance(86_400)
    for (const old of [opaque, jwt]) expectUnauthorized(await get(bearer(old)), 'The token has expired')
  })
})

it('opens to any origin, without cookies, and shows why it refused', async () => {
  const answer = await get({ ...bearer('x'), origin: 'https://app.test' })
  expect(answer.header('access-control-allow-origin')).toBe('*')
  expect(answer.header('access-control-allow-credentials')).toBeUndefined()
  expect(answer.header('access-control-expose-headers')).toContain('www-authenticate')
})

describe('a client that registered a signed answer', () => {
  const forClient = () => tokenFor({ client_id: 'signed' })

  it('gets the same claims in a JWT for it, signed by a published key', async () => {
    const answer = await get(bearer(await forClient()))
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/jwt'])
    const keys = (await browser.get('/.well-known/jwks.json')).json() as unknown as JSONWebKeySet
    const accept = { issuer: 'https://id.test/', audience: 'signed', algorithms: ['RS256'] }
    const { payload } = await jwtVerify(answer.text, createLocalJWKSet(keys), accept)
    const { iss: _, aud: __, ...claims } = payload
    expect(claims).toEqual((await get(bearer(await tokenFor()))).json())
  })

  it('cannot use the answer as an access token or as an ID token', async () => {
    const { text } = await get(bearer(await forClient()))
    expectUnauthorized(await get(bearer(text)))
    const answer = await browser.get('/oidc/logout', { query: { id_token_hint: text } })
    expect(answer.status).toBe(400)
  })

  it('gets errors as every client', async () => {
    expectUnauthorized(await get(bearer(`x${await forClient()}`)))
  })
})
