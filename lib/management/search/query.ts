// Reads the query language of the vendor's searches (Lucene syntax) into an expression: users, the log, clients and organizations.
// - `field:value`, `field:"phrase"`, prefixes and infixes with `*`, `_exists_:field`, ranges `[a TO b]` and `{a TO b}`, `>`, `<`,
//   `AND`, `OR`, `NOT`, `-`, `+`, parentheses, and backslash escapes; `*` and `*:*` are everything. Fuzzy search, boosts and regular
//   expressions are refused, as at the vendor.
// - `NOT` binds tighter than `AND`, and `AND` tighter than `OR`. A clause that is negated beside `OR` is an alternative.
// - Clauses without an operator between them are alternatives, except for those with `+`, `-` and `NOT`, as in Lucene.
// - Length, depth and the number of clauses are bounded: a query costs the database no more than its caller's share.
import { isStorable } from '../../kernel/json'
import { invalidQuery } from '../operations/errors'

/** A value to compare with. In `pattern`, `*` stands for any text and `?` for one character; both are literal in `text`. */
export type Term = { kind: 'text'; text: string } | { kind: 'pattern'; parts: readonly PatternPart[] }
export type PatternPart = { literal: string } | '*' | '?'

export type RangeEnd = { text: string; inclusive: boolean }

export type SearchExpression =
  | { kind: 'and' | 'or'; of: readonly SearchExpression[] }
  | { kind: 'not'; of: SearchExpression }
  /** `field` is null for a term without a field. */
  | { kind: 'match'; field: string | null; term: Term }
  | { kind: 'range'; field: string; from: RangeEnd | null; to: RangeEnd | null }
  | { kind: 'exists'; field: string }
  | { kind: 'all' }

export const MAX_LENGTH = 4000
export const MAX_DEPTH = 20
export const MAX_CLAUSES = 100

/** Throws `invalid_query_string` for a malformed query. */
export function parseQuery(query: string): SearchExpression {
  if (query.length > MAX_LENGTH) throw malformed(`q has more than ${MAX_LENGTH} characters`)
  if (!isStorable(query)) throw malformed('a character cannot be part of any text')
  const reader = new Reader(query)
  const expression = reader.readAlternatives(null, 0)
  if (!reader.isAtEnd()) throw malformed(`unexpected ${reader.rest()}`)
  return expression
}

export const malformed = (problem: string) => invalidQuery(`Invalid query: ${problem}`)

/** A clause, and what Lucene calls its occurrence. */
type Clause = { occurs: 'should' | 'must' | 'not'; expression: SearchExpression }

const SPACE = /\s/
/** Ends an unquoted term, unless it is escaped. */
const SPECIAL = /[\s()[\]{}":^~]/

class Reader {
  #at = 0
  #clauses = 0

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.#skipSpace()
    return this.#at >= this.text.length
  }

  rest(): string {
    return this.text.slice(this.#at, this.#at + 20)
  }

  /** `a OR b`, and clauses that only stand beside each other. `field` applies to terms without one: `name:(a OR b)`. */
  readAlternatives(field: string | null, depth: number): SearchExpression {
    if (depth > MAX_DEPTH) throw malformed('it is nested too deeply')
    const clauses: Clause[] = []
    for (let isAlternative = false; ; ) {
      const clause = this.#readConjunction(field, depth)
      const isJoined = this.#take('OR', '||')
      clauses.push(isAlternative || isJoined ? alternative(clause) : clause)
      if (!isJoined && (this.isAtEnd() || this.#peek() === ')')) return combined(clauses)
      isAlternative = isJoined
    }
  }

  #readConjunction(field: string | null, depth: number): Clause {
    const first = this.#readClause(field, depth)
    if (!this.#take('AND', '&&')) return first
    const all = [first]
    do all.push(this.#readClause(field, depth))
    while (this.#take('AND', '&&'))
    const of = all.map(({ occurs, expression }) => (occurs === 'not' ? negated(expression) : expression))
    return { occurs: 'should', expression: { kind: 'and', of } }
  }

  #readClause(field: string | null, depth: number): Clause {
    if (this.isAtEnd()) throw malformed('a term is missing')
    if (this.#take('NOT')) return { occurs: 'not', expression: asExpression(this.#readClause(field, depth + 1)) }
    const sign = this.#peek()
    if (sign === '-' || sign === '!' || sign === '+') {
      this.#at += 1
      const expression = this.#readOperand(field, depth)
      return { occurs: sign === '+' ? 'must' : 'not', expression }
    }
    return { occurs: 'should', expression: this.#readOperand(field, depth) }
  }

  #readOperand(outer: string | null, depth: number): SearchExpression {
    this.#clauses += 1
    if (this.#clauses > MAX_CLAUSES) throw malformed(`it has more than ${MAX_CLAUSES} terms`)
    if (depth > MAX_DEPTH) throw malformed('it is nested too deeply')
    this.#skipSpace()
    if (this.#peek() === '(') return this.#readGroup(outer, depth)
    const start = this.#at
    if (/^\*:\*(?=[\s)]|$)/.test(this.text.slice(start, start + 4))) {
      this.#at += 3
      return ALL
    }
    const name = this.#readName()
    if (name === null) {
      this.#at = start
      return this.#readValue(outer)
    }
    if (name === '_exists_') return { kind: 'exists', field: textOf(this.#readTerm()) }
    this.#skipSpace()
    return this.#peek() === '(' ? this.#readGroup(name, depth) : this.#readValue(name)
  }

  #readGroup(field: string | null, depth: number): SearchExpression {
    this.#at += 1
    const inner = this.readAlternatives(field, depth + 1)
    this.#skipSpace()
    if (this.#peek() !== ')') throw malformed('a parenthesis is not closed')
    this.#at += 1
    this.#refuseSuffix()
    return inner
  }

  /** The name before a colon, or null. */
  #readName(): string | null {
    const parts = this.#readParts()
    if (this.#peek() !== ':') return null
    if (!parts.every((part): part is { literal: string } => typeof part === 'object') || parts.length === 0)
      throw malformed('the name of a field is missing')
    this.#at += 1
    return parts.map(({ literal }) => literal).join('')
  }

  #readValue(field: string | null): SearchExpression {
    const opening = this.#peek()
    if (opening === '[' || opening === '{') return this.#readRange(demanded(field))
    const [comparison] = /^[<>]=?/.exec(this.text.slice(this.#at, this.#at + 2)) ?? []
    if (comparison !== undefined && field !== null) {
      this.#at += comparison.length
      const bound = { text: this.#readComparand(), inclusive: comparison.endsWith('=') }
      return comparison.startsWith('>')
        ? { kind: 'range', field, from: bound, to: null }
        : { kind: 'range', field, from: null, to: bound }
    }
    const term = this.#readTerm()
    if (term.kind === 'pattern' && term.parts.every((part) => part === '*'))
      return field === null ? ALL : { kind: 'exists', field }
    return { kind: 'match', field, term }
  }

  #readRange(field: string): SearchExpression {
    const opening = this.#peek()
    this.#at += 1
    const from = this.#readEnd()
    if (!this.#take('TO')) throw malformed('a range needs TO')
    const to = this.#readEnd()
    this.#skipSpace()
    const closing = this.#peek()
    if (closing !== ']' && closing !== '}') throw malformed('a range is not closed')
    this.#at += 1
    this.#refuseSuffix()
    const bound = (text: string | null, inclusive: boolean) => (text === null ? null : { text, inclusive })
    return { kind: 'range', field, from: bound(from, opening === '['), to: bound(to, closing === ']') }
  }

  /** One end of a range; null for `*`. */
  #readEnd(): string | null {
    return this.#readBound(/^(?:\\.|[^\s\]}\\])+/s, 'an end of a range is missing')
  }

  #readComparand(): string {
    const text = this.#readBound(/^(?:\\.|[^\s()\\])+/s, 'a value to compare with is missing')
    if (text === null) throw malformed('a wildcard stands where none may')
    return text
  }

  /** A text in which a colon belongs to a time; null for `*`. */
  #readBound(form: RegExp, otherwise: string): string | null {
    this.#skipSpace()
    if (this.#peek() === '"') return textOf(this.#readTerm())
    const [text] = form.exec(this.text.slice(this.#at)) ?? []
    if (text === undefined) throw malformed(otherwise)
    this.#at += text.length
    return text === '*' ? null : unescaped(text)
  }

  #readTerm(): Term {
    this.#skipSpace()
    if (this.#peek() === '"') return this.#readPhrase()
    if (this.#peek() === '/') throw malformed('a text that begins with / needs quotation marks')
    const parts = this.#readParts()
    if (parts.length === 0) throw malformed(this.isAtEnd() ? 'a term is missing' : `unexpected ${this.rest()}`)
    this.#refuseSuffix()
    if (!parts.every((part) => typeof part === 'object')) return { kind: 'pattern', parts }
    const text = parts.map(({ literal }) => literal).join('')
    if (text === 'AND' || text === 'OR') throw malformed(`${text} needs a term on both sides`)
    return { kind: 'text', text }
  }

  #readPhrase(): Term {
    const [whole, text] = /^"((?:[^"\\]|\\.)*)"/s.exec(this.text.slice(this.#at)) ?? []
    if (whole === undefined || text === undefined) throw malformed('a quotation mark is not closed')
    this.#at += whole.length
    this.#refuseSuffix()
    return { kind: 'text', text: unescaped(text) }
  }

  /** The characters of an unquoted term; escaped ones are literal. */
  #readParts(): PatternPart[] {
    const parts: PatternPart[] = []
    let literal = ''
    const flush = () => {
      if (literal !== '') parts.push({ literal })
      literal = ''
    }
    for (; this.#at < this.text.length; this.#at += 1) {
      const char = this.text.charAt(this.#at)
      if (char === '\\') {
        this.#at += 1
        if (this.#at >= this.text.length) throw malformed('a backslash escapes nothing')
        literal += this.text.charAt(this.#at)
      } else if (char === '*' || char === '?') {
        flush()
        parts.push(char)
      } else if (SPECIAL.test(char)) break
      else literal += char
    }
    flush()
    return parts
  }

  /** Boosts and fuzzy terms. */
  #refuseSuffix(): void {
    const next = this.#peek()
    if (next === '^' || next === '~' || next === '/' || next === ':' || next === '"')
      throw malformed(`unexpected ${this.rest()}`)
  }

  #take(...words: string[]): boolean {
    this.#skipSpace()
    const found = words.find((word) => {
      if (!this.text.startsWith(word, this.#at)) return false
      const next = this.text.charAt(this.#at + word.length)
      return !/\w/.test(word) || next === '' || SPACE.test(next) || next === '('
    })
    if (found === undefined) return false
    this.#at += found.length
    return true
  }

  #peek(): string {
    return this.text.charAt(this.#at)
  }

  #skipSpace(): void {
    while (SPACE.test(this.#peek())) this.#at += 1
  }
}

/** The fields that an expression names; null stands for terms without one. */
export function fieldsIn(expression: SearchExpression): ReadonlySet<string | null> {
  switch (expression.kind) {
    case 'all':
      return new Set()
    case 'and':
    case 'or':
      return new Set(expression.of.flatMap((each) => [...fieldsIn(each)]))
    case 'not':
      return fieldsIn(expression.of)
    default:
      return new Set([expression.field])
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/gs, '$1')

const textOf = (term: Term): string => {
  if (term.kind === 'pattern') throw malformed('a wildcard stands where none may')
  return term.text
}

const demanded = (field: string | null): string => {
  if (field === null) throw malformed('a range needs a field')
  return field
}

const ALL: SearchExpression = { kind: 'all' }

const negated = (of: SearchExpression): SearchExpression => ({ kind: 'not', of })

const asExpression = ({ occurs, expression }: Clause): SearchExpression =>
  occurs === 'not' ? negated(expression) : expression

const alternative = (clause: Clause): Clause =>
  clause.occurs === 'not' ? { occurs: 'should', expression: asExpression(clause) } : clause

/** Required clauses make the optional ones irrelevant; excluded ones exclude from whatever else is found. */
function combined(clauses: readonly Clause[]): SearchExpression {
  const of = (occurs: Clause['occurs']) =>
    clauses.filter((clause) => clause.occurs === occurs).map(({ expression }) => expression)
  const required = of('must')
  const optional = of('should')
  const found = required.length > 0 ? required : optional.length > 0 ? [oneOf(optional)] : []
  const all = [...found, ...of('not').map(negated)]
  const [only] = all
  return only && all.length === 1 ? only : { kind: 'and', of: all }
}

function oneOf(of: readonly SearchExpression[]): SearchExpression {
  const [only] = of
  return only && of.length === 1 ? only : { kind: 'or', of }
}
