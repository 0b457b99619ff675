// Signed requests (RFC 9101), at /authorize and at /oauth/par, and by the unmodified openid-client.
import { CompactSign, SignJWT, UnsecuredJWT } from 'jose'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallOutError } from '../../../kernel/call-out'
import { epochSeconds } from '../../../kernel/clock'
import { assertionClaims, type ClientKey, makeClientKey, signAs } from '../../../testing/client-key'
import {
  beginLogin,
  CHALLENGE,
  locationOf,
  payloadOf,
  redeem,
  submitPassword,
  VERIFIER,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const REFERENCE = 'https://web.test/request.jwt'
const CALLBACK = 'https://web.test/cb'
const [KEY, OWN, STRANGE] = [makeClientKey(), makeClientKey(), makeClientKey()]

/** What the addresses of clients answer, and which were requested. */
const published = new Map<string, string | Error>([
  ['https://web.test/jwks.json', JSON.stringify({ keys: [{ ...KEY.jwk, kid: 'published' }] })],
])
const fetched: string[] = []
const waits = new Map<string, unknown>()

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser

beforeAll(async () => {
  server = await testServer({
    async callOut(address, { seconds }) {
      fetched.push(address)
      waits.set(new URL(address).pathname, seconds)
      const content = published.get(address)
      if (content instanceof Error) throw content
      return {
        status: content === undefined ? 404 : 200,
        headers: {},
        body: new Uint8Array(Buffer.from(content ?? '')),
      }
    },
  })
  const keys = { credentials: [{ pem: KEY.pem }, { pem: OWN.pem, alg: 'PS256', kid: 'own' }] }
  const client = (clientId: string, settings: object) =>
    server.addClient({ ...WEB, clientId, settings: { ...WEB.settings, ...settings } })
  await client('web', { signed_request_object: keys })
  await client('must', { signed_request_object: { ...keys, required: true } })
  await client('must-too', { require_signed_request_object: true, jwks: { keys: [KEY.jwk] } })
  await client('pushes', { signed_request_object: keys, require_pushed_authorization_requests: true })
  await client('by-assertion', { client_authentication_methods: { private_key_jwt: keys } })
  await client('limited', { jwks: { keys: [KEY.jwk] }, request_object_signing_alg: 'RS384' })
  await client('separate', {
    client_authentication_methods: { private_key_jwt: { credentials: [{ pem: OWN.pem }] } },
    signed_request_object: { credentials: [{ pem: KEY.pem }] },
  })
  await client('keyless', {})
  await client('by-reference', { signed_request_object: keys, request_uris: [REFERENCE, `${REFERENCE}/other#v1`] })
  await client('publishing', { jwks_uri: 'https://web.test/jwks.json' })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  browser = await signedIn()
})
afterAll(() => server.close())

async function signedIn(): Promise<Browser> {
  const fresh = server.browser()
  const state = await beginLogin(fresh, { client_id: 'keyless', redirect_uri: CALLBACK })
  await submitPassword(fresh, state, 'kim@mail.test')
  return fresh
}

const claimsOf = (client_id: string, over: object = {}): Record<string, unknown> => ({
  iss: client_id,
  aud: 'https://id.test/',
  client_id,
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'openid email',
  state: 'the state',
  nonce: 'n1',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...over,
})

type How = { over?: object; header?: Record<string, unknown>; key?: ClientKey }
/** Members that are undefined in `over` are omitted. */
const signed = (client_id = 'web', { over = {}, header = {}, key = KEY }: How = {}): Promise<string> =>
  signAs(key, JSON.parse(JSON.stringify(claimsOf(client_id, over))), header)

const authorize = (request: string, client_id = 'web', extra: Record<string, string> = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: { client_id, request, ...extra } })
const codeOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('code') ?? ''

const expectOwnPage = (answer: TestResponse) => {
  expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  expect(answer.text).toContain('The request object is not valid')
}

describe('a request by reference', () => {
  const refer = (request_uri: string, client_id = 'by-reference', extra = {}): Promise<TestResponse> =>
    browser.get('/authorize', { query: { client_id, request_uri, ...extra } })

  it.each([
    ['at the registered address', REFERENCE],
    ['in another version of its content', `${REFERENCE}#sha256`],
    ['registered with a version', `${REFERENCE}/other#v2`],
  ])('%s is fetched and counts alone', async (_name, requestUri) => {
    published.set(requestUri.split('#')[0] ?? '', await signed('by-reference'))
    const answer = locationOf(await refer(requestUri, 'by-reference', { state: 'beside', prompt: 'login' }))
    expect([answer.origin, answer.searchParams.get('state')]).toEqual(['https://web.test', 'the state'])
    expect(answer.searchParams.get('code')).toBeTruthy()
  })

  it.each([
    'https://web.test/request.jwt?v=1',
    'https://web.test/request.jwt/',
    'https://evil.test/request.jwt',
    'http://web.test/request.jwt',
    'http://169.254.169.254/',
    '#',
  ])('is never fetched from %j, which is not registered', async (requestUri) => {
    fetched.length = 0
    const answer = await refer(requestUri, 'by-reference', { redirect_uri: CALLBACK, response_type: 'code' })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect(answer.text).toContain('The request_uri is not valid')
    expect(fetched).toEqual([])
  })

  it.each<[string, string | Error | undefined, string]>([
    ['is missing', undefined, 'The request_uri is not valid'],
    ['cannot be fetched', new CallOutError('EPRIVATE'), 'The request_uri is not valid'],
    ['is too large', `${'a'.repeat(20_000)}`, 'The request_uri is not valid'],
    ['is empty', '', 'The request object is not valid'],
    ['is a page', '<!doctype html><p>Not found', 'The request object is not valid'],
    ['is unsigned', new UnsecuredJWT(claimsOf('by-reference')).encode(), 'The request object is not valid'],
  ])('is refused where it %s', async (_name, content, message) => {
    if (content === undefined) published.delete(REFERENCE)
    else published.set(REFERENCE, content)
    const answer = await refer(REFERENCE, 'by-reference', { redirect_uri: CALLBACK, response_type: 'code' })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect(answer.text).toContain(message)
  })

  it.each<[string, How]>([
    ['by a key of another', { key: STRANGE }],
    ['for another client', { over: { iss: 'web', client_id: 'web' } }],
    ['and names a further one', { over: { request_uri: REFERENCE } }],
  ])('is refused where it is signed %s', async (_name, how) => {
    published.set(REFERENCE, await signed('by-reference', how))
    expectOwnPage(await refer(REFERENCE))
  })

  it('is not supported for a client that registered no address, and never pushed', async () => {
    fetched.length = 0
    const answer = locationOf(await refer(REFERENCE, 'keyless', { redirect_uri: CALLBACK, response_type: 'code' }))
    expect(answer.searchParams.get('error')).toBe('request_uri_not_supported')
    const form = { ...webCredentials(), client_id: 'by-reference', request_uri: REFERENCE }
    expect((await server.browser().post('/oauth/par', { form })).status).toBe(400)
    expect(fetched).toEqual([])
  })
})

describe('a signed request', () => {
  it('signs in from the first step to the tokens', async () => {
    const answer = await authorize(await signed())
    expect(locationOf(answer).searchParams.get('state')).toBe('the state')
    const proof = { ...webCredentials(), code_verifier: VERIFIER }
    const tokens = (await redeem(browser, codeOf(answer), proof)).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: 'auth0|kim', nonce: 'n1', aud: 'web' })
  })

  it.each<[string, string, How]>([
    ['with its type', 'web', { header: { typ: 'oauth-authz-req+jwt' } }],
    ['with the type of any token', 'web', { header: { typ: 'JWT' } }],
    ['by a named key', 'web', { header: { alg: 'PS256', kid: 'own' }, key: OWN }],
    ['by the keys of its assertions', 'by-assertion', {}],
    ['by keys of their own where there are such', 'separate', {}],
    ['by the one algorithm', 'limited', { header: { alg: 'RS384' } }],
    ['for an audience in a list', 'web', { over: { aud: ['https://other.test/', 'https://id.test/'] } }],
    ['that has an end', 'web', { over: { exp: 4_000_000_000 } }],
    ['by a key that the client publishes', 'publishing', { header: { kid: 'published' } }],
    ['by the only key that the client publishes', 'publishing', {}],
    ['of a client that must sign', 'must', {}],
    ['with a number and an object', 'web', { over: { max_age: 3600, claims: { id_token: { email: null } } } }],
  ])('a signed request is accepted: %s', async (_name, client_id, how) => {
    expect(codeOf(await authorize(await signed(client_id, how), client_id))).not.toBe('')
  })

  it('is all that counts: nothing beside it is read', async () => {
    const beside = {
      scope: 'openid',
      state: 'other',
      redirect_uri: 'https://evil.test/cb',
      prompt: 'login',
      max_age: '0',
    }
    const answer = locationOf(await authorize(await signed(), 'web', beside))
    expect([answer.origin, answer.searchParams.get('state')]).toEqual(['https://web.test', 'the state'])
    const bare = await authorize(await signed('web', { over: { state: undefined } }), 'web', beside)
    expect(locationOf(bare).searchParams.has('state')).toBe(false)
  })

  it('returns its errors to the application, once it is validated', async () => {
    const answer = locationOf(await authorize(await signed('web', { over: { prompt: 'register' } })))
    expect([answer.origin, answer.searchParams.get('error')]).toEqual(['https://web.test', 'invalid_request'])
  })

  it('goes nowhere that is not registered', async () => {
    const answer = await authorize(await signed('web', { over: { redirect_uri: 'https://evil.test/cb' } }))
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  })

  it('comes as a form, too, and from another site', async () => {
    const form = { client_id: 'web', request: await signed() }
    expect(codeOf(await browser.post('/authorize', { form }))).not.toBe('')
    const onward = await browser.post('/authorize', { form, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(codeOf(await browser.get(onward.header('location') ?? ''))).not.toBe('')
  })

  it('is not restarted from an unsigned URL', async () => {
    const stranger = server.browser()
    const query = { client_id: 'web', request: await signed() }
    const login = locationOf(await stranger.get('/authorize', { query }))
    server.clock.advance(3601)
    expect((await stranger.get(login.href)).text).not.toContain('/authorize?')
    browser = await signedIn()
  })
})

describe('a refused request object (threat-model.md AZ8)', () => {
  const now = () => epochSeconds(server.clock.now())
  it.each<[string, () => How, string?]>([
    ['by a strange key', () => ({ key: STRANGE })],
    ['by a strange key under a known name', () => ({ key: STRANGE, header: { alg: 'PS256', kid: 'own' } })],
    ['by an unknown key id', () => ({ header: { kid: 'x' } })],
    ['by another algorithm than the key is for', () => ({ header: { alg: 'RS384' } })],
    ['by an algorithm that is not taken', () => ({ header: { alg: 'RS512' } })],
    ['for another server', () => ({ over: { aud: 'https://other.test/' } })],
    ['for other servers', () => ({ over: { aud: ['https://other.test/', 'https://id.test'] } })],
    ['for an empty list', () => ({ over: { aud: [] } })],
    ['for nobody', () => ({ over: { aud: undefined } })],
    ['of another issuer', () => ({ over: { iss: 'must' } })],
    ['of no issuer', () => ({ over: { iss: undefined } })],
    ['of another client', () => ({ over: { client_id: 'must' } })],
    ['of no client', () => ({ over: { client_id: undefined } })],
    ['that is over', () => ({ over: { exp: now() } })],
    ['that is not yet good', () => ({ over: { nbf: now() + 60 } })],
    ['from the future', () => ({ over: { iat: now() + 60 } })],
    ['with another inside', () => ({ over: { request: 'x' } })],
    ['with an address inside', () => ({ over: { request_uri: 'https://web.test/r' } })],
    ['that proves who the client is', () => ({ over: { sub: 'web' } })],
    ['of another kind', () => ({ header: { typ: 'client-authentication+jwt' } })],
    ['whose type is no text', () => ({ header: { typ: 7 } })],
    ['with text that cannot be stored', () => ({ over: { state: 'a\0b' } })],
    ['with invalid text', () => ({ over: { login_hint: '\ud800' } })],
    ['of a client that has no key', () => ({}), 'keyless'],
    ['by the key of its assertions where requests have their own', () => ({ key: OWN }), 'separate'],
    ['by another algorithm than it registered', () => ({}), 'limited'],
  ])('a signed request is refused: %s', async (_name, how, client_id = 'web') => {
    expectOwnPage(await authorize(await signed(client_id, how()), client_id))
  })

  it.each(['x', 'a.b.c', 'a.b.c.d.e', `${Buffer.from('{"alg":"RS256"}').toString('base64url')}..`])(
    'a text that is not a token is refused: %s',
    async (request) => {
      expectOwnPage(await authorize(request))
    },
  )

  it('a signed request is refused with the public key as a secret (RFC 8725 2.1)', async () => {
    const confused = await new SignJWT(claimsOf('web')).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(KEY.pem))
    expectOwnPage(await authorize(confused))
  })

  it('a signed request is refused if it is nested too deeply to be written again', async () => {
    const claims = JSON.stringify(claimsOf('web')).replace('{', `{"claims":${'['.repeat(5500)}${']'.repeat(5500)},`)
    const request = await new CompactSign(Buffer.from(claims)).setProtectedHeader({ alg: 'RS256' }).sign(KEY.privateKey)
    expectOwnPage(await authorize(request))
  })

  it('a request that one client signed is refused from another', async () => {
    expectOwnPage(await authorize(await signed('must'), 'web'))
  })

  it('a signed request is refused beside a request_uri', async () => {
    expectOwnPage(await authorize(await signed(), 'web', { request_uri: 'https://web.test/r' }))
  })

  it('an assertion is not a request object, and the log says so without it', async () => {
    const assertion = await signAs(KEY, assertionClaims('web', server.clock.now()))
    expectOwnPage(await authorize(assertion))
    expect(JSON.stringify(server.lines)).not.toContain(assertion.split('.')[1])
  })

  it('a request object without a client has no key to verify it', async () => {
    const answer = await browser.get('/authorize', { query: { request: await signed() } })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  })
})

describe('a client that must sign', () => {
  const plain = (client_id: string) =>
    Object.fromEntries(
      Object.entries(claimsOf(client_id)).filter(([name]) => name !== 'iss' && name !== 'aud'),
    ) as Record<string, string>

  it.each(['must', 'must-too'])('is refused unsigned parameters: %s', async (client_id) => {
    const answer = locationOf(await browser.get('/authorize', { query: plain(client_id) }))
    expect([answer.origin, answer.searchParams.get('error')]).toEqual(['https://web.test', 'invalid_request'])
    const pushed = await browser.post('/oauth/par', { form: { ...plain(client_id), client_secret: WEB.secret } })
    expect([pushed.status, pushed.json().error]).toEqual([400, 'invalid_request'])
  })

  it.each(['must', 'must-too'])('is refused an unsigned object: %s', async (client_id) => {
    const request = new UnsecuredJWT(claimsOf(client_id)).encode()
    expectOwnPage(await browser.get('/authorize', { query: { ...plain(client_id), request } }))
    const pushed = await browser.post('/oauth/par', { form: { client_id, client_secret: WEB.secret, request } })
    expect([pushed.status, pushed.json().error]).toEqual([400, 'invalid_request_object'])
  })

  /** Seconds from now; undefined omits the claim. */
  const during = (nbf?: number, exp?: number): Promise<string> => {
    const now = epochSeconds(server.clock.now())
    const at = (seconds?: number) => seconds && now + seconds
    return signed('must-too', { over: { nbf: at(nbf), exp: at(exp) } })
  }

  it.each([
    [-1, 3599],
    [5, 3605],
  ])('a request is valid for at most an hour (FAPI 2.0 Message Signing 5.3.1): from %s to %s', async (nbf, exp) => {
    expect(codeOf(await authorize(await during(nbf, exp), 'must-too'))).not.toBe('')
  })

  it.each<[string, number?, number?]>([
    ['for no time'],
    ['without a start', undefined, 60],
    ['without an end', -1],
    ['for more than an hour', -1, 3600],
    ['from more than an hour ago', -3601, 1],
    ['that is over', -60, -1],
    ['from later on', 60, 120],
  ])('is refused an object %s, where it registered that', async (_name, nbf, exp) => {
    const request = await during(nbf, exp)
    expectOwnPage(await authorize(request, 'must-too'))
    const form = { client_id: 'must-too', client_secret: WEB.secret, request }
    expect((await browser.post('/oauth/par', { form })).json().error).toBe('invalid_request_object')
  })

  it('is refused other ways to an answer that brings no signature', async () => {
    const query = { ...plain('must'), connection: 'email', email: 'kim@mail.test', verification_code: '123456' }
    const answer = await browser.get('/passwordless/verify_redirect', { query })
    expect(answer.text).not.toContain('code=')
  })
})

describe('pushing a signed request (RFC 9126 3)', () => {
  const push = (request: string, client_id = 'web', extra: Record<string, string> = {}): Promise<TestResponse> =>
    browser.post('/oauth/par', { form: { client_id, client_secret: WEB.secret, request, ...extra } })

  it.each(['web', 'must', 'pushes'])('keeps what was signed, and nothing beside it: %s', async (client_id) => {
    const beside = { redirect_uri: 'https://evil.test/cb', state: 'other' }
    const { request_uri } = (await push(await signed(client_id), client_id, beside)).json()
    const answer = await browser.get('/authorize', { query: { client_id, request_uri: String(request_uri) } })
    expect(locationOf(answer).searchParams.get('state')).toBe('the state')
    expect(codeOf(answer)).not.toBe('')
  })

  it.each<[string, How, string]>([
    ['by a strange key', { key: STRANGE }, 'invalid_request_object'],
    ['of another client', { over: { client_id: 'must' } }, 'invalid_request_object'],
    ['with another inside', { over: { request: 'x' } }, 'invalid_request_object'],
    ['that goes where nothing is registered', { over: { redirect_uri: 'https://evil.test/cb' } }, 'invalid_request'],
  ])('refuses one %s', async (_name, how, error) => {
    const answer = await push(await signed('web', how))
    expect([answer.status, answer.json().error]).toEqual([400, error])
  })

  it('is the only way in of a client that must push', async () => {
    const answer = locationOf(await authorize(await signed('pushes'), 'pushes'))
    expect(answer.searchParams.get('error')).toBe('invalid_request')
  })
})

describe('openid-client', () => {
  const throughServer: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const form = body === undefined || body === null ? {} : { form: String(body) }
    const answer = await browser.send(method, url, { headers, ...form })
    return new Response(answer.text || null, { status: answer.status, headers: new Headers(answer.headers) })
  }

  it('signs its request, and pushes the signed object', async () => {
    const skew = Math.round((server.clock.now().getTime() - Date.now()) / 1000)
    const config = await oidc.discovery(
      new URL('https://id.test/'),
      'must',
      { [oidc.clockSkew]: skew },
      oidc.ClientSecretPost(WEB.secret),
      { [oidc.customFetch]: throughServer },
    )
    const pkcs8 = KEY.privateKey.export({ format: 'der', type: 'pkcs8' })
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const url = await oidc.buildAuthorizationUrlWithJAR(
      config,
      {
        redirect_uri: CALLBACK,
        scope: 'openid',
        state: 's1',
        max_age: '3600',
        claims: '{"id_token":{"email":null}}',
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      },
      key,
    )
    for (const to of [url, await oidc.buildAuthorizationUrlWithPAR(config, url.searchParams)]) {
      const callback = locationOf(await browser.get(to.href))
      const checks = { pkceCodeVerifier, expectedState: 's1', maxAge: 3600 }
      expect((await oidc.authorizationCodeGrant(config, callback, checks)).claims()?.sub).toBe('auth0|kim')
    }
  })
})

it('waits at most five seconds for an address of a client', () => {
  expect(Object.fromEntries(waits)).toMatchObject({ '/jwks.json': 5, '/request.jwt': 5 })
})
