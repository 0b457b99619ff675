// Administrators of the console, on PostgreSQL.
import {
  type Administrator,
  type AdministratorPort,
  INVITATION,
} from '../../../management/operations/console-administrators'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { columns } from '../columns'
import { type Database, run, runChange } from '../database'
import { asOperator } from '../operator'
import { inTransaction } from '../transaction'

const FIND = {
  name: 'administrator-find',
  text: `SELECT a.user_id AS "userId", a.role, u.email, u.name, a.created_at AS since
FROM administrator a JOIN "user" u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
WHERE a.tenant_id = $1 AND a.user_id = $2 AND NOT u.blocked`,
  row: columns<Omit<Administrator, 'role'> & { role: string }>({
    userId: 'text',
    role: 'text',
    email: 'text?',
    name: 'text?',
    since: 'date',
  }),
}

const OWNED = {
  name: 'administrator-owned',
  text: 'SELECT 1 WHERE latchkey_has_owner($1, NULL, NULL, NULL)',
}

const CHANGE = {
  name: 'administrator-change',
  text: 'UPDATE administrator SET role = $3 WHERE tenant_id = $1 AND user_id = $2',
}
const REMOVE = { name: 'administrator-remove', text: 'DELETE FROM administrator WHERE tenant_id = $1 AND user_id = $2' }

const PUT = {
  name: 'administrator-put',
  text: `INSERT INTO administrator (tenant_id, user_id, role, created_at)
SELECT u.tenant_id, u.id, $3, $4 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2
ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
}

const ACCEPT = {
  name: 'administrator-accept',
  text: `WITH used AS (
  UPDATE ticket SET consumed_at = $5
  WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND consumed_at IS NULL AND expires_at > $5
    AND (maker IS NULL OR latchkey_maker_stands(tenant_id, maker)) RETURNING payload
)
INSERT INTO administrator AS a (tenant_id, user_id, role, created_at)
SELECT $1, $4, used.payload ->> 'role', $5 FROM used
ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = CASE WHEN a.role = 'owner' THEN a.role ELSE EXCLUDED.role END
RETURNING role`,
  row: columns<{ role: string }>({ role: 'text' }),
}

/** No tenant has more; without a bound a list could hold every user. */
const MAX = 1000

export const administratorStore = (db: Database, tenantId: string): AdministratorPort => ({
  async find(userId) {
    const [found] = await run(db.pool, FIND, [tenantId, userId])
    return found ? { ...found, role: found.role as ConsoleRole } : null
  },
  async list() {
    const prisma = await db.prisma()
    const found = await prisma.administrator.findMany({
      where: { tenantId },
      include: { user: { select: { email: true, name: true } } },
      orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
      take: MAX,
    })
    return found.map(({ userId, role, user, createdAt }) => ({
      userId,
      role: role as ConsoleRole,
      ...user,
      since: createdAt,
    }))
  },
  hasOwner: async () => (await run(db.pool, OWNED, [tenantId])).length > 0,
  async put(userId, role, at) {
    await run(db.pool, PUT, [tenantId, userId, role, at])
  },
  async accept(digest, userId, at) {
    const [accepted] = await run(db.pool, ACCEPT, [tenantId, digest, INVITATION.name, userId, at])
    return (accepted?.role as ConsoleRole | undefined) ?? null
  },
  change: (userId, role, by) =>
    inTransaction(db.pool, async (client) => {
      if (by === 'operator') await asOperator(client)
      const changed = await (role === null
        ? runChange(client, REMOVE, [tenantId, userId])
        : runChange(client, CHANGE, [tenantId, userId, role]))
      return changed === 0 ? null : 'done'
    }),
})
