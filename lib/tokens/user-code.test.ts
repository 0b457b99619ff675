import { describe, expect, it } from 'vitest'
import { seededRandom } from '../kernel/random'
import { mintUserCode, readUserCode, showUserCode } from './user-code'

describe('a user code', () => {
  it('is eight letters without vowels, shown in two halves', () => {
    const random = seededRandom()
    for (let i = 0; i < 200; i++)
      expect(showUserCode(mintUserCode(random))).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  })

  it('favours no letter', () => {
    const random = seededRandom('even')
    const counts = new Map<string, number>()
    for (let i = 0; i < 2500; i++)
      for (const letter of mintUserCode(random)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(20)
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it.each(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'B C D F – G H J K', 'ＢＣＤＦ－ＧＨＪＫ', 'bcdf_ghjk\n'])(
    'is read from %j',
    (typed) => {
      expect(readUserCode(typed)).toBe('BCDFGHJK')
    },
  )

  it.each([
    undefined,
    '',
    'BCDF-GHJ',
    'BCDF-GHJKL',
    'ABCD-EFGH',
    '12345678',
    '"><script>',
    'BCDFGHJ\ud800',
    'B'.repeat(100_000),
  ])('is not read from %j', (typed) => {
    expect(readUserCode(typed)).toBeNull()
  })
})
