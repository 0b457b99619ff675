// The SQL statements that reach the database, in order, by their names.
import type { Pool, PoolClient } from 'pg'
import { type MockInstance, vi } from 'vitest'

/** The names of the statements sent during `work` by connections that it acquires. */
export async function statementsOf(pool: Pool, work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = []
  const listened = new Map<PoolClient, MockInstance>()
  const listen = (client: PoolClient): void => {
    if (listened.has(client)) return
    const query = client.query as (...values: unknown[]) => unknown
    const spy = vi.spyOn(client, 'query') as MockInstance
    listened.set(client, spy)
    spy.mockImplementation((...args: unknown[]) => {
      names.push((args[0] as { name?: string }).name ?? '')
      return query.apply(client, args)
    })
  }
  pool.on('acquire', listen)
  await work()
  pool.off('acquire', listen)
  for (const spy of listened.values()) spy.mockRestore()
  return names
}
