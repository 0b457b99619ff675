// The database as the second source of time (docs/adr/0048). Consulted after a step of the wall clock only.
// - Whether the database is on this machine is judged by the address of the connection: a name, a tunnel or a pooler may lead here.
import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'
import { IN_TIME } from '../../adapters/store/database'
import type { SecondSource } from '../../kernel/clock'
import { isLoopback } from '../../settings/local-access'

const TIME = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time'

/** In milliseconds. The answer is as exact as half of the time that it took. */
const MAX_ROUND_TRIP = 1000

export const databaseTime =
  (pool: Pool): SecondSource =>
  async (timer) => {
    const client = await pool.connect()
    try {
      if (isOnThisMachine(client)) return null
      const sentAt = timer()
      const { rows } = await client.query<{ time: number }>({ text: TIME, ...IN_TIME })
      const answeredAt = timer()
      if (answeredAt - sentAt > MAX_ROUND_TRIP) throw new Error('the database answered too late')
      return { time: rows[0]?.time ?? 0, timer: (sentAt + answeredAt) / 2 }
    } finally {
      client.release()
    }
  }

/** The driver does not declare its socket. */
type Connected = { connection: { stream: Socket } }

/** A Unix socket has no address. */
function isOnThisMachine(client: PoolClient): boolean {
  const { remoteAddress } = (client as unknown as Connected).connection.stream
  return remoteAddress === undefined || isLoopback(remoteAddress)
}
