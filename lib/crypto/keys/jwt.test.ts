import { createHmac, createPublicKey, createSign, generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { epochSeconds } from '../../kernel/clock'
import { keyShelf } from '../../testing/keys'
import { NOW } from '../../testing/samples'
import { SIGNING_ALGORITHMS } from './algorithms'
import { type Acceptance, signJwt, verifyJwt } from './jwt'
import type { Keyring, SigningKey } from './keyring'

const ISSUER = 'https://id.test/'
const iat = epochSeconds(NOW)
const claims = { iss: ISSUER, aud: 'https://api.test', sub: 'auth0|kim', iat, exp: iat + 60 }
const accept: Acceptance = { issuer: ISSUER, types: ['JWT'], audience: 'https://api.test', now: NOW }
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 })

let keyring: Keyring
beforeAll(async () => {
  keyring = await (await keyShelf()).keyring()
})

const verify = (token: string, over: Partial<Acceptance> = {}) => verifyJwt(token, { ...accept, ...over }, keyring)
const refused = expect.objectContaining({ code: 'invalid_token' })
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token with the given claims, signed by the attacker. */
const forge = (header: Record<string, unknown>, payload: unknown = claims, sign = signByAttacker) => {
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${sign(input)}`
}
const signByAttacker = (input: string) => createSign('RSA-SHA256').update(input).sign(attacker.privateKey, 'base64url')
const kid = () => keyring.current.kid

it('accepts its own tokens, signed by the current key', async () => {
  const token = await signJwt(claims, 'JWT', keyring)
  expect(await verify(token)).toEqual(claims)
  expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toEqual({
    alg: 'RS256',
    typ: 'JWT',
    kid: kid(),
  })
})

describe('no other key and no other algorithm (threat-model.md TK1)', () => {
  const publicPem = () => {
    const [jwk] = keyring.jwks.keys
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  }
  const hmacWith = (key: string | Buffer) => (input: string) =>
    createHmac('sha256', key).update(input).digest('base64url')

  it.each<[string, () => string]>([
    ['alg none', () => forge({ alg: 'none', typ: 'JWT', kid: kid() }, claims, () => '')],
    ['alg None', () => forge({ alg: 'None', typ: 'JWT', kid: kid() }, claims, () => '')],
    ['HS256 with the public key', () => forge({ alg: 'HS256', typ: 'JWT', kid: kid() }, claims, hmacWith(publicPem()))],
    ['HS256 with nothing', () => forge({ alg: 'HS256', typ: 'JWT', kid: kid() }, claims, hmacWith(''))],
    ['RS256 by another key under our kid', () => forge({ alg: 'RS256', typ: 'JWT', kid: kid() })],
    ['an unknown kid', () => forge({ alg: 'RS256', typ: 'JWT', kid: 'unknown' })],
    ['no kid', () => forge({ alg: 'RS256', typ: 'JWT' })],
    ['a kid that is a path', () => forge({ alg: 'RS256', typ: 'JWT', kid: '../../dev/null' })],
    ['a kid that is SQL', () => forge({ alg: 'RS256', typ: 'JWT', kid: "' OR 1=1 --" })],
    ['a kid that every object has', () => forge({ alg: 'RS256', typ: 'JWT', kid: '__proto__' })],
    ['a kid that is no string', () => forge({ alg: 'RS256', typ: 'JWT', kid: { $ne: null } })],
    [
      'a jwk in the header',
      () => forge({ alg: 'RS256', typ: 'JWT', jwk: attacker.publicKey.export({ format: 'jwk' }) }),
    ],
    ['a jku in the header', () => forge({ alg: 'RS256', typ: 'JWT', jku: 'https://evil.test/jwks.json', kid: kid() })],
    ['an x5u in the header', () => forge({ alg: 'RS256', typ: 'JWT', x5u: 'https://evil.test/cert.pem' })],
    ['an x5c in the header', () => forge({ alg: 'RS256', typ: 'JWT', x5c: ['AAAA'] })],
    ['a critical extension', () => forge({ alg: 'RS256', typ: 'JWT', kid: kid(), crit: ['exp2'], exp2: 1 })],
    ['an unencoded payload', () => forge({ alg: 'RS256', typ: 'JWT', kid: kid(), crit: ['b64'], b64: false })],
    ['PS256', () => forge({ alg: 'PS256', typ: 'JWT', kid: kid() })],
    ['an encrypted token', () => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.AAAA.AAAA'],
  ])('a token is refused: %s', async (_name, token) => {
    await expect(verify(token())).rejects.toEqual(refused)
  })

  it('a token that our own key signed with RS512 is refused', async () => {
    const key = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
      false,
      ['sign', 'verify'],
    )
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS512', typ: 'JWT', kid: kid() })
      .sign(key.privateKey)
    await expect(verify(token)).rejects.toEqual(refused)
  })
})

describe('a forged or malformed token', () => {
  it('is refused with another payload under the same signature', async () => {
    const [header, , signature] = (await signJwt(claims, 'JWT', keyring)).split('.')
    await expect(verify(`${header}.${part({ ...claims, sub: 'auth0|lee' })}.${signature}`)).rejects.toEqual(refused)
  })

  it.each([
    '',
    '.',
    '..',
    'a.b',
    'a.b.c',
    'a.b.c.d',
    'é.é.é',
    '\0.\0.\0',
    `${'a'.repeat(100_000)}.b.c`,
    part([]),
    'null.null.null',
  ])('is refused: %.12j', async (token) => {
    await expect(verify(token)).rejects.toEqual(refused)
  })

  it.each([
    ['a header that is a list', () => `${part([])}.${part(claims)}.AAAA`],
    ['a header that is null', () => `${part(null)}.${part(claims)}.AAAA`],
    ['a payload that is a list', () => forge({ alg: 'RS256', typ: 'JWT', kid: kid() }, [])],
  ])('is refused: %s', async (_name, token) => {
    await expect(verify(token())).rejects.toEqual(refused)
  })
})

describe('claims and kind (threat-model.md TK2)', () => {
  it.each([
    ['a foreign issuer', { ...claims, iss: 'https://evil.test/' }, {}],
    ['our issuer without its slash', { ...claims, iss: 'https://id.test' }, {}],
    ['another audience', { ...claims, aud: 'https://other.test' }, {}],
    ['an audience that merely begins like it', { ...claims, aud: 'https://api.test.evil' }, {}],
    ['no audience', { ...claims, aud: undefined }, {}],
    ['an end that has come', { ...claims, exp: iat }, {}],
    ['no end', { ...claims, exp: undefined }, {}],
    ['an end that is text', { ...claims, exp: 'never' }, {}],
    ['no beginning', { ...claims, iat: undefined }, {}],
    ['a time before it is valid', { ...claims, nbf: iat + 60 }, {}],
    ['another kind than is accepted', claims, { types: ['at+jwt' as const] }],
    ['a logout token', claims, { types: ['logout+jwt' as const] }],
  ])('a token with %s is refused', async (_name, payload, over) => {
    const token = await signJwt(payload as typeof claims, 'JWT', keyring)
    await expect(verify(token, over)).rejects.toEqual(refused)
  })

  it('says of an expired token that it has expired, and of no other', async () => {
    const expired = await signJwt({ ...claims, exp: iat - 1 }, 'JWT', keyring)
    await expect(verify(expired)).rejects.toMatchObject({ description: 'The token has expired' })
    await expect(verify('a.b.c')).rejects.toMatchObject({ description: 'Invalid token' })
  })

  it('accepts one of several audiences', async () => {
    const token = await signJwt({ ...claims, aud: ['x', 'https://api.test'] } as never, 'JWT', keyring)
    await expect(verify(token)).resolves.toMatchObject({ sub: 'auth0|kim' })
  })

  it('reads an expired token where it is only a hint, and checks everything else of it', async () => {
    const expired = await signJwt({ ...claims, exp: iat - 1 }, 'JWT', keyring)
    await expect(verify(expired, { ignoreExpiry: true })).resolves.toMatchObject({ sub: 'auth0|kim' })
    const foreign = await signJwt({ ...claims, exp: iat - 1, iss: 'https://evil.test/' }, 'JWT', keyring)
    await expect(verify(foreign, { ignoreExpiry: true })).rejects.toEqual(refused)
    await expect(verify(forge({ alg: 'RS256', typ: 'JWT', kid: kid() }), { ignoreExpiry: true })).rejects.toEqual(
      refused,
    )
  })
})

describe.each(SIGNING_ALGORITHMS)('a token signed by %s', (algorithm) => {
  let ring: Keyring
  beforeAll(async () => {
    const shelf = await keyShelf()
    await (await shelf.keyring()).prepare(SIGNING_ALGORITHMS)
    ring = await shelf.keyring()
  })

  it('is accepted here and by an independent verifier with the published key', async () => {
    const token = await signJwt(claims, 'JWT', ring, algorithm)
    expect(await verifyJwt(token, accept, ring)).toEqual(claims)
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(ring.jwks as JSONWebKeySet), {
      algorithms: [algorithm],
      currentDate: NOW,
    })
    expect(payload).toEqual(claims)
    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT', kid: ring.signing[algorithm]?.kid })
  })

  it.each(SIGNING_ALGORITHMS.filter((each) => each !== algorithm))(
    'is refused with %s in its header',
    async (other) => {
      const key = ring.signing[algorithm] as SigningKey
      const lying = { ...ring, signing: { [algorithm]: { ...key, algorithm: other } } }
      // The signature is that of the header's algorithm, where the key is of its kind.
      const token = await signJwt(claims, 'JWT', lying, algorithm).catch(() =>
        forge({ alg: other, typ: 'JWT', kid: key.kid }),
      )
      await expect(verifyJwt(token, accept, ring)).rejects.toEqual(refused)
    },
  )
})
