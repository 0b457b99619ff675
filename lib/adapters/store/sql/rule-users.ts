// User data for rules beyond the user's own row, and changes to the user by rules, on PostgreSQL. Not cached: removing a role
// takes effect with the next token.

import { factorOfKind } from '../../../identity/mfa/factors/index'
import type { RoleNamePort } from '../../../identity/tenant-code/claims/about'
import type { EventSubject, EventSubjectPort } from '../../../identity/tenant-code/subject'
import type { Json } from '../../../kernel/json'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { IDENTITIES, PROFILE } from './profiles'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

const ROLES = {
  name: 'role-names',
  text: `SELECT r.name FROM user_role h JOIN role r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
WHERE h.tenant_id = $1 AND h.user_id = $2 ORDER BY r.name`,
  row: columns<{ name: string }>({ name: 'text' }),
}

const ROLES_IN = {
  name: 'role-names-in',
  text: `SELECT r.name FROM organization_member_role h JOIN role r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
WHERE h.tenant_id = $1 AND h.user_id = $2 AND h.organization_id = $3 ORDER BY r.name`,
  row: columns<{ name: string }>({ name: 'text' }),
}

export const roleNameStore = ({ pool }: Database, tenantId: string): RoleNamePort => ({
  async of(userId, organizationId) {
    const rows =
      organizationId === null
        ? await run(pool, ROLES, [tenantId, userId])
        : await run(pool, ROLES_IN, [tenantId, userId, organizationId])
    return rows.map(({ name }) => name)
  },
})

const FIND = {
  name: 'rule-subject',
  text: `SELECT ${USER_COLUMNS}, ${IDENTITIES} AS identities, u.created_at AS "createdAt",
  u.last_login_at AS "lastLoginAt", u.last_ip AS "lastIp", u.logins_count AS "loginsCount",
  ARRAY(SELECT r.name FROM user_role h JOIN role r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
    WHERE $3::text IS NULL AND h.tenant_id = u.tenant_id AND h.user_id = u.id
    UNION SELECT r.name FROM organization_member_role h JOIN role r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
    WHERE h.organization_id = $3 AND h.tenant_id = u.tenant_id AND h.user_id = u.id ORDER BY name) AS roles,
  ARRAY(SELECT DISTINCT coalesce(a.channel, a.type)
    FROM authenticator a WHERE a.user_id = u.id AND a.tenant_id = u.tenant_id AND a.active) AS factors,
  (SELECT max(i.password_changed_at) FROM identity i
    WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.password_changed_at > u.created_at) AS "lastPasswordReset"
FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2`,
  row: columns<SubjectRow>({
    ...PROFILE,
    roles: 'text[]',
    factors: 'text[]',
    lastPasswordReset: 'date?',
  }),
}

const CHANGE = {
  name: 'rule-metadata',
  text: `UPDATE "user" u SET updated_at = $7, user_metadata = (u.user_metadata - $4::text[]) || $3::jsonb,
  app_metadata = (u.app_metadata - $6::text[]) || $5::jsonb
WHERE u.tenant_id = $1 AND u.id = $2 RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

type SubjectRow = UserColumns & Omit<EventSubject, 'user'>

/** The vendor's types of factors that are stored under these kinds. */
const typesOf = (kinds: readonly string[]): string[] =>
  [...new Set(kinds.flatMap((kind) => factorOfKind(kind)?.names.type ?? []))].sort()

/** One statement reads all the data of an event. The database serializes and merges concurrent changes. */
export const eventSubjectStore = ({ pool }: Database, tenantId: string): EventSubjectPort => ({
  async find(userId, organizationId = null) {
    const [row] = await run(pool, FIND, [tenantId, userId, organizationId])
    if (!row) return null
    const { identities, createdAt, lastLoginAt, lastIp, loginsCount, roles, factors, lastPasswordReset } = row
    const record = { identities, createdAt, lastLoginAt, lastIp, loginsCount }
    return { user: presentUser(row), ...record, roles, factors: typesOf(factors), lastPasswordReset }
  },
  async change(userId, { userMetadata, appMetadata }, at) {
    const values = [tenantId, userId, ...mergeOf(userMetadata), ...mergeOf(appMetadata), at]
    const [row] = await run(pool, CHANGE, values)
    return row ? presentUser(row) : null
  },
})

/** The values to set, and the names to remove. */
function mergeOf(changes: Record<string, Json>): [set: string, removed: string[]] {
  const entries = Object.entries(changes)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  return [JSON.stringify(set), entries.filter(([, value]) => value === null).map(([name]) => name)]
}
