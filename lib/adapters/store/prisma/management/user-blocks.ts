// What failed logins of a user or of a name are counted as, on PostgreSQL.
import { DATABASE } from '../../../../data/connections/database-options'
import { guessedOf } from '../../../../data/users/user'
import type { BlockableAccount, UserBlockStore } from '../../../../management/resources/user-blocks'
import type { Database } from '../../database'

const ACCOUNT = {
  connectionId: true,
  providerUserId: true,
  passwordChangedAt: true,
  emailKey: true,
  usernameKey: true,
  connection: { select: { name: true } },
} as const

type Row = {
  connectionId: string
  providerUserId: string
  passwordChangedAt: Date | null
  emailKey: string | null
  usernameKey: string | null
  connection: { name: string }
}

export function userBlockStore(db: Database, tenantId: string): UserBlockStore {
  return {
    async ofUser(userId) {
      const prisma = await db.prisma()
      const key = { tenantId_id: { tenantId, id: userId } }
      if (!(await prisma.user.findUnique({ where: key, select: { id: true } }))) return null
      const rows = await prisma.identity.findMany({ where: { tenantId, userId, provider: DATABASE }, select: ACCOUNT })
      return rows.map(toAccount)
    },
    async named(name) {
      const prisma = await db.prisma()
      const [connections, rows] = await Promise.all([
        prisma.connection.findMany({ where: { tenantId, strategy: DATABASE }, select: { id: true, name: true } }),
        prisma.identity.findMany({
          where: { tenantId, provider: DATABASE, OR: [{ emailKey: name }, { usernameKey: name }] },
          select: ACCOUNT,
        }),
      ])
      return connections.map(({ id, name: connection }) => {
        const here = rows.filter(({ connectionId }) => connectionId === id)
        // An address takes precedence over a username, as at a login.
        const row = here.find(({ emailKey }) => emailKey === name) ?? here[0]
        return row ? { ...toAccount(row), name } : { connectionId: id, identifier: name, name, connection }
      })
    },
  }
}

const toAccount = (row: Row): BlockableAccount => ({
  connectionId: row.connectionId,
  identifier: guessedOf(row),
  name: row.emailKey ?? row.usernameKey ?? row.providerUserId,
  connection: row.connection.name,
})
