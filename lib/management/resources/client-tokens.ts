// The sessions and refresh tokens of one application: who has them, and the end of all its refresh tokens.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { type JsonObject, objectIn } from '../../kernel/json'
import { inexistent, invalidQuery } from '../operations/errors'
import { answerList, checkpointQuery, type ListQuery, nextShape, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { aboveOf, inPath, type RankDeps } from '../operations/rank'
import {
  type ClientSessionRow,
  type Newest,
  presentRefreshToken,
  presentSession,
  refreshToken,
  session,
  type UserLoginDeps,
} from './user-logins'

export type ClientTokenDeps = UserLoginDeps & RankDeps & { clients: Pick<ClientPort, 'find'> }

const operation = operationsWith<ClientTokenDeps>()

/** People whose tokens one transaction ends. */
const AT_ONCE = 500

const counts = z.object({
  tokens: z.number(),
  users: z.number(),
  sessions: z.number().meta({ description: 'Sessions in which these tokens were issued' }),
})

export const clientTokens = {
  refreshTokensList: operation({
    name: 'clients.refresh_tokens.list',
    method: 'GET',
    path: '/clients/:id/refresh-tokens',
    summary: 'List and count the refresh tokens of an application, the newest first',
    scopes: ['read:refresh_tokens'],
    query: z.object(checkpointQuery),
    status: 200,
    answer: z.object({
      refresh_tokens: z.array(refreshToken),
      counts: counts.meta({ description: 'Of the first 10,000 tokens' }),
      ...nextShape,
    }),
    async handle({ params, query, deps }) {
      const { id, userLogins, now } = await opened(params, deps)
      const [found, body] = await Promise.all([
        userLogins.countTokensOf(id, now),
        answerNewest(query, {
          key: 'refresh_tokens',
          load: (window) => userLogins.tokensOf(id, window, now),
          present: presentRefreshToken,
          place: (row) => ({ at: row.createdAt, id: row.id }),
        }),
      ])
      return { body: { ...body, counts: found } }
    },
  }),
  sessionsList: operation({
    name: 'clients.sessions.list',
    method: 'GET',
    path: '/clients/:id/sessions',
    summary: 'List the sessions in which an application has a token that holds, the newest first',
    scopes: ['read:sessions'],
    query: z.object(checkpointQuery),
    status: 200,
    answer: z.object({ sessions: z.array(session), ...nextShape }),
    async handle({ params, query, deps }) {
      const { id, userLogins, now } = await opened(params, deps)
      const body = await answerNewest<ClientSessionRow>(query, {
        key: 'sessions',
        load: (window) => userLogins.sessionsOf(id, window, now),
        present: presentSession,
        place: ({ tokenAt, sid }) => ({ at: tokenAt, id: sid }),
      })
      return { body }
    },
  }),
  refreshTokensDelete: operation({
    name: 'clients.refresh_tokens.delete',
    console: true,
    danger: true,
    method: 'DELETE',
    path: '/clients/:id/refresh-tokens',
    summary: 'Revoke the refresh tokens of an application, but those of people above the caller',
    scopes: ['delete:refresh_tokens'],
    target: inPath('clients'),
    status: 200,
    answer: z.object({ ended: z.number(), users: z.number(), kept: z.number() }),
    async handle({ params, actor, deps }) {
      const { id, userLogins, now } = await opened(params, deps)
      const done = { ended: 0, users: 0, kept: 0 }
      for (let after = ''; ; ) {
        const people = await userLogins.holdersOf(id, { after, limit: AT_ONCE }, now)
        const last = people.at(-1)
        if (last === undefined) return { body: done, after: done }
        const above = await aboveOf(actor, 'users', people, deps)
        const below = people.filter((person) => !above.has(person))
        done.ended += await userLogins.endTokensOf(id, below, now)
        done.users += below.length
        done.kept += above.size
        after = last
      }
    },
  }),
}

type NewestList<Row> = {
  key: string
  load(window: Newest): Promise<Row[]>
  present(row: Row): JsonObject
  place(row: Row): { at: Date; id: string }
}

/** A list by checkpoints whose order is the time, with the id where times are the same. */
async function answerNewest<Row>(
  { from, take = 50 }: Pick<ListQuery, 'from' | 'take'>,
  { key, load, present, place }: NewestList<Row>,
): Promise<JsonObject> {
  const body = await answerList(
    { from, take },
    {
      key,
      checkpoint: true,
      async load(window) {
        const rows = await load({ after: placeIn(window), limit: window.limit })
        return { rows, total: rows.length }
      },
      present,
      id: (row) => `${place(row).at.toISOString()} ${place(row).id}`,
    },
  )
  return objectIn(body)
}

function placeIn(window: Window): Newest['after'] {
  const after = 'after' in window ? window.after : null
  if (after === null) return null
  const [time = '', id = ''] = after.split(' ')
  const at = new Date(time)
  if (id === '' || Number.isNaN(at.getTime())) throw invalidQuery('from is not the next of an answer')
  return { at, id }
}

async function opened({ id }: { id: string }, { clients, userLogins, clock }: ClientTokenDeps) {
  if (!(await clients.find(id))) throw inexistent('client')
  return { id, userLogins, now: clock.now() }
}
