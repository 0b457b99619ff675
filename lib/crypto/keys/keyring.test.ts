import { createPublicKey, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { addSeconds, epochSeconds } from '../../kernel/clock'
import { createVault } from '../../kernel/secret'
import { type KeyShelf, keyShelf } from '../../testing/keys'
import { NOW } from '../../testing/samples'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './algorithms'
import { signJwt, verifyJwt } from './jwt'
import type { SigningKeyRecord } from './key'
import { ensureKeys, MAX_TOKEN_SECONDS, openKeyring, revokeKey, rotateKeys, stateOf } from './keyring'

let shelf: KeyShelf
beforeAll(async () => {
  shelf = await keyShelf()
})

const states = () => shelf.records().map((key) => stateOf(key, shelf.clock.now()))
const kidOf = (state: string) => shelf.records().find((key) => stateOf(key, shelf.clock.now()) === state)?.kid ?? ''
const sign = async () => {
  const iat = epochSeconds(shelf.clock.now())
  return signJwt({ iss: 'https://id.test/', iat, exp: iat + MAX_TOKEN_SECONDS }, 'JWT', await shelf.keyring())
}
const verify = async (token: string) => {
  const accept = { issuer: 'https://id.test/', types: ['JWT' as const], now: shelf.clock.now() }
  return verifyJwt(token, accept, await shelf.keyring()).then(
    () => true,
    () => false,
  )
}

describe('what is published (threat-model.md TK3)', () => {
  it('is the current and the next key, the current one first', async () => {
    const { jwks, current } = await shelf.keyring()
    expect(jwks.keys.map((key) => key.kid)).toEqual([kidOf('current'), kidOf('next')])
    expect(current.kid).toBe(kidOf('current'))
  })

  it('holds public members only, of RSA keys of 2048 bits with a kid each', async () => {
    const { keys } = (await shelf.keyring()).jwks
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use', 'x5c', 'x5t'])
      expect(createPublicKey({ key: { ...key }, format: 'jwk' }).asymmetricKeyDetails?.modulusLength).toBe(2048)
    }
    expect(new Set(keys.map((key) => key.kid)).size).toBe(keys.length)
  })

  it('carries a certificate over the same key, in the name of the host', async () => {
    for (const key of (await shelf.keyring()).jwks.keys) {
      const certificate = new X509Certificate(Buffer.from(key.x5c[0], 'base64'))
      expect(certificate.subject).toBe('CN=id.test')
      expect(certificate.verify(certificate.publicKey)).toBe(true)
      expect(certificate.publicKey.export({ format: 'jwk' })).toEqual(
        createPublicKey({ key: { ...key }, format: 'jwk' }).export({ format: 'jwk' }),
      )
      expect(Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex').toString('base64url')).toBe(key.x5t)
    }
  })

  it('stores no private half that opens without the secret', async () => {
    const [record] = shelf.records()
    expect(Buffer.from(record?.sealedPrivate ?? []).includes('PRIVATE')).toBe(false)
    const foreign = createVault('another secret of thirty-two characters')
    await expect(openKeyring(shelf.records(), shelf.port, { ...shelf.deps, vault: foreign })).rejects.toThrow(
      'another LATCHKEY_SECRET',
    )
  })
})

it('makes nothing where nothing is missing', async () => {
  const before = shelf.records()
  await ensureKeys(shelf.port, shelf.deps, ['RS256'])
  expect(shelf.records()).toEqual(before)
})

describe('rotating', () => {
  it('fails no token: what was signed before verifies after, and what signs next was published before', async () => {
    const before = await sign()
    const publishedBefore = (await shelf.keyring()).jwks.keys.map((key) => key.kid)
    shelf.clock.advance(60)
    await rotateKeys(shelf.port, shelf.deps)
    expect(states().sort()).toEqual(['current', 'next', 'previous'])
    expect(publishedBefore).toContain((await shelf.keyring()).current.kid)
    expect(await verify(before)).toBe(true)
    expect(await verify(await sign())).toBe(true)
  })

  it('keeps a previous key until the last token it can have signed has ended, and no longer', async () => {
    const previous = kidOf('previous')
    shelf.clock.advance(MAX_TOKEN_SECONDS - 1)
    expect((await shelf.keyring()).verifying.has(previous)).toBe(true)
    shelf.clock.advance(1)
    expect((await shelf.keyring()).verifying.has(previous)).toBe(false)
    expect((await shelf.keyring()).jwks.keys.map((key) => key.kid)).not.toContain(previous)
  })
})

describe('revoking', () => {
  it('ends the current key at once and continues with the next, already published one', async () => {
    const token = await sign()
    const [revoked, next] = [kidOf('current'), kidOf('next')]
    await revokeKey(shelf.port, revoked, shelf.deps)
    expect(await verify(token)).toBe(false)
    const keyring = await shelf.keyring()
    expect(keyring.current.kid).toBe(next)
    expect(keyring.jwks.keys.map((key) => key.kid)).not.toContain(revoked)
    expect(await verify(await sign())).toBe(true)
    expect(states()).toContain('next')
  })

  it('replaces the next key when that one is revoked', async () => {
    const [current, next] = [kidOf('current'), kidOf('next')]
    await revokeKey(shelf.port, next, shelf.deps)
    expect(kidOf('current')).toBe(current)
    expect(kidOf('next')).not.toBe(next)
  })

  it('refuses an id that no key has, and changes nothing', async () => {
    const before = shelf.records()
    await expect(revokeKey(shelf.port, 'unknown', shelf.deps)).rejects.toThrow('unknown')
    expect(shelf.records()).toEqual(before)
  })
})

it.each<[string, Partial<SigningKeyRecord>, string]>([
  ['never activated', {}, 'next'],
  ['activated', { activatedAt: NOW }, 'current'],
  ['retired', { activatedAt: NOW, retiredAt: NOW }, 'previous'],
  ['retired too long ago', { activatedAt: NOW, retiredAt: addSeconds(NOW, -MAX_TOKEN_SECONDS) }, 'expired'],
  ['revoked before use', { revokedAt: NOW }, 'revoked'],
  ['revoked in use', { activatedAt: NOW, revokedAt: NOW }, 'revoked'],
  ['revoked after use', { activatedAt: NOW, retiredAt: NOW, revokedAt: NOW }, 'revoked'],
])('a key that was %s is %s', (_name, dates, state) => {
  const [record] = shelf.records()
  if (!record) throw new Error('no key')
  expect(stateOf({ ...record, activatedAt: null, retiredAt: null, revokedAt: null, ...dates }, NOW)).toBe(state)
})

it('refuses to open without a current key', async () => {
  await expect(openKeyring([], shelf.port, shelf.deps)).rejects.toThrow('no current signing key')
})

it('says in a sentence that the keys were sealed under another LATCHKEY_SECRET', async () => {
  const other = createVault('another secret of at least thirty-two characters')
  const opening = openKeyring(shelf.records(), shelf.port, { ...shelf.deps, vault: other })
  await expect(opening).rejects.toThrow(/another LATCHKEY_SECRET: start with that one/)
})

describe('a series of another algorithm', () => {
  let own: KeyShelf
  beforeAll(async () => {
    own = await keyShelf()
  })
  const ofSeries = (algorithm: SigningAlgorithm) =>
    own
      .records()
      .filter((key) => key.algorithm === algorithm)
      .map((key) => stateOf(key, own.clock.now()))
      .sort()

  it('is made once by concurrent callers', async () => {
    const keyring = await own.keyring()
    expect(keyring.signing).not.toHaveProperty('ES256')
    const [first, second] = await Promise.all([keyring.begin('ES256'), keyring.begin('ES256')])
    expect(second).toBe(first)
    await keyring.prepare(['ES256', 'PS256', 'RS256'])
    for (const algorithm of SIGNING_ALGORITHMS) expect(ofSeries(algorithm)).toEqual(['current', 'next'])
    expect((await own.keyring()).signing.ES256?.kid).toBe(first.kid)
  })

  it('is published behind RS256, and no certificate or decryption uses it', async () => {
    const { jwks, certificates, decrypting, current } = await own.keyring()
    expect(jwks.keys.map(({ alg, kty }) => `${alg} ${kty}`)).toEqual([
      ...['RS256 RSA', 'RS256 RSA', 'PS256 RSA', 'PS256 RSA'],
      ...['ES256 EC', 'ES256 EC'],
    ])
    expect(current.algorithm).toBe('RS256')
    expect(certificates).toEqual(jwks.keys.slice(0, 2).map(({ x5c }) => x5c[0]))
    expect(decrypting).toHaveLength(1)
    for (const key of jwks.keys) {
      const certificate = new X509Certificate(Buffer.from(key.x5c[0], 'base64'))
      expect(certificate.verify(certificate.publicKey)).toBe(true)
      expect(certificate.publicKey.equals(createPublicKey({ key: { ...key }, format: 'jwk' }))).toBe(true)
      expect(key).not.toHaveProperty('d')
    }
  })

  it('rotates with the others, and is revoked by itself', async () => {
    await rotateKeys(own.port, own.deps)
    for (const algorithm of SIGNING_ALGORITHMS) expect(ofSeries(algorithm)).toEqual(['current', 'next', 'previous'])
    const before = await own.keyring()
    await revokeKey(own.port, before.signing.ES256?.kid ?? '', own.deps)
    expect(ofSeries('ES256')).toEqual(['current', 'next', 'previous', 'revoked'])
    expect(ofSeries('RS256')).toEqual(['current', 'next', 'previous'])
    const after = await own.keyring()
    expect(after.current.kid).toBe(before.current.kid)
    expect(before.jwks.keys.map(({ kid }) => kid)).toContain(after.signing.ES256?.kid)
  })
})
