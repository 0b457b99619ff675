// The fields of a user search: whatever the API shows of a user "user" aliased `u`, by the names that it shows.
// - Names, addresses and the texts of documents are compared without case; ids, numbers and names of connections with case.
// - Equality and prefixes of names, addresses, phone numbers and ids, equality in metadata, dates of creation and of the last login,
//   connections and organizations are found by an index (user-search.test.ts). Infixes and what negates walk through the tenant's users.
// - A field that no user has matches none. A picture that is drawn or fetched for a user without one has no address to search for.

import { LINKED_FIELDS } from '../../../../data/users/profile'
import { canonical, readableDomain } from '../../../../kernel/mail-address'
import type { PatternPart, SearchExpression, Term } from '../../../../management/search/query'
import {
  dateIn,
  documentIn,
  escapeLike,
  firstOf,
  likeOf,
  NONE,
  numberIn,
  regexOf,
  type SearchColumn,
  type SearchFields,
  type StatementParameters,
  textIn,
  yesOrNo,
} from './search-conditions'

/** Connections are looked up here, so that PostgreSQL knows how many accounts a connection has. */
type Connections = readonly { id: string; name: string }[]

/** The users with an account at this connection. */
export const atConnection = (name: string, connections: Connections, parameters: StatementParameters): string =>
  atConnections((each) => each === name, connections, parameters)

const atConnections = (
  isMeant: (name: string) => boolean,
  connections: Connections,
  { add }: StatementParameters,
): string => {
  const ids = connections.filter(({ name }) => isMeant(name)).map(({ id }) => id)
  return withAccount(`i.connection_id = ANY(${add(ids)})`)
}

const withAccount = (condition: string): string =>
  `u.id IN (SELECT i.user_id FROM identity i WHERE i.tenant_id = $1 AND ${condition})`

/** The latest change of a password after the account was made, as the user object shows it. */
export const LAST_PASSWORD_RESET = `(SELECT max(i.password_changed_at) FROM identity i
    WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.password_changed_at > u.created_at)`

const WITH_FACTOR = 'u.id IN (SELECT a.user_id FROM authenticator a WHERE a.tenant_id = $1 AND a.active)'

const caseless = (column: string) => ({ column, target: textIn(column, { caseless: true }) })

/** An address is found by every spelling of it; of a pattern, by that of its end. */
const spelled = (target: SearchColumn, read: (text: string) => string): SearchColumn => ({
  ...target,
  match: (term, parameters) => target.match(termRead(term, read), parameters),
})

function termRead(term: Term, read: (text: string) => string): Term {
  if (term.kind === 'text') return { ...term, text: read(term.text) }
  const parts = term.parts.map((part, index) => {
    if (typeof part !== 'object') return part
    const isEnd = index === term.parts.length - 1 && part.literal.includes('@')
    return { ...part, literal: isEnd ? read(part.literal) : part.literal.normalize('NFC') }
  })
  return { ...term, parts }
}

const EMAIL = { column: 'u.email', target: spelled(caseless('u.email').target, canonical) }
const USERNAME = caseless('u.username')
const BY_NAME: readonly (readonly [string, SearchColumn])[] = [
  ['name', firstOf(caseless('u.name'), EMAIL, USERNAME)],
  ['given_name', caseless('u.given_name').target],
  ['family_name', caseless('u.family_name').target],
  ['nickname', firstOf(caseless('u.nickname'), { column: 'u.email', target: localPart() }, USERNAME)],
  ['username', USERNAME.target],
]
const PHONE = textIn('u.phone_number')
const USER_ID = textIn('u.id')

/** The part of an address before the @; the index of addresses has it as a prefix. */
function localPart(): SearchColumn {
  const target = textIn("split_part(u.email, '@', 1)", { caseless: true })
  const prefixOf = (term: Term): string | null => {
    if (term.kind === 'text') return `${escapeLike(term.text)}@%`
    const [first] = term.parts
    return typeof first === 'object' ? `${escapeLike(first.literal)}%` : null
  }
  return {
    ...target,
    match: (term, parameters) => {
      const prefix = prefixOf(term)
      const whole = target.match(term, parameters)
      return prefix === null ? whole : `(lower(u.email) LIKE lower(${parameters.add(prefix)}::text) AND ${whole})`
    },
    exists: () => 'u.email IS NOT NULL',
  }
}

const connectionIn = (connections: Connections): SearchColumn => ({
  match: (term, parameters) => {
    const isMeant =
      term.kind === 'text' ? (name: string) => name === term.text : (name: string) => matches(term.parts, name)
    return atConnections(isMeant, connections, parameters)
  },
  exists: () => withAccount('true'),
})

const matches = (parts: readonly PatternPart[], text: string): boolean => new RegExp(regexOf(parts), 's').test(text)

/** A value of one of the user's accounts. */
const accountTarget = (target: SearchColumn): SearchColumn => ({
  match: (term, parameters) => withAccount(target.match(term, parameters)),
  range: (from, to, parameters) => withAccount(target.range?.(from, to, parameters) ?? NONE),
  exists: (parameters) => withAccount(target.exists(parameters)),
})

const ORGANIZATION: SearchColumn = {
  match: (term, { add }) =>
    ofOrganization(
      term.kind === 'text'
        ? `m.organization_id = ${add(term.text)}`
        : `m.organization_id LIKE ${add(likeOf(term.parts))}`,
    ),
  exists: () => ofOrganization('true'),
}

const ofOrganization = (condition: string): string =>
  `u.id IN (SELECT m.user_id FROM organization_member m WHERE m.tenant_id = $1 AND ${condition})`

const PROVIDERS: SearchColumn = {
  match: (term) => (term.kind === 'text' && term.text === 'guardian' ? WITH_FACTOR : NONE),
  exists: () => WITH_FACTOR,
}

const PICTURE: SearchColumn = { ...textIn('u.picture'), exists: () => 'true' }

/** A value of a document or a list is named by its path; the whole is only there or not. */
const wholeIs = (exists: string): SearchColumn => ({ match: () => NONE, exists: () => exists })

/** The index has days: one on the moment would be written at each login. */
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
const LAST_LOGIN = dateIn('u.last_login_at', {
  since: (at, { add }) => `u.last_login_day >= ${add(dayOf(at))}::date`,
  before: (at, { add }) => `u.last_login_day <= ${add(dayOf(at))}::date`,
})

const FIELDS: ReadonlyMap<string, SearchColumn> = new Map<string, SearchColumn>([
  ['email', EMAIL.target],
  ...BY_NAME,
  ['phone_number', PHONE],
  ['user_id', USER_ID],
  ['picture', PICTURE],
  ['last_ip', textIn('u.last_ip')],
  ['email_verified', yesOrNo('u.email_verified', 'u.email IS NOT NULL')],
  ['phone_verified', yesOrNo('u.phone_verified', 'u.phone_number IS NOT NULL')],
  ['blocked', yesOrNo('u.blocked')],
  ['logins_count', numberIn('u.logins_count')],
  ['created_at', dateIn('u.created_at')],
  ['updated_at', dateIn('u.updated_at')],
  ['last_login', LAST_LOGIN],
  ['last_password_reset', dateIn(LAST_PASSWORD_RESET)],
  ['multifactor', PROVIDERS],
  ['organization_id', ORGANIZATION],
  ['email.domain', spelled(textIn("split_part(u.email, '@', 2)", { caseless: true }), readableDomain)],
  ['identities', wholeIs(withAccount('true'))],
  ['identities.provider', accountTarget(textIn('i.provider'))],
  ['identities.user_id', accountTarget(textIn('i.provider_user_id'))],
  ['identities.isSocial', accountTarget(yesOrNo('i.is_social'))],
])

/** What is shown of an account that was linked. */
const LINKED = 'identities.profileData.'

const IDENTIFIERS = ['user_id', 'email', 'username', 'phone_number']

/** Whether it asks for a value that at most a few users have. */
export const identifies = (query: SearchExpression): boolean =>
  query.kind === 'match' && query.term.kind === 'text' && IDENTIFIERS.includes(query.field ?? '')

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['user_metadata', 'u.user_metadata'],
  ['app_metadata', 'u.app_metadata'],
])

export const userFields = (connections: Connections): SearchFields => ({
  anywhere: [EMAIL.target, ...BY_NAME.map(([, target]) => target), PHONE, USER_ID],
  find: (field) => (field === 'identities.connection' ? connectionIn(connections) : targetOf(field)),
})

function targetOf(field: string): SearchColumn {
  const known = FIELDS.get(field)
  if (known) return known
  if (field.startsWith(LINKED)) {
    const path = field.slice(LINKED.length).split('.')
    return LINKED_FIELDS.includes(path[0] ?? '') ? accountTarget(documentIn('i.profile', path)) : wholeIs(NONE)
  }
  const [root = '', ...path] = field.split('.')
  const document = DOCUMENTS.get(root)
  if (document === undefined) return documentIn('u.profile', [root, ...path])
  if (path.length === 0) return wholeIs(`${document} <> '{}'`)
  return documentIn(document, path, `${document} <> '{}'`)
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

const NAMES = BY_NAME.map(([name]) => name)

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
