// Token families on PostgreSQL. Redeeming a code and rotating a refresh token are one conditional statement each: of concurrent
// callers exactly one succeeds.
import { MAX_LEEWAY_SECONDS } from '../../../data/clients/client'
import type { FamilyPort, FamilyUser, RotatedFamily, TokenFamily } from '../../../tokens/family'
import { batchAt, inOrder, requestedKeys } from '../batch'
import { columns, type KindsOf, nullable } from '../columns'
import { type Database, run } from '../database'
import { changedEntries, entryParams } from './entries'
import { isProvenSince } from './moments'
import { type NullableUserColumns, presentUser, USER, USER_COLUMNS, type UserColumns, userBy, userOf } from './rows'

const ROTATED_COLUMNS = 'f.id, f.scopes, f.audience, f.sid, f.authentication, f.gty'
const FAMILY_COLUMNS = `${ROTATED_COLUMNS}, f.client_id AS "clientId", f.user_id AS "userId", f.generation,
  f.rotated_at AS "rotatedAt", to_json(f.earlier_rotations) AS "earlierRotations", f.idle_expires_at AS "idleExpiresAt", f.expires_at AS "expiresAt",
  f.revoked_at AS "revokedAt", f.created_at AS "createdAt", f.metadata`

const ROTATED = {
  id: 'text',
  scopes: 'text[]',
  audience: 'text?',
  sid: 'text?',
  authentication: 'json?',
  gty: 'text?',
} satisfies KindsOf<RotatedFamily>

/** Of one family within a leeway; a token older than these is judged as after its leeway. */
const MAX_EARLIER_ROTATIONS = 16

type FamilyRow = Omit<TokenFamily, 'earlierRotations'> & { earlierRotations: string[] } & NullableUserColumns
type OwnerRow = UserColumns & { place: number } & Pick<FamilyUser, 'claims' | 'custom' | 'organization'>

/**
 * Records the login in the same statement. If the user does not exist, is blocked, or was signed out everywhere since the proof
 * began, no family is created.
 */
const BEGIN = {
  name: 'family-begin',
  text: `WITH owner AS (
  UPDATE "user" SET last_login_at = $11, last_ip = $13, logins_count = logins_count + 1
  WHERE tenant_id = $1 AND id = $4 AND NOT blocked AND ${isProvenSince('$15', '$11')}
  RETURNING tenant_id, id
)
INSERT INTO token_family (id, tenant_id, client_id, user_id, scopes, audience, sid, authentication, gty, generation,
  created_at, expires_at, idle_expires_at, metadata)
SELECT $2, tenant_id, $3, id, $5, $6, $7, $8, $9, $10, $11, $12, $14, $16 FROM owner RETURNING 1`,
}

/**
 * Locks the session while the family is created. A concurrent request that ends both either waits and then finds the family, or
 * came first and the family is not created (end-logins.ts).
 */
const INSERT_FAMILY = {
  name: 'family-insert',
  text: `WITH alive AS (
  SELECT 1 FROM session WHERE tenant_id = $1 AND sid = $7 AND ended_at IS NULL LIMIT 1 FOR SHARE
)
INSERT INTO token_family (tenant_id, id, client_id, user_id, scopes, audience, sid, authentication, gty, generation,
  created_at, expires_at, idle_expires_at, metadata)
SELECT $1, $2::uuid, $3, $4, $5::text[], $6, $7, $8::json, $9, $10::integer, $11::timestamptz, $12::timestamptz,
  $13::timestamptz, $14::jsonb
FROM alive RETURNING 1`,
}

/**
 * Locks the rows of the user and the session while the family is created. A global logout updates the user's row first, and what ends one
 * session that row, so either it waits and then finds the family, or this statement sees the updated row (end-logins.ts). A code of a
 * session that has ended creates nothing.
 */
const REDEEM = {
  name: 'family-redeem',
  text: `WITH u AS (
  SELECT * FROM "user" WHERE tenant_id = $1 AND id = $4 AND ${isProvenSince('$14', '$11')} FOR SHARE
), alive AS (
  SELECT 1 FROM u JOIN session s ON s.tenant_id = u.tenant_id AND s.sid = $7 WHERE s.ended_at IS NULL LIMIT 1 FOR SHARE OF s
), born AS (
  INSERT INTO token_family (tenant_id, id, client_id, user_id, scopes, audience, sid, authentication, gty, generation,
    created_at, expires_at, idle_expires_at, redeemed_at, metadata)
  SELECT $1, $2::uuid, $3, $4, $5::text[], $6, $7, $8::json, $9, $10, $11::timestamptz, $12, $13, $11, $15 FROM u
  WHERE $7::text IS NULL OR EXISTS (SELECT FROM alive)
  ON CONFLICT (id) DO UPDATE SET redeemed_at = excluded.redeemed_at
  WHERE token_family.tenant_id = $1 AND token_family.redeemed_at IS NULL AND token_family.revoked_at IS NULL
  RETURNING 1
)
SELECT ${USER_COLUMNS} FROM u, born`,
  row: columns<UserColumns>(USER),
}

/**
 * A family for an organization rotates while its user is a member: no check could be overtaken by a removal. Earlier rotations are
 * kept while a leeway can include them, up to a number that bounds the row.
 */
const ROTATE = {
  name: 'family-rotate',
  text: `UPDATE token_family f SET generation = $5, rotated_at = $6, idle_expires_at = $7,
  expires_at = LEAST(f.expires_at, $9::timestamptz), metadata = ${changedEntries('f.metadata', '$10')},
  earlier_rotations = CASE
    WHEN f.generation = $5 THEN f.earlier_rotations
    WHEN f.rotated_at > $6::timestamptz - interval '${MAX_LEEWAY_SECONDS} seconds'
      THEN (f.rotated_at || f.earlier_rotations)[1:${MAX_EARLIER_ROTATIONS}]
    ELSE '{}' END
FROM "user" u
WHERE f.id = $2 AND f.tenant_id = $1 AND f.client_id = $3 AND f.generation = $4 AND f.scopes @> $8
  AND f.revoked_at IS NULL AND f.expires_at > $6 AND (f.idle_expires_at IS NULL OR f.idle_expires_at > $6)
  AND u.tenant_id = f.tenant_id AND u.id = f.user_id AND NOT u.blocked
  AND (f.authentication->>'organization' IS NULL OR EXISTS (SELECT FROM organization_member m
    WHERE m.organization_id = f.authentication->>'organization' AND m.user_id = f.user_id AND m.tenant_id = f.tenant_id))
RETURNING ${ROTATED_COLUMNS}, ${USER_COLUMNS}`,
  row: columns<RotatedFamily & UserColumns>({ ...ROTATED, ...USER }),
}

const FIND_FAMILY = {
  name: 'family-find',
  text: `SELECT ${FAMILY_COLUMNS}, ${USER_COLUMNS}
FROM token_family f LEFT JOIN ${userBy('f.user_id')} ON true
WHERE f.id = $2 AND f.tenant_id = $1`,
  row: columns<FamilyRow>({
    ...ROTATED,
    clientId: 'text',
    userId: 'text?',
    generation: 'number?',
    rotatedAt: 'date?',
    earlierRotations: 'json',
    idleExpiresAt: 'date?',
    expiresAt: 'date',
    revokedAt: 'date?',
    createdAt: 'date',
    metadata: 'json?',
    ...nullable(USER),
  }),
}

const FIND_USER = {
  name: 'family-user',
  text: `SELECT requested.place::int, f.authentication->'claims' AS claims, f.authentication->'custom' AS custom,
  f.authentication->>'organization' AS organization,
  ${USER_COLUMNS}
FROM ${requestedKeys('uuid')}
JOIN LATERAL (
  SELECT * FROM token_family WHERE id = requested.key AND tenant_id = $1 AND revoked_at IS NULL AND expires_at > $3 OFFSET 0
) f ON true
JOIN ${userBy('f.user_id')} ON NOT u.blocked`,
  row: columns<OwnerRow>({ place: 'number', claims: 'json?', custom: 'json?', organization: 'text?', ...USER }),
}

const REDATE = {
  name: 'family-redate',
  text: `UPDATE token_family SET rotated_at = least(rotated_at, $3),
  earlier_rotations = ARRAY(SELECT least(at, $3) FROM unnest(earlier_rotations) WITH ORDINALITY AS r(at, place) ORDER BY place)
WHERE id = $2 AND tenant_id = $1 AND $3 < ANY (rotated_at || earlier_rotations)`,
}

const REVOKE = {
  name: 'family-revoke',
  text: `UPDATE token_family SET revoked_at = $3 WHERE id = $2 AND tenant_id = $1 AND revoked_at IS NULL
RETURNING expires_at > $3 AND (idle_expires_at IS NULL OR idle_expires_at > $3) AS alive`,
  row: columns<{ alive: boolean }>({ alive: 'boolean' }),
}

const REVOKE_ALIKE = {
  name: 'family-revoke-alike',
  text: `UPDATE token_family SET revoked_at = $6 WHERE tenant_id = $1 AND revoked_at IS NULL
AND (id = $2 OR (user_id = $3 AND client_id = $4 AND audience IS NOT DISTINCT FROM $5))`,
}

export const familyStore = ({ pool }: Database, tenantId: string): FamilyPort => ({
  async begin(family, { at, ip, provenAt }) {
    const times = [at, family.expiresAt, ip, family.idleExpiresAt, provenAt]
    return (await run(pool, BEGIN, [tenantId, ...valuesOf(family), ...times, metadataOf(family)])).length === 1
  },
  async insert(family, at) {
    const values = [tenantId, ...valuesOf(family), at, family.expiresAt, family.idleExpiresAt, metadataOf(family)]
    return (await run(pool, INSERT_FAMILY, values)).length === 1
  },
  async redeem(family, { issuedAt, at }) {
    const times = [at, family.expiresAt, family.idleExpiresAt, issuedAt]
    const values = [tenantId, ...valuesOf(family), ...times, metadataOf(family)]
    // A login that replaces the row of the session meanwhile hides both rows from a statement that waited for it; the next one sees the new row.
    const redeem = async () => (await run(pool, REDEEM, values))[0]
    const row = (await redeem()) ?? (await redeem())
    return row ? presentUser(row) : null
  },
  async rotate({ familyId, clientId, from, to, now, idleExpiresAt, scopes, changes: { expiresAt, metadata } = {} }) {
    const changes = [expiresAt === undefined ? null : new Date(expiresAt), ...entryParams(metadata)]
    const values = [tenantId, familyId, clientId, from, to, now, idleExpiresAt, scopes, ...changes]
    const [row] = await run(pool, ROTATE, values)
    return row ? { family: row, user: presentUser(row) } : null
  },
  async redate(familyId, at) {
    await run(pool, REDATE, [tenantId, familyId, at])
  },
  async find(familyId) {
    const [row] = await run(pool, FIND_FAMILY, [tenantId, familyId])
    if (!row) return null
    const earlierRotations = row.earlierRotations.map((at) => new Date(at))
    return { family: { ...row, earlierRotations }, user: userOf(row) }
  },
  findUser: batchAt(async (familyIds: readonly string[], now) => {
    const rows = await run(pool, FIND_USER, [tenantId, familyIds, now])
    return inOrder(rows, familyIds.length).map(
      (row) =>
        row && { user: presentUser(row), claims: row.claims, custom: row.custom, organization: row.organization },
    )
  }),
  async revoke(familyId, at) {
    return (await run(pool, REVOKE, [tenantId, familyId, at]))[0]?.alive ?? false
  },
  async revokeAlike({ id, userId, clientId, audience }, at) {
    await run(pool, REVOKE_ALIKE, [tenantId, id, userId, clientId, audience, at])
  },
})

const metadataOf = ({ metadata }: TokenFamily): string | null => metadata && JSON.stringify(metadata)

/** All values except the times and metadata, in the order of BEGIN and INSERT_FAMILY. */
function valuesOf(family: TokenFamily): unknown[] {
  const { id, clientId, userId, scopes, audience, sid, authentication, gty, generation } = family
  return [id, clientId, userId, scopes, audience, sid, JSON.stringify(authentication), gty, generation]
}
