// The one search of the console: objects by what a person types or pastes, read by the operations that the role may call. An id or an
// address that names one object leads to it.
import { DomainError } from '../../../kernel/errors'
import { objectIn } from '../../../kernel/json'
import type { ConsoleCall, Reference } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { logs } from '../../../management/resources/logs'
import { organizations } from '../../../management/resources/organizations'
import { resourceServers } from '../../../management/resources/resource-servers'
import { roles } from '../../../management/resources/roles'
import { users } from '../../../management/resources/users'
import { say } from '../../../text/console'
import type { SearchedKind } from './field'
import type { Console } from './page'

export type FoundObject = { kind: string; title: string; detail: string; href: string }

/** Characters. What is longer is no name: a token or a message. */
export const MAX_WORDS = 300
const SHOWN = 5

type Row = Readonly<Record<string, unknown>>

type Source = {
  kind: string
  /** What a control looks for in it, and the member that a form names an object by. */
  picked?: {
    kind: SearchedKind
    by: string
    read: Reference
    /** Where a role may name objects whose pages it does not see. */
    query?(text: string): Readonly<Record<string, string>>
  }
  operation: Reference
  query(text: string): Readonly<Record<string, string>> | null
  /** The first entries, where nothing is typed yet. */
  first?: Readonly<Record<string, string>>
  /** Of entries that the operation does not search. */
  matches?(row: Row, text: string): boolean
  show(row: Row): Omit<FoundObject, 'kind'>
}

const textIn = (row: Row, ...names: readonly string[]): string =>
  names.map((name) => row[name]).find((value): value is string => typeof value === 'string' && value !== '') ?? ''

const phrase = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
const escaped = (word: string): string => word.replaceAll(/[^\p{L}\p{N}@._]/gu, '\\$&')
const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** The start of a name, an address or a number; or the whole id. */
function userQuery(text: string): string {
  const prefix = wordsOf(text)
    .map((word) => `${escaped(word)}*`)
    .join(' AND ')
  const phone = /^\+?[\d\s()/-]{5,}$/.test(text) ? ` OR phone_number:${escaped(text.replaceAll(/[\s()/-]/g, ''))}*` : ''
  const domain = /^@?[\w-]+(?:\.[\w-]+)+$/.test(text) ? ` OR email.domain:${phrase(text.replace('@', ''))}` : ''
  const name = /\s/.test(text) ? ` OR name:${escaped(text)}*` : ''
  return `(${prefix})${name} OR user_id:${phrase(text)}${phone}${domain}`
}

const includes = (row: Row, text: string, ...names: readonly string[]): boolean =>
  names.some((name) => textIn(row, name).toLowerCase().includes(text.toLowerCase()))

const pathOf = (section: string, id: string): string => `/console/${section}/${encodeURIComponent(id)}`

const SOURCES: readonly Source[] = [
  {
    kind: say('find.user'),
    picked: { kind: 'users', by: 'user_id', read: users.read },
    first: { per_page: String(SHOWN) },
    operation: users.list,
    query: (text) => ({ q: userQuery(text), per_page: String(SHOWN) }),
    show: (row) => ({
      title: textIn(row, 'name', 'email', 'username', 'phone_number', 'user_id'),
      detail: textIn(row, 'email', 'phone_number', 'username', 'user_id'),
      href: pathOf('users', textIn(row, 'user_id')),
    }),
  },
  {
    kind: say('find.application'),
    picked: {
      ...{ kind: 'applications', by: 'client_id', read: clients.read },
      query: (text) => ({ name_filter: text, per_page: String(SHOWN) }),
    },
    first: { per_page: String(SHOWN) },
    operation: clients.list,
    query: (text) => ({ name_filter: text, is_global: 'false', per_page: String(SHOWN) }),
    show: (row) => ({
      title: textIn(row, 'name'),
      detail: textIn(row, 'client_id'),
      href: pathOf('applications', textIn(row, 'client_id')),
    }),
  },
  {
    kind: say('find.api'),
    picked: { kind: 'apis', by: 'identifier', read: resourceServers.read },
    first: { per_page: '100' },
    operation: resourceServers.list,
    query: () => ({ per_page: '100' }),
    matches: (row, text) => includes(row, text, 'name', 'identifier', 'id'),
    show: (row) => ({
      title: textIn(row, 'name', 'identifier'),
      detail: textIn(row, 'identifier'),
      href: pathOf('apis', textIn(row, 'id')),
    }),
  },
  {
    kind: say('find.organization'),
    picked: { kind: 'organizations', by: 'id', read: organizations.read },
    first: { take: String(SHOWN) },
    operation: organizations.search,
    query: (text) => ({
      q: `name:*${escaped(text)}* OR display_name:*${escaped(text)}* OR id:${phrase(text)}`,
      take: String(SHOWN),
    }),
    show: (row) => ({
      title: textIn(row, 'display_name', 'name'),
      detail: textIn(row, 'name'),
      href: pathOf('organizations', textIn(row, 'id')),
    }),
  },
  {
    kind: say('find.connection'),
    picked: { kind: 'connections', by: 'id', read: connections.read },
    first: { per_page: '100' },
    operation: connections.list,
    query: () => ({ per_page: '100' }),
    matches: (row, text) => includes(row, text, 'name', 'display_name', 'id'),
    show: (row) => ({
      title: textIn(row, 'display_name', 'name'),
      detail: textIn(row, 'strategy'),
      href: pathOf('connections', textIn(row, 'id')),
    }),
  },
  {
    kind: say('find.role'),
    picked: { kind: 'roles', by: 'id', read: roles.read },
    first: { per_page: '100' },
    operation: roles.list,
    query: () => ({ per_page: '100' }),
    matches: (row, text) => includes(row, text, 'name', 'id'),
    show: (row) => ({
      title: textIn(row, 'name'),
      detail: textIn(row, 'description'),
      href: pathOf('roles', textIn(row, 'id')),
    }),
  },
  {
    kind: say('find.log'),
    operation: logs.list,
    query: logQuery,
    show: (row) => ({
      title: textIn(row, 'description', 'type'),
      detail: textIn(row, 'date')
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC'),
      href: pathOf('logs', textIn(row, 'log_id')),
    }),
  },
]

/** Ids alone: words are looked for in the log's own page. */
function logQuery(text: string): Record<string, string> | null {
  if (/^900\d{30,40}$/.test(text)) return { q: `log_id:${phrase(text)}`, per_page: '1' }
  return /^[\w-]{12}$/.test(text) ? { q: `details.request_id:${phrase(text)}`, per_page: String(SHOWN) } : null
}

export async function findObjects(typed: string, console: Console): Promise<FoundObject[]> {
  const text = typed.trim()
  if (text.length < 2 || text.length > MAX_WORDS) return []
  const found = await Promise.all(SOURCES.map((source) => findIn(source, text, console)))
  return found.flat()
}

/** What the role may not read, and what is no query of this kind, is not found. */
async function findIn(source: Source, text: string, console: Console): Promise<FoundObject[]> {
  const rows = await rowsIn(source, source.query(text), text, console)
  return rows.slice(0, SHOWN).map((row) => ({ kind: source.kind, ...source.show(row) }))
}

async function rowsIn(
  { operation, matches }: Source,
  requested: Readonly<Record<string, string>> | null,
  text: string,
  console: Console,
): Promise<Row[]> {
  if (requested === null || !console.may(operation)) return []
  try {
    const answer = await console.read(operation, { query: requested } as ConsoleCall)
    const listed = Array.isArray(answer) ? answer : objectIn(answer)[operation.list ?? '']
    const rows: Row[] = Array.isArray(listed) ? listed.map(objectIn) : []
    return matches && text !== '' ? rows.filter((row) => matches(row, text)) : rows
  } catch (error) {
    if (error instanceof DomainError) return []
    throw error
  }
}

/** An object that a form may name, by what names it in a body. */
export type PickedObject = { value: string; label: string; detail: string }

const sourceOf = (kind: SearchedKind): Source | undefined => SOURCES.find(({ picked }) => picked?.kind === kind)

export const mayPick = (kind: SearchedKind, console: Console): boolean => {
  const source = sourceOf(kind)
  return source !== undefined && console.may(source.operation)
}

const pickedFrom = ({ picked, show }: Source, row: Row): PickedObject => {
  const { title, detail } = show(row)
  return { value: textIn(row, picked?.by ?? ''), label: title, detail }
}

/** The objects of a kind that a text may mean; the first ones for an empty text. */
export async function pickObjects(kind: SearchedKind, typed: string, console: Console): Promise<PickedObject[]> {
  const source = sourceOf(kind)
  const text = typed.trim().slice(0, MAX_WORDS)
  if (!source) return []
  const rows = await rowsIn(
    source,
    text === '' ? (source.first ?? null) : (source.picked?.query ?? source.query)(text),
    text,
    console,
  )
  return rows.slice(0, SHOWN).map((row) => pickedFrom(source, row))
}

/** The object that a value names; null where there is none, or the role may not read it. */
export async function pickedObject(kind: SearchedKind, value: string, console: Console): Promise<PickedObject | null> {
  const source = sourceOf(kind)
  if (!source?.picked || value === '' || value.length > MAX_WORDS || !console.may(source.picked.read)) return null
  const [name = 'id'] = /(?<=:)\w+/.exec(source.picked.read.path) ?? []
  try {
    return pickedFrom(
      source,
      objectIn(await console.read(source.picked.read, { params: { [name]: value } } as ConsoleCall)),
    )
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
