// A user's permissions at one API, on PostgreSQL: those of the roles and of the user, or those of the roles in one organization.
// Not cached: removing a role takes effect with the next token.
import type { PermissionPort } from '../../../data/apis/permissions'
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

const FIND_IN = {
  name: 'permissions-find-in',
  text: `SELECT DISTINCT p.permission FROM organization_member_role h
JOIN role_permission p ON p.tenant_id = h.tenant_id AND p.role_id = h.role_id
WHERE h.tenant_id = $1 AND h.user_id = $2 AND p.audience = $3 AND h.organization_id = $4 ORDER BY p.permission`,
  row: columns<{ permission: string }>({ permission: 'text' }),
}

export const permissionStore = ({ pool }: Database, tenantId: string): PermissionPort => ({
  async find(userId, audience, organizationId) {
    const values = [tenantId, userId, audience]
    const rows =
      organizationId === null ? await run(pool, FIND, values) : await run(pool, FIND_IN, [...values, organizationId])
    return rows.map(({ permission }) => permission)
  },
})
