import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Keyring } from '../../crypto/keys/keyring'
import { type Client, type ClientAuthMethod, SECRET_PURPOSE, toClient } from '../../data/clients/client'
import { createVault } from '../../kernel/secret'
import { ASSERTION_TYPE, assertionClaims, makeClientKey, signAs } from '../../testing/client-key'
import { keyShelf } from '../../testing/keys'
import { NOW, sampleRequest } from '../../testing/samples'
import { silentTrail } from '../../testing/trail'
import { authenticateClient } from './client-authentication'

const vault = createVault('a secret of at least thirty-two characters')
const SECRET = 's+e c/r%e:t&ü'

const registered = (clientId: string, method: ClientAuthMethod, secret: string | null = SECRET): Client =>
  toClient({
    clientId,
    name: clientId,
    secretDigest: secret === null ? null : vault.mac(SECRET_PURPOSE, secret),
    settings: { token_endpoint_auth_method: method },
  })

const [KEY, NEXT, STRANGE] = [makeClientKey(), makeClientKey(), makeClientKey()]

/** It also has an old secret, which must not count any more. */
const keyed = (clientId: string, credentials: object[]): Client =>
  toClient({
    clientId,
    name: clientId,
    secretDigest: vault.mac(SECRET_PURPOSE, SECRET),
    settings: {
      token_endpoint_auth_method: 'client_secret_post',
      client_authentication_methods: { private_key_jwt: { credentials } },
    },
  })

const set = (clientId: string, keys: object[]): Client =>
  toClient({
    clientId,
    name: clientId,
    secretDigest: null,
    settings: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } },
  })

const clients = new Map(
  [
    registered('post', 'client_secret_post'),
    registered('basic', 'client_secret_basic'),
    registered('a:b c', 'client_secret_basic'),
    registered('percent', 'client_secret_basic', '100%+raw'),
    registered('plus', 'client_secret_basic', 'a+b%20c%00'),
    registered('decoded', 'client_secret_basic', 'a b c'),
    registered('a+b%', 'client_secret_basic'),
    registered('public', 'none', null),
    registered('secretless', 'client_secret_post', null),
    toClient({ clientId: 'either', name: 'either', secretDigest: vault.mac(SECRET_PURPOSE, SECRET), settings: {} }),
    keyed('signer', [{ pem: KEY.pem }]),
    keyed('rotating', [{ pem: KEY.pem, kid: 'old' }, { pem: NEXT.pem }]),
    keyed('elderly', [{ pem: KEY.pem, expires_at: NOW.toISOString() }]),
    keyed('strong', [{ pem: KEY.pem, alg: 'PS256' }]),
    keyed('exported', [{ name: 'an id alone' }]),
    set('one', [KEY.jwk]),
    set('several', [
      { ...KEY.jwk, kid: 'a' },
      { ...NEXT.jwk, kid: 'b' },
    ]),
    set('limited', [{ ...KEY.jwk, alg: 'RS384' }]),
    toClient({ clientId: 'open', name: 'open', secretDigest: vault.mac(SECRET_PURPOSE, SECRET), settings: {} }),
  ].map((client) => [client.clientId, client]),
)

const used = new Set<string>()
let keyring: Keyring
beforeAll(async () => {
  keyring = await (await keyShelf()).keyring()
})
const deps = () => ({
  vault,
  clients: { find: async (id: string) => clients.get(id) ?? null },
  trail: silentTrail,
  clock: { now: () => NOW },
  baseUrl: 'https://id.test',
  keyring,
  keySets: { find: async () => null },
  tickets: {
    claim: async ({ digest }: { digest: Uint8Array }) => {
      const name = Buffer.from(digest).toString('hex')
      return !used.has(name) && used.add(name).has(name)
    },
  },
})

type Sent = { body?: Record<string, string>; authorization?: string; query?: string; path?: string }
const authenticate = async ({ body = {}, authorization, query, path = '/oauth/token' }: Sent) =>
  (
    await authenticateClient(
      sampleRequest({ method: 'POST', path, headers: { authorization }, ...(query === undefined ? {} : { query }) }),
      body,
      deps(),
    )
  ).clientId

const form = (value: string) => encodeURIComponent(value).replaceAll('%20', '+')
const rawBasic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${form(id)}:${form(secret)}`).toString('base64')}`

describe('each registered method', () => {
  it.each<[string, Sent, string]>([
    ['post', { body: { client_id: 'post', client_secret: SECRET } }, 'post'],
    ['basic', { authorization: basic('basic', SECRET) }, 'basic'],
    [
      'basic beside the same client_id',
      { authorization: basic('basic', SECRET), body: { client_id: 'basic' } },
      'basic',
    ],
    ['basic, both halves form-encoded', { authorization: basic('a:b c', SECRET) }, 'a:b c'],
    ['basic, both halves raw', { authorization: rawBasic('basic', SECRET) }, 'basic'],
    ['basic, raw, where the secret is no form text', { authorization: rawBasic('percent', '100%+raw') }, 'percent'],
    ['basic, raw, where the secret also reads as form text', { authorization: rawBasic('plus', 'a+b%20c%00') }, 'plus'],
    ['basic, encoded, of the same secret', { authorization: basic('plus', 'a+b%20c%00') }, 'plus'],
    [
      'basic, a raw id beside the same client_id',
      { authorization: rawBasic('a+b%', SECRET), body: { client_id: 'a+b%' } },
      'a+b%',
    ],
    ['basic, a raw id', { authorization: rawBasic('a+b%', SECRET) }, 'a+b%'],
    ['basic in another case', { authorization: basic('basic', SECRET).replace('Basic', 'bAsIc') }, 'basic'],
    ['post where nothing is registered', { body: { client_id: 'either', client_secret: SECRET } }, 'either'],
    ['basic where nothing is registered', { authorization: basic('either', SECRET) }, 'either'],
    ['none', { body: { client_id: 'public' } }, 'public'],
    ['none by a header without a password', { authorization: basic('public', '') }, 'public'],
  ])('a client authenticates by its registered method: %s', async (_name, sent, clientId) => {
    expect(await authenticate(sent)).toBe(clientId)
  })
})

describe('one answer for whatever is wrong (threat-model.md CO4)', () => {
  it.each<[string, Sent]>([
    ['an unknown client', { body: { client_id: 'nobody', client_secret: SECRET } }],
    ['an unknown public client', { body: { client_id: 'nobody' } }],
    ['an unknown client by header', { authorization: basic('nobody', SECRET) }],
    ['a wrong secret', { body: { client_id: 'post', client_secret: 'wrong' } }],
    ['a wrong secret by header', { authorization: basic('basic', 'wrong') }],
    ['a prefix of the secret', { body: { client_id: 'post', client_secret: SECRET.slice(0, -1) } }],
    ['an empty secret', { body: { client_id: 'post', client_secret: '' } }],
    ['no secret', { body: { client_id: 'post' } }],
    ['no secret where nothing is registered', { body: { client_id: 'either' } }],
    ['no client', {}],
    ['post where basic is registered', { body: { client_id: 'basic', client_secret: SECRET } }],
    ['basic where post is registered', { authorization: basic('post', SECRET) }],
    ['none where basic is registered', { body: { client_id: 'basic' } }],
    ['a secret of a client that has none', { body: { client_id: 'public', client_secret: 'x' } }],
    ['a client whose secret was never set', { body: { client_id: 'secretless', client_secret: '' } }],
    ['a client whose secret was never set, with one', { body: { client_id: 'secretless', client_secret: 'x' } }],
    ['a header that is not form-encoded', { authorization: `Basic ${Buffer.from('basic:%').toString('base64')}` }],
    ['a NUL in the header', { authorization: `Basic ${Buffer.from('%00:x').toString('base64')}` }],
    ['a secret that is right only when decoded twice', { authorization: basic('decoded', 'a+b%20c') }],
    ['a wrong raw secret', { authorization: rawBasic('percent', '100%-raw') }],
    ['a raw NUL in the secret', { authorization: rawBasic('percent', '100%+raw\0') }],
    ['a header without a colon', { authorization: `Basic ${Buffer.from('basic').toString('base64')}` }],
    ['a header that is no base64', { authorization: 'Basic !!!' }],
    ['another scheme', { authorization: 'Bearer abc' }],
  ])('every wrong client gets the same answer: %s', async (_name, sent) => {
    await expect(authenticate(sent)).rejects.toMatchObject({ code: 'invalid_client', description: 'Unauthorized' })
  })
})

describe('one method per request', () => {
  it.each<[string, Sent]>([
    ['header and body', { authorization: basic('basic', SECRET), body: { client_secret: SECRET } }],
    [
      'header and body of one client',
      { authorization: basic('basic', SECRET), body: { client_id: 'basic', client_secret: SECRET } },
    ],
    ['two clients', { authorization: basic('basic', SECRET), body: { client_id: 'post' } }],
    ['a secret in the URL', { query: 'client_secret=x', body: { client_id: 'post', client_secret: SECRET } }],
    ['a right secret in the URL', { query: `client_secret=${form(SECRET)}`, body: { client_id: 'post' } }],
  ])('a request with %s is refused', async (_name, sent) => {
    await expect(authenticate(sent)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a confidential client whose record names no method', () => {
  it.each<[string, Sent]>([
    ['post', { body: { client_id: 'open', client_secret: SECRET } }],
    ['basic', { authorization: basic('open', SECRET) }],
  ])('may use %s', async (_name, sent) => {
    expect(await authenticate(sent)).toBe('open')
  })

  it('may not come without its secret', async () => {
    await expect(authenticate({ body: { client_id: 'open' } })).rejects.toMatchObject({ code: 'invalid_client' })
  })
})

/** A valid assertion of the client, with the given members replaced. */
const assertion = async (
  clientId: string,
  { claims = {}, header = {}, key = KEY }: { claims?: object; header?: Record<string, unknown>; key?: typeof KEY } = {},
): Promise<Record<string, string>> => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await signAs(key, assertionClaims(clientId, NOW, { ...claims }), header),
})
const seconds = Math.floor(NOW.getTime() / 1000)

describe('private_key_jwt (RFC 7523)', () => {
  it.each<[string, string, Parameters<typeof assertion>[1]]>([
    ['for the issuer', 'signer', {}],
    ['for the token endpoint', 'signer', { claims: { aud: 'https://id.test/oauth/token' } }],
    ['for both', 'signer', { claims: { aud: ['https://id.test/', 'https://id.test/oauth/token'] } }],
    ['for five minutes', 'signer', { claims: { exp: seconds + 300 } }],
    ['without iat', 'signer', { claims: { iat: undefined } }],
    [
      'by a clock ten seconds ahead',
      'signer',
      { claims: { iat: seconds + 10, nbf: seconds + 10, exp: seconds + 310 } },
    ],
    ['with its type', 'signer', { header: { typ: 'client-authentication+jwt' } }],
    ['by an old key that has a name', 'rotating', { header: { kid: 'old' } }],
    ['by either of two keys, without a name', 'rotating', { key: NEXT }],
    ['by PS256', 'strong', { header: { alg: 'PS256' } }],
    ['by the one key of a set', 'one', { header: { alg: 'RS384' } }],
    ['by a named key of a set', 'several', { key: NEXT, header: { kid: 'b' } }],
    ['by the algorithm of a key in a set', 'limited', { header: { alg: 'RS384' } }],
  ])('an assertion is accepted: %s', async (_name, clientId, how) => {
    expect(await authenticate({ body: await assertion(clientId, how) })).toBe(clientId)
  })

  it('at another endpoint may name that one too, and no third', async () => {
    const body = await assertion('signer', { claims: { aud: 'https://id.test/oauth/par' } })
    await expect(authenticate({ body })).rejects.toMatchObject({ code: 'invalid_client' })
    expect(await authenticate({ body, path: '/oauth/par' })).toBe('signer')
  })

  it('an assertion is accepted beside its own client_id', async () => {
    expect(await authenticate({ body: { ...(await assertion('signer')), client_id: 'signer' } })).toBe('signer')
  })

  it.each<[string, string, Parameters<typeof assertion>[1]]>([
    ['for another server', 'signer', { claims: { aud: 'https://other.test/' } }],
    ['for another server too', 'signer', { claims: { aud: ['https://id.test/', 'https://other.test/'] } }],
    ['for the issuer without its slash', 'signer', { claims: { aud: 'https://id.test' } }],
    ['for nobody', 'signer', { claims: { aud: undefined } }],
    ['for an empty list', 'signer', { claims: { aud: [] } }],
    ['that is over', 'signer', { claims: { exp: seconds, iat: seconds - 60 } }],
    ['that lives too long', 'signer', { claims: { exp: seconds + 301 } }],
    ['that lived too long', 'signer', { claims: { exp: seconds + 30, iat: seconds - 271 } }],
    ['that lives too long without iat', 'signer', { claims: { exp: seconds + 311, iat: undefined } }],
    ['that never ends', 'signer', { claims: { exp: undefined } }],
    ['whose end is no number', 'signer', { claims: { exp: 'tomorrow' } }],
    ['that is not yet good', 'signer', { claims: { nbf: seconds + 11 } }],
    ['from the future', 'signer', { claims: { iat: seconds + 11 } }],
    ['without jti', 'signer', { claims: { jti: undefined } }],
    ['whose jti is no text', 'signer', { claims: { jti: 1 } }],
    ['whose jti has no end', 'signer', { claims: { jti: 'x'.repeat(256) } }],
    ['of another issuer', 'signer', { claims: { iss: 'one' } }],
    ['without issuer', 'signer', { claims: { iss: undefined } }],
    ['about nobody', 'signer', { claims: { sub: undefined } }],
    ['about something that cannot be stored', 'signer', { claims: { sub: 'a\0b' } }],
    ['of an unknown client', 'nobody', {}],
    ['by a strange key', 'signer', { key: STRANGE }],
    ['by a strange key under a name that is known', 'rotating', { key: STRANGE, header: { kid: 'old' } }],
    ['by the other key under that name', 'rotating', { key: NEXT, header: { kid: 'old' } }],
    ['by an unknown key id', 'signer', { header: { kid: 'x' } }],
    ['by a key that is over', 'elderly', {}],
    ['by a key of which only the name is known', 'exported', {}],
    ['by another algorithm than the credential names', 'strong', {}],
    ['by another algorithm than the key in a set names', 'limited', {}],
    ['by one of several keys of a set, without a name', 'several', {}],
    ['for something else', 'signer', { header: { typ: 'oauth-authz-req+jwt' } }],
    ['whose type is no text', 'signer', { header: { typ: 7 } }],
    ['of a client with a secret', 'post', {}],
    ['of a client without one', 'public', {}],
    ['by an algorithm that is not taken', 'signer', { header: { alg: 'RS512' } }],
  ])('an assertion is refused: %s', async (_name, clientId, how) => {
    await expect(authenticate({ body: await assertion(clientId, how) })).rejects.toMatchObject({
      code: 'invalid_client',
      description: 'Unauthorized',
    })
  })

  it('an assertion is refused with the public key as a secret, and without a signature (RFC 8725 2.1)', async () => {
    const claims = assertionClaims('signer', NOW)
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(KEY.pem))
    const [, payload] = confused.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    for (const client_assertion of [confused, none, 'x', 'a.b.c', '']) {
      const sending = authenticate({ body: { client_assertion_type: ASSERTION_TYPE, client_assertion } })
      await expect(sending).rejects.toMatchObject({ code: 'invalid_client', description: 'Unauthorized' })
    }
  })

  it('counts once', async () => {
    const body = await assertion('signer')
    expect(await authenticate({ body })).toBe('signer')
    await expect(authenticate({ body })).rejects.toMatchObject({ code: 'invalid_client' })
  })

  it('is not used up by what does not count', async () => {
    const claims = { jti: 'the one' }
    for (const wrong of [{ key: STRANGE, claims }, { claims: { ...claims, aud: 'https://other.test/' } }]) {
      await expect(authenticate({ body: await assertion('signer', wrong) })).rejects.toThrow()
    }
    expect(await authenticate({ body: await assertion('one', { claims }) })).toBe('one')
    expect(await authenticate({ body: await assertion('signer', { claims }) })).toBe('signer')
  })

  it.each<[string, Record<string, string>, string]>([
    ['of another client than is named', { client_id: 'one' }, 'invalid_client'],
    [
      'of another kind',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2' },
      'invalid_client',
    ],
    ['beside a secret', { client_secret: SECRET }, 'invalid_request'],
  ])('an assertion in a wrong request is refused: %s', async (_name, extra, code) => {
    await expect(authenticate({ body: { ...(await assertion('signer')), ...extra } })).rejects.toMatchObject({ code })
  })

  it('an assertion is refused beside Basic, in the URL, and without its type', async () => {
    const body = await assertion('signer')
    const refused = (sent: Sent, code: string) => expect(authenticate(sent)).rejects.toMatchObject({ code })
    await refused({ body, authorization: basic('signer', SECRET) }, 'invalid_request')
    await refused({ body, query: `client_assertion=${body.client_assertion}` }, 'invalid_request')
    await refused({ body: { client_id: 'signer', client_assertion_type: ASSERTION_TYPE } }, 'invalid_client')
  })

  it.each<[string, Sent]>([
    ['its secret in the body', { body: { client_id: 'signer', client_secret: SECRET } }],
    ['its secret by Basic', { authorization: basic('signer', SECRET) }],
    ['nothing', { body: { client_id: 'signer' } }],
    ['nothing, though of its key only the name is known', { body: { client_id: 'exported' } }],
  ])('is the only way of a client that has keys: not %s', async (_name, sent) => {
    await expect(authenticate(sent)).rejects.toMatchObject({ code: 'invalid_client', description: 'Unauthorized' })
  })
})
