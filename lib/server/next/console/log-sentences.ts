// A record of the audit log as a sentence, in parts: text, and the objects that it names, with links to their pages.
import { EVENTS, type EventName, reasonOfEvent } from '../../../data/audit/events'
import { isJsonObject } from '../../../kernel/json'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import { type AnswerOf, operationIn, type Reference } from '../../../management/console-call'
import { administrators } from '../../../management/resources/administrators'
import type { logs } from '../../../management/resources/logs'
import { LOG_ADVICE, LOG_EVENTS, LOG_UNNAMED, LOG_VERBS } from '../../../text/console/log-events'
import { bodyOf, valueLabel } from './form'

export type ShownLogEntry = AnswerOf<typeof logs.read>

/** `href`: the page of the object in the console. */
export type SentencePart = { text: string; href?: string }

const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

/** The event of a record; null for one of a later release. */
export const eventOf = ({ details }: Pick<ShownLogEntry, 'details'>): EventName | null =>
  EVENT_NAMES.find((name) => name === details?.event) ?? null

/** The codes of what was refused or failed. */
export const FAILURE_CODES: readonly string[] = [
  ...new Set(
    EVENT_NAMES.filter((name) => name !== 'factor_required' && isFailure(name)).map((name) => EVENTS[name].code),
  ),
]

export const LOGIN_CODES: readonly string[] = [
  ...new Set(
    EVENT_NAMES.filter((name) => /^auth\.(login|silent_auth)\./.test(EVENTS[name].category)).map(
      (name) => EVENTS[name].code,
    ),
  ),
]

export const CHANGE_CODES: readonly string[] = [EVENTS.changed.code, EVENTS.change_refused.code]

function isFailure(name: EventName): boolean {
  return 'refusal' in EVENTS[name] || reasonOfEvent(name) !== undefined
}

export const isBad = (entry: Pick<ShownLogEntry, 'details' | 'type'>): boolean => {
  const event = eventOf(entry)
  return event === null ? entry.type.startsWith('f') : event !== 'factor_required' && isFailure(event)
}

/** What a record is about, beside its code. */
export function kindOf(entry: Pick<ShownLogEntry, 'details' | 'type'>): 'failure' | 'change' | 'login' | 'event' {
  if (isBad(entry)) return 'failure'
  if (CHANGE_CODES.includes(entry.type)) return 'change'
  return LOGIN_CODES.includes(entry.type) ? 'login' : 'event'
}

const pathOf = (kind: string, id: string): string => `/console/${kind}/${encodeURIComponent(id)}`

/** Names of objects that records name by id alone: `clients/abc` → Shop. */
export type ObjectNames = ReadonlyMap<string, string>

export function sentenceOf(entry: ShownLogEntry, names: ObjectNames = new Map()): SentencePart[] {
  const event = eventOf(entry)
  if (event === null) return [{ text: entry.description ?? entry.type }]
  if (event === 'changed') return changeOf(entry, names)
  return filled(LOG_EVENTS[event], entry, names)
}

/** The words of a sentence alone. */
export const plainSentence = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')

function filled(template: string, entry: ShownLogEntry, names: ObjectNames): SentencePart[] {
  const parts = template.split(/(\{\w+\})/).filter((text) => text !== '')
  return parts.map((text, place) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1]
    if (name === undefined) return { text }
    const part = named(name, entry, names)
    return place === 0 && part.href === undefined ? { ...part, text: capital(part.text) } : part
  })
}

function named(name: string, entry: ShownLogEntry, names: ObjectNames): SentencePart {
  const { user_id, client_id, client_name, connection, connection_id } = entry
  if (name === 'user') return object('users', user_id, personIn(entry, names), LOG_UNNAMED.user)
  if (name === 'application') return object('applications', client_id, client_name, LOG_UNNAMED.application)
  if (name === 'connection') return object('connections', connection_id, connection, LOG_UNNAMED.connection)
  return actorOf(entry, names)
}

/** The application of a record, by its best known name. */
export const applicationOf = (entry: ShownLogEntry): SentencePart => named('application', entry, new Map())

/** A client acts where no person does; the commands of the operator name neither. */
function actorOf(entry: ShownLogEntry, names: ObjectNames): SentencePart {
  const { user_id, user_name, client_id, client_name } = entry
  if (user_id !== undefined || user_name !== undefined)
    return object('users', user_id, personIn(entry, names), LOG_UNNAMED.user)
  return object('applications', client_id, client_name, LOG_UNNAMED.actor)
}

/** Who has no address has a name, which no record keeps. */
const personIn = ({ user_id: id, user_name: name }: ShownLogEntry, names: ObjectNames): string | undefined =>
  name ?? (id === undefined ? undefined : names.get(`users/${id}`))

function object(kind: string, id: string | undefined, name: string | undefined, unnamed: string): SentencePart {
  const text = name ?? id ?? unnamed
  return id === undefined || id === 'latchkey-console' ? { text } : { text, href: pathOf(kind, id) }
}

/** "Ada changed callbacks of Shop", "Ada deleted a role: Editors", or what a person did in the account portal. */
function changeOf(entry: ShownLogEntry, names: ObjectNames): SentencePart[] {
  const actor = actorOf(entry, names)
  const start = actor.href === undefined ? { ...actor, text: capital(actor.text) } : actor
  const { change = '', difference } = entry.details ?? {}
  const operation = operationIn(change)
  if (!operation) return [start, { text: change === '' ? ' made a change' : `: ${withRole(change)}` }]
  const target = targetOf(entry, names)
  const members = Object.keys(difference ?? {}).filter((member) => member !== 'updated_at')
  const isUpdate = /\.(update|change)$/.test(operation.name) && members.length > 0
  if (isUpdate && target) {
    const labels = members.slice(0, MAX_MEMBERS).map((member) => small(labelOfMember(operation.name, member)))
    const more = members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : ''
    return [start, { text: ` changed ${joined(labels)}${more} of ` }, target]
  }
  return [start, { text: ` ${past(operation)}${target ? ': ' : ''}` }, ...(target ? [target] : [])]
}

/** A change that is no operation ends with the role that it gives. */
const withRole = (change: string): string =>
  change.replace(/(?<=: )\w+$/, (role) => valueLabel(administrators.update, 'role', role))

const MAX_MEMBERS = 3

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const past = ({ summary }: Reference): string => {
  const [verb = '', ...rest] = summary.split(' ')
  return [LOG_VERBS[verb] ?? verb.toLowerCase(), ...rest].join(' ')
}

/** The label of a member, as forms and differences show it. */
export function labelOfMember(change: string, member: string): string {
  const operation = operationIn(change)
  const schema = operation ? memberAt(bodyOf(operation), member) : undefined
  const title = schema && metaOf(schema).title
  return title ?? member.replaceAll('_', ' ')
}

/** Where the pages of a resource are, by the first part of its path. */
const PAGES: Readonly<Record<string, string>> = {
  users: 'users',
  clients: 'applications',
  'resource-servers': 'apis',
  roles: 'roles',
  organizations: 'organizations',
  connections: 'connections',
  administrators: 'users',
  'log-streams': 'streams',
}

/** What the change is about: by name where it is known. */
function targetOf(entry: ShownLogEntry, names: ObjectNames): SentencePart | null {
  const key = targetKeyOf(entry)
  const { target, difference } = entry.details ?? {}
  if (target === undefined || target === '') return null
  const [id = ''] = target.split(' ')
  const name = nameIn(difference) ?? (key && names.get(key)) ?? target
  const kind = key?.slice(0, key.indexOf('/'))
  // A job has no name and no page.
  if (operationIn(entry.details?.change ?? '')?.path.startsWith('/jobs/')) return null
  return kind === undefined ? { text: name } : { text: name, href: pathOf(kind, id) }
}

/** `applications/abc`: what to look up for a name; null where there is no page for it. */
export function targetKeyOf({ details }: Pick<ShownLogEntry, 'details'>): string | null {
  const operation = operationIn(details?.change ?? '')
  const kind = operation && PAGES[operation.path.split('/')[1] ?? '']
  const [id = ''] = (details?.target ?? '').split(' ')
  return kind && id !== '' ? `${kind}/${id}` : null
}

/** Who is named by id alone: `users/<id>`. */
export const personKeyOf = ({ user_id: id, user_name: name }: ShownLogEntry): string | null =>
  id !== undefined && name === undefined ? `users/${id}` : null

/** A new object's name stands in the difference. */
function nameIn(difference: unknown): string | undefined {
  if (!isJsonObject(difference)) return undefined
  for (const member of ['name', 'email']) {
    const change = difference[member]
    const after = Array.isArray(change) ? (change[1] ?? change[0]) : undefined
    if (typeof after === 'string' && after !== '') return after
  }
  return undefined
}

/** As within a sentence, unless it starts with an abbreviation. */
const small = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What it means and what to do; null for what needs nothing. */
export const adviceOf = (entry: ShownLogEntry): string | null =>
  entry.details?.hint ?? LOG_ADVICE[entry.details?.event ?? ''] ?? null
