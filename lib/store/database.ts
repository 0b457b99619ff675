// What a store adapter may use: the pool for the hot statements (one SQL statement each, prepared under its name), and
// Prisma for everything else, over the same pool. Prisma is loaded on first use, so a process answers before it.
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { PrismaClient } from '../../prisma/generated/client'
import { temporarilyUnavailable } from '../kernel/errors'

export type Database = {
  pool: Pool
  prisma(): Promise<PrismaClient>
}

/** Runs a prepared statement, on a transaction's connection or any; `name` is unique per text. */
export async function run<Row extends QueryResultRow>(
  pool: Pool | PoolClient,
  statement: { name: string; text: string },
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ ...statement, values })).rows
  } catch (error) {
    throw explain(error)
  }
}

const AWAY =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENOENT|P1001|P1002|P1008|P1017|08\d{3}|57P0[123]|53300)$/

/** A database that is away is not our mistake: 503 and try again, never 500 (threat-model.md RE4). */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const away = AWAY.test(code) || /timeout exceeded when trying to connect|Connection terminated/i.test(error.message)
  return away
    ? temporarilyUnavailable('The service is temporarily unavailable', {
        cause: error,
        retryAfter: 2,
        redirectable: false,
      })
    : error
}
