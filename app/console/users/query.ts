import type { Requested } from '../_parts/listing'
import { isQuery } from '../_parts/typed-query'

/** Milliseconds. */
const DAY = 86_400_000

/** What the address asks for, as a query of the user search; undefined for all. */
export function userQuery({ q, blocked, verified, login }: Requested, now: Date): string | undefined {
  const parts = [typedQuery(q), stateOf('blocked', blocked), stateOf('email_verified', verified), loginIn(login, now)]
  const given = parts.filter((part) => part !== undefined)
  return given.length === 0 ? undefined : given.length === 1 ? given[0] : given.map((part) => `(${part})`).join(' AND ')
}

/** Words are the start of a name or an address, anything else is the query itself. */
function typedQuery(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  if (text === '') return undefined
  if (isQuery(text)) return text
  const words = text.split(/\s+/).map(escaped)
  const starts = words.map((word) => `${word}*`).join(' AND ')
  return words.length === 1 ? starts : `(${starts}) OR name:${words.join('\\ ')}*`
}

const escaped = (word: string): string => word.replace(/[+\-!^~\\/&|<>=]/g, '\\$&')

const stateOf = (field: string, value: string | undefined): string | undefined =>
  value === 'true' ? `${field}:true` : value === 'false' ? `NOT ${field}:true` : undefined

function loginIn(since: string | undefined, now: Date): string | undefined {
  const day = (days: number): string => new Date(now.getTime() - days * DAY).toISOString().slice(0, 10)
  if (since === 'never') return 'NOT _exists_:last_login'
  if (since === 'week') return `last_login:[${day(7)} TO *]`
  if (since === 'month') return `last_login:[${day(30)} TO *]`
  return since === 'old' ? `last_login:[* TO ${day(90)}]` : undefined
}
