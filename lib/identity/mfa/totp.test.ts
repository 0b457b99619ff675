import { Secret, TOTP, URI as TOTP_URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { codeAt, fromBase32, matchStep, otpauthUri, toBase32 } from './totp'

const SEED = Buffer.from('12345678901234567890')
const at = (seconds: number): Date => new Date(seconds * 1000)

describe('a code of an app', () => {
  // RFC 6238 appendix B, the last six of the eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('is that of RFC 6238 at %i seconds', (seconds, code) => {
    expect(codeAt(SEED, Math.floor(seconds / 30))).toBe(code)
    expect(matchStep(SEED, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('is what another implementation makes of the same key', () => {
    for (let i = 0; i < 50; i++) {
      const secret = toBase32(Buffer.from(`${i}`.padStart(20, 'x')))
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      expect(codeAt(fromBase32(secret), 1000 + i)).toBe(totp.generate({ timestamp: (1000 + i) * 30_000 }))
    }
  })

  it('may be one step off and no more', () => {
    const matched = [-2, -1, 0, 1, 2].map((drift) => matchStep(SEED, codeAt(SEED, 100 + drift), at(3000)))
    expect(matched).toEqual([null, 99, 100, 101, null])
  })

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('is not %j', (code) => {
    expect(matchStep(SEED, code, at(59))).toBeNull()
  })
})

describe('a key', () => {
  // RFC 4648 section 10, without the padding.
  it.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%s is written %s and read back', (plain, text) => {
    expect(toBase32(Buffer.from(plain))).toBe(text)
    expect(fromBase32(text).toString()).toBe(plain)
  })

  it('is drawn with names that cannot break out of the address', () => {
    const uri = otpauthUri({ secret: 'MZXW6', issuer: 'A & B?', account: 'kim/x@mail.test' })
    expect(uri).toBe(
      'otpauth://totp/A%20%26%20B%3F:kim%2Fx%40mail.test?secret=MZXW6&issuer=A%20%26%20B%3F&algorithm=SHA1&digits=6&period=30',
    )
  })

  it.each([
    ['Acme: Berlin', 'Acme Berlin'],
    ['A:B', 'A B'],
    ['A/B Testing', 'A/B Testing'],
    ['100% Café', '100% Café'],
    ['%3A %2F', '%3A %2F'],
    ['Müller & Söhne', 'Müller & Söhne'],
    ['A?secret=B&issuer=C#D', 'A?secret=B&issuer=C#D'],
    ['two\nlines\u202e', 'two lines'],
    ['\ud800x', '\ufffdx'],
    ['株式会社', '株式会社'],
  ])('names %j once in the label and once as the issuer', (name, shown) => {
    const uri = otpauthUri({ secret: 'MZXW6', issuer: name, account: name })
    const { protocol, host, pathname, searchParams } = new URL(uri)
    expect([protocol, host, [...searchParams.keys()].join()]).toEqual([
      'otpauth:',
      'totp',
      'secret,issuer,algorithm,digits,period',
    ])
    // As apps read it: decoded as a whole, then split.
    expect(decodeURIComponent(pathname.slice(1)).split(':')).toEqual([shown, shown])
    expect([searchParams.get('secret'), searchParams.get('issuer')]).toEqual(['MZXW6', shown])
    expect(TOTP_URI.parse(uri)).toMatchObject({ issuer: shown, label: shown, period: 30, digits: 6 })
  })

  it.each(['x', 'ü', '株', '👩‍👩‍👧', '%', 'a '])('fits in a QR code, however often a name repeats %j', (unit) => {
    const name = unit.repeat(300)
    const uri = otpauthUri({ secret: 'A'.repeat(32), issuer: name, account: name })
    expect(uri.length).toBeLessThan(800)
    const { searchParams, pathname } = new URL(uri)
    const issuer = searchParams.get('issuer') ?? ''
    expect(issuer).not.toBe('')
    expect(decodeURIComponent(pathname.slice(1)).split(':')[0]).toBe(issuer)
  })

  it('has no issuer where no character of a name is left', () => {
    expect(otpauthUri({ secret: 'MZXW6', issuer: ' : ', account: 'kim@mail.test' })).toBe(
      'otpauth://totp/kim%40mail.test?secret=MZXW6&algorithm=SHA1&digits=6&period=30',
    )
  })
})
