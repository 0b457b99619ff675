import { Secret, TOTP } from 'otpauth'
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
})
