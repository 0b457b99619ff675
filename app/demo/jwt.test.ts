import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DecodedToken, decodeToken, isSignedBy, problemWith } from './jwt'

const now = 1_800_000_000
const expected = { issuer: 'https://id.test/', audience: 'demo-app', nonce: 'n1', now }

let token: string
let published: JsonWebKey
let foreign: JsonWebKey

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256', { extractable: true })
  published = { ...(await exportJWK(pair.publicKey)), kid: 'k1' } as JsonWebKey
  foreign = { ...(await exportJWK(other.publicKey)), kid: 'k1' } as JsonWebKey
  token = await new SignJWT({ nonce: 'n1', name: 'Adá' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer('https://id.test/')
    .setAudience('demo-app')
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(pair.privateKey)
})

const decoded = (text = token): DecodedToken => {
  const result = decodeToken(text)
  if (!result) throw new Error('not decoded')
  return result
}

describe('decodeToken', () => {
  it('reads header and payload, beyond ASCII too', () => {
    expect(decoded()).toMatchObject({ header: { alg: 'RS256', kid: 'k1' }, payload: { name: 'Adá' } })
  })

  it.each(['opaque', 'a.b', 'a.b.c', 'a.b.c.d.e', ''])('takes %j for opaque', (text) => {
    expect(decodeToken(text)).toBeNull()
  })
})

describe('isSignedBy', () => {
  it('accepts the published key and no other', async () => {
    expect(await isSignedBy([published], decoded())).toBe(true)
    expect(await isSignedBy([foreign], decoded())).toBe(false)
    expect(await isSignedBy([], decoded())).toBe(false)
  })

  it('refuses a changed payload, and a token that names no signature', async () => {
    const [header = '', , signature = ''] = token.split('.')
    const other = btoa(JSON.stringify({ sub: 'eve' })).replaceAll('=', '')
    expect(await isSignedBy([published], decoded(`${header}.${other}.${signature}`))).toBe(false)
    const none = btoa(JSON.stringify({ alg: 'none', kid: 'k1' })).replaceAll('=', '')
    expect(await isSignedBy([published], decoded(`${none}.${other}.${signature}`))).toBe(false)
  })
})

describe('problemWith', () => {
  it('finds none with a token that is for us', () => expect(problemWith(decoded(), expected)).toBeNull())

  it.each([
    ['another issuer', { issuer: 'https://evil.test/' }, 'issuer'],
    ['another audience', { audience: 'other-app' }, 'another app'],
    ['another nonce', { nonce: 'n2' }, 'another request'],
    ['a time long after', { now: now + 1000 }, 'expired'],
  ])('an ID token with %s is reported as a problem', (_, change, reason) => {
    expect(problemWith(decoded(), { ...expected, ...change })).toContain(reason)
  })
})
