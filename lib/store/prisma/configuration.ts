// Tenants, clients, APIs and connections: rarely written, read on every request, so read through a cache (cache.ts).
import { type ApiPort, toApi } from '../../apis/api'
import { type ClientPort, toClient } from '../../clients/client'
import { type ConnectionPort, toConnection } from '../../connections/connection'
import type { Clock } from '../../kernel/clock'
import { type Tenant, tenantSettings } from '../../tenants/settings'
import { readThrough } from '../cache'
import type { Database } from '../database'

export const clientStore = (db: Database, tenantId: string, clock: Clock): ClientPort => ({
  find: readThrough(clock, async (clientId: string) => {
    const prisma = await db.prisma()
    const row = await prisma.client.findUnique({ where: { tenantId_clientId: { tenantId, clientId } } })
    return row && toClient(row)
  }),
})

export const apiStore = (db: Database, tenantId: string, clock: Clock): ApiPort => ({
  find: readThrough(clock, async (identifier: string) => {
    const prisma = await db.prisma()
    const row = await prisma.api.findUnique({ where: { tenantId_identifier: { tenantId, identifier } } })
    return row && toApi(row)
  }),
})

export const connectionStore = (db: Database, tenantId: string, clock: Clock): ConnectionPort => {
  const read = readThrough(clock, async (_all: 'all') => {
    const prisma = await db.prisma()
    const rows = await prisma.connection.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(toConnection)
  })
  return { all: () => read('all') }
}

export const tenantStore = (db: Database) => ({
  async list(): Promise<Tenant[]> {
    const prisma = await db.prisma()
    const rows = await prisma.tenant.findMany({ orderBy: { createdAt: 'asc' } })
    return rows.map(({ id, name, baseUrl, settings }) => ({
      id,
      name,
      baseUrl,
      settings: tenantSettings.parse(settings),
    }))
  },
  async ensure(id: string, name: string): Promise<void> {
    const prisma = await db.prisma()
    await prisma.tenant.upsert({ where: { id }, create: { id, name, settings: {} }, update: {} })
  },
})
