// Compiles a user search to a condition in SQL on "user" aliased `u`. Whatever a caller typed is a parameter.
// - email, name, given_name, family_name, nickname and username are compared without case, all else with case, as at the vendor.
// - Equality and prefixes of these, of phone numbers and ids, equality in metadata, dates of creation and of the last login, and
//   connections are found by an index (user-search.test.ts). Infixes and what negates walk through the tenant's users.
// - A field that no user has matches none.
import { invalidQuery } from '../../../management/errors'
import { type Interval, readInterval } from '../../../management/search/dates'
import type { Bound, Expression, PatternPart, Term } from '../../../management/search/query'

/**
 * The parameters of a statement; `add` returns the place of a value. The first one is the tenant. Connections are looked up here,
 * so that PostgreSQL knows how many accounts a connection has.
 */
export type Parameters = { values: unknown[]; connections: readonly Named[]; add(value: unknown): string }
type Named = { id: string; name: string }

export function newParameters(tenantId: string, connections: readonly Named[]): Parameters {
  const values: unknown[] = [tenantId]
  return { values, connections, add: (value) => `$${values.push(value)}` }
}

type Target = {
  match(term: Term, parameters: Parameters): string
  range?(from: Bound | null, to: Bound | null, parameters: Parameters): string
  exists(parameters: Parameters): string
}

const NONE = 'false'

export function conditionOf(expression: Expression, parameters: Parameters): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${expression.of.map((each) => conditionOf(each, parameters)).join(expression.kind === 'and' ? ' AND ' : ' OR ')})`
    case 'not':
      return `(${conditionOf(expression.of, parameters)}) IS NOT TRUE`
    case 'exists':
      return targetOf(expression.field).exists(parameters)
    case 'match': {
      const { field, term } = expression
      if (field !== null) return targetOf(field).match(term, parameters)
      return `(${ANYWHERE.map((each) => each.match(term, parameters)).join(' OR ')})`
    }
    case 'range': {
      const { field, from, to } = expression
      const target = targetOf(field)
      if (!target.range) throw refused(`${field} has no ranges`)
      return target.range(from, to, parameters)
    }
  }
}

/** The users with an account at this connection. */
export const atConnection = (name: string, parameters: Parameters): string =>
  atConnections((each) => each === name, parameters)

const atConnections = (isMeant: (name: string) => boolean, { connections, add }: Parameters): string => {
  const ids = connections.filter(({ name }) => isMeant(name)).map(({ id }) => id)
  return withAccount(`i.connection_id = ANY(${add(ids)})`)
}

const withAccount = (condition: string): string =>
  `u.id IN (SELECT i.user_id FROM identity i WHERE i.tenant_id = $1 AND ${condition})`

const refused = (problem: string) => invalidQuery(`Invalid query: ${problem}`)

/** An infix or a suffix is looked for in all users, so it must at least be selective. */
const MIN_INFIX = 3

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

function likeOf(parts: readonly PatternPart[]): string {
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

/** Text, with or without regard to case. `value` is the indexed expression. */
const textIn = (column: string, { caseless = false } = {}): Target => {
  const value = caseless ? `lower(${column})` : column
  const fold = (text: string): string => (caseless ? text.toLowerCase() : text)
  return {
    match: (term, { add }) =>
      term.kind === 'text' ? `${value} = ${add(fold(term.text))}` : `${value} LIKE ${add(fold(likeOf(term.parts)))}`,
    range: (from, to, { add }) =>
      both(
        from && `${value} ~>${from.inclusive ? '=' : ''}~ ${add(fold(from.text))}`,
        to && `${value} ~<${to.inclusive ? '=' : ''}~ ${add(fold(to.text))}`,
        `${value} IS NOT NULL`,
      ),
    exists: () => `${column} IS NOT NULL`,
  }
}

const both = (first: string | null, second: string | null, otherwise: string): string =>
  first && second ? `(${first} AND ${second})` : (first ?? second ?? otherwise)

const yesOrNo = (condition: string, present: string): Target => ({
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

const numberIn = (column: string): Target => ({
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

/** `day` is an indexed column with the day (UTC) of the moment, where the moment has no index. */
function dateIn(column: string, day?: string): Target {
  const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
  const since = (at: Date, { add }: Parameters): string =>
    `${column} >= ${add(at)}${day ? ` AND ${day} >= ${add(dayOf(at))}::date` : ''}`
  const before = (at: Date, { add }: Parameters): string =>
    `${column} < ${add(at)}${day ? ` AND ${day} <= ${add(dayOf(at))}::date` : ''}`
  return {
    match: (term, parameters) => {
      const { start, end } = intervalOf(textOf(term))
      return `(${since(start, parameters)} AND ${before(end, parameters)})`
    },
    range: (from, to, parameters) => {
      const [first, last] = [from && intervalOf(from.text), to && intervalOf(to.text)]
      return both(
        from && first && since(from.inclusive ? first.start : first.end, parameters),
        to && last && before(to.inclusive ? last.end : last.start, parameters),
        `${column} IS NOT NULL`,
      )
    },
    exists: () => `${column} IS NOT NULL`,
  }
}

/** The latest change of a password after the account was made, as the user object shows it. */
export const LAST_PASSWORD_RESET = `(SELECT max(i.password_changed_at) FROM identity i
    WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.password_changed_at > u.created_at)`

const EMAIL = textIn('u.email', { caseless: true })
const NAMES = ['name', 'given_name', 'family_name', 'nickname', 'username'] as const
const BY_NAME = NAMES.map((name) => [name, textIn(`u.${name}`, { caseless: true })] as const)
const PHONE = textIn('u.phone_number')
const USER_ID = textIn('u.id')

const CONNECTION: Target = {
  match: (term, parameters) => {
    const isMeant =
      term.kind === 'text' ? (name: string) => name === term.text : (name: string) => matches(term.parts, name)
    return atConnections(isMeant, parameters)
  },
  exists: () => withAccount('true'),
}

const matches = (parts: readonly PatternPart[], text: string): boolean => new RegExp(regexOf(parts), 's').test(text)

const FIELDS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ['email', EMAIL],
  ...BY_NAME,
  ['phone_number', PHONE],
  ['user_id', USER_ID],
  ['picture', textIn('u.picture')],
  ['last_ip', textIn('u.last_ip')],
  ['email_verified', yesOrNo('u.email_verified', 'u.email IS NOT NULL')],
  ['phone_verified', yesOrNo('u.phone_verified', 'u.phone_number IS NOT NULL')],
  ['blocked', yesOrNo('u.blocked', 'true')],
  ['logins_count', numberIn('u.logins_count')],
  ['created_at', dateIn('u.created_at')],
  ['updated_at', dateIn('u.updated_at')],
  ['last_login', dateIn('u.last_login_at', 'u.last_login_day')],
  ['last_password_reset', dateIn(LAST_PASSWORD_RESET)],
  ['email.domain', domain()],
  ['identities.connection', CONNECTION],
  ['identities.provider', accountTarget('i.provider')],
  ['identities.user_id', accountTarget('i.provider_user_id')],
])

function domain(): Target {
  const value = "split_part(lower(u.email), '@', 2)"
  return { ...textIn(value), match: (term, parameters) => textIn(value).match(folded(term), parameters) }
}

const folded = (term: Term): Term =>
  term.kind === 'text'
    ? { kind: 'text', text: term.text.toLowerCase() }
    : {
        kind: 'pattern',
        parts: term.parts.map((part) => (typeof part === 'object' ? { literal: part.literal.toLowerCase() } : part)),
      }

/** A value of one of the user's accounts. */
function accountTarget(value: string): Target {
  return {
    match: (term, { add }) =>
      withAccount(term.kind === 'text' ? `${value} = ${add(term.text)}` : `${value} LIKE ${add(likeOf(term.parts))}`),
    exists: () => withAccount('true'),
  }
}

const IDENTIFIERS = ['user_id', 'email', 'username', 'phone_number']

/** Whether it asks for a value that at most a few users have. */
export const identifies = (query: Expression): boolean =>
  query.kind === 'match' && query.term.kind === 'text' && IDENTIFIERS.includes(query.field ?? '')

/** Where a term without a field is looked for. */
const ANYWHERE: readonly Target[] = [EMAIL, ...BY_NAME.map(([, target]) => target), PHONE, USER_ID]

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['user_metadata', 'u.user_metadata'],
  ['app_metadata', 'u.app_metadata'],
])

function targetOf(field: string): Target {
  const known = FIELDS.get(field)
  if (known) return known
  const [root = '', ...path] = field.split('.')
  const document = DOCUMENTS.get(root)
  if (document === undefined) return documentIn('u.profile', [root, ...path])
  if (path.length === 0) return { match: () => NONE, exists: () => `${document} <> '{}'` }
  return documentIn(document, path, `${document} <> '{}'`)
}

const MAX_PATH = 20

/**
 * A value below a path of a JSON column, in a list or alone. SQL/JSON paths in lax mode look into lists, and the index by paths
 * finds what they compare for equality. `indexed` is the condition of that partial index.
 */
function documentIn(column: string, path: readonly string[], indexed?: string): Target {
  if (path.length > MAX_PATH || path.includes('')) throw refused('the name of a field has empty or too many parts')
  const place = `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`
  const found = (operator: '@@' | '@?', jsonPath: string, { add }: Parameters): string =>
    `(${indexed ? `${indexed} AND ` : ''}${column} ${operator} ${add(jsonPath)}::jsonpath)`
  return {
    match: (term, parameters) =>
      term.kind === 'text'
        ? found(
            '@@',
            scalarsOf(term.text)
              .map((scalar) => `${place} == ${scalar}`)
              .join(' || '),
            parameters,
          )
        : found('@?', `${place} ? (@ like_regex ${JSON.stringify(regexOf(term.parts))} flag "s")`, parameters),
    range: (from, to, parameters) => {
      const ends = [
        ...(from ? [`@ >${from.inclusive ? '=' : ''} ${scalarOf(from.text)}`] : []),
        ...(to ? [`@ <${to.inclusive ? '=' : ''} ${scalarOf(to.text)}`] : []),
      ]
      return found('@?', ends.length === 0 ? `${place} ? (@ != null)` : `${place} ? (${ends.join(' && ')})`, parameters)
    },
    exists: (parameters) => found('@?', `${place} ? (@ != null)`, parameters),
  }
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

/** The values of JSON that a text may stand for. */
const scalarsOf = (text: string): string[] => [
  JSON.stringify(text),
  ...(NUMBER.test(text) ? [jsonNumber(text)] : []),
  ...(text === 'true' || text === 'false' ? [text] : []),
]

const scalarOf = (text: string): string => (NUMBER.test(text) ? jsonNumber(text) : JSON.stringify(text))

/** JSON has no leading zeros. */
const jsonNumber = (text: string): string => String(Number(text))

function regexOf(parts: readonly PatternPart[]): string {
  checkPattern(parts)
  const body = parts.map((part) =>
    part === '*' ? '.*' : part === '?' ? '.' : part.literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  return `^${body.join('')}$`
}

/** How `sort=field:1|-1` orders. */
export type UserOrder = {
  /** Of a user `u`. */
  key: string
  /** Orders by the key; users without a value come last. */
  by(key: string, descending: boolean): string
  /** An index holds the users that have a value of the column, and no others, in this order. */
  index?: { column: string; by(descending: boolean): string }
}

const direction = (descending: boolean): string => (descending ? 'DESC' : 'ASC')

/** By the bytes of the letters, as the index is and as the vendor does. */
function byLetters(key: string, column: string): UserOrder {
  const by = (key: string, descending: boolean): string => `${key} USING ${descending ? '~>~' : '~<~'}`
  return {
    ...{ key, by: (sorted, descending) => `${by(sorted, descending)} NULLS LAST` },
    index: { column, by: (descending) => by(key, descending) },
  }
}

/** A column that every user has, so its index can be read backwards. */
const byValue = (key: string): UserOrder => ({ key, by: (key, descending) => `${key} ${direction(descending)}` })

const byValueIfAny = (key: string): UserOrder => ({
  key,
  by: (key, descending) => `${key} ${direction(descending)} NULLS LAST`,
})

const ORDERS: ReadonlyMap<string, UserOrder> = new Map([
  ['user_id', byValue('u.id')],
  ['email', byLetters('lower(u.email)', 'u.email')],
  ...NAMES.map((name) => [name, byLetters(`lower(u.${name})`, `u.${name}`)] as const),
  ['phone_number', byLetters('u.phone_number', 'u.phone_number')],
  ['created_at', byValue('u.created_at')],
  ['updated_at', byValue('u.updated_at')],
  [
    'last_login',
    {
      ...byValueIfAny('u.last_login_at'),
      index: {
        column: 'u.last_login_day',
        by: (descending: boolean) =>
          ['u.last_login_day', 'u.last_login_at'].map((column) => `${column} ${direction(descending)}`).join(', '),
      },
    },
  ],
  ['last_ip', byValueIfAny('u.last_ip')],
  ['logins_count', byValue('u.logins_count')],
  ['email_verified', byValue('u.email_verified')],
  ['blocked', byValue('u.blocked')],
])

/** Undefined for a field by which nothing is ordered. */
export const orderOf = (field: string): UserOrder | undefined => ORDERS.get(field)
