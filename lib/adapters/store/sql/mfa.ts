// Authenticators on PostgreSQL. Each one-time action (a TOTP step, a recovery code, a sent code, a device's answer) is one
// conditional statement: of concurrent callers exactly one succeeds.
import type { Authenticator, AuthenticatorPort, Confirmation } from '../../../identity/mfa/authenticator'
import { recoveryIdFor } from '../../../identity/mfa/factors/recovery-code'
import { columns, type KindsOf } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { writeChangeMail } from './outbox'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

const COLUMNS = `a.id, a.user_id AS "userId", a.type, a.channel, a.name, a.active, a.sealed,
  a.phone_number AS "phoneNumber", a.email, a.secret_digest AS "secretDigest", a.vouched, a.created_at AS "createdAt"`

const AUTHENTICATOR = {
  id: 'text',
  userId: 'text',
  type: 'text',
  channel: 'text?',
  name: 'text?',
  active: 'boolean',
  sealed: 'bytes?',
  phoneNumber: 'text?',
  email: 'text?',
  secretDigest: 'bytes?',
  vouched: 'boolean',
  createdAt: 'date',
} satisfies KindsOf<Authenticator>

const LIST = {
  name: 'authenticator-list',
  text: `SELECT ${COLUMNS} FROM authenticator a WHERE a.tenant_id = $1 AND a.user_id = $2 ORDER BY a.type = 'recovery-code', a.created_at, a.id`,
  row: columns<Authenticator>(AUTHENTICATOR),
}

/** A replaced enrolment takes its own recovery code with it; recovery codes of other enrolments remain. */
const INSERT = {
  name: 'authenticator-insert',
  text: `WITH replaced AS (
  SELECT split_part(id, '|', 2) AS device FROM authenticator WHERE tenant_id = $1 AND user_id = $3 AND NOT active
    AND type = $4 AND type <> 'recovery-code' AND channel IS NOT DISTINCT FROM $5
), gone AS (
  DELETE FROM authenticator a USING replaced r WHERE a.tenant_id = $1 AND a.user_id = $3 AND NOT a.active
    AND split_part(a.id, '|', 2) = r.device
)
INSERT INTO authenticator (tenant_id, id, user_id, type, channel, sealed, phone_number, email, secret_digest, vouched,
  created_at, name)
SELECT $1, $2, u.id, $4, $5, $6, $7, $8, $9, $10, $11, $15 FROM "user" u
WHERE u.tenant_id = $1 AND u.id = $3 AND u.email_verified = $12 AND u.phone_verified = $13 AND u.recovery_epoch = $14
FOR SHARE RETURNING 1`,
}

/** Pending enrolments are confirmed one after the other, so that the second confirmation sees the first. */
const HOLD_USER_OF = {
  name: 'authenticator-hold-user-of',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 AND ($3::bigint IS NULL OR recovery_epoch = $3) FOR UPDATE',
}

const HOLD_USER = {
  name: 'authenticator-hold-user',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
}

const CONFIRM = {
  name: 'authenticator-confirm',
  text: `UPDATE authenticator a SET active = true, confirmed_at = $4, last_step = $5
WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.id = $3 AND NOT a.active AND a.created_at > $6
  AND (a.vouched OR NOT EXISTS (
    SELECT 1 FROM authenticator o WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.active AND coalesce(o.channel, o.type) = ANY($7)
  ))
RETURNING 1`,
}

/**
 * Activates the enrolment's own recovery code if no other is active, and deletes the pending enrolments that are not preverified.
 */
const SETTLE_WAITING = {
  name: 'authenticator-settle-waiting',
  text: `WITH kept AS (
  UPDATE authenticator a SET active = true, confirmed_at = $4
  WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.id = $3 AND NOT a.active AND NOT EXISTS (
    SELECT 1 FROM authenticator o WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.active AND o.type = 'recovery-code'
  )
)
DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2 AND NOT active AND NOT vouched AND id <> $3`,
}

const TAKE_STEP = {
  name: 'authenticator-take-step',
  text: `UPDATE authenticator SET last_step = $3,
  ahead_step = CASE WHEN last_step > $4 THEN last_step ELSE ahead_step END
WHERE tenant_id = $1 AND id = $2 AND active AND (last_step IS NULL OR last_step < $3 OR last_step > $4)
  AND ahead_step IS DISTINCT FROM $3 RETURNING 1`,
}

const REPLACE_RECOVERY_CODE = {
  name: 'authenticator-replace-recovery-code',
  text: `UPDATE authenticator SET secret_digest = $4
WHERE tenant_id = $1 AND user_id = $2 AND type = 'recovery-code' AND active AND secret_digest = $3 RETURNING 1`,
}

const REMOVE_RECOVERY_CODES = {
  name: 'authenticator-remove-recovery-codes',
  text: "DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2 AND type = 'recovery-code'",
}

const GIVE_RECOVERY_CODE = {
  name: 'authenticator-give-recovery-code',
  text: `INSERT INTO authenticator (tenant_id, id, user_id, type, active, secret_digest, created_at, confirmed_at)
SELECT $1, $2, $3, 'recovery-code', true, $4, $5, $5 WHERE EXISTS (
  SELECT 1 FROM authenticator o WHERE o.tenant_id = $1 AND o.user_id = $3 AND o.active AND o.type <> 'recovery-code'
) RETURNING 1`,
}

const CHANGE = {
  name: 'authenticator-change',
  text: `UPDATE authenticator SET name = coalesce($4, name), channel = coalesce($5, channel)
WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING 1`,
}

const REMOVE = {
  name: 'authenticator-remove',
  text: 'DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2 AND id = ANY($3) RETURNING id',
  row: columns<{ id: string }>({ id: 'text' }),
}

const REMOVE_REST = {
  name: 'authenticator-remove-rest',
  text: `DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2 AND NOT EXISTS (
  SELECT 1 FROM authenticator o WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.active AND o.type <> 'recovery-code'
) RETURNING 1`,
}

const WANT = {
  name: 'authenticator-want',
  text: 'UPDATE "user" SET factor_wanted_at = $3 WHERE tenant_id = $1 AND id = $2 AND factor_wanted_at IS NULL',
}

const WANT_NONE = {
  name: 'authenticator-want-none',
  text: `UPDATE "user" SET factor_wanted_at = NULL WHERE tenant_id = $1 AND id = $2 AND factor_wanted_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM authenticator o WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.active)`,
}

const FIND_DEVICE = {
  name: 'authenticator-find-device',
  text: `SELECT ${COLUMNS}, ${USER_COLUMNS}
FROM authenticator a JOIN "user" u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
WHERE a.tenant_id = $1 AND a.secret_digest = $2 AND a.channel = 'auth0' AND NOT u.blocked`,
  row: columns<Authenticator & UserColumns>({ ...AUTHENTICATOR, ...USER }),
}

const CLAIM_DEVICE = {
  name: 'authenticator-claim-device',
  text: `UPDATE authenticator SET secret_digest = $3, name = $4
WHERE tenant_id = $1 AND id = $2 AND channel = 'auth0' AND NOT active AND secret_digest IS NULL RETURNING 1`,
}

export const authenticatorStore = ({ pool }: Database, tenantId: string): AuthenticatorPort => ({
  list: (userId) => run(pool, LIST, [tenantId, userId]),
  async insert({ id, userId, type, channel, name, vouched, createdAt, ...held }, owner) {
    const holds = [held.sealed, held.phoneNumber, held.email, held.secretDigest]
    const standing = [owner.emailVerified, owner.phoneVerified, owner.recoveryEpoch]
    const values = [tenantId, id, userId, type, channel, ...holds, vouched, createdAt, ...standing, name]
    return (await run(pool, INSERT, values)).length === 1
  },
  confirm: ({ userId, id, step, kinds, at, createdAfter, mail }: Confirmation) =>
    inTransaction(pool, async (client) => {
      await run(client, HOLD_USER, [tenantId, userId])
      const [confirmed] = await run(client, CONFIRM, [tenantId, userId, id, at, step, createdAfter, kinds])
      if (!confirmed) return false
      await run(client, SETTLE_WAITING, [tenantId, userId, recoveryIdFor(id), at])
      await writeChangeMail(client, tenantId, mail)
      return true
    }),
  async takeStep(id, step, latest) {
    return (await run(pool, TAKE_STEP, [tenantId, id, step, latest])).length === 1
  },
  replaceRecoveryCode: (userId, from, to, mail) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, REPLACE_RECOVERY_CODE, [tenantId, userId, from, to])).length === 0) return false
      await writeChangeMail(client, tenantId, mail)
      return true
    }),
  giveRecoveryCode: ({ id, userId, secretDigest, at, mail, recoveryEpoch }) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, HOLD_USER_OF, [tenantId, userId, recoveryEpoch ?? null])).length === 0) return false
      await run(client, REMOVE_RECOVERY_CODES, [tenantId, userId])
      if ((await run(client, GIVE_RECOVERY_CODE, [tenantId, id, userId, secretDigest, at])).length === 0) return false
      await writeChangeMail(client, tenantId, mail)
      return true
    }),
  async change(userId, id, { name = null, channel = null }) {
    return (await run(pool, CHANGE, [tenantId, userId, id, name, channel])).length === 1
  },
  remove: (userId, ids, mail) =>
    inTransaction(pool, async (client) => {
      await run(client, HOLD_USER, [tenantId, userId])
      const removed = await run(client, REMOVE, [tenantId, userId, ids])
      if (removed.length === 0) return []
      await run(client, REMOVE_REST, [tenantId, userId])
      await run(client, WANT_NONE, [tenantId, userId])
      await writeChangeMail(client, tenantId, mail)
      return removed.map(({ id }) => id)
    }),
  async want(userId, at) {
    await run(pool, WANT, [tenantId, userId, at])
  },
  async findDevice(secretDigest) {
    const [row] = await run(pool, FIND_DEVICE, [tenantId, secretDigest])
    return row ? { device: row, user: presentUser(row) } : null
  },
  async claimDevice(id, { secretDigest, name }) {
    return (await run(pool, CLAIM_DEVICE, [tenantId, id, secretDigest, name])).length === 1
  },
})
