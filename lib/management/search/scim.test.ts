import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../kernel/errors'
import { parseQuery } from './query'
import { parseScim } from './scim'

describe('a SCIM filter', () => {
  it.each([
    ['name eq "Auth0"', 'name:"Auth0"'],
    ['name EQ "a \\"b\\" \\u00e9"', 'name:"a \\"b\\" é"'],
    ['name sw "auth" and app_type eq "spa"', 'name:auth* AND app_type:spa'],
    ['name co "hold"', 'name:*hold*'],
    ['name ew "ings"', 'name:*ings'],
    ['name sw "a*b"', 'name:a\\*b*'],
    ['name ne "x"', 'NOT name:x'],
    ['is_first_party eq true', 'is_first_party:true'],
    ['metadata.level eq 3', 'metadata.level:3'],
    ['description pr', '_exists_:description'],
    ['description eq null', 'NOT _exists_:description'],
    ['description ne null', '_exists_:description'],
    ['created_at gt "2024-01-01"', 'created_at:{2024-01-01 TO *]'],
    ['created_at ge "2024-01-01"', 'created_at:>=2024-01-01'],
    ['created_at lt "2024-01-01"', 'created_at:<2024-01-01'],
    ['created_at le "2024-01-01"', 'created_at:<=2024-01-01'],
    ['a eq "1" or b eq "2" and c eq "3"', 'a:1 OR (b:2 AND c:3)'],
    ['(a eq "1" or b eq "2") and not (c pr)', '(a:1 OR b:2) AND NOT _exists_:c'],
    ['not(a pr)', 'NOT _exists_:a'],
  ])('the SCIM filter %s is %s', (filter, query) => {
    expect(parseScim(filter)).toEqual(parseQuery(query))
  })

  it.each([
    '',
    'name',
    'name is "a"',
    'name eq',
    'name eq a',
    'name eq "a',
    'name eq "\\x"',
    'name eq "\\u0000"',
    'name eq "\\ud800"',
    'name sw null',
    'name pr pr',
    '(name pr',
    'name pr)',
    'name pr and',
    'or name pr',
    'name constructor "a"',
    '"name" eq "a"',
    'not',
    `${'('.repeat(30)}a pr${')'.repeat(30)}`,
    `${'not '.repeat(30)}a pr`,
    Array.from({ length: 101 }, () => 'a pr').join(' or '),
    `a eq "${'a'.repeat(4000)}"`,
  ])('%# is refused as malformed', (filter) => {
    expect(() => parseScim(filter)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('is read or refused, whatever it is', () => {
    const piece = fc.constantFrom('a', ' eq ', '"', '(', ')', ' and ', ' or ', 'not ', ' pr', '\\', '1', ' ')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (filter) => {
          try {
            parseScim(filter)
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError)
          }
        },
      ),
      { numRuns: 3000, seed: 7 },
    )
  })
})
