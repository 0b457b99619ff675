import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../kernel/errors'
import { readInterval } from './dates'
import { parseQuery, type SearchExpression, type Term } from './query'

const shownTerm = (term: Term): string =>
  term.kind === 'text'
    ? JSON.stringify(term.text)
    : term.parts.map((part) => (typeof part === 'string' ? part : part.literal)).join('')

/** An expression as text with every parenthesis. */
function shown(expression: SearchExpression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${expression.of.map(shown).join(expression.kind === 'and' ? ' & ' : ' | ')})`
    case 'not':
      return `!${shown(expression.of)}`
    case 'all':
      return '*'
    case 'exists':
      return `${expression.field}?`
    case 'match':
      return `${expression.field ?? ''}=${shownTerm(expression.term)}`
    case 'range': {
      const { field, from, to } = expression
      const start = from ? `${from.inclusive ? '[' : '{'}${from.text}` : '{*'
      return `${field}=${start},${to ? `${to.text}${to.inclusive ? ']' : '}'}` : '*}'}`
    }
  }
}

describe('a search query', () => {
  it.each([
    ['jane', '="jane"'],
    ['email:jane@x.test', 'email="jane@x.test"'],
    ['name:"jane smith"', 'name="jane smith"'],
    ['name: jane', 'name="jane"'],
    ['name:jan*', 'name=jan*'],
    ['name:*an?', 'name=*an?'],
    ['name:"jan*"', 'name="jan*"'],
    ['name:a\\*\\:b\\ c', 'name="a*:b c"'],
    ['name:"a \\"b\\""', 'name="a \\"b\\""'],
    ['a AND b OR c', '((="a" & ="b") | ="c")'],
    ['a OR b AND NOT c', '(="a" | (="b" & !="c"))'],
    ['a && b || c', '((="a" & ="b") | ="c")'],
    ['(a OR b) AND c', '((="a" | ="b") & ="c")'],
    ['a b', '(="a" | ="b")'],
    ['a -b', '(="a" & !="b")'],
    ['+a b', '="a"'],
    ['+a +b -c', '(="a" & ="b" & !="c")'],
    ['-blocked:true', '!blocked="true"'],
    ['NOT NOT a', '!!="a"'],
    ['name:(jane OR joe*)', '(name="jane" | name=joe*)'],
    ['_exists_:logins_count', 'logins_count?'],
    ['NOT _exists_:email', '!email?'],
    ['email:*', 'email?'],
    ['logins_count:[1 TO 5]', 'logins_count=[1,5]'],
    ['logins_count:{1 TO 5]', 'logins_count={1,5]'],
    ['logins_count:[* TO 5}', 'logins_count={*,5}'],
    ['logins_count:>=5', 'logins_count=[5,*}'],
    ['logins_count:<5', 'logins_count={*,5}'],
    ['created_at:[2020-01-01T10:00:00Z TO *]', 'created_at=[2020-01-01T10:00:00Z,*}'],
    ['created_at:["2020-01-01" TO "2021-01-01"]', 'created_at=[2020-01-01,2021-01-01]'],
    ['app_metadata.a.b:gold', 'app_metadata.a.b="gold"'],
    ['user_id:"auth0|1"', 'user_id="auth0|1"'],
    ['ORANGE', '="ORANGE"'],
    ['name:NOTE', 'name="NOTE"'],
    ['a-b', '="a-b"'],
    ['email_verified:false OR NOT _exists_:email_verified', '(email_verified="false" | !email_verified?)'],
    ['NOT _exists_:email_verified OR email_verified:false', '(!email_verified? | email_verified="false")'],
    ['(NOT _exists_:logins_count OR logins_count:0)', '(!logins_count? | logins_count="0")'],
    ['NOT a OR NOT b', '(!="a" | !="b")'],
    ['NOT a OR b AND NOT c', '(!="a" | (="b" & !="c"))'],
    ['a OR NOT (b OR c)', '(="a" | !(="b" | ="c"))'],
    ['a || !b', '(="a" | !="b")'],
    ['a OR -b', '(="a" | !="b")'],
    ['name:(a OR NOT b)', '(name="a" | !name="b")'],
    ['a NOT b', '(="a" & !="b")'],
    ['NOT a b', '(="b" & !="a")'],
    ['NOT a NOT b', '(!="a" & !="b")'],
    ['a OR b -c', '((="a" | ="b") & !="c")'],
    ['*', '*'],
    ['*:*', '*'],
    ['NOT *', '!*'],
    ['* AND a', '(* & ="a")'],
    ['path:a/b', 'path="a/b"'],
    ['path:"/a/b"', 'path="/a/b"'],
    ['last_login:>=2020-01-01T10:00:00Z', 'last_login=[2020-01-01T10:00:00Z,*}'],
    ['logins_count:(>=5 AND <10)', '(logins_count=[5,*} & logins_count={*,10})'],
    ['log_id:[90020261126 TO *]', 'log_id=[90020261126,*}'],
    ['name:[a\\] TO b]', 'name=[a],b]'],
  ])('%s is read', (query, expected) => {
    expect(shown(parseQuery(query))).toBe(expected)
  })

  it.each([
    '',
    '   ',
    'name:',
    ':jane',
    'name:"jane',
    '(a OR b',
    'a)',
    'a AND',
    'AND a',
    'a OR',
    'NOT',
    '-',
    'logins_count:[1 5]',
    'logins_count:[1 TO 5',
    'logins_count:[ TO 5]',
    '[1 TO 5]',
    'jane~2',
    'jane^2',
    'name:/ja.e/',
    '_exists_:na*',
    '_exists_:',
    'a:b:c',
    'name\\',
    '*:a',
    '*:*a',
    'logins_count:>*',
    'logins_count:>',
    'a\0b',
    '/ja.e/',
    `${'('.repeat(30)}a${')'.repeat(30)}`,
    `${'NOT '.repeat(3000)}a`,
    Array.from({ length: 101 }, () => 'a').join(' OR '),
    'a'.repeat(4001),
  ])('%# is refused as malformed', (query) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('is read or refused, whatever it is', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      '"',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ' TO ',
      ' AND ',
      '*',
      '\\',
      '-',
      '+',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (query) => {
          try {
            parseQuery(query)
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError)
          }
        },
      ),
      { numRuns: 3000, seed: 7 },
    )
  })
})

describe('a date of a query', () => {
  it.each([
    ['2020', '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
    ['2020-12', '2020-12-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000Z', '2020-03-01T00:00:00.000Z'],
    ['2020-01-01T10:30', '2020-01-01T10:30:00.000Z', '2020-01-01T10:31:00.000Z'],
    ['2020-01-01T10:30:05Z', '2020-01-01T10:30:05.000Z', '2020-01-01T10:30:06.000Z'],
    ['2020-01-01T10:30:05.250Z', '2020-01-01T10:30:05.250Z', '2020-01-01T10:30:05.251Z'],
    ['2020-01-01T10:30:05+02:00', '2020-01-01T08:30:05.000Z', '2020-01-01T08:30:06.000Z'],
  ])('%s is the whole of what it names', (text, start, end) => {
    expect(readInterval(text)).toEqual({ start: new Date(start), end: new Date(end) })
  })

  it.each(['', 'today', '2020-13', '2021-02-29', '2020-1-1', '2020-01-01T25', '20200101'])(
    'the text %s is not a date',
    (text) => {
      expect(readInterval(text)).toBeNull()
    },
  )
})
