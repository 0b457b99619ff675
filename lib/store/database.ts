// What a store adapter may use: the pool for the hot statements (one SQL statement each, prepared under its name), and
// Prisma for everything else, over the same pool. Prisma is loaded on first use, so a process answers before it.
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { PrismaClient } from '../../prisma/generated/client'
import { temporarilyUnavailable } from '../kernel/errors'
import { type Answer, type Done, type Execution, execute, type Statement } from './prepared'

export type Database = {
  pool: Pool
  prisma(): Promise<PrismaClient>
}

/** Whoever waits for a statement is told after this long that the database does not answer (threat-model.md RE4). */
export const IN_TIME = { query_timeout: 4_000 }

/** Runs a prepared statement, on a transaction's connection or any; `name` is unique per text. */
export const run = async <Row extends QueryResultRow>(
  pool: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> => (await ask<Row>(pool, statement, values)).rows

/** The same for one that answers nothing: how many rows it changed. */
export const runChange = async (pool: Pool | PoolClient, statement: Statement, values: unknown[]): Promise<number> =>
  (await ask(pool, statement, values)).rowCount ?? 0

async function ask<Row extends QueryResultRow>(
  pool: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<Answer<Row>> {
  try {
    return await new Promise<Answer<Row>>((resolve, reject) => {
      const done: Done<Row> = (error, answer) => (error || !answer ? reject(error) : resolve(answer))
      const execution = { name: statement.name, text: statement.text, values, ...IN_TIME }
      if ('release' in pool) execute(pool, execution, done)
      else executeOnAny(pool, execution, done)
    })
  } catch (error) {
    // So that it names who asked, and not only the socket that was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw explain(error)
  }
}

/** A connection on which anything failed is not used again; the pool opens another. */
function executeOnAny<Row extends QueryResultRow>(pool: Pool, execution: Execution, done: Done<Row>): void {
  pool.connect((failure, client, release) => {
    if (!client) return done(failure)
    execute<Row>(client, execution, (error, answer) => {
      release(error ?? undefined)
      done(error, answer)
    })
  })
}

/**
 * Away (connection refused, cut, no host), stopping or standing by, without room (disk, memory, connections), or too busy:
 * a lock or an answer that took too long, two that waited for each other.
 */
const AWAY =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|E(HOST|NET)UNREACH|ENOENT|P10(01|02|08|17)|P2024|08\d{3}|57P0[1-5]|57014|55P03|53\d{3}|40001|40P01|25P0[34]|25006)$/

/** Refused for want of a connection: PostgreSQL by its code, poolers in words under codes of their own. */
const FULL = /too many clients|too many connections|no more connections allowed|max ?client(s| connections) reached/i

export const isFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '53300') || FULL.test(error.message))

const SILENT = 'Query read timeout'
const CUT = /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/i

/** Whether a statement got no answer in time: what its connection does now, nobody knows. */
export const isSilent = (error: unknown): boolean =>
  error instanceof Error && (error.message === SILENT || isSilent(error.cause))

/** A database that is away is not our mistake: 503 and try again, never 500 (threat-model.md RE4). */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  return AWAY.test(code) || isFull(error) || isSilent(error) || CUT.test(error.message)
    ? temporarilyUnavailable('The service is temporarily unavailable', {
        cause: error,
        retryAfter: 2,
        redirectable: false,
      })
    : error
}
