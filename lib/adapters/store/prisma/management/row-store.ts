// Builds the store of a resource from what is special about its table. Changes lock their row, so a change is made on what is
// stored at that moment, and concurrent changes follow each other.
import type { Page, Window } from '../../../../management/operations/list'
import type { ResourceStore } from '../../../../management/operations/resource'
import type { Database } from '../../database'
import { type Db, inserted, inTransaction, isTaken } from './transaction'

type Table<Row, Filter> = {
  find(tx: Db, id: string): Promise<Row | null>
  /** `SELECT … FOR UPDATE` of the row. */
  lock(tx: Db, id: string): Promise<unknown>
  list(tx: Db, filter: Filter, window: Window): Promise<Page<Row>>
  insert(tx: Db, row: Row, at: Date): Promise<unknown>
  update(tx: Db, row: Row, before: Row, at: Date): Promise<unknown>
  remove(tx: Db, row: Row): Promise<unknown>
  /** Evicts the row from the caches of this process. */
  forget?(row: Row): void
}

export function rowStore<Row, Filter>(db: Database, table: Table<Row, Filter>): ResourceStore<Row, Filter> {
  const findLocked = async (tx: Db, id: string): Promise<Row | null> => {
    await table.lock(tx, id)
    return table.find(tx, id)
  }
  return {
    find: async (id) => table.find(await db.prisma(), id),
    list: async (filter, window) => table.list(await db.prisma(), filter, window),
    async insert(row, at) {
      const done = await inserted(inTransaction(db, (tx) => table.insert(tx, row, at)))
      table.forget?.(row)
      return done
    },
    async change(id, alter, at) {
      const work = inTransaction(db, async (tx) => {
        const before = await findLocked(tx, id)
        if (!before) return null
        const after = await alter(before)
        await table.update(tx, after, before, at)
        return { before, after }
      })
      const done = await work.catch((error: unknown) => {
        if (isTaken(error)) return 'taken' as const
        throw error
      })
      if (done && done !== 'taken') table.forget?.(done.after)
      return done
    },
    async remove(id, check) {
      const removed = await inTransaction(db, async (tx) => {
        const row = await findLocked(tx, id)
        if (!row) return null
        await check(row)
        await table.remove(tx, row)
        return row
      })
      if (removed) table.forget?.(removed)
      return removed
    },
  }
}
