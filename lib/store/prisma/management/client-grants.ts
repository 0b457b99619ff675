// Client grants of the Management API, on PostgreSQL.

import type { Prisma } from '../../../../prisma/generated/client'
import type { JsonObject } from '../../../kernel/json'
import type { ClientGrantDeps, ClientGrantResourceRow } from '../../../management/resources/client-grants'
import type { Database } from '../../database'
import type { KeepAdministrator } from './administrators'
import { rowStore } from './row-store'
import { idAfter, orderOf, skipOf } from './transaction'

export const GRANT_FIELDS = {
  id: true,
  clientId: true,
  audience: true,
  scopes: true,
  organizationUsage: true,
  allowAnyOrganization: true,
  kept: true,
} as const

export function managedClientGrants(
  db: Database,
  tenantId: string,
  keep: KeepAdministrator,
  forget: (clientId: string, audience: string) => void,
): ClientGrantDeps['managedGrants'] {
  return rowStore(db, {
    async find(tx, id) {
      const row = await tx.clientGrant.findFirst({ where: { tenantId, id }, select: GRANT_FIELDS })
      return row && toGrantRow(row)
    },
    lock: (tx, id) => tx.$queryRaw`SELECT 1 FROM client_grant WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`,
    async list(tx, { client_id, audience, allow_any_organization }, window) {
      const where = {
        tenantId,
        ...(client_id === undefined ? {} : { clientId: client_id }),
        ...(audience === undefined ? {} : { audience }),
        ...(allow_any_organization === undefined ? {} : { allowAnyOrganization: allow_any_organization }),
      }
      const total = await tx.clientGrant.count({ where })
      const rows = await tx.clientGrant.findMany({
        where: { ...where, id: idAfter(window) },
        orderBy: orderOf<Prisma.ClientGrantOrderByWithRelationInput>(
          window,
          [{ clientId: 'asc' }, { audience: 'asc' }],
          { id: 'asc' },
        ),
        skip: skipOf(window),
        take: window.limit,
        select: GRANT_FIELDS,
      })
      return { rows: rows.map(toGrantRow), total }
    },
    insert: (tx, row) => tx.clientGrant.create({ data: { tenantId, ...row } }),
    update: (tx, { id, clientId, audience: _audience, ...data }) =>
      keep(tx, clientId, () => tx.clientGrant.update({ where: { id }, data })),
    remove: (tx, { id, clientId }) => keep(tx, clientId, () => tx.clientGrant.delete({ where: { id } })),
    forget: ({ clientId, audience }) => forget(clientId, audience),
  })
}

type Stored = Omit<ClientGrantResourceRow, 'organizationUsage' | 'kept'> & { organizationUsage: string; kept: unknown }

export const toGrantRow = (row: Stored): ClientGrantResourceRow => ({
  ...row,
  organizationUsage: row.organizationUsage as ClientGrantResourceRow['organizationUsage'],
  kept: row.kept as JsonObject,
})
