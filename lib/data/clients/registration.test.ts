import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../kernel/errors'
import { makeClientKey } from '../../testing/client-key'
import { mustSign, toClient, usesSecret } from './client'
import { describeClient, readMetadata } from './registration'
import { kindOfUrl } from './registration-urls'

const KEY = makeClientKey()
const OWN = 'https://id.test'
const CALLBACK = ['https://third.test/cb']
const read = (body: Record<string, unknown>) => readMetadata({ redirect_uris: CALLBACK, ...body }, OWN)

const refusal = (body: Record<string, unknown>): string => {
  try {
    readMetadata(body, OWN)
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
  return 'accepted'
}

describe('a URL in a dynamic registration (threat-model.md DC1)', () => {
  it.each([
    ['https://third.test/cb', 'web'],
    ['https://third.test/cb?x=1', 'web'],
    ['https://third.test:8443', 'web'],
    ['http://localhost:4242', 'web'],
    ['http://127.0.0.1/cb', 'web'],
    ['http://[::1]:3000/cb', 'web'],
    ['edu.kit.data.oidc-agent:/redirect', 'private-use'],
    ['com.example.app://cb', 'private-use'],
  ])('the URL %s is of the kind %s', (url, kind) => {
    expect(kindOfUrl(url, OWN)).toBe(kind)
  })

  it.each([
    ['http on another host', 'http://third.test/cb'],
    ['http on a host that begins like loopback', 'http://127.0.0.1.evil.test/cb'],
    ['a fragment', 'https://third.test/cb#x'],
    ['an empty fragment', 'https://third.test/cb#'],
    ['user info', 'https://kim@third.test/cb'],
    ['a wildcard host', 'https://*.third.test/cb'],
    ['a wildcard path', 'https://third.test/*'],
    ['a placeholder', 'https://{organization_name}.third.test/cb'],
    ['a space', 'https://third.test/c b'],
    ['a line break', 'https://third.test/cb\n'],
    ['a tab in the scheme', 'java\tscript.x:alert(1)'],
    ['a NUL', 'https://third.test/\0'],
    ['half a character', 'https://third.test/\ud800'],
    ['a backslash', 'https:\\\\third.test\\cb'],
    ['this server', 'https://id.test/v2/logout'],
    ['this server, spelt with a port', 'https://id.test:443/cb'],
    ['this server, spelt with a final dot', 'https://id.test./cb'],
    ['this server, in capitals', 'https://ID.test/cb'],
    ['no authority, so relative to this server', 'https:evil.test/cb'],
    ['an empty authority', 'https:///third.test/cb'],
    ['a relative address', '/cb'],
    ['a scheme that runs', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['a scheme without a dot', 'myapp:/cb'],
    ['two thousand characters', `https://third.test/${'x'.repeat(2000)}`],
    ['nothing', ''],
  ])('a URL is refused: %s', (_name, url) => {
    expect(kindOfUrl(url, OWN)).toBeNull()
    expect(refusal({ redirect_uris: [url] })).toBe('invalid_redirect_uri')
    expect(refusal({ redirect_uris: CALLBACK, logo_uri: url })).toBe('invalid_client_metadata')
    expect(refusal({ redirect_uris: CALLBACK, post_logout_redirect_uris: [url] })).toBe('invalid_client_metadata')
  })
})

describe('metadata', () => {
  it.each([
    ['no redirect URI', {}, 'invalid_redirect_uri'],
    ['an empty list', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a text for a list', { redirect_uris: CALLBACK[0] }, 'invalid_redirect_uri'],
    ['objects in the list', { redirect_uris: [{}] }, 'invalid_redirect_uri'],
    [
      'too many',
      { redirect_uris: Array.from({ length: 51 }, (_, i) => `https://a.test/${i}`) },
      'invalid_redirect_uri',
    ],
  ])('metadata with %s is refused', (_name, body, code) => {
    expect(refusal(body)).toBe(code)
  })

  it.each([
    ['a name that is no text', { client_name: 7 }],
    ['an empty name', { client_name: '' }],
    ['a name of two lines', { client_name: 'a\nb' }],
    ['a name that reorders the page', { client_name: 'a\u202eb' }],
    ['a name with a mark of direction', { client_name: 'a\u200fb' }],
    ['a name that passes for another by what is not seen', { client_name: 'Pay\u200bBank' }],
    ['a name of spaces', { client_name: '   ' }],
    ['a name of fillers', { client_name: '\u3164\u3164' }],
    ['a name that cannot be stored', { client_name: 'a\ud800' }],
    ['a name without end', { client_name: 'x'.repeat(201) }],
    ['a method that is not there', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['keys that are missing', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['keys that cannot be fetched over TLS', { jwks_uri: 'http://third.test/jwks' }],
    ['keys on loopback', { jwks_uri: 'http://localhost:4242/jwks' }],
    ['keys at an invalid address', { jwks_uri: 7 }],
    ['request objects that cannot be fetched over TLS', { request_uris: ['http://third.test/request.jwt'] }],
    ['request objects of this server', { request_uris: ['https://id.test/request.jwt#1'] }],
    ['a pattern of request objects', { request_uris: ['https://third.test/*'] }],
    ['one address of request objects', { request_uris: 'https://third.test/request.jwt' }],
    ['too many addresses of request objects', { request_uris: Array(11).fill('https://third.test/request.jwt') }],
    ['two places of keys', { jwks: { keys: [KEY.jwk] }, jwks_uri: 'https://third.test/jwks' }],
    ['an empty set', { jwks: { keys: [] } }],
    ['a private key', { jwks: { keys: [{ ...KEY.jwk, d: 'AQAB' }] } }],
    ['a shared key', { jwks: { keys: [{ kty: 'oct', k: 'AQAB' }] } }],
    ['a key that is too short', { jwks: { keys: [makeClientKey(1024).jwk] } }],
    ['a key that anyone could sign for', { jwks: { keys: [{ ...KEY.jwk, e: 'AQ' }] } }],
    ['a key that takes long to verify by', { jwks: { keys: [{ ...KEY.jwk, e: KEY.jwk.n }] } }],
    ['an invalid key', { jwks: { keys: [{ kty: 'RSA', n: '', e: 'AQAB' }] } }],
    ['a key for something else alone', { jwks: { keys: [{ ...KEY.jwk, use: 'enc' }] } }],
    ['a key of an algorithm that is not taken', { jwks: { keys: [{ ...KEY.jwk, alg: 'RS512' }] } }],
    ['a key with a name that cannot be stored', { jwks: { keys: [{ ...KEY.jwk, kid: 'a\0b' }] } }],
    ['keys without end', { jwks: { keys: Array.from({ length: 11 }, () => KEY.jwk) } }],
    ['an assertion by a shared secret', { token_endpoint_auth_signing_alg: 'HS256' }],
    ['an invalid application type', { application_type: 'desktop' }],
    ['grants of which it may have none', { grant_types: ['password', 'implicit', 'client_credentials'] }],
    ['nothing to refresh', { grant_types: ['refresh_token'] }],
    ['no grant', { grant_types: [] }],
    ['a front-channel response type', { response_types: ['id_token'] }],
    ['one beside code', { response_types: ['code', 'token'] }],
    ['no response type', { response_types: [] }],
    [
      'a code that no client could redeem',
      { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], response_types: ['code'] },
    ],
    ['an unsigned ID token', { id_token_signed_response_alg: 'none' }],
    ['another algorithm', { id_token_signed_response_alg: 'HS256' }],
    ['a user-info answer signed by a shared secret', { userinfo_signed_response_alg: 'HS256' }],
    ['a user-info answer that claims to be signed', { userinfo_signed_response_alg: 'none' }],
    ['an authorization response without a signature', { authorization_signed_response_alg: 'none' }],
    ['an encrypted authorization response', { authorization_encrypted_response_alg: 'RSA-OAEP' }],
    ['encryption', { id_token_encrypted_response_alg: 'RSA-OAEP' }],
    ['encryption without the algorithm of its key', { userinfo_encrypted_response_enc: 'A128GCM' }],
    ['encrypted request objects', { request_object_encryption_enc: 'A128GCM' }],
    ['signed introspection', { introspection_signed_response_alg: 'RS256' }],
    ['encrypted introspection', { introspection_encrypted_response_alg: 'RSA-OAEP' }],
    ['the name of a certificate', { tls_client_auth_san_dns: 'third.test' }],
    ['tokens that are bound to a certificate', { tls_client_certificate_bound_access_tokens: true }],
    ['pushed requests that are no boolean', { require_pushed_authorization_requests: 'yes' }],
    ['classes of authentication that are no list', { default_acr_values: 'urn:a urn:b' }],
    ['a class of authentication of two words', { default_acr_values: ['urn:a urn:b'] }],
    ['unsigned request objects', { request_object_signing_alg: 'none' }],
    ['requests that must be signed by nothing', { require_signed_request_object: true }],
    ['pairwise subjects', { subject_type: 'pairwise' }],
    ['a sector', { sector_identifier_uri: 'https://third.test/sector.json' }],
    ['bound tokens that are no boolean', { dpop_bound_access_tokens: 'yes' }],
    ['a negative age', { default_max_age: -1 }],
    ['a frame of another site', { frontchannel_logout_uri: 'https://evil.test/out' }],
    ['a frame of this server', { frontchannel_logout_uri: 'https://id.test/v2/logout' }],
    ['a back channel over http', { backchannel_logout_uri: 'http://10.0.0.1/out' }],
    ['contacts that are no list', { contacts: 'kim@mail.test' }],
    ['a logo over http', { logo_uri: 'http://third.test/logo.png' }],
    ['a logo of this server', { logo_uri: 'https://id.test/v2/logout' }],
  ])('metadata is refused as invalid with %s', (_name, body) => {
    expect(refusal({ redirect_uris: CALLBACK, ...body })).toBe('invalid_client_metadata')
  })

  it('names the member that is wrong, and repeats nothing of it', () => {
    expect(() => read({ redirect_uris: ['http://evil.test', 'x:y'] })).toThrow(/^redirect_uris\[0\]: must be/)
    expect(() => read({ logo_uri: 'http://evil.test' })).toThrow(/^logo_uri: must be/)
  })

  it('has the defaults of the contract', () => {
    expect(read({})).toEqual({
      name: 'My App',
      settings: {
        app_type: 'regular_web',
        callbacks: CALLBACK,
        allowed_logout_urls: [],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        frontchannel_logout_session_required: false,
      },
    })
  })

  it('treats null as absent, and ignores unknown members, privileges and ids', () => {
    const extras = { client_name: null, is_first_party: true, client_id: 'mine', client_secret: 'mine', x: { y: 1 } }
    expect(read(extras)).toEqual(read({}))
  })

  it('leaves out the addresses that it may not have, if others remain', () => {
    const sent = ['http://evil.test', ...CALLBACK, 'x:y', 'https://id.test/cb']
    const { settings } = read({ redirect_uris: sent, post_logout_redirect_uris: ['https://third.test/bye', 'x:y'] })
    expect([settings.callbacks, settings.allowed_logout_urls]).toEqual([CALLBACK, ['https://third.test/bye']])
  })

  it('leaves out the grants that it may not have', () => {
    const { settings } = read({ grant_types: ['password', 'authorization_code', 'client_credentials', 'implicit'] })
    expect(settings.grant_types).toEqual(['authorization_code'])
  })

  it.each([
    [{}, 'regular_web'],
    [{ token_endpoint_auth_method: 'none' }, 'spa'],
    [{ application_type: 'native' }, 'native'],
    [{ application_type: 'web', redirect_uris: ['com.example.app:/cb'] }, 'native'],
    [{ token_endpoint_auth_method: 'none', redirect_uris: ['http://localhost:3118/cb'] }, 'native'],
    [{ token_endpoint_auth_method: 'none', redirect_uris: [...CALLBACK, 'http://[::1]/cb'] }, 'native'],
    [{ token_endpoint_auth_method: 'none', redirect_uris: ['https://localhost/cb'] }, 'spa'],
    [{ redirect_uris: ['http://localhost:3118/cb'] }, 'regular_web'],
  ])('%o is of type %s', (body, type) => {
    expect(read(body).settings.app_type).toBe(type)
  })

  it('sets where the application is notified of a logout', () => {
    const sent = {
      backchannel_logout_uri: 'https://back.test/out',
      frontchannel_logout_uri: 'https://third.test/out?x=1',
      frontchannel_logout_session_required: true,
    }
    const client = toClient({ clientId: 'x', secretDigest: null, ...read(sent) })
    expect(client.settings.oidc_logout.backchannel_logout_urls).toEqual(['https://back.test/out'])
    expect(describeClient(client, new Date(0))).toMatchObject({ ...sent, backchannel_logout_session_required: true })
  })

  it('keeps the keys of an application, without what is not needed of them', () => {
    const keys = [
      { ...KEY.jwk, kid: 'k1', use: 'sig', alg: 'RS256' },
      { kty: 'EC', kid: 'for others' },
    ]
    const jwks = { keys: keys.map((key) => ({ ...key, x5c: ['AA=='] })) }
    const sent = {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      request_object_signing_alg: 'PS256',
      require_signed_request_object: true,
    }
    const client = toClient({ clientId: 'x', secretDigest: null, ...read({ ...sent, jwks }) })
    expect(describeClient(client, new Date(0))).toMatchObject({ ...sent, jwks: { keys } })
    expect([client.isPublic, usesSecret(client), mustSign(client)]).toEqual([false, false, true])
  })

  it('keeps what the application demands of its own requests and logins', () => {
    const sent = {
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      default_acr_values: ['urn:a', 'urn:b'],
      default_max_age: 600,
      require_auth_time: true,
    }
    const client = toClient({ clientId: 'x', secretDigest: null, ...read(sent) })
    expect(client.settings).toMatchObject({
      require_pushed_authorization_requests: true,
      default_acr_values: ['urn:a', 'urn:b'],
    })
    expect(describeClient(client, new Date(0))).toMatchObject(sent)
  })

  it('of a device needs no redirect URI, and no response type counts', () => {
    const grants = { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], response_types: ['token'] }
    const { name, settings } = readMetadata(grants, OWN)
    const client = toClient({ clientId: 'tv', name, secretDigest: null, settings })
    expect(describeClient(client, new Date(0))).toMatchObject({ response_types: [], redirect_uris: [] })
  })
})

it('accepts any input without an error, and stores only what it can read again', () => {
  // biome-ignore format: a list of words
  const names = ['client_name', 'redirect_uris', 'post_logout_redirect_uris', 'application_type', 'token_endpoint_auth_method', 'grant_types',
    'response_types', 'logo_uri', 'contacts', 'default_max_age', 'require_auth_time', 'default_acr_values', 'require_pushed_authorization_requests', 'subject_type', 'jwks', '__proto__', 'constructor']
  // biome-ignore format: a list of words
  const likely = fc.constantFrom<unknown>({ keys: [{ ...KEY.jwk, kid: 'a\0b' }] }, 'https://a.test/cb', 'com.a.b:/cb', 'none', 'code', 'authorization_code', 'native', 'a\0b', '\ud800', null, 7)
  const value = fc.oneof(likely, fc.array(likely, { maxLength: 3 }), fc.jsonValue())
  const property = fc.property(fc.dictionary(fc.constantFrom(...names), value), (body) => {
    try {
      const { name, settings } = readMetadata({ redirect_uris: CALLBACK, ...body }, OWN)
      const stored = JSON.stringify({ name, settings })
      expect(stored).not.toMatch(/\\u0000|\\ud800/)
      expect(toClient({ clientId: 'x', secretDigest: null, ...JSON.parse(stored) }).settings.callbacks).toBeDefined()
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  })
  fc.assert(property, { numRuns: 3000, seed: 20270115 })
})
