// Creates the PrismaClient over the process's pool. It is loaded on first use, because loading takes longer than the rest of a
// cold start.
import type { Pool } from 'pg'
import type { Database } from '../database'

export const createDatabase = (pool: Pool): Database => ({ pool, prisma: openPrisma(pool) })

export function openPrisma(pool: Pool): Database['prisma'] {
  let client: ReturnType<Database['prisma']> | undefined
  return () => {
    client ??= makeClient(pool)
    return client
  }
}

async function makeClient(pool: Pool) {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('../../../prisma/generated/client'),
    import('@prisma/adapter-pg'),
  ])
  return new PrismaClient({ adapter: new PrismaPg(pool) })
}
