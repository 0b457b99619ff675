// MFA challenges, known browsers and the token buckets of wrong codes, on PostgreSQL. Each decision is one statement.

import type { ChallengePort, ChallengeRef, FactorChallenge, PolledChallenge } from '../../../identity/mfa/challenge'
import { POLL_SECONDS } from '../../../identity/mfa/challenge'
import type { BucketPort } from '../../../identity/mfa/failure-limit'
import type { KnownBrowser, KnownBrowserPort } from '../../../identity/mfa/known-browser'
import { MAX_SKEW_SECONDS } from '../../../kernel/clock'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { isAheadOf } from './moments'
import { writeMail } from './outbox'

const COLUMNS = `digest, transaction_digest AS "transactionDigest", user_id AS "userId",
  authenticator_id AS "authenticatorId", channel, code_digest AS "codeDigest", number, about, status,
  created_at AS "createdAt", expires_at AS "expiresAt"`

const CHALLENGE = columns<FactorChallenge>({
  digest: 'bytes',
  transactionDigest: 'bytes',
  userId: 'text',
  authenticatorId: 'text',
  channel: 'text',
  codeDigest: 'bytes?',
  number: 'text?',
  about: 'json',
  status: 'text',
  createdAt: 'date',
  expiresAt: 'date',
})

const INSERT = {
  name: 'challenge-insert',
  text: `WITH older AS (
  UPDATE mfa_challenge SET consumed_at = $10
  WHERE tenant_id = $1 AND authenticator_id = $5 AND transaction_digest = $3 AND consumed_at IS NULL
)
INSERT INTO mfa_challenge (tenant_id, digest, transaction_digest, user_id, authenticator_id, channel, code_digest, number,
  about, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}

const FIND = {
  name: 'challenge-find',
  text: `SELECT ${COLUMNS} FROM mfa_challenge
WHERE digest = $2 AND tenant_id = $1 AND transaction_digest = $3 AND consumed_at IS NULL AND expires_at > $4`,
  row: CHALLENGE,
}

/** Polling locks the row, so that concurrent polls are serialized. One second of the interval is allowed for network latency. */
const POLL = {
  name: 'challenge-poll',
  text: `WITH held AS (
  SELECT digest, coalesce(polled_at + $5 * interval '1 second' > $4 AND NOT ${isAheadOf('$4', 'polled_at')}, false)
    AS early FROM mfa_challenge
  WHERE digest = $2 AND tenant_id = $1 AND transaction_digest = $3 AND consumed_at IS NULL AND expires_at > $4 FOR UPDATE
)
UPDATE mfa_challenge c SET polled_at = $4 FROM held WHERE c.digest = held.digest
RETURNING c.authenticator_id AS "authenticatorId", c.channel, c.status, c.number, held.early`,
  row: columns<PolledChallenge>({
    authenticatorId: 'text',
    channel: 'text',
    status: 'text',
    number: 'text?',
    early: 'boolean',
  }),
}

const USE_CODE = {
  name: 'challenge-use-code',
  text: `UPDATE mfa_challenge SET consumed_at = $4
WHERE digest = $2 AND tenant_id = $1 AND transaction_digest = $3 AND consumed_at IS NULL AND expires_at > $4
  AND code_digest = $5 RETURNING 1`,
}

const USE_PROMPT = {
  name: 'challenge-use-prompt',
  text: `UPDATE mfa_challenge SET consumed_at = $4
WHERE digest = $2 AND tenant_id = $1 AND transaction_digest = $3 AND consumed_at IS NULL AND expires_at > $4
  AND code_digest IS NULL AND status <> 'pending' RETURNING 1`,
}

const WAITING = {
  name: 'challenge-waiting',
  text: `SELECT ${COLUMNS} FROM mfa_challenge
WHERE tenant_id = $1 AND authenticator_id = $2 AND status = 'pending' AND code_digest IS NULL AND consumed_at IS NULL
  AND expires_at > $3 ORDER BY created_at DESC LIMIT 20`,
  row: CHALLENGE,
}

/** An approval with a wrong number rejects the challenge. */
const DECIDE = {
  name: 'challenge-decide',
  text: `WITH decided AS (
  UPDATE mfa_challenge SET status = CASE WHEN $4 AND (number IS NULL OR number = $5) THEN 'approved' ELSE 'rejected' END
  WHERE digest = $2 AND tenant_id = $1 AND authenticator_id = $3 AND status = 'pending' AND code_digest IS NULL
    AND consumed_at IS NULL AND expires_at > $6
  RETURNING status
)
SELECT (status = 'approved') = $4::boolean AS done FROM decided`,
  row: columns<{ done: boolean }>({ done: 'boolean' }),
}

const valuesOf = ({ digest, transactionDigest }: ChallengeRef, tenantId: string, now: Date) => [
  tenantId,
  digest,
  transactionDigest,
  now,
]

export const challengeStore = ({ pool }: Database, tenantId: string): ChallengePort => ({
  insert: (challenge, message) =>
    inTransaction(pool, async (client) => {
      const { digest, transactionDigest, userId, authenticatorId, channel, codeDigest, number, about } = challenge
      const what = [digest, transactionDigest, userId, authenticatorId, channel, codeDigest, number]
      const times = [challenge.createdAt, challenge.expiresAt]
      await run(client, INSERT, [tenantId, ...what, JSON.stringify(about), ...times])
      await writeMail(client, message)
    }),
  async find(ref, now) {
    return (await run(pool, FIND, valuesOf(ref, tenantId, now)))[0] ?? null
  },
  async poll(ref, now) {
    return (await run(pool, POLL, [...valuesOf(ref, tenantId, now), POLL_SECONDS - 1]))[0] ?? null
  },
  async takeCode(ref, codeDigest, now) {
    return (await run(pool, USE_CODE, [...valuesOf(ref, tenantId, now), codeDigest])).length === 1
  },
  async takePrompt(ref, now) {
    return (await run(pool, USE_PROMPT, valuesOf(ref, tenantId, now))).length === 1
  },
  waiting: (authenticatorId, now) => run(pool, WAITING, [tenantId, authenticatorId, now]),
  async decide({ digest, authenticatorId, approve, number }, now) {
    const values = [tenantId, digest, authenticatorId, approve, number, now]
    return (await run(pool, DECIDE, values))[0]?.done ?? false
  },
})

const FIND_BROWSER = {
  name: 'known-browser-find',
  text: `SELECT digest, remembered_until AS "rememberedUntil" FROM known_browser
WHERE tenant_id = $1 AND user_id = $2 AND digest = ANY($3::bytea[]) AND seen_at > $4
ORDER BY remembered_until DESC NULLS LAST LIMIT 1`,
  row: columns<KnownBrowser>({ digest: 'bytes', rememberedUntil: 'date?' }),
}

const KEEP_BROWSER = {
  name: 'known-browser-keep',
  text: `INSERT INTO known_browser AS b (tenant_id, user_id, digest, remembered_until, created_at, seen_at)
VALUES ($1, $2, $3, $4, $5, $5)
ON CONFLICT (tenant_id, user_id, digest) DO UPDATE SET seen_at = $5,
  remembered_until = coalesce(excluded.remembered_until, b.remembered_until)`,
}

const FORGET_BROWSERS = {
  name: 'known-browser-forget',
  text: 'DELETE FROM known_browser WHERE tenant_id = $1 AND user_id = $2',
}

export const knownBrowserStore = ({ pool }: Database, tenantId: string): KnownBrowserPort => ({
  async find(userId, digests, since) {
    return (await run(pool, FIND_BROWSER, [tenantId, userId, digests, since]))[0] ?? null
  },
  async keep(userId, { digest, rememberedUntil }, at) {
    await run(pool, KEEP_BROWSER, [tenantId, userId, digest, rememberedUntil, at])
  },
  async forget(userId) {
    await run(pool, FORGET_BROWSERS, [tenantId, userId])
  },
})

/**
 * A bucket is stored as the time at which it is full again (GCRA). Taking a token moves this time by the refill time of one
 * token, unless it would then lie further ahead than the refill time of a whole bucket.
 */
const SPEND = {
  name: 'bucket-spend',
  text: `INSERT INTO attempt_counter AS full_at (tenant_id, key, count, expires_at, counted_at)
VALUES ($1, $2, 1, $3::timestamptz + $4 * interval '1 second', $3)
ON CONFLICT (tenant_id, key) DO UPDATE
SET expires_at = greatest(full_at.expires_at, $3) + $4 * interval '1 second', counted_at = $3
WHERE greatest(full_at.expires_at, $3) + $4 * interval '1 second' <= $3::timestamptz + $5 * interval '1 second'
RETURNING 1`,
}

/**
 * A bucket that a clock ahead has dated: what was left until it is full then is left now. A bucket of an earlier version, which does
 * not say when it was counted, is empty.
 */
const CORRECT = {
  name: 'bucket-correct',
  text: `UPDATE attempt_counter SET counted_at = $3,
  expires_at = $3::timestamptz + least(expires_at - counted_at, $4 * interval '1 second')
WHERE tenant_id = $1 AND key = $2 AND (${isAheadOf('$3', 'counted_at')}
  OR expires_at > $3::timestamptz + ($4 + ${MAX_SKEW_SECONDS}) * interval '1 second') RETURNING 1`,
}

const REFUND = {
  name: 'bucket-refund',
  text: `UPDATE attempt_counter SET expires_at = expires_at - $3 * interval '1 second'
WHERE tenant_id = $1 AND key = $2`,
}

export const bucketStore = ({ pool }: Database, tenantId: string): BucketPort => ({
  async spend({ key, most, seconds }, now) {
    const spend = async () => (await run(pool, SPEND, [tenantId, key, now, seconds, most * seconds])).length === 1
    const correct = async () => (await run(pool, CORRECT, [tenantId, key, now, most * seconds])).length === 1
    return (await spend()) || ((await correct()) && (await spend()))
  },
  async refund({ key, seconds }) {
    await run(pool, REFUND, [tenantId, key, seconds])
  },
})
