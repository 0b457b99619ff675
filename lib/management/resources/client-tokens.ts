// The refresh tokens of one application: how many people hold them, and the end of all of them.
import * as z from 'zod'
import type { ClientPort } from '../../data/clients/client'
import { inexistent } from '../operations/errors'
import { answerList, checkpointQuery, nextShape } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { aboveOf, inPath, type RankDeps } from '../operations/rank'
import { presentRefreshToken, refreshToken, type UserLoginDeps } from './user-logins'

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
    summary: 'List and count the refresh tokens of an application',
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
      const found = await userLogins.countTokensOf(id, now)
      const body = await answerList(
        { ...query, take: query.take ?? 50 },
        {
          key: 'refresh_tokens',
          checkpoint: true,
          load: (window) => userLogins.tokensOf(id, window, now),
          present: presentRefreshToken,
          id: (row) => row.id,
        },
      )
      return { body: { ...(body as object), counts: found } }
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

async function opened({ id }: { id: string }, { clients, userLogins, clock }: ClientTokenDeps) {
  if (!(await clients.find(id))) throw inexistent('client')
  return { id, userLogins, now: clock.now() }
}
