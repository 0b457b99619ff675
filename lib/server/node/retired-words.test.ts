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

describe('a string of several words', () => {
  it.each(["says('the user was told so')", 'const a = "a link that nobody opened"', 'const a = `it was told of it`'])(
    'is refused with a retired word: %s',
    (text) => {
      expect(uses(text)).toHaveLength(1)
      expect(uses(text, 'e2e/a.ts')).toHaveLength(1)
    },
  )

  it.each([
    "'see https://nobody.test for more of it'",
    "'a mail to nobody@mail.test was sent'",
    "'the name `told_at` stays as it is'",
  ])('may name an address or a stored name: %s', (text) => {
    expect(uses(`const a = ${text}`)).toEqual([])
  })
})

describe('the title of a test', () => {
  it.each([
    "it('is none of them', () => {})",
    "test('whoever calls', () => {})",
    "describe('those of ours', () => {})",
    "it.each(['a'])('%j is none', () => {})",
    "it.each([\n  'a',\n])('%j is none', () => {})",
    "it.runIf(true)('told', () => {})",
  ])('is refused with a retired word or idiom: %s', (text) => {
    expect(uses(text, 'lib/a.test.ts')).toHaveLength(1)
  })

  it('is reported with its line', () => {
    expect(uses("\nit('%j is none', () => {})", 'lib/a.test.ts')).toEqual([
      'lib/a.test.ts:2 title: write is not a … for "is none"',
    ])
  })
})

describe('a document', () => {
  it('is refused with a retired word', () => {
    expect(uses('# Title\n\nNobody knows.\n', 'docs/fapi.md')).toEqual([
      'docs/fapi.md:3 document: write no user, no caller for "Nobody"',
    ])
  })

  it('may quote code', () => {
    expect(uses('`told_at`\n\n```sh\necho nobody\n```\n', 'docs/fapi.md')).toEqual([])
  })
})

describe('a column of the database', () => {
  it('is refused with a retired word, unless the name is stored already', () => {
    expect(
      uses('model A {\n  /// was told\n  askedAt DateTime @map("asked_at")\n}', 'prisma/schema.prisma'),
    ).toHaveLength(2)
    expect(uses('model A {\n  toldAt DateTime @map("told_at")\n}', 'prisma/schema.prisma')).toEqual([])
  })
})

it('the name of an audit event is an identifier', () => {
  expect(
    uses('const EVENTS = { link_asked: { code: 1 }, backchannel_told: { code: 2 } }', 'lib/data/audit/events.ts'),
  ).toHaveLength(1)
})
