// The database handle of the store adapters: the pool for hot statements (one prepared SQL statement each), and Prisma for all
// other access, over the same pool. Prisma is loaded on first use, so that the cold start does not wait for it.
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { PrismaClient } from '../../../prisma/generated/client'
import { temporarilyUnavailable } from '../../kernel/errors'
import { lastOwner } from '../../management/operations/console-administrators'
import type { Columns } from './columns'
import { type Done, type Execution, execute, type Statement, type StatementResult } from './prepared'

export type Database = {
  pool: Pool
  prisma(): Promise<PrismaClient>
}

/** The timeout of a statement, after which the database counts as unavailable (threat-model.md RE4). */
export const IN_TIME = { query_timeout: 4_000 }

/** The rows as the statement's `row` declares them; without it, they can only be counted. */
type RowOf<S extends Statement> = S extends { row: Columns<infer Row> } ? Row : Record<never, never>

/** Runs a prepared statement on a given client or any pooled connection; `name` is unique for each text. */
export const run = async <S extends Statement>(
  pool: Pool | PoolClient,
  statement: S,
  values: unknown[],
): Promise<RowOf<S>[]> => (await ask<RowOf<S> & QueryResultRow>(pool, statement, values)).rows

/** The same for a statement without rows: returns the number of changed rows. */
export const runChange = async (pool: Pool | PoolClient, statement: Statement, values: unknown[]): Promise<number> =>
  (await ask(pool, statement, values)).rowCount ?? 0

async function ask<Row extends QueryResultRow>(
  pool: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<StatementResult<Row>> {
  try {
    return await new Promise<StatementResult<Row>>((resolve, reject) => {
      const done: Done<Row> = (error, answer) => (error || !answer ? reject(error) : resolve(answer))
      const execution = { ...statement, values, ...IN_TIME }
      if ('release' in pool) execute(pool, execution, done)
      else executeOnAny(pool, execution, done)
    })
  } catch (error) {
    // The captured stack trace contains the caller, and not only the socket read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw explain(error)
  }
}

export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505'

/** A connection on which any statement failed is not reused; the pool opens another. */
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
 * Unavailable (connection refused or lost, no host), shutting down or standby, out of resources (disk, memory, connections), or
 * overloaded (lock or statement timeout, deadlock).
 */
const AWAY =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|E(HOST|NET)UNREACH|ENOENT|P10(01|02|08|17)|P2024|08\d{3}|57P0[1-5]|57014|55P03|53\d{3}|40001|40P01|25P0[34]|25006)$/

/** Refused because no connection is free: PostgreSQL has a code for this; poolers use messages under codes of their own. */
const FULL = /too many clients|too many connections|no more connections allowed|max ?client(s| connections) reached/i

export const isFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '53300') || FULL.test(error.message))

const SILENT = 'Query read timeout'
const CUT = /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/i

/** Whether a statement timed out. The state of its connection is then unknown. */
export const isSilent = (error: unknown): boolean =>
  error instanceof Error && (error.message === SILENT || isSilent(error.cause))

/** Raised by the triggers that keep an owner; Prisma wraps the error of PostgreSQL. */
const LAST_OWNER = 'latchkey: the last owner'

const isLastOwner = (error: Error): boolean =>
  error.message.includes(LAST_OWNER) || (error.cause instanceof Error && isLastOwner(error.cause))

/** An unavailable database is not a server error: the answer is 503 with Retry-After, never 500 (threat-model.md RE4). */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isLastOwner(error)) return lastOwner()
  const code = 'code' in error ? String(error.code) : ''
  return AWAY.test(code) || isFull(error) || isSilent(error) || CUT.test(error.message)
    ? temporarilyUnavailable('The service is temporarily unavailable', {
        cause: error,
        retryAfter: 2,
        redirectable: false,
      })
    : error
}
