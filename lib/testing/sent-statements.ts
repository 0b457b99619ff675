// The SQL statements that reach the database, in order, by their names.
import type { Pool, PoolClient } from 'pg'
import { type MockInstance, vi } from 'vitest'

export type SentStatement = { name: string; text: string; values: unknown[] }

/** How many connections are acquired during `work`, which each statement outside a transaction does. */
export async function acquiredDuring(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const counting = () => {
    count += 1
  }
  pool.on('acquire', counting)
  await work()
  pool.off('acquire', counting)
  return count
}

/** The names of the statements sent during `work` by connections that it acquires. */
export const statementsOf = async (pool: Pool, work: () => Promise<unknown>): Promise<string[]> =>
  (await sentDuring(pool, work)).map(({ name }) => name)

/** The same with their texts and values. */
export async function sentDuring(pool: Pool, work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = []
  const listened = new Map<PoolClient, MockInstance>()
  const listen = (client: PoolClient): void => {
    if (listened.has(client)) return
    const query = client.query as (...values: unknown[]) => unknown
    const spy = vi.spyOn(client, 'query') as MockInstance
    listened.set(client, spy)
    spy.mockImplementation((...args: unknown[]) => {
      sent.push(sentBy(args))
      return query.apply(client, args)
    })
  }
  pool.on('acquire', listen)
  await work()
  pool.off('acquire', listen)
  for (const spy of listened.values()) spy.mockRestore()
  return sent
}

/** A text with its values, or an object that has all three. */
function sentBy([statement, given]: unknown[]): SentStatement {
  if (typeof statement === 'string') return { name: '', text: statement, values: Array.isArray(given) ? given : [] }
  const { name = '', text, values } = statement as Partial<SentStatement> & { text: string }
  return { name, text, values: values ?? (Array.isArray(given) ? given : []) }
}
