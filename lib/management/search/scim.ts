// Reads a SCIM filter (RFC 7644 3.4.2.2), which the vendor's searches of clients and organizations take beside Lucene, into the same
// expression. `not` binds tighter than `and`, and `and` tighter than `or`.
import { isStorable } from '../../kernel/json'
import {
  MAX_CLAUSES,
  MAX_DEPTH,
  MAX_LENGTH,
  malformed,
  type PatternPart,
  type SearchExpression,
  type Term,
} from './query'

/** Throws `invalid_query_string` for a malformed filter. */
export function parseScim(filter: string): SearchExpression {
  if (filter.length > MAX_LENGTH) throw malformed(`q has more than ${MAX_LENGTH} characters`)
  if (!isStorable(filter)) throw malformed('a character cannot be part of any text')
  const reader = new Reader(filter)
  const expression = reader.readAlternatives(0)
  if (!reader.isAtEnd()) throw malformed(`unexpected ${reader.rest()}`)
  return expression
}

const ATTRIBUTE = /^[A-Za-z_$][^\s()"]*/
const STRING = /^"(?:[^"\\]|\\.)*"/s
const SCALAR = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s)]|$)/

const literal = (text: string): Term => ({ kind: 'text', text })
const pattern = (...parts: PatternPart[]): Term => ({ kind: 'pattern', parts })

/** What an operator makes of a field and a text. */
const OPERATORS: Readonly<Record<string, (field: string, text: string) => SearchExpression>> = {
  eq: (field, text) => ({ kind: 'match', field, term: literal(text) }),
  ne: (field, text) => ({ kind: 'not', of: { kind: 'match', field, term: literal(text) } }),
  co: (field, text) => ({ kind: 'match', field, term: pattern('*', { literal: text }, '*') }),
  sw: (field, text) => ({ kind: 'match', field, term: pattern({ literal: text }, '*') }),
  ew: (field, text) => ({ kind: 'match', field, term: pattern('*', { literal: text }) }),
  gt: (field, text) => ({ kind: 'range', field, from: { text, inclusive: false }, to: null }),
  ge: (field, text) => ({ kind: 'range', field, from: { text, inclusive: true }, to: null }),
  lt: (field, text) => ({ kind: 'range', field, from: null, to: { text, inclusive: false } }),
  le: (field, text) => ({ kind: 'range', field, from: null, to: { text, inclusive: true } }),
}

class Reader {
  #at = 0
  #clauses = 0

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.#read(/^\s+/)
    return this.#at >= this.text.length
  }

  rest(): string {
    return this.text.slice(this.#at, this.#at + 20)
  }

  readAlternatives(depth: number): SearchExpression {
    return this.#joined('or', () => this.#joined('and', () => this.#readClause(depth)))
  }

  #joined(kind: 'and' | 'or', read: () => SearchExpression): SearchExpression {
    const first = read()
    const of = [first]
    while (this.#takeWord(kind)) of.push(read())
    return of.length === 1 ? first : { kind, of }
  }

  #readClause(depth: number): SearchExpression {
    if (depth > MAX_DEPTH) throw malformed('it is nested too deeply')
    if (this.isAtEnd()) throw malformed('a filter is missing')
    if (this.#takeWord('not')) return { kind: 'not', of: this.#readClause(depth + 1) }
    if (this.#read(/^\(/)) {
      const inner = this.readAlternatives(depth + 1)
      this.isAtEnd()
      if (!this.#read(/^\)/)) throw malformed('a parenthesis is not closed')
      return inner
    }
    this.#clauses += 1
    if (this.#clauses > MAX_CLAUSES) throw malformed(`it has more than ${MAX_CLAUSES} terms`)
    const field = this.#read(ATTRIBUTE)
    if (field === null) throw malformed(`unexpected ${this.rest()}`)
    if (this.#takeWord('pr')) return { kind: 'exists', field }
    this.isAtEnd()
    const name = this.#read(/^[A-Za-z]+(?=\s|$)/)?.toLowerCase() ?? ''
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    if (!operator) throw malformed(`${field} needs an operator: ${Object.keys(OPERATORS).join(', ')} or pr`)
    return this.#compared(field, name, operator)
  }

  #compared(
    field: string,
    name: string,
    operator: (field: string, text: string) => SearchExpression,
  ): SearchExpression {
    this.isAtEnd()
    const string = this.#read(STRING)
    if (string !== null) return operator(field, stringIn(string))
    const scalar = this.#read(SCALAR)
    if (scalar === null)
      throw malformed(`${field} ${name} needs a value: a text in quotation marks, a number, true or false`)
    if (scalar !== 'null') return operator(field, scalar)
    if (name === 'eq') return { kind: 'not', of: { kind: 'exists', field } }
    if (name === 'ne') return { kind: 'exists', field }
    throw malformed(`${name} does not compare with null`)
  }

  #takeWord(word: string): boolean {
    this.isAtEnd()
    return this.#read(new RegExp(`^${word}(?=[\\s()]|$)`, 'i')) !== null
  }

  #read(form: RegExp): string | null {
    const [found] = form.exec(this.text.slice(this.#at)) ?? []
    if (found === undefined) return null
    this.#at += found.length
    return found
  }
}

/** A JSON string. */
function stringIn(written: string): string {
  try {
    const text: unknown = JSON.parse(written)
    if (typeof text === 'string' && isStorable(text)) return text
  } catch {}
  throw malformed(`${written.slice(0, 20)} is no text`)
}
