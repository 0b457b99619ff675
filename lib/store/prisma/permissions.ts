// A user's permissions at one API, of the roles and of the user alone, on PostgreSQL. Not cached: removing a role takes effect with
// the next token.
import type { PermissionPort } from '../../apis/permissions'
import { columns } from '../columns'
import { type Database, run } from '../database'

const FIND = {
  name: 'permissions-find',
  text: `SELECT p.permission FROM user_role h
JOIN role_permission p ON p.tenant_id = h.tenant_id AND p.role_id = h.role_id
WHERE h.tenant_id = $1 AND h.user_id = $2 AND p.audience = $3
UNION SELECT permission FROM user_permission
WHERE tenant_id = $1 AND user_id = $2 AND audience = $3 ORDER BY permission`,
  row: columns<{ permission: string }>({ permission: 'text' }),
}

export const permissionStore = ({ pool }: Database, tenantId: string): PermissionPort => ({
  async find(userId, audience) {
    const rows = await run(pool, FIND, [tenantId, userId, audience])
    return rows.map(({ permission }) => permission)
  },
})
