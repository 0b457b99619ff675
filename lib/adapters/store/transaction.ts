// A database transaction: committed when the work returns, rolled back when it throws. For changes that need several statements;
// each statement still resolves its own race.
import type { Pool, PoolClient } from 'pg'
import { explain, IN_TIME, isSilent } from './database'
import { runGuard } from './guarded'

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw explain(error)
  })
  let broken: Error | undefined
  try {
    await say(client, 'BEGIN')
    await runGuard(async (text, values) => (await client.query({ text, values: [...values], ...IN_TIME })).rows)
    const result = await work(client)
    await say(client, 'COMMIT')
    return result
  } catch (error) {
    broken = isSilent(error) ? (error as Error) : await undo(client)
    throw explain(error)
  } finally {
    // A connection whose rollback failed is not returned to the pool.
    client.release(broken)
  }
}

const say = (client: PoolClient, text: string): Promise<unknown> => client.query({ text, ...IN_TIME })

const undo = (client: PoolClient): Promise<Error | undefined> =>
  say(client, 'ROLLBACK').then(
    () => undefined,
    (failure: Error) => failure,
  )
