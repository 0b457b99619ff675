// Keeps the last client that can manage a tenant (lib/management/operations/managing-clients.ts): a change that may take one away waits
// for others of its kind, and is undone if no such client is left. A tenant without one loses nothing.

import { canManageTenant, lastManagingClient } from '../../../../management/operations/managing-clients'
import type { Db } from './transaction'

/** Runs a change of a client or of its grants. */
export type KeepManagingClient = (tx: Db, clientId: string, change: () => Promise<unknown>) => Promise<void>

export const keepManagingClient =
  (tenantId: string, audience: string): KeepManagingClient =>
  async (tx, clientId, change) => {
    const grant = await tx.clientGrant.findUnique({
      where: { tenantId_clientId_audience: { tenantId, clientId, audience } },
      select: { id: true },
    })
    if (!grant) return void (await change())
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`administrators ${tenantId}`}, 0))`
    const had = await hasManagingClient(tx, tenantId, audience)
    await change()
    if (had && !(await hasManagingClient(tx, tenantId, audience))) throw lastManagingClient()
  }

async function hasManagingClient(tx: Db, tenantId: string, audience: string): Promise<boolean> {
  const grants = await tx.clientGrant.findMany({ where: { tenantId, audience } })
  const clients = await tx.client.findMany({
    where: { tenantId, clientId: { in: grants.map(({ clientId }) => clientId) } },
    select: { clientId: true, name: true, secretDigest: true, settings: true },
  })
  return clients.some((client) =>
    canManageTenant(client, grants.find(({ clientId }) => clientId === client.clientId)?.scopes ?? []),
  )
}
