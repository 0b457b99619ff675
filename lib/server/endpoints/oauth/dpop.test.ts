// Tokens bound to a key (RFC 9449), at every endpoint that issues or takes them (threat-model.md CO8).
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DpopKey, makeDpopKey, type ProofOptions, proofBy } from '../../../testing/dpop'
import {
  authorizeQuery,
  codeBySession,
  exchangeOf,
  locationOf,
  payloadOf,
  SPA,
  signIn,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let key: DpopKey
let other: DpopKey

const API = 'https://api.test'
const WEB_LOGIN = { client_id: 'web', redirect_uri: 'https://web.test/cb' }
const TOKEN_URL = 'https://id.test/oauth/token'
const USERINFO_URL = 'https://id.test/userinfo'

beforeAll(async () => {
  server = await testServer()
  key = await makeDpopKey()
  other = await makeDpopKey()
  await server.addClient(SPA)
  await server.addClient(WEB)
  const bound = { require_proof_of_possession: true }
  await server.addClient({ ...WEB, clientId: 'strict', settings: { ...WEB.settings, ...bound } })
  const implicit = { grant_types: ['authorization_code', 'implicit'] }
  await server.addClient({ ...WEB, clientId: 'front', settings: { ...WEB.settings, ...bound, ...implicit } })
  await server.addApi(API, { allow_offline_access: true, token_dialect: 'rfc9068_profile' })
  await server.addApi('https://bound.test', { proof_of_possession: { mechanism: 'dpop', required: true } })
  await server.addApi('https://public.test', {
    proof_of_possession: { mechanism: 'dpop', required: true, required_for: 'public_clients' },
  })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
})
afterAll(() => server.close())

const prove = (by: DpopKey, options: Partial<ProofOptions> = {}) => proofBy(by, { now: server.clock.now(), ...options })

const codeFor = (extra: Record<string, string | undefined> = {}) => codeBySession(browser, extra)
const post = (form: Record<string, string>, proof?: string): Promise<TestResponse> =>
  browser.post('/oauth/token', { form, headers: proof === undefined ? {} : { dpop: proof } })

const webForm = async (extra: Record<string, string | undefined> = {}) =>
  exchangeOf(await codeFor({ ...WEB_LOGIN, ...extra }), webCredentials())

/** The confidential client's tokens: it needs no nonce. */
const webTokens = async (by = key, extra: Record<string, string | undefined> = {}) =>
  (await post(await webForm(extra), await prove(by))).json()

const nonceOf = async (): Promise<string> => (await post(exchangeOf('x'), await prove(key))).header('dpop-nonce') ?? ''

const spaTokens = async (by = key, extra: Record<string, string> = {}) => {
  const proof = await prove(by, { nonce: await nonceOf() })
  return (await post(exchangeOf(await codeFor(extra)), proof)).json()
}

const userinfoWith = (token: unknown, proof?: string, scheme = 'DPoP') =>
  browser.get('/userinfo', {
    headers: { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) },
  })
const userinfoProof = (token: unknown, by = key, options: Partial<ProofOptions> = {}) =>
  prove(by, { method: 'GET', url: USERINFO_URL, token: String(token), ...options })

const refreshForm = (token: unknown, extra: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  client_id: 'spa',
  refresh_token: String(token),
  ...extra,
})

describe('a proof at the token endpoint', () => {
  it('binds the access token to its key, in a JWT and in an opaque token', async () => {
    const opaque = await webTokens()
    expect(opaque).toMatchObject({ token_type: 'DPoP', refresh_token: expect.any(String) })
    const jwt = await webTokens(key, { audience: API })
    expect(payloadOf(jwt.access_token).cnf).toEqual({ jkt: key.jkt })
    for (const { access_token } of [opaque, jwt]) {
      const answer = await userinfoWith(access_token, await userinfoProof(access_token))
      expect([answer.status, answer.json().sub]).toEqual([200, 'auth0|kim'])
    }
  })

  it.each(['EdDSA', 'RS256'] as const)('may be signed with %s', async (alg) => {
    const by = await makeDpopKey(alg)
    expect(payloadOf((await webTokens(by, { audience: API })).access_token).cnf).toEqual({ jkt: by.jkt })
  })

  it('leaves everything else as it is without one', async () => {
    const answer = await post(await webForm())
    expect(answer.json().token_type).toBe('Bearer')
    expect(answer.header('dpop-nonce')).toBeUndefined()
  })

  it('is accepted once, also by parallel requests', async () => {
    const proof = await prove(key)
    const forms = await Promise.all([1, 2, 3, 4].map(() => webForm()))
    const answers = await Promise.all(forms.map((form) => post(form, proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.json().error).toBe('invalid_dpop_proof')
  })

  const now = () => Math.floor(server.clock.now().getTime() / 1000)
  it.each<[string, () => Partial<ProofOptions>]>([
    ['another method', () => ({ method: 'GET' })],
    ['another address', () => ({ url: 'https://id.test/userinfo' })],
    ['another host', () => ({ url: 'https://evil.test/oauth/token' })],
    ['no address', () => ({ claims: { htu: undefined } })],
    ['an invalid address', () => ({ url: 'oauth/token' })],
    ['no method', () => ({ claims: { htm: undefined } })],
    ['no jti', () => ({ claims: { jti: undefined } })],
    ['an empty jti', () => ({ claims: { jti: '' } })],
    ['a jti without end', () => ({ claims: { jti: 'x'.repeat(256) } })],
    ['no iat', () => ({ claims: { iat: undefined } })],
    ['an old iat', () => ({ claims: { iat: now() - 301 } })],
    ['an iat in the future', () => ({ claims: { iat: now() + 61 } })],
    ['an iat that is no number', () => ({ claims: { iat: 'now' } })],
    ['an nbf in the future', () => ({ claims: { nbf: now() + 61 } })],
    ['an nbf that is no number', () => ({ claims: { nbf: 'now' } })],
    ['an exp in the past', () => ({ claims: { exp: now() - 60 } })],
    ['an exp that is no number', () => ({ claims: { exp: 'never' } })],
    ['a nonce that is no text', () => ({ claims: { nonce: 1 } })],
    ['the hash of an access token', () => ({ token: 'x' })],
    ['another type', () => ({ header: { typ: 'JWT' } })],
    ['no key', () => ({ header: { jwk: undefined } })],
    ['another key than its signature', () => ({ header: { jwk: other.jwk } })],
    ['a private key', () => ({ header: { jwk: key.privateKey.export({ format: 'jwk' }) } })],
    ['a symmetric key', () => ({ header: { jwk: { kty: 'oct', k: 'AAAA' } } })],
    ['a point that is not on its curve', () => ({ header: { jwk: { ...key.jwk, x: key.jwk.y } } })],
    ['an unknown critical header', () => ({ header: { crit: ['x'], x: 1 } })],
  ])('is refused with %s', async (_name, options) => {
    const { header, ...rest } = options()
    const signed = await prove(key, rest)
    // The library refuses to sign some of these headers itself.
    const proof = header === undefined ? signed : await withHeader(signed, header)
    const answer = await post(await webForm(), proof)
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it.each<[string, () => Record<string, number>]>([
    ['its own time and an hour to live', () => ({ nbf: now(), exp: now() + 3600 })],
    ['times of a clock that is a minute ahead', () => ({ iat: now() + 60, nbf: now() + 60 })],
    ['times of a clock that is almost a minute behind', () => ({ iat: now() - 119, exp: now() - 59 })],
  ])('is accepted with %s', async (_name, claims) => {
    expect((await post(await webForm(), await prove(key, { claims: claims() }))).json().token_type).toBe('DPoP')
  })

  it.each([
    ['no JWT', 'not a jwt'],
    ['two proofs', 'a.b.c, d.e.f'],
    ['nothing', ''],
    ['too much', `${'a'.repeat(9000)}.b.c`],
  ])('is refused when it is %s', async (_name, proof) => {
    const answer = await post(await webForm(), proof)
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it('is refused with a symmetric or no signature', async () => {
    const [, payload = ''] = (await prove(key)).split('.')
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const hmac = `${encode({ alg: 'HS256', typ: 'dpop+jwt', jwk: key.jwk })}.${payload}`
    const signature = createHmac('sha256', JSON.stringify(key.jwk)).update(hmac).digest('base64url')
    const none = `${encode({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })}.${payload}.`
    for (const proof of [`${hmac}.${signature}`, none]) {
      const answer = await post(await webForm(), proof)
      expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
    }
  })

  it('is refused with a weak RSA key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const header = { alg: 'RS256', typ: 'dpop+jwt', jwk: publicKey.export({ format: 'jwk' }) }
    const claims = { jti: 'weak', htm: 'POST', htu: TOKEN_URL, iat: now() }
    const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const answer = await post(
      await webForm(),
      `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`,
    )
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
  })

  it('is refused with a key that is too large, before that key verifies anything', async () => {
    const proof = await withHeader(await prove(key), {
      alg: 'RS256',
      jwk: { kty: 'RSA', e: 'AQAB', n: 'x'.repeat(1367) },
    })
    const answer = await post(await webForm(), proof)
    const error_description = 'The DPoP proof is invalid: the key is too large'
    expect([answer.status, answer.json()]).toEqual([400, { error: 'invalid_dpop_proof', error_description }])
  })

  it('spends no code when it is refused', async () => {
    const form = await webForm()
    expect((await post(form, await prove(key, { method: 'GET' }))).status).toBe(400)
    expect((await post(form, await prove(key))).status).toBe(200)
  })
})

/** The same payload under another header, signed again with the key. */
async function withHeader(proof: string, header: Record<string, unknown>): Promise<string> {
  const all = { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header }
  const input = `${Buffer.from(JSON.stringify(all)).toString('base64url')}.${proof.split('.')[1]}`
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

describe('the nonce of a public client', () => {
  it('is demanded, given with the refusal and with each answer', async () => {
    const form = exchangeOf(await codeFor())
    const first = await post(form, await prove(key))
    expect([first.status, first.json().error]).toEqual([400, 'use_dpop_nonce'])
    const nonce = first.header('dpop-nonce') ?? ''
    const second = await post(form, await prove(key, { nonce }))
    expect([second.status, second.json().token_type]).toEqual([200, 'DPoP'])
    expect(second.header('dpop-nonce')).toBe(nonce)
  })

  it('is valid for five to ten minutes, whatever the clock of the client says', async () => {
    const nonce = await nonceOf()
    const wrongClock = { iat: 1 }
    const form = async () => exchangeOf(await codeFor())
    expect((await post(await form(), await prove(key, { nonce, claims: wrongClock }))).status).toBe(200)
    server.clock.advance(300)
    expect((await post(await form(), await prove(key, { nonce }))).status).toBe(200)
    server.clock.advance(300)
    const late = await post(await form(), await prove(key, { nonce }))
    expect([late.status, late.json().error]).toEqual([400, 'use_dpop_nonce'])
    expect(late.header('dpop-nonce')).not.toBe(nonce)
  })

  it('replaces neither the nbf nor the exp of a proof', async () => {
    const nonce = await nonceOf()
    const seconds = Math.floor(server.clock.now().getTime() / 1000)
    for (const claims of [{ nbf: seconds + 61 }, { exp: seconds - 60 }]) {
      const answer = await post(exchangeOf(await codeFor()), await prove(key, { nonce, claims }))
      expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
    }
    const claims = { nbf: seconds, exp: seconds + 60 }
    expect((await post(exchangeOf(await codeFor()), await prove(key, { nonce, claims }))).status).toBe(200)
  })

  it('cannot be made up, by a confidential client either', async () => {
    for (const nonce of ['', 'x', 'x'.repeat(43)]) {
      const answer = await post(await webForm(), await prove(key, { nonce }))
      expect([answer.status, answer.json().error]).toEqual([400, 'use_dpop_nonce'])
    }
  })
})

describe('the refresh token', () => {
  it('of a public client is worth nothing without its key, and is not spent by who lacks it', async () => {
    const { refresh_token } = await spaTokens()
    const nonce = await nonceOf()
    for (const proof of [undefined, await prove(other, { nonce })]) {
      const answer = await post(refreshForm(refresh_token), proof)
      expect([answer.status, answer.json().error]).toEqual([403, 'invalid_grant'])
    }
    const rotated = await post(refreshForm(refresh_token), await prove(key, { nonce }))
    expect([rotated.status, rotated.json().token_type]).toEqual([200, 'DPoP'])
    const thief = await post(refreshForm(rotated.json().refresh_token), await prove(other, { nonce }))
    expect(thief.status).toBe(403)
  })

  it('cannot be stripped of its key', async () => {
    const { refresh_token } = await spaTokens()
    const bytes = Buffer.from(String(refresh_token).slice(3), 'base64url')
    const stripped = Buffer.concat([bytes.subarray(0, 20), bytes.subarray(52)])
    for (const forged of [`v1.${stripped.toString('base64url')}`, `v1.${bytes.toString('base64url')}`]) {
      expect((await post(refreshForm(forged))).json().error).toBe('invalid_grant')
    }
  })

  it('of a confidential client works with another key, which the new access token is bound to', async () => {
    const { refresh_token } = await webTokens(key, { audience: API })
    const { client_id, client_secret } = webCredentials()
    const form = refreshForm(refresh_token, { client_id: String(client_id), client_secret: String(client_secret) })
    const answer = await post(form, await prove(other))
    expect(payloadOf(answer.json().access_token).cnf).toEqual({ jkt: other.jkt })
  })

  it('can be revoked without a proof', async () => {
    const { refresh_token, access_token } = await spaTokens()
    await browser.post('/oauth/revoke', { form: { client_id: 'spa', token: String(refresh_token) } })
    const answer = await userinfoWith(access_token, await userinfoProof(access_token))
    expect(answer.status).toBe(401)
  })
})

describe('a bound access token', () => {
  it.each<[string, (token: string) => Promise<[string | undefined, string?]>]>([
    ['as a bearer token', async () => [undefined, 'Bearer']],
    ['as a bearer token beside a proof', async (token) => [await userinfoProof(token), 'Bearer']],
    ['without a proof', async () => [undefined]],
    ['with a proof by another key', async (token) => [await userinfoProof(token, other)]],
    ['with a proof for another token', async () => [await userinfoProof('another')]],
    ['with a proof for no token', async () => [await prove(key, { method: 'GET', url: USERINFO_URL })]],
    ['with a proof for another address', async (token) => [await userinfoProof(token, key, { url: TOKEN_URL })]],
    ['with a proof for another method', async (token) => [await userinfoProof(token, key, { method: 'POST' })]],
  ])('is refused %s', async (_name, present) => {
    for (const extra of [{}, { audience: API }]) {
      const { access_token } = await webTokens(key, extra)
      const answer = await userinfoWith(access_token, ...(await present(String(access_token))))
      expect(answer.status).toBe(401)
      expect(answer.header('www-authenticate')).toContain('error="invalid_')
    }
  })

  it('is refused with a proof that was used before', async () => {
    const { access_token } = await webTokens()
    const proof = await userinfoProof(access_token)
    expect((await userinfoWith(access_token, proof)).status).toBe(200)
    const again = await userinfoWith(access_token, proof)
    expect(again.status).toBe(401)
    expect(again.header('www-authenticate')).toContain('invalid_dpop_proof')
  })

  it('is refused in a form or in the address', async () => {
    const { access_token } = await webTokens()
    const form = { access_token: String(access_token) }
    expect((await browser.post('/userinfo', { form })).status).toBe(401)
    expect((await browser.get('/userinfo', { query: form })).status).toBe(401)
  })

  it('cannot be claimed for a token that is not bound', async () => {
    const { access_token } = (await post(await webForm())).json()
    expect((await userinfoWith(access_token, await userinfoProof(access_token))).status).toBe(401)
    expect((await userinfoWith(access_token, undefined, 'Bearer')).status).toBe(200)
  })

  it('opens the APIs of this server with a proof only', async () => {
    const audience = 'https://id.test/mfa/'
    const url = `${audience}authenticators`
    const { access_token } = await webTokens(key, { audience, scope: 'openid read:authenticators' })
    const ask = async (headers: Record<string, string>) =>
      (await browser.get('/mfa/authenticators', { headers })).status
    const dpop = await prove(key, { method: 'GET', url, token: String(access_token) })
    expect(await ask({ authorization: `Bearer ${access_token}` })).toBe(401)
    expect(await ask({ authorization: `DPoP ${access_token}`, dpop })).toBe(200)
  })

  it('shows its key to the one who introspects it', async () => {
    for (const extra of [{}, { audience: API }]) {
      const { access_token } = await webTokens(key, extra)
      const { client_id, client_secret } = webCredentials()
      const form = { client_id: String(client_id), client_secret: String(client_secret), token: String(access_token) }
      const answer = await browser.post('/oauth/introspect', { form })
      expect(answer.json()).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } })
    }
  })
})

describe('a code', () => {
  it('is bound by dpop_jkt, and is not spent by another key', async () => {
    const form = await webForm({ dpop_jkt: key.jkt })
    for (const proof of [undefined, await prove(other)]) {
      expect((await post(form, proof)).json().error).toBe('invalid_grant')
    }
    expect((await post(form, await prove(key))).status).toBe(200)
  })

  it('is refused with a dpop_jkt that is no thumbprint', async () => {
    for (const dpop_jkt of ['x', `${key.jkt}=`, `${key.jkt}x`]) {
      const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none', dpop_jkt }) })
      expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request')
    }
  })

  const push = async (extra: Record<string, string>, proof: string) =>
    browser.post('/oauth/par', {
      form: { ...authorizeQuery({ ...WEB_LOGIN, prompt: 'none' }), ...webCredentials(), ...extra },
      headers: { dpop: proof },
    })
  const parProof = (by: DpopKey) => prove(by, { url: 'https://id.test/oauth/par' })

  it('is bound by a proof beside the pushed request', async () => {
    const { request_uri } = (await push({}, await parProof(key))).json()
    const query = { client_id: 'web', request_uri: String(request_uri) }
    const code = locationOf(await browser.get('/authorize', { query })).searchParams.get('code') ?? ''
    const form = exchangeOf(code, webCredentials())
    expect((await post(form, await prove(other))).json().error).toBe('invalid_grant')
    expect((await post(form, await prove(key))).status).toBe(200)
  })

  it('is not pushed with a proof of another key than dpop_jkt, or a proof for another address', async () => {
    const differs = await push({ dpop_jkt: other.jkt }, await parProof(key))
    const elsewhere = await push({}, await prove(key))
    for (const answer of [differs, elsewhere]) {
      expect([answer.status, answer.json().error]).toEqual([400, 'invalid_dpop_proof'])
    }
  })
})

describe('a demand for proof', () => {
  it('of a client holds for every grant, before anything is spent', async () => {
    const login = { ...WEB_LOGIN, client_id: 'strict' }
    const form = exchangeOf(await codeFor(login), { ...webCredentials(), client_id: 'strict' })
    const refused = await post(form)
    expect([refused.status, refused.json().error]).toEqual([400, 'invalid_dpop_proof'])
    expect((await post(form, await prove(key))).json().token_type).toBe('DPoP')
  })

  it('of a client leaves no access token to the browser', async () => {
    const query = { ...WEB_LOGIN, client_id: 'front', response_type: 'token', response_mode: undefined, prompt: 'none' }
    const answer = await browser.get('/authorize', { query: authorizeQuery(query) })
    const fields = new URLSearchParams(locationOf(answer).hash.slice(1))
    expect([fields.get('error'), fields.get('access_token')]).toEqual(['invalid_request', null])
  })

  it('of an API holds for its tokens, or for those of public clients', async () => {
    const at = async (audience: string, proof?: string) => post(await webForm({ audience }), proof)
    expect((await at('https://bound.test')).json().error).toBe('invalid_dpop_proof')
    expect((await at('https://bound.test', await prove(key))).json().token_type).toBe('DPoP')
    expect((await at('https://public.test')).json().token_type).toBe('Bearer')
    const spa = await post(exchangeOf(await codeFor({ audience: 'https://public.test' })))
    expect(spa.json().error).toBe('invalid_dpop_proof')
  })
})

describe('openid-client', () => {
  const throughServer: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const form = body === undefined || body === null ? {} : { form: String(body) }
    const answer = await browser.send(method, url, { headers, ...form })
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: new Headers(answer.headers),
    })
  }

  it('gets, refreshes and uses bound tokens as a public client, with nonces', async () => {
    const skew = Math.round((server.clock.now().getTime() - Date.now()) / 1000)
    const config = await oidc.discovery(new URL('https://id.test/'), 'spa', { [oidc.clockSkew]: skew }, oidc.None(), {
      [oidc.customFetch]: throughServer,
    })
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair())
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: 'https://app.test/cb',
      scope: 'openid email offline_access',
      state: 's1',
      prompt: 'none',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    })
    const landed = locationOf(await browser.get(url.href))
    const checks = { pkceCodeVerifier, expectedState: 's1' }
    const tokens = await oidc.authorizationCodeGrant(config, landed, checks, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const refreshed = await oidc.refreshTokenGrant(config, String(tokens.refresh_token), undefined, { DPoP })
    const sub = String(tokens.claims()?.sub)
    const user = await oidc.fetchUserInfo(config, refreshed.access_token, sub, { DPoP })
    expect(user.email).toBe('kim@mail.test')
  })
})
