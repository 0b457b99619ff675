// Attempt counters on PostgreSQL. Each write is one statement: an attempt is counted before it is made, whoever else tries.
import type { AttemptPort } from '../../users/attempts'
import { type Database, run } from '../database'
import { SOON } from './rows'
import { ACCOUNT_BY_NAME, ACCOUNT_COLUMNS, type AccountRow, accountOf } from './users'

/** Keys are written in one order, so two bursts on the same pair cannot wait for each other. */
const RESERVE = {
  name: 'attempt-reserve',
  text: `INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
SELECT $1, key, 1, expires_at FROM unnest($2::bytea[], $3::timestamptz[]) AS entry(key, expires_at) ORDER BY key
ON CONFLICT (tenant_id, key) DO UPDATE
SET count = CASE WHEN counter.expires_at <= $4 THEN 1 ELSE counter.count + 1 END,
  expires_at = excluded.expires_at
RETURNING key, count`,
}

const CLEAR = { name: 'attempt-clear', text: 'DELETE FROM attempt_counter WHERE tenant_id = $1 AND key = $2' }

const FORGET = {
  name: 'attempt-forget',
  text: `DELETE FROM attempt_counter USING ${SOON} WHERE tenant_id = $1 AND key = $2`,
}

const GIVE_BACK = {
  name: 'attempt-give-back',
  text: 'UPDATE attempt_counter SET count = count - 1 WHERE tenant_id = $1 AND key = $2 AND count > 0',
}

const COUNT = {
  name: 'attempt-count',
  text: 'SELECT count FROM attempt_counter WHERE tenant_id = $1 AND key = $2 AND expires_at > $3',
}

/**
 * Who is found says what is counted on: `guessedOf` (lib/users/user.ts) in SQL. It need not wait for the disk: what is written
 * before anybody hears how the guess ended does (the address's failure, the session), and nothing reaches the disk before it.
 */
const COUNT_GUESS = {
  name: 'attempt-count-guess',
  text: `WITH found AS (
  SELECT ${ACCOUNT_COLUMNS},
    i.provider_user_id || coalesce(' ' || (extract(epoch FROM i.password_changed_at) * 1000)::bigint, '') AS guessed
  FROM ${ACCOUNT_BY_NAME}
), counted AS (
  INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
  SELECT $1, sha256(convert_to($4 || to_json(coalesce((SELECT guessed FROM found), $3)) || $5, 'UTF8')), 1, $6
  ON CONFLICT (tenant_id, key) DO UPDATE
  SET count = CASE WHEN counter.expires_at <= $8 THEN 1 ELSE counter.count + 1 END, expires_at = excluded.expires_at
  RETURNING key, count
)
SELECT counted.key, counted.count AS guesses, coalesce(address.count, 0) AS failures, found.*
FROM ${SOON}, counted LEFT JOIN found ON true
LEFT JOIN attempt_counter address ON address.tenant_id = $1 AND address.key = $7 AND address.expires_at > $8`,
}

type GuessRow = { key: Buffer; guesses: number; failures: number } & (
  | (AccountRow & { guessed: string })
  | { guessed: null }
)

export const attemptStore = ({ pool }: Database, tenantId: string): AttemptPort => ({
  async reserve(entries, now) {
    const rows = await run<{ key: Buffer; count: number }>(pool, RESERVE, [
      tenantId,
      entries.map((entry) => entry.key),
      entries.map((entry) => entry.until),
      now,
    ])
    return entries.map((entry) => rows.find((row) => row.key.equals(entry.key))?.count ?? 0)
  },
  async clear(key) {
    await run(pool, CLEAR, [tenantId, key])
  },
  async forget(key) {
    await run(pool, FORGET, [tenantId, key])
  },
  async giveBack(key) {
    await run(pool, GIVE_BACK, [tenantId, key])
  },
  async count(key, now) {
    return (await run<{ count: number }>(pool, COUNT, [tenantId, key, now]))[0]?.count ?? 0
  },
  async countGuess({ connectionId, name, around: [before, after], until }, address, now) {
    const values = [tenantId, connectionId, name, before, after, until, address, now]
    const [row] = await run<GuessRow>(pool, COUNT_GUESS, values)
    if (!row) throw new Error('a guess was not counted')
    const { key, guesses, failures } = row
    return { account: row.guessed === null ? null : accountOf(row, connectionId), key, guesses, failures }
  },
})
