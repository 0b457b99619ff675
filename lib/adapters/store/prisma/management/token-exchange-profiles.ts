// Token exchange profiles of the Management API, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import type {
  TokenExchangeProfileDeps,
  TokenExchangeProfileRow,
} from '../../../../management/resources/token-exchange-profiles'
import type { Database } from '../../database'
import { rowStore } from './row-store'
import { idAfter, orderOf, skipOf, totalOf } from './transaction'

const PROFILE_FIELDS = {
  ...{ id: true, name: true, subjectTokenType: true, actionId: true, createdAt: true, updatedAt: true },
} as const

export const managedTokenExchangeProfiles = (
  db: Database,
  tenantId: string,
): TokenExchangeProfileDeps['tokenExchangeProfiles'] => {
  const key = (id: string) => ({ tenantId_id: { tenantId, id } })
  return rowStore<TokenExchangeProfileRow, unknown>(db, {
    find: (tx, id) => tx.tokenExchangeProfile.findUnique({ where: key(id), select: PROFILE_FIELDS }),
    lock: (tx, id) =>
      tx.$queryRaw`SELECT 1 FROM token_exchange_profile WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`,
    async list(tx, _filter, window) {
      const total = await totalOf(window, () => tx.tokenExchangeProfile.count({ where: { tenantId } }))
      const rows = await tx.tokenExchangeProfile.findMany({
        where: { tenantId, id: idAfter(window) },
        orderBy: orderOf<Prisma.TokenExchangeProfileOrderByWithRelationInput>(
          window,
          [{ createdAt: 'asc' }, { id: 'asc' }],
          { id: 'asc' },
        ),
        skip: skipOf(window),
        take: window.limit,
        select: PROFILE_FIELDS,
      })
      return { rows, total }
    },
    insert: (tx, row) => tx.tokenExchangeProfile.create({ data: { tenantId, ...row } }),
    update: (tx, { id, ...data }) => tx.tokenExchangeProfile.update({ where: key(id), data }),
    remove: (tx, { id }) => tx.tokenExchangeProfile.delete({ where: key(id) }),
  })
}
