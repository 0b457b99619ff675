import { CHANGE_CODES, FAILURE_CODES, LOGIN_CODES } from '../../../lib/server/next/console/log-sentences'
import { isQuery, quoted } from '../_parts/typed-query'

/** The filters of the log, as the address has them. */
export const LOG_FILTERS = ['q', 'show', 'user', 'app', 'connection', 'since'] as const
export type LogFilters = Readonly<Partial<Record<(typeof LOG_FILTERS)[number], string | undefined>>>

export const SHOWN = { failures: FAILURE_CODES, logins: LOGIN_CODES, changes: CHANGE_CODES } as const

/** Hours. */
export const SINCE = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const

/**
 * The query of the log for what a person typed and chose: words are codes, names or addresses, anything else is the query itself. An
 * application, a user and a connection are named by id or name.
 */
export function logQuery({ q, show, user, app, connection, since }: LogFilters, now: Date): string | undefined {
  const text = q?.trim() ?? ''
  const codes = show !== undefined && Object.hasOwn(SHOWN, show) ? SHOWN[show as keyof typeof SHOWN] : null
  const hours = since !== undefined && Object.hasOwn(SINCE, since) ? SINCE[since as keyof typeof SINCE] : null
  const terms = [
    ...(isQuery(text) ? [`(${text})`] : text.split(/\s+/).filter(Boolean).map(quoted)),
    ...(codes ? [`type:(${codes.map(quoted).join(' OR ')})`] : []),
    ...either(user, 'user_id', 'user_name'),
    ...either(app, 'client_id', 'client_name'),
    ...either(connection, 'connection', 'connection_id'),
    ...(hours === null ? [] : [`date:[${new Date(now.getTime() - hours * 3_600_000).toISOString()} TO *]`]),
  ]
  return terms.length === 0 ? undefined : terms.join(' AND ')
}

function either(typed: string | undefined, ...fields: string[]): string[] {
  const value = typed?.trim() ?? ''
  return value === '' ? [] : [`(${fields.map((field) => `${field}:${quoted(value)}`).join(' OR ')})`]
}
