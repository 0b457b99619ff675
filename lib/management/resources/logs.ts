// The audit log, as the vendor's tools read it: newest first by pages, or oldest first behind a record.
// - `read:logs_users` shows what happened to users, and no changes by the Management API.
// - A query may name each member of a record. Where it names a type, a user or a time, the log reads no others.
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'
import { inexistent, invalidQuery } from '../operations/errors'
import { fieldsQuery, flag, MAX_PAGE, selectFields } from '../operations/list'
import { type Actor, operationsWith } from '../operations/operation'
import { parseQuery, type SearchExpression } from '../search/query'

export type LogRecord = JsonObject

export type LogFilter = { query?: SearchExpression | undefined; userId?: string; reach?: LogReach }
/** `users`: records about a user, without changes by the Management API. */
export type LogReach = 'all' | 'users'

export type LogStore = {
  /** By position; `total` counts to a thousand. */
  page(filter: LogFilter, window: { offset: number; limit: number; oldestFirst: boolean }): Promise<LogRecord[]>
  count(filter: LogFilter): Promise<number>
  find(logId: string, reach?: LogReach): Promise<LogRecord | null>
  /** The records behind one, oldest first; from the beginning without one. Null if there is no such record. */
  after(logId: string | null, limit: number, reach?: LogReach): Promise<LogRecord[] | null>
}

export type LogDeps = { logs: LogStore }

const operation = operationsWith<LogDeps>()

/** As at the vendor: older records are reached by checkpoints. */
export const MAX_REACH = 1000
const DEFAULT_PAGE = 50

const number = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)

const listQuery = z.object({
  page: number(MAX_REACH).optional(),
  per_page: number(MAX_PAGE).optional(),
  include_totals: flag.optional(),
  sort: z
    .string()
    .regex(/^date:-?1$/, 'must be date:1 or date:-1')
    .optional(),
  q: z.string().max(2000).optional(),
  /** What the SDKs call `q`. */
  search: z.string().max(2000).optional(),
  from: z.string().max(200).optional(),
  take: number(MAX_PAGE).optional(),
  ...fieldsQuery,
})

/** A record, as the vendor's tools read it. An erased one names no person. */
export const logEntry = z
  .object({
    log_id: z.string(),
    date: z.iso.datetime(),
    type: z.string(),
    description: z.string().optional(),
    connection: z.string().optional(),
    connection_id: z.string().optional(),
    strategy: z.string().optional(),
    strategy_type: z.string().optional(),
    client_id: z.string().optional(),
    client_name: z.string().optional(),
    organization_id: z.string().optional(),
    organization_name: z.string().optional(),
    hostname: z.string().optional(),
    audience: z.string().optional(),
    scope: z.string().optional(),
    isMobile: z.boolean().optional(),
    ip: z.string().optional(),
    user_agent: z.string().optional(),
    user_id: z.string().optional(),
    user_name: z.string().optional(),
    details: z
      .object({
        event: z.string(),
        reason: z.string(),
        hint: z.string(),
        parameter: z.string(),
        request_id: z.string(),
        login_id: z.string(),
        dropped_scopes: z.string(),
        grant_type: z.string(),
        factor: z.string(),
        change: z.string(),
        target: z.string(),
        difference: z.record(z.string(), z.unknown()),
        not_applied: z.array(z.string()),
        count: z.number(),
        since: z.iso.datetime(),
        erased: z.literal(true),
      })
      .partial(),
  })
  .meta({ id: 'LogEntry' })

type ListQuery = z.output<typeof listQuery>

export const logs = {
  list: operation({
    name: 'logs.list',
    method: 'GET',
    path: '/logs',
    summary: 'List the records of the audit log',
    scopes: ['read:logs', 'read:logs_users'],
    list: 'logs',
    query: listQuery,
    status: 200,
    answer: z.array(logEntry),
    async handle({ query, actor, deps }) {
      const reach = reachOf(actor)
      const show = (record: LogRecord) => selectFields(record, query)
      if (query.from !== undefined || query.take !== undefined) {
        if (query.q !== undefined || query.search !== undefined || query.sort === 'date:-1')
          throw invalidQuery('from and take list all records, oldest first')
        const records = await deps.logs.after(query.from ?? null, query.take ?? DEFAULT_PAGE, reach)
        if (!records) throw invalidQuery('from is the id of no record')
        return { body: records.map(show) }
      }
      const { limit, offset } = windowOf(query)
      const filter = { query: searched(query), reach }
      const records = await deps.logs.page(filter, { offset, limit, oldestFirst: query.sort === 'date:1' })
      if (!query.include_totals) return { body: records.map(show) }
      const total = await deps.logs.count(filter)
      return { body: { start: offset, limit, length: records.length, total, logs: records.map(show) } }
    },
  }),
  read: operation({
    name: 'logs.read',
    method: 'GET',
    path: '/logs/:id',
    summary: 'Read a record of the audit log',
    scopes: ['read:logs', 'read:logs_users'],
    status: 200,
    answer: logEntry,
    async handle({ params, actor, deps }) {
      const record = await deps.logs.find(params.id ?? '', reachOf(actor))
      if (!record) throw inexistent('log')
      return { body: record }
    },
  }),
}

export const reachOf = ({ scopes }: Pick<Actor, 'scopes'>): LogReach => (scopes.has('read:logs') ? 'all' : 'users')

function windowOf({ page = 0, per_page: limit = DEFAULT_PAGE }: ListQuery) {
  const offset = page * limit
  if (offset + limit > MAX_REACH)
    throw invalidQuery(`Only the first ${MAX_REACH} records have pages. Use from and take for others`)
  return { offset, limit }
}

/** What `q` and `search` ask for together. */
function searched({ q = '', search = '' }: ListQuery): SearchExpression | undefined {
  const of = [q, search].filter((text) => text.trim() !== '').map(parseQuery)
  return of.length > 1 ? { kind: 'and', of } : of[0]
}
