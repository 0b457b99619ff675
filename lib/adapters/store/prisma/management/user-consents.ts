// Consents and device credentials of users, on PostgreSQL.
import type { UserConsentStore } from '../../../../management/resources/user-consents'
import { type Database, run } from '../../database'
import { inTransaction } from '../../transaction'
import { skipOf, totalOf } from './transaction'

/** Audience '' is this server itself; its tokens have none. */
const REMOVE_GRANTS = {
  name: 'managed-grants-remove',
  text: `DELETE FROM consent WHERE tenant_id = $1 AND user_id = $2 AND ($3::text IS NULL OR client_id = $3)
AND ($4::text IS NULL OR audience = $4)`,
}

const REVOKE = {
  name: 'managed-grants-revoke',
  text: `UPDATE token_family SET revoked_at = $5 WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL
AND ($3::text IS NULL OR client_id = $3) AND ($4::text IS NULL OR coalesce(audience, '') = $4)`,
}

export const userConsentStore = (db: Database, tenantId: string): UserConsentStore => ({
  async grants({ user_id: userId, client_id: clientId, audience }, window) {
    const prisma = await db.prisma()
    const where = {
      tenantId,
      ...(userId === undefined ? {} : { userId }),
      ...(clientId === undefined ? {} : { clientId }),
      ...(audience === undefined ? {} : { audience }),
    }
    const rows = await prisma.consent.findMany({
      where,
      orderBy: [{ userId: 'asc' }, { clientId: 'asc' }, { audience: 'asc' }],
      skip: skipOf(window),
      take: window.limit,
      select: { userId: true, clientId: true, audience: true, scopes: true },
    })
    return { rows, total: await totalOf(window, () => prisma.consent.count({ where })) }
  },
  removeGrants: ({ userId, clientId = null, audience = null }, at) =>
    inTransaction(db.pool, async (client) => {
      const values = [tenantId, userId, clientId, audience]
      await run(client, REMOVE_GRANTS, values)
      await run(client, REVOKE, [...values, at])
    }),
  async devices({ user_id: userId, client_id: clientId, type }, window) {
    // Of the vendor's types, this one alone is stored.
    if (type !== undefined && type !== 'public_key') return { rows: [], total: 0 }
    const prisma = await db.prisma()
    const where = {
      tenantId,
      ...(userId === undefined ? {} : { userId }),
      ...(clientId === undefined ? {} : { clientId }),
    }
    const rows = await prisma.deviceCredential.findMany({
      where,
      orderBy: { id: 'asc' },
      skip: skipOf(window),
      take: window.limit,
      select: { id: true, userId: true, clientId: true, type: true, deviceName: true, deviceId: true },
    })
    return { rows, total: await totalOf(window, () => prisma.deviceCredential.count({ where })) }
  },
  async removeDevice(id) {
    await (await db.prisma()).deviceCredential.deleteMany({ where: { tenantId, id } })
  },
})
