// GET /me/v1/factors: the ways to sign in that the person can add (docs/my-account.md).
import * as z from 'zod'
import { json } from '../../../http/message'
import { KINDS, TYPES } from '../../my-account/kinds/index'
import { defineMyAccountEndpoint, reading } from '../../my-account/my-account-endpoint'

const READ = 'read:me:factors'

export const myFactors = defineMyAccountEndpoint(
  'me.factors',
  {
    async GET(request, runtime, count) {
      const call = await reading(READ, request, runtime, count)
      const factors = await Promise.all(
        KINDS.map(async (kind) => (await kind.available(call)).map((type) => ({ type, usage: [kind.usage] }))),
      )
      return json({ factors: factors.flat() })
    },
  },
  () => ({
    GET: {
      summary: 'List the ways to sign in that the person can add',
      caller: ['access_token'],
      scopes: [READ],
      answers: {
        200: {
          says: 'The types',
          schema: z.object({
            factors: z.array(
              z.object({
                type: z.enum(TYPES as [string, ...string[]]),
                usage: z.array(z.enum(['primary', 'secondary'])),
              }),
            ),
          }),
        },
      },
      examples: { all: {} },
    },
  }),
)
