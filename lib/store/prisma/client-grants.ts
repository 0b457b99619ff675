// Client grants, read on every machine token, so through a cache like the rest of the configuration (cache.ts).
import type { ClientGrantPort } from '../../apis/api'
import type { Clock } from '../../kernel/clock'
import { readThrough } from '../cache'
import type { Database } from '../database'

export const clientGrantStore = (db: Database, tenantId: string, clock: Clock): ClientGrantPort => {
  const read = readThrough(clock, async (key: string) => {
    const [clientId, audience] = JSON.parse(key) as [string, string]
    const prisma = await db.prisma()
    const where = { tenantId_clientId_audience: { tenantId, clientId, audience } }
    return (await prisma.clientGrant.findUnique({ where }))?.scopes ?? null
  })
  return { find: (clientId, audience) => read(JSON.stringify([clientId, audience])) }
}
