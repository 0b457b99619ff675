// User profiles on PostgreSQL. The database serializes and merges concurrent changes.
import type { Profile, ProfilePort } from '../../../data/users/profile'
import { columns, type KindsOf } from '../columns'
import { type Database, run } from '../database'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

/** The identity that the user's id names comes first. */
export const IDENTITIES = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('connection', c.name, 'provider', i.provider,
    'providerUserId', i.provider_user_id, 'isSocial', i.is_social, 'profile', i.profile)
    ORDER BY (i.provider || '|' || i.provider_user_id = u.id) DESC, c.name, i.provider_user_id), '[]')
  FROM identity i JOIN connection c ON c.tenant_id = i.tenant_id AND c.id = i.connection_id
  WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id
)`

type Row = UserColumns & Omit<Profile, 'user'>

export const PROFILE = {
  ...USER,
  identities: 'json',
  createdAt: 'date',
  lastLoginAt: 'date?',
  lastIp: 'text?',
  loginsCount: 'number',
} satisfies KindsOf<Row>

const FIND = {
  name: 'profile-find',
  text: `SELECT ${USER_COLUMNS}, ${IDENTITIES} AS identities, u.created_at AS "createdAt",
  u.last_login_at AS "lastLoginAt", u.last_ip AS "lastIp", u.logins_count AS "loginsCount"
FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2`,
  row: columns<Row>(PROFILE),
}

const CHANGE_METADATA = {
  name: 'profile-metadata',
  text: `UPDATE "user" u SET updated_at = $6,
  user_metadata = CASE WHEN $5 THEN '{}' ELSE (u.user_metadata - $4::text[]) || $3::jsonb END
WHERE tenant_id = $1 AND id = $2 AND u.email_verified = $8 AND u.phone_verified = $9
  AND ($5 OR octet_length(((u.user_metadata - $4::text[]) || $3::jsonb)::text) <= greatest($7, octet_length(u.user_metadata::text))) RETURNING 1`,
}

const SET_LOCALE = {
  name: 'profile-locale',
  text: `UPDATE "user" SET updated_at = $4, profile = profile || jsonb_build_object('locale', $3::text)
WHERE tenant_id = $1 AND id = $2`,
}

export const profileStore = ({ pool }: Database, tenantId: string): ProfilePort => ({
  async find(userId) {
    const [row] = await run(pool, FIND, [tenantId, userId])
    if (!row) return null
    const { identities, createdAt, lastLoginAt, lastIp, loginsCount } = row
    return { user: presentUser(row), identities, createdAt, lastLoginAt, lastIp, loginsCount }
  },
  async setLocale(userId, locale, at) {
    await run(pool, SET_LOCALE, [tenantId, userId, locale, at])
  },
  async changeMetadata({ id, emailVerified, phoneVerified }, { set, remove, clear }, { bytes, at }) {
    const values = [tenantId, id, JSON.stringify(set), remove, clear, at, bytes, emailVerified, phoneVerified]
    return (await run(pool, CHANGE_METADATA, values)).length === 1
  },
})
