// Creates the PrismaClient over the process's pool. It is loaded on first use, because loading takes longer than the rest of a
// cold start.
import type { Pool } from 'pg'
import { type Database, explain, IN_TIME } from '../database'

export const createDatabase = (pool: Pool): Database => ({ pool, prisma: openPrisma(pool) })

export function openPrisma(pool: Pool): Database['prisma'] {
  let client: ReturnType<Database['prisma']> | undefined
  return () => {
    client ??= makeClient(pool).catch((error: unknown) => {
      client = undefined
      throw error
    })
    return client
  }
}

async function makeClient(pool: Pool) {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('../../../../prisma/generated/client'),
    import('@prisma/adapter-pg'),
  ])
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: await schemaOf(pool) }) })
}

/** Prisma names the schema in its statements; others find their tables by the search_path. */
async function schemaOf(pool: Pool): Promise<string> {
  const found = pool.query<{ schema: string | null }>({ text: 'SELECT current_schema() AS schema', ...IN_TIME })
  const { rows } = await found.catch((error: unknown) => {
    throw explain(error)
  })
  return rows[0]?.schema ?? 'public'
}
