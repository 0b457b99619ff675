// Transactions of the Management API's stores: short, through Prisma, with a lock on the row that changes.

import type { Prisma, PrismaClient } from '../../../../../prisma/generated/client'
import type { Window } from '../../../../management/operations/list'
import { type Database, explain } from '../../database'
import { runGuard } from '../../guarded'

export type Db = Prisma.TransactionClient

/** In milliseconds. */
const LIMITS = { timeout: 10_000, maxWait: 5_000 }

export async function inTransaction<T>(db: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  const prisma = await db.prisma()
  const judged = async (tx: Db): Promise<T> => {
    await runGuard((text, values) => tx.$queryRawUnsafe(text, ...values))
    return work(tx)
  }
  return prisma.$transaction(judged, LIMITS).catch((error: unknown) => {
    throw explain(error)
  })
}

const NO_POOL = new Proxy({} as Database['pool'], {
  get() {
    throw new Error('a statement of the pool is no part of a transaction')
  },
})

/** The database for stores that take part in a transaction that is under way. */
export function joined(tx: Db): Database {
  const $transaction = (work: (tx: Db) => Promise<unknown>): Promise<unknown> => work(tx)
  const client = new Proxy(tx, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  }) as PrismaClient
  return { pool: NO_POOL, prisma: async () => client }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** A unique name is taken (Prisma P2002). */
export const isTaken = (error: unknown): boolean => codeOf(error) === 'P2002'

/** True when the row was inserted, false when its id or name is taken. */
export async function inserted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw explain(error)
  }
}

/** The position of a window in the order of its list; a checkpoint selects by id instead. */
export const skipOf = (window: Window): number => ('offset' in window ? window.offset : 0)

/** The total of a window that asks for it. */
export const totalOf = (window: Window, count: () => Promise<number>): Promise<number> =>
  'offset' in window && window.counted ? count() : Promise.resolve(0)

/** The condition of a checkpoint on the id. */
export const idAfter = (window: Window): { gt: string } | undefined =>
  'offset' in window || window.after === null ? undefined : { gt: window.after }

/** The same for SQL: every id is behind an empty text. */
export const behind = (window: Window): string => idAfter(window)?.gt ?? ''

/** The order of a list, or of ids for a checkpoint. */
export const orderOf = <Order>(window: Window, byPosition: Order[], byId: Order): Order[] =>
  'offset' in window ? byPosition : [byId]
