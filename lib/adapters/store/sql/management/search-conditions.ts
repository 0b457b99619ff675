// Compiles a search (lib/management/search/query.ts) to a condition in SQL. What can be searched for is a table of fields: user-search.ts,
// log-search.ts and object-search.ts have one each. Whatever a caller typed is a parameter.
import type { QueryResultRow } from 'pg'
import { temporarilyUnavailable } from '../../../../kernel/errors'
import { invalidQuery } from '../../../../management/operations/errors'
import { type Interval, readInterval } from '../../../../management/search/dates'
import type { PatternPart, RangeEnd, SearchExpression, Term } from '../../../../management/search/query'
import { type Database, explain, IN_TIME, isSilent } from '../../database'

/** The parameters of a statement; `add` returns the place of a value. The first one is the tenant. */
export type StatementParameters = { values: unknown[]; add(value: unknown): string }

export function newParameters(tenantId: string): StatementParameters {
  const values: unknown[] = [tenantId]
  return { values, add: (value) => `$${values.push(value)}` }
}

export type SearchColumn = {
  match(term: Term, parameters: StatementParameters): string
  range?(from: RangeEnd | null, to: RangeEnd | null, parameters: StatementParameters): string
  exists(parameters: StatementParameters): string
}

export type SearchFields = {
  /** Throws for a field that has no meaning. */
  find(field: string): SearchColumn
  /** Where a term without a field is looked for. */
  anywhere: readonly SearchColumn[]
}

export const NONE = 'false'

export function conditionOf(
  expression: SearchExpression,
  fields: SearchFields,
  parameters: StatementParameters,
): string {
  switch (expression.kind) {
    case 'all':
      return 'true'
    case 'and':
    case 'or': {
      const all = expression.of.map((each) => conditionOf(each, fields, parameters))
      return expression.kind === 'and' ? `(${all.join(' AND ')})` : anyOf(all)
    }
    case 'not':
      return `(${conditionOf(expression.of, fields, parameters)}) IS NOT TRUE`
    case 'exists':
      return fields.find(expression.field).exists(parameters)
    case 'match': {
      const { field, term } = expression
      if (field !== null) return fields.find(field).match(term, parameters)
      return anyOf(fields.anywhere.map((each) => each.match(term, parameters)))
    }
    case 'range': {
      const { field, from, to } = expression
      const target = fields.find(field)
      if (!target.range) throw refused(`${field} has no ranges`)
      return target.range(from, to, parameters)
    }
  }
}

export const anyOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`

export const refused = (problem: string) => invalidQuery(`Invalid query: ${problem}`)

/** An infix or a suffix is looked for in everything, so it must at least be selective. */
const MIN_INFIX = 3

export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

export function likeOf(parts: readonly PatternPart[]): string {
  checkPattern(parts)
  return parts.map((part) => (part === '*' ? '%' : part === '?' ? '_' : escapeLike(part.literal))).join('')
}

/** The work of matching grows with the power of their number. */
const MAX_STARS = 3

function checkPattern(parts: readonly PatternPart[]): void {
  if (parts.filter((part) => part === '*').length > MAX_STARS)
    throw refused(`a term has at most ${MAX_STARS} asterisks`)
  if (typeof parts[0] === 'object') return
  const longest = Math.max(0, ...parts.map((part) => (typeof part === 'object' ? part.literal.length : 0)))
  if (longest < MIN_INFIX) throw refused(`a term that begins with a wildcard needs ${MIN_INFIX} other characters`)
}

/**
 * Text, with or without regard to case. `value` is the indexed expression. PostgreSQL changes the case of both sides, so that they are
 * equal whatever its collation knows of letters.
 */
export const textIn = (column: string, { caseless = false } = {}): SearchColumn => {
  const value = caseless ? `lower(${column})` : column
  const given = (text: string, { add }: StatementParameters): string =>
    caseless ? `lower(${add(text)}::text)` : add(text)
  return {
    match: (term, parameters) =>
      term.kind === 'text'
        ? `${value} = ${given(term.text, parameters)}`
        : `${value} LIKE ${given(likeOf(term.parts), parameters)}`,
    range: (from, to, parameters) =>
      both(
        from && `${value} ~>${from.inclusive ? '=' : ''}~ ${given(from.text, parameters)}`,
        to && `${value} ~<${to.inclusive ? '=' : ''}~ ${given(to.text, parameters)}`,
        `${value} IS NOT NULL`,
      ),
    exists: () => `${column} IS NOT NULL`,
  }
}

/** The first of several values that is there, where each has an index of its own. */
export const firstOf = (...values: readonly { column: string; target: SearchColumn }[]): SearchColumn => {
  const either = (condition: (target: SearchColumn) => string): string =>
    anyOf(
      values.map(({ target }, index) =>
        [condition(target), ...values.slice(0, index).map(({ column }) => `${column} IS NULL`)].join(' AND '),
      ),
    )
  return {
    match: (term, parameters) => either((target) => target.match(term, parameters)),
    range: (from, to, parameters) => either((target) => target.range?.(from, to, parameters) ?? NONE),
    exists: (parameters) => anyOf(values.map(({ target }) => target.exists(parameters))),
  }
}

const both = (first: string | null, second: string | null, otherwise: string): string =>
  first && second ? `(${first} AND ${second})` : (first ?? second ?? otherwise)

export const yesOrNo = (condition: string, present = 'true'): SearchColumn => ({
  match: (term) => {
    if (term.kind === 'text' && term.text === 'true') return `(${present} AND ${condition})`
    return term.kind === 'text' && term.text === 'false' ? `(${present} AND NOT ${condition})` : NONE
  },
  exists: () => present,
})

function numberOf(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw refused(`${text} is no number`)
  return number
}

export const numberIn = (column: string): SearchColumn => ({
  match: (term, { add }) => `${column} = ${add(numberOf(textOf(term)))}::float8`,
  range: (from, to, { add }) =>
    both(
      from && `${column} >${from.inclusive ? '=' : ''} ${add(numberOf(from.text))}::float8`,
      to && `${column} <${to.inclusive ? '=' : ''} ${add(numberOf(to.text))}::float8`,
      `${column} IS NOT NULL`,
    ),
  exists: () => `${column} IS NOT NULL`,
})

function textOf(term: Term): string {
  if (term.kind === 'pattern') throw refused('the field takes no wildcards')
  return term.text
}

function intervalOf(text: string): Interval {
  const interval = readInterval(text)
  if (!interval) throw refused(`${text} is no date`)
  return interval
}

/** `2026-03*` is a month, as `2026-03` is. */
function namedInterval(term: Term): Interval {
  if (term.kind === 'text') return intervalOf(term.text)
  const [first, star, ...rest] = term.parts
  return typeof first === 'object' && star === '*' && rest.length === 0
    ? intervalOf(first.literal)
    : intervalOf(textOf(term))
}

/** What follows from a moment being at or after `at`, or before it: a condition that an index, or a partition, answers. */
type Implied = {
  since?(at: Date, parameters: StatementParameters): string
  before?(at: Date, parameters: StatementParameters): string
}

export function dateIn(column: string, implied: Implied = {}): SearchColumn {
  const and = (condition: string | undefined): string => (condition === undefined ? '' : ` AND ${condition}`)
  const since = (at: Date, parameters: StatementParameters): string =>
    `${column} >= ${parameters.add(at)}::timestamptz${and(implied.since?.(at, parameters))}`
  const before = (at: Date, parameters: StatementParameters): string =>
    `${column} < ${parameters.add(at)}::timestamptz${and(implied.before?.(at, parameters))}`
  return {
    match: (term, parameters) => {
      const { start, end } = namedInterval(term)
      return `(${since(start, parameters)} AND ${before(end, parameters)})`
    },
    range: (from, to, parameters) => {
      const [first, last] = [from && intervalOf(from.text), to && intervalOf(to.text)]
      return both(
        from && first && `(${since(from.inclusive ? first.start : first.end, parameters)})`,
        to && last && `(${before(to.inclusive ? last.end : last.start, parameters)})`,
        `${column} IS NOT NULL`,
      )
    },
    exists: () => `${column} IS NOT NULL`,
  }
}

const MAX_PATH = 20

/**
 * A value below a path of a JSON column, in a list or alone, without regard to the case of texts and names. SQL/JSON paths in lax mode
 * look into lists, and an index by paths finds what they compare for equality. `indexed` is the condition of that partial index.
 */
export function documentIn(column: string, path: readonly string[], indexed?: string): SearchColumn {
  if (path.length > MAX_PATH || path.includes('')) throw refused('the name of a field has empty or too many parts')
  const places = placesOf(path)
  const found = (conditionAt: (place: string) => string, { add }: StatementParameters): string =>
    `(${indexed ? `${indexed} AND ` : ''}${caselessJson(column)} @@ lower(${add(places.map(conditionAt).join(' || '))}::text)::jsonpath)`
  const having =
    (condition: string) =>
    (place: string): string =>
      `exists(${place} ? (${condition}))`
  return {
    match: (term, parameters) =>
      found(
        term.kind === 'text'
          ? (place) =>
              scalarsOf(term.text)
                .map((scalar) => `${place} == ${scalar}`)
                .join(' || ')
          : having(`@ like_regex ${JSON.stringify(regexOf(term.parts))} flag "s"`),
        parameters,
      ),
    range: (from, to, parameters) => {
      const ends = [
        ...(from ? [`@ >${from.inclusive ? '=' : ''} ${scalarOf(from.text)}`] : []),
        ...(to ? [`@ <${to.inclusive ? '=' : ''} ${scalarOf(to.text)}`] : []),
      ]
      return found(having(ends.length === 0 ? '@ != null' : ends.join(' && ')), parameters)
    },
    exists: (parameters) => found(having('@ != null'), parameters),
  }
}

/** The text of JSON has no capital letters of its own: neither escapes nor numbers nor keywords. */
const caselessJson = (column: string): string => `lower(${column}::text)::jsonb`

/** With more parts than this, a dot is no part of a name. */
const MAX_JOINED = 5

/** A dot in the name of a field separates names, or is part of one: `a.b` is `b` in `a`, or `a.b` itself. */
function placesOf(path: readonly string[]): string[] {
  const joined = ([first = '', ...rest]: readonly string[]): string[][] =>
    rest.length === 0
      ? [[first]]
      : joined(rest).flatMap(([next = '', ...others]) => [
          [first, next, ...others],
          [`${first}.${next}`, ...others],
        ])
  const all = path.length > MAX_JOINED ? [path] : joined(path)
  return all.map((names) => `$${names.map((name) => `.${JSON.stringify(name)}`).join('')}`)
}

/** As JSON writes numbers. */
const NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

/** The values of JSON that a text may stand for. */
const scalarsOf = (text: string): string[] => [
  JSON.stringify(text),
  ...(NUMBER.test(text) || text === 'true' || text === 'false' ? [text] : []),
]

const scalarOf = (text: string): string => (NUMBER.test(text) ? text : JSON.stringify(text))

export function regexOf(parts: readonly PatternPart[]): string {
  checkPattern(parts)
  const body = parts.map((part) =>
    part === '*' ? '.*' : part === '?' ? '.' : part.literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  return `^${body.join('')}$`
}

/** Runs a search. What takes too long gets advice, where a database that is away gets none. */
export async function search<Row extends QueryResultRow>(
  { pool }: Database,
  statement: { name?: string; text: string; values: unknown[] },
  advice: string,
): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ ...statement, ...IN_TIME })).rows
  } catch (error) {
    if (!isSilent(error)) throw explain(error)
    throw temporarilyUnavailable(`The search takes too long. ${advice}`, {
      cause: error,
      retryAfter: 2,
      redirectable: false,
    })
  }
}
