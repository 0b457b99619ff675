import { describe, expect, it } from 'vitest'
import { addSeconds } from '../kernel/clock'
import { createVault } from '../kernel/secret'
import { NOW, sampleClient, sampleFamily } from '../testing/samples'
import { idleEnd, judgeReuse, readRefreshToken, writeRefreshToken } from './refresh-token'

const vault = createVault('a secret of at least thirty-two characters')
const ref = { familyId: '0f8fad5b-d9cb-469f-a165-70867728950e', generation: 7 }

describe('the token', () => {
  const token = writeRefreshToken(ref, vault)

  it('says which family and which generation', () => {
    expect(readRefreshToken(token, vault)).toEqual(ref)
  })

  it('differs for every generation and family', () => {
    const others = [
      { ...ref, generation: 8 },
      { ...ref, familyId: '0f8fad5b-d9cb-469f-a165-70867728950f' },
    ]
    expect(new Set([token, ...others.map((other) => writeRefreshToken(other, vault))]).size).toBe(3)
  })

  it('is refused after any one bit was changed', () => {
    const bytes = Buffer.from(token.slice(3), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const bent = Buffer.from(bytes)
      bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(readRefreshToken(`v1.${bent.toString('base64url')}`, vault), `bit ${bit}`).toBeNull()
    }
  })

  it('is refused under another secret', () => {
    expect(readRefreshToken(token, createVault('another secret of thirty-two characters'))).toBeNull()
  })

  it.each([
    '',
    'v1.',
    'v1',
    token.slice(3),
    `v2.${token.slice(3)}`,
    token.slice(0, -3),
    `${token}AAAA`,
    'at1.abc',
    '\0',
  ])('is not %j', (other) => {
    expect(readRefreshToken(other, vault)).toBeNull()
  })
})

describe('a token that did not rotate (threat-model.md RT2, RT3)', () => {
  const client = sampleClient({ refresh_token: { leeway: 15 } })
  const rotated = (secondsAgo: number, generation = 8, earlier: number[] = []) =>
    sampleFamily({
      generation,
      rotatedAt: addSeconds(NOW, -secondsAgo),
      earlierRotations: earlier.map((seconds) => addSeconds(NOW, -seconds)),
    })

  it.each([
    ['the one before, at once', rotated(0), 'successor'],
    ['the one before, within the leeway', rotated(14.9), 'successor'],
    ['the one before, when the leeway is over', rotated(15), 'reuse'],
    ['two generations old, within its own leeway', rotated(1, 9, [14.9]), 'superseded'],
    ['two generations old, when its own leeway is over', rotated(1, 9, [15]), 'reuse'],
    ['two generations old, in a family that does not know when it rotated', rotated(1, 9), 'reuse'],
    ['four generations old, within its own leeway', rotated(1, 11, [2, 3, 4]), 'superseded'],
    ['four generations old, when its own leeway is over', rotated(1, 11, [2, 3, 40]), 'reuse'],
    ['four generations old, without a time of its own', rotated(1, 11, [2, 3]), 'reuse'],
    ['two generations old, of a revoked family', { ...rotated(1, 9, [2]), revokedAt: NOW }, 'dead'],
    ['the current one', rotated(1, 7), 'dead'],
    ['one that was never issued', rotated(1, 6), 'dead'],
    ['of a revoked family', { ...rotated(1), revokedAt: NOW }, 'dead'],
    ['of a family past its absolute end', { ...rotated(1), expiresAt: NOW }, 'dead'],
    ['of a family past its idle end', { ...rotated(1), idleExpiresAt: NOW }, 'dead'],
    ['of a family without an idle end', { ...rotated(1), idleExpiresAt: null }, 'successor'],
    ['of a family without refresh tokens', { ...rotated(1), generation: null }, 'dead'],
    ['the one before in a family that tells no time', sampleFamily({ generation: 8, rotatedAt: null }), 'reuse'],
  ])('a token of a rotation is judged: %s: %s', (_name, family, verdict) => {
    expect(judgeReuse(ref, family, client, NOW)).toBe(verdict)
  })

  it('is a theft at once where the leeway is 0', () => {
    const strict = sampleClient({ refresh_token: { leeway: 0 } })
    expect(judgeReuse(ref, rotated(0), strict, NOW)).toBe('reuse')
  })
})

it('idles for as long as the client says, or for ever', () => {
  expect(idleEnd(sampleClient({ refresh_token: { idle_token_lifetime: 60 } }), NOW)).toEqual(addSeconds(NOW, 60))
  expect(idleEnd(sampleClient({ refresh_token: { infinite_idle_token_lifetime: true } }), NOW)).toBeNull()
})
