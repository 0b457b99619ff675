// The database accounts of a user, on PostgreSQL.

import { DATABASE } from '../../../../data/connections/database-options'
import type { AccountFinder, ManagedDatabaseAccount } from '../../../../management/resources/user-account'
import type { Database } from '../../database'

const USER = { id: true, email: true, emailVerified: true, name: true, givenName: true, profile: true } as const
const ACCOUNT = { connectionId: true, providerUserId: true, user: { select: USER } } as const

export function accountFinder(db: Database, tenantId: string): AccountFinder {
  return {
    async databaseAccounts(userId) {
      const prisma = await db.prisma()
      const key = { tenantId_id: { tenantId, id: userId } }
      if (!(await prisma.user.findUnique({ where: key, select: { id: true } }))) return null
      const rows = await prisma.identity.findMany({ where: { tenantId, userId, provider: DATABASE }, select: ACCOUNT })
      const isFirst = (row: { providerUserId: string }): boolean => userId === `${DATABASE}|${row.providerUserId}`
      return rows.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a))).map(toAccount)
    },
    async accountOf(connectionId, emailKey) {
      const where = { tenantId_connectionId_emailKey: { tenantId, connectionId, emailKey } }
      const row = await (await db.prisma()).identity.findUnique({ where, select: ACCOUNT })
      return row && toAccount(row)
    },
  }
}

type Row = {
  connectionId: string
  providerUserId: string
  user: {
    id: string
    email: string | null
    emailVerified: boolean
    name: string | null
    givenName: string | null
    profile: unknown
  }
}

const toAccount = ({ connectionId, providerUserId, user }: Row): ManagedDatabaseAccount => ({
  connectionId,
  providerUserId,
  email: user.email,
  user: { ...user, profile: user.profile as ManagedDatabaseAccount['user']['profile'] },
})
