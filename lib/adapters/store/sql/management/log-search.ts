// The fields of a search in the audit log, of a record "audit_record" aliased `r`: every member that the API shows of a record.
// - Types, users and times are found by an index or by the days; what else is named is compared record by record, newest first.
// - A whole value is compared with case, a pattern without, as in the vendor's documentation and its examples.
import { REASONS } from '../../../../kernel/reasons'
import type { Term } from '../../../../management/search/query'
import {
  dateIn,
  documentIn,
  firstOf,
  refused,
  type SearchColumn,
  type SearchFields,
  type StatementParameters,
  textIn,
  yesOrNo,
} from './search-conditions'

type Part = 'content' | 'personal'

const valueIn = (part: Part, name: string): string => `(r.${part}::json ->> '${name}')`

/** The record is JSON as it was written: most that are not meant are passed without being parsed, which takes ten times as long. */
const isWritten = (part: Part, text: string, { add }: StatementParameters): string =>
  `strpos(r.${part}, ${add(text)}) > 0`

const writtenAs = (name: string, text: string): string => `"${name}":${JSON.stringify(text)}`

function member(part: Part, name: string): SearchColumn {
  const value = valueIn(part, name)
  const whole = textIn(value)
  return {
    ...whole,
    match: (term, parameters) =>
      term.kind === 'text'
        ? `(${isWritten(part, writtenAs(name, term.text), parameters)} AND ${whole.match(term, parameters)})`
        : textIn(value, { caseless: true }).match(term, parameters),
    exists: (parameters) => `(${isWritten(part, `"${name}":`, parameters)} AND ${value} IS NOT NULL)`,
  }
}

/** What is said of an event in general, unless there is a reason of its own. */
const DESCRIPTION = firstOf(
  { column: valueIn('personal', 'reason'), target: member('personal', 'reason') },
  { column: valueIn('content', 'description'), target: member('content', 'description') },
)

/** The id of a record states its time, and a record is stored after it, soon if the database is there. */
const STORED_WITHIN_MS = 3_600_000

const ID = textIn('r.log_id')
const LOG_ID: SearchColumn = {
  ...ID,
  match: (term, parameters) => `(${ID.match(term, parameters)}${storedAfter(timeNamedBy(term), parameters, true)})`,
  range: (from, to, parameters) =>
    `(${ID.range?.(from, to, parameters)}${storedAfter(from && timeOfLog(from.text), parameters)})`,
}

const timeNamedBy = (term: Term): Date | null => (term.kind === 'text' ? timeOfLog(term.text) : null)

const storedAfter = (at: Date | null, { add }: StatementParameters, isSoon = false): string =>
  at === null ? '' : ` AND r.stored_at >= ${add(at)}${isSoon ? ` AND r.stored_at < ${add(storedBy(at))}` : ''}`

/** `900`, then the time in milliseconds (lib/data/audit/log-id.ts). */
export function timeOfLog(logId: string): Date | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^900(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})\d{27}$/.exec(logId) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

/** The latest moment by which a record of this time is looked for by its id. */
export const storedBy = (at: Date): Date => new Date(at.getTime() + STORED_WITHIN_MS)

const ERASED = 'r.personal IS NULL'

const HINTS = JSON.stringify(REASONS)

/** It is not stored: it belongs to the reason (lib/data/audit/record.ts). */
const hintIn = ({ add }: StatementParameters): string =>
  `(${add(HINTS)}::jsonb ->> (r.content::json -> 'details' ->> 'reason'))`

const HINT: SearchColumn = {
  match: (term, parameters) =>
    textIn(hintIn(parameters), { caseless: term.kind === 'pattern' }).match(term, parameters),
  exists: (parameters) => `${hintIn(parameters)} IS NOT NULL`,
}

/** A detail whose values are unlike other texts, so most records are passed without being parsed. */
function rareDetail(name: string): SearchColumn {
  const value = `(r.content::json -> 'details' ->> '${name}')`
  const whole = textIn(value)
  return {
    ...whole,
    match: (term, parameters) =>
      term.kind === 'text'
        ? `(${isWritten('content', writtenAs(name, term.text), parameters)} AND ${whole.match(term, parameters)})`
        : whole.match(term, parameters),
  }
}

const IN_CONTENT = [
  ...['client_id', 'client_name', 'connection', 'connection_id', 'strategy', 'strategy_type'],
  ...['organization_id', 'organization_name', 'hostname', 'audience', 'scope'],
]
const IN_PERSONAL = ['ip', 'user_name', 'user_agent']

const FIELDS: ReadonlyMap<string, SearchColumn> = new Map<string, SearchColumn>([
  ['log_id', LOG_ID],
  ['type', textIn('r.type')],
  ['user_id', textIn('r.user_id')],
  // A record that was stored earlier is also of an earlier event.
  ['date', dateIn('r.at', { since: (at, { add }) => `r.stored_at >= ${add(at)}` })],
  ['description', DESCRIPTION],
  ...IN_CONTENT.map((name) => [name, member('content', name)] as const),
  ...IN_PERSONAL.map((name) => [name, member('personal', name)] as const),
  ['isMobile', textIn(valueIn('content', 'isMobile'))],
  ['details.erased', yesOrNo(ERASED, ERASED)],
  ['details.hint', HINT],
  ['details.parameter', member('personal', 'parameter')],
  ['details.login_id', rareDetail('login_id')],
  ['details.target', rareDetail('target')],
])

/** Those of the vendor. */
const ANYWHERE = ['client_name', 'connection', 'description', 'ip', 'log_id', 'type', 'user_name']

const DETAILS = 'details.'

const fieldOf = (field: string): SearchColumn => {
  const known = FIELDS.get(field)
  if (known) return known
  if (field.startsWith(DETAILS))
    return documentIn("(r.content::json -> 'details')", field.slice(DETAILS.length).split('.'))
  throw refused(`the log has no field ${field}. Fields are ${[...FIELDS.keys()].join(', ')} and ${DETAILS}*`)
}

export const LOG_FIELDS: SearchFields = { find: fieldOf, anywhere: ANYWHERE.map(fieldOf) }
