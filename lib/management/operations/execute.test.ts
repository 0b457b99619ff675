import { expect, it, vi } from 'vitest'
import { DomainError } from '../../kernel/errors'
import { execute } from './execute'
import type { Operation } from './operation'
import { lacksRank } from './rank'

const operation = (refusal: DomainError, unchanged: () => Promise<{ body: string }>): Operation<object> => ({
  name: 'test.change',
  method: 'PATCH',
  path: '/test',
  summary: '',
  scopes: [],
  target: () => ({}),
  status: 200,
  unchanged,
  handle: async () => {
    throw refusal
  },
})

const run = (refusal: DomainError, unchanged: () => Promise<{ body: string }>) => {
  const rank = { audience: '', guard: (_target: object, _judge: object, work: () => Promise<never>) => work() }
  const actor = { clientId: 'any', userId: null, scopes: new Set<string>() }
  const call = { params: {}, query: {}, body: {}, actor, ifMatch: null, ip: '', deps: { rank: rank as never } }
  return execute(operation(refusal, unchanged), call, { record() {} } as never)
}

it('a call that the rank refuses is answered where it would change nothing', async () => {
  expect(await run(lacksRank(), async () => ({ body: 'as it was' }))).toMatchObject({ body: 'as it was' })
})

it('a call that anything else refuses is not answered as if it had been done', async () => {
  const unchanged = vi.fn(async () => ({ body: 'as it was' }))
  for (const code of ['conflict', 'access_denied', 'precondition_failed'] as const)
    await expect(run(new DomainError(code, 'No.'), unchanged)).rejects.toMatchObject({ code })
  expect(unchanged).not.toHaveBeenCalled()
})
