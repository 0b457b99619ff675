import { describe, expect, it } from 'vitest'
import { findRetiredWords } from './launch/retired-words.mjs'

const uses = (text: string, path = 'lib/data/users/a.ts'): string[] => findRetiredWords({ path, text })

describe('an identifier with a retired word', () => {
  it.each(['const asked = 1', 'type Asked = string', 'const askedScopes = 1', 'const NOBODY = 1', 'call({ whoever })'])(
    'is refused: %s',
    (text) => {
      expect(uses(text)).toHaveLength(1)
    },
  )

  it('is reported with its line and the standard term', () => {
    expect(uses('\nconst begun = 1')).toEqual(['lib/data/users/a.ts:2 begun: write started, startedAt for "begun"'])
  })

  it('is permitted if its name is stored', () => {
    expect(uses('const row = { tell: true, vouched: false, tellAuthTime: true }')).toEqual([])
    expect(uses('const vouchedFor = 1')).toHaveLength(1)
  })

  it.each([
    "const a = 'nobody'",
    'const a = "told"',
    'const a = `asked`',
    'const a = /^nobody:/',
    'const tall = untold',
  ])('is not found in %s', (text) => {
    expect(uses(text)).toEqual([])
  })

  it('is not found in the text of an element, only in its expressions', () => {
    expect(uses('const a = <p>Nobody was told.</p>', 'components/a.tsx')).toEqual([])
    expect(uses('const a = <p>{nobody}</p>', 'components/a.tsx')).toHaveLength(1)
  })
})

describe('a comment with a retired word', () => {
  it.each([
    '// whoever calls',
    '/** Told to nobody. */',
    'const a = 1 // begun',
    "// Next's door",
    '/*\n * the fast door\n */',
  ])('is refused: %s', (text) => {
    expect(uses(text).length).toBeGreaterThan(0)
  })

  it('may quote a name', () => {
    expect(uses('// The row keeps `told_at` and the account `nobody`.')).toEqual([])
  })

  it('may say that a user is asked', () => {
    expect(uses('// The user is asked for consent.')).toEqual([])
  })

  it('is not found in a URL', () => {
    expect(uses("const a = 'https://nobody.test'")).toEqual([])
  })
})
