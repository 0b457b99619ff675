// The only place that makes a PrismaClient: over the process's pool, and on first use, since loading it costs more than
// everything that a process does before its first answer.
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
