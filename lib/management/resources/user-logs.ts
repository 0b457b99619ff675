// What the audit log says of a user.
import * as z from 'zod'
import { inexistent, invalidQuery } from '../operations/errors'
import { answerList, pageQuery } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { type LogDeps, type LogRecord, logEntry, MAX_REACH, reachOf } from './logs'
import type { UserLoginStore } from './user-logins'

export type UserLogDeps = LogDeps & { userLogins: Pick<UserLoginStore, 'exists'> }

const query = z.object({
  ...pageQuery,
  sort: z
    .string()
    .regex(/^date:-?1$/, 'must be date:1 or date:-1')
    .optional(),
})

export const userLogs = {
  logsList: operationsWith<UserLogDeps>()({
    name: 'users.logs.list',
    method: 'GET',
    path: '/users/:id/logs',
    summary: 'List the records of the audit log about a user',
    scopes: ['read:logs', 'read:logs_users'],
    list: 'logs',
    query,
    status: 200,
    answer: z.array(logEntry),
    async handle({ params, query, actor, deps }) {
      const userId = params.id ?? ''
      if (!(await deps.userLogins.exists(userId))) throw inexistent('user')
      const body = await answerList<LogRecord>(query, {
        key: 'logs',
        async load(window) {
          const offset = 'offset' in window ? window.offset : 0
          if (offset + window.limit > MAX_REACH) throw invalidQuery(`Only the first ${MAX_REACH} records have pages`)
          const filter = { userId, reach: reachOf(actor) }
          const oldestFirst = query.sort === 'date:1'
          const rows = await deps.logs.page(filter, { offset, limit: window.limit, oldestFirst })
          return { rows, total: query.include_totals ? await deps.logs.count(filter) : 0 }
        },
        present: (record) => record,
        id: ({ log_id }) => String(log_id),
      })
      return { body }
    },
  }),
}
