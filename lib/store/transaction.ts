// Several statements as one: committed when the work returns, undone when it throws. For what one statement cannot say;
// each statement inside still decides its own race.
import type { Pool, PoolClient } from 'pg'
import { explain } from './database'

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw explain(error)
  })
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure
    })
    throw explain(error)
  } finally {
    // A connection that cannot even undo is not handed to the next.
    client.release(broken)
  }
}
