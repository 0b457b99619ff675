// Client grants of the Management API, on PostgreSQL: those of clients and those for users, from two tables in one list.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import { inexistent } from '../../../../management/operations/errors'
import type { Page, Window } from '../../../../management/operations/list'
import type {
  ClientGrantDeps,
  ClientGrantFilter,
  ClientGrantResourceRow,
} from '../../../../management/resources/client-grants'
import type { Database } from '../../database'
import type { KeepManagingClient } from './last-managing-client'
import { rowStore } from './row-store'
import { type Db, idAfter, orderOf, skipOf } from './transaction'

export const GRANT_FIELDS = {
  id: true,
  clientId: true,
  audience: true,
  scopes: true,
  organizationUsage: true,
  allowAnyOrganization: true,
  kept: true,
} as const

const USER_GRANT_FIELDS = { id: true, clientId: true, audience: true, scopes: true, kept: true } as const

type Caches = { forgetGrant(clientId: string, audience: string): void; forgetApi(audience: string): void }

export function managedClientGrants(
  db: Database,
  tenantId: string,
  keep: KeepManagingClient,
  { forgetGrant, forgetApi }: Caches,
): ClientGrantDeps['managedGrants'] {
  const ofClients = async (
    tx: Db,
    filter: ClientGrantFilter,
    window: Window,
  ): Promise<Page<ClientGrantResourceRow>> => {
    const { allow_any_organization, ...pair } = filter
    const where = {
      ...whereOf(tenantId, pair),
      ...(allow_any_organization === undefined ? {} : { allowAnyOrganization: allow_any_organization }),
    }
    const rows = await tx.clientGrant.findMany({
      where: { ...where, id: idAfter(window) },
      orderBy: orderOf<Prisma.ClientGrantOrderByWithRelationInput>(window, [...BY_PAIR], { id: 'asc' }),
      skip: skipOf(window),
      take: window.limit,
      select: GRANT_FIELDS,
    })
    return { rows: rows.map(toGrantRow), total: await tx.clientGrant.count({ where }) }
  }
  const ofUsers = async (tx: Db, filter: ClientGrantFilter, window: Window): Promise<Page<ClientGrantResourceRow>> => {
    if (filter.allow_any_organization) return NONE
    const where = whereOf(tenantId, filter)
    const rows = await tx.userClientGrant.findMany({
      where: { ...where, id: idAfter(window) },
      orderBy: orderOf<Prisma.UserClientGrantOrderByWithRelationInput>(window, [...BY_PAIR], { id: 'asc' }),
      skip: skipOf(window),
      take: window.limit,
      select: USER_GRANT_FIELDS,
    })
    return { rows: rows.map(toUserGrantRow), total: await tx.userClientGrant.count({ where }) }
  }
  return rowStore(db, {
    async find(tx, id) {
      const row = await tx.clientGrant.findFirst({ where: { tenantId, id }, select: GRANT_FIELDS })
      if (row) return toGrantRow(row)
      const forUsers = await tx.userClientGrant.findFirst({ where: { tenantId, id }, select: USER_GRANT_FIELDS })
      return forUsers && toUserGrantRow(forUsers)
    },
    async lock(tx, id) {
      await tx.$queryRaw`SELECT 1 FROM client_grant WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`
      await tx.$queryRaw`SELECT 1 FROM user_client_grant WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`
    },
    async list(tx, { subject_type, ...filter }, window) {
      const first = subject_type === 'user' ? NONE : await ofClients(tx, filter, window)
      const offset = Math.max(0, skipOf(window) - first.total)
      const rest = 'offset' in window ? { offset, limit: window.limit - first.rows.length } : window
      const second = subject_type === 'client' ? NONE : await ofUsers(tx, filter, rest)
      const rows = [...first.rows, ...second.rows]
      const ordered = 'offset' in window ? rows : rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, window.limit)
      return { rows: ordered, total: first.total + second.total }
    },
    insert(tx, { subjectType, organizationUsage, allowAnyOrganization, ...row }) {
      if (subjectType === 'client')
        return tx.clientGrant.create({ data: { tenantId, ...row, organizationUsage, allowAnyOrganization } })
      return tx.userClientGrant.create({ data: { tenantId, ...row } }).catch((error: unknown) => {
        // The client or the API was removed meanwhile (Prisma P2003).
        throw error instanceof Error && 'code' in error && error.code === 'P2003' ? inexistent('client') : error
      })
    },
    update(tx, { id, clientId, subjectType, scopes, kept, organizationUsage, allowAnyOrganization }) {
      if (subjectType === 'user') return tx.userClientGrant.update({ where: { id }, data: { scopes, kept } })
      const data = { scopes, kept, organizationUsage, allowAnyOrganization }
      return keep(tx, clientId, () => tx.clientGrant.update({ where: { id }, data }))
    },
    remove: (tx, { id, clientId, subjectType }) =>
      subjectType === 'user'
        ? tx.userClientGrant.delete({ where: { id } })
        : keep(tx, clientId, () => tx.clientGrant.delete({ where: { id } })),
    forget: ({ clientId, audience, subjectType }) =>
      subjectType === 'user' ? forgetApi(audience) : forgetGrant(clientId, audience),
  })
}

const NONE: Page<ClientGrantResourceRow> = { rows: [], total: 0 }
const BY_PAIR = [{ clientId: 'asc' }, { audience: 'asc' }] as const

const whereOf = (tenantId: string, { client_id, audience }: ClientGrantFilter) => ({
  tenantId,
  ...(client_id === undefined ? {} : { clientId: client_id }),
  ...(audience === undefined ? {} : { audience }),
})

type Stored = Omit<ClientGrantResourceRow, 'organizationUsage' | 'kept' | 'subjectType'> & {
  organizationUsage: string
  kept: unknown
}

export const toGrantRow = (row: Stored): ClientGrantResourceRow => ({
  ...row,
  subjectType: 'client',
  organizationUsage: row.organizationUsage as ClientGrantResourceRow['organizationUsage'],
  kept: row.kept as JsonObject,
})

const toUserGrantRow = (row: Omit<Stored, 'organizationUsage' | 'allowAnyOrganization'>): ClientGrantResourceRow => ({
  ...row,
  subjectType: 'user',
  organizationUsage: 'deny',
  allowAnyOrganization: false,
  kept: row.kept as JsonObject,
})
