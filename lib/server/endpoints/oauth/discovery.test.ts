import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingKeyStore } from '../../../adapters/store/prisma/keys'
import { revokeKey, rotateKeys } from '../../../crypto/keys/keyring'
import { MULTI_FACTOR_ACR, SINGLE_FACTOR_ACR } from '../../../identity/mfa/acr'
import { refresh, SPA, signInForTokens, userinfo } from '../../../testing/journey'
import { demand } from '../../../testing/mfa'
import { type TestServer, testServer } from '../../../testing/server'
import { ENDPOINTS } from '../index'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addApi('https://api.test', { scopes: [] })
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) => server.browser().get(path, { headers })

describe('discovery (OIDC Discovery 1.0, RFC 8414)', () => {
  it('is the same under both names, cacheable and readable by every origin', async () => {
    const [oidc, oauth] = [
      await get('/.well-known/openid-configuration'),
      await get('/.well-known/oauth-authorization-server'),
    ]
    expect(oidc.text).toBe(oauth.text)
    expect(oidc.header('content-type')).toMatch(/^application\/json/)
    expect(oidc.header('cache-control')).toContain('public')
    expect(oidc.header('access-control-allow-origin')).toBe('*')
  })

  it('names only endpoints that exist', async () => {
    const metadata = (await get('/.well-known/openid-configuration')).json()
    const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name))
    expect(addresses.length).toBeGreaterThan(5)
    for (const [name, url] of addresses) expect(Object.keys(ENDPOINTS), name).toContain(new URL(String(url)).pathname)
  })

  it('promises what is kept and nothing else (threat-model.md D1, D2)', async () => {
    expect((await get('/.well-known/openid-configuration')).json()).toMatchObject({
      issuer: 'https://id.test/',
      code_challenge_methods_supported: ['S256'],
      response_types_supported: [
        'code',
        'token',
        'id_token',
        'id_token token',
        'code id_token',
        'code token',
        'code id_token token',
        'none',
      ],
      response_modes_supported: [
        'query',
        'fragment',
        'form_post',
        'web_message',
        'jwt',
        'query.jwt',
        'fragment.jwt',
        'form_post.jwt',
      ],
      grant_types_supported: expect.arrayContaining([
        'implicit',
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'password',
        'http://auth0.com/oauth/grant-type/password-realm',
      ]),
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      userinfo_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      authorization_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'RS384', 'PS256'],
      introspection_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
      request_parameter_supported: true,
      request_object_signing_alg_values_supported: ['RS256', 'RS384', 'PS256'],
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('names an acr only where a login can prove it', async () => {
    const named = async () => (await get('/.well-known/openid-configuration')).json().acr_values_supported
    expect(await named()).toEqual([SINGLE_FACTOR_ACR])
    await demand(server, [], ['recovery-code'])
    expect(await named()).toEqual([SINGLE_FACTOR_ACR])
    await demand(server, [], ['otp'])
    expect(await named()).toEqual([SINGLE_FACTOR_ACR, MULTI_FACTOR_ACR])
    await demand(server, [], [])
  })

  it('takes its address from the configuration, whatever the request claims (threat-model.md HT3)', async () => {
    const headers = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test',
      'x-forwarded-proto': 'http',
    }
    const answer = await server.browser({ host: 'evil.test' }).get('/.well-known/openid-configuration', { headers })
    expect(answer.json().issuer).toBe('https://id.test/')
    expect(answer.text).not.toContain('evil.test')
  })
})

describe('rotating keys under way (threat-model.md TK3)', () => {
  const port = () => signingKeyStore(server.db, 'default')
  const deps = () => ({ clock: server.clock, random: server.random, vault: server.vault, host: 'id.test' })
  const kids = async () =>
    ((await get('/.well-known/jwks.json')).json().keys as { kid: string }[]).map(({ kid }) => kid)
  const kidOf = (token: unknown) =>
    JSON.parse(Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString()).kid

  it('fails no request: before, at once after, and when every instance has seen it', async () => {
    const browser = server.browser()
    const before = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: 'https://api.test',
      scope: 'openid',
    })
    const published = await kids()
    expect(published).toHaveLength(2)
    await rotateKeys(port(), deps())
    const atOnce = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: 'https://api.test',
      scope: 'openid',
    })
    expect(published).toContain(kidOf(atOnce.id_token))
    server.clock.advance(1)
    const after = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: 'https://api.test',
      scope: 'openid',
    })
    expect(kidOf(after.id_token)).not.toBe(kidOf(before.id_token))
    expect(published).toContain(kidOf(after.id_token))
    expect(await kids()).toHaveLength(3)
    for (const { access_token } of [before, atOnce, after])
      expect((await userinfo(browser, access_token)).status).toBe(200)
  })

  it('serialises two rotations: there is one current key afterwards', async () => {
    await Promise.all([rotateKeys(port(), deps()), rotateKeys(port(), deps())])
    const { rows } = await server.database.pool.query(
      'SELECT kid FROM signing_key WHERE activated_at IS NOT NULL AND retired_at IS NULL AND revoked_at IS NULL',
    )
    expect(rows).toHaveLength(1)
    server.clock.advance(1)
    expect((await kids()).slice(0, 1)).toEqual([rows[0].kid])
  })

  it('invalidates what a revoked key signed within a second, and opaque tokens remain valid', async () => {
    const browser = server.browser()
    const jwt = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: 'https://api.test',
      scope: 'openid',
    })
    const opaque = await signInForTokens(server.browser(), 'kim@mail.test')
    await revokeKey(port(), kidOf(jwt.id_token), deps())
    server.clock.advance(1)
    expect((await userinfo(browser, jwt.access_token)).status).toBe(401)
    expect(await kids()).not.toContain(kidOf(jwt.id_token))
    expect((await userinfo(browser, opaque.access_token)).status).toBe(200)
    expect((await refresh(browser, opaque.refresh_token)).status).toBe(200)
  })
})

describe('what machines ask', () => {
  it('is answered in two words, and never with more', async () => {
    const [alive, ready] = [await get('/healthz'), await get('/readyz')]
    expect([alive.status, alive.text]).toEqual([200, 'ok'])
    expect([ready.status, ready.json()]).toEqual([200, { status: 'ready', checks: {} }])
  })

  it('is 503 with the name of what is missing', async () => {
    const lacking = await testServer({
      readiness: async () => ({ ready: false, checks: { database: 'failed', keys: 'ok' } }),
    })
    try {
      const answer = await lacking.browser().get('/readyz')
      expect([answer.status, answer.json()]).toEqual([
        503,
        { status: 'not ready', checks: { database: 'failed', keys: 'ok' } },
      ])
    } finally {
      await lacking.close()
    }
  })
})
