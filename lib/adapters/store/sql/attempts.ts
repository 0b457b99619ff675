// Attempt counters on PostgreSQL. Each write is one statement: an attempt is counted before it is made, under any concurrency.

import {
  type AttemptPort,
  CEILING,
  type GuessCount,
  type GuessSettlement,
  type GuessTally,
} from '../../../data/users/attempts'
import { MAX_SKEW_SECONDS } from '../../../kernel/clock'
import { columns, nullable } from '../columns'
import { type Database, run } from '../database'
import { SOON } from './rows'
import { ACCOUNT, ACCOUNT_BY_NAME, ACCOUNT_COLUMNS, type AccountColumns, accountOf } from './users'

/** Keys are written in a fixed order, so that two bursts on the same keys cannot deadlock. */
export const RESERVE = {
  name: 'attempt-reserve',
  text: `INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
SELECT $1, key, 1, expires_at FROM unnest($2::bytea[], $3::timestamptz[]) AS entry(key, expires_at) ORDER BY key
ON CONFLICT (tenant_id, key) DO UPDATE
SET count = CASE WHEN counter.expires_at <= $4 THEN 1 ELSE counter.count + 1 END,
  expires_at = excluded.expires_at
RETURNING key, count`,
  row: columns<{ key: Buffer; count: number }>({ key: 'bytes', count: 'number' }),
}

const FAIL = {
  name: 'attempt-fail',
  text: `WITH source AS (
  INSERT INTO guess_source (tenant_id, account, key, address, expires_at)
  SELECT $1, account, key, address, expires_at
  FROM unnest($5::bytea[], $6::bytea[], $7::text[], $8::timestamptz[]) AS tried(account, key, address, expires_at)
  ORDER BY account, key
  ON CONFLICT (account, tenant_id, key) DO UPDATE SET address = excluded.address, expires_at = excluded.expires_at
)
${RESERVE.text}`,
  row: RESERVE.row,
}

/** The ceiling of an account has no source of its own. */
const TALLIES = {
  name: 'attempt-tallies',
  text: `SELECT source.account, source.key, source.address, counter.count FROM (
  SELECT account, key, address FROM guess_source WHERE tenant_id = $1 AND account = ANY($2)
  UNION ALL SELECT account, account, NULL FROM unnest($2::bytea[]) AS ceiling(account)
) AS source JOIN LATERAL (
  SELECT count FROM attempt_counter WHERE tenant_id = $1 AND key = source.key AND expires_at > $3 OFFSET 0
) counter ON true
ORDER BY source.address`,
  row: columns<GuessTally>({ account: 'bytes', key: 'bytes', address: 'text?', count: 'number' }),
}

const FORGIVE = {
  name: 'attempt-forgive',
  text: 'UPDATE attempt_counter SET count = 0, not_before = NULL WHERE tenant_id = $1 AND key = $2',
}

const RESERVE_UNLESS_KNOWN = {
  name: 'attempt-reserve-unless-known',
  text: `WITH standing AS MATERIALIZED (
  SELECT EXISTS (SELECT FROM attempt_counter WHERE tenant_id = $1 AND key = $6 AND known AND expires_at > $5) AS known
), counted AS (
  INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
  SELECT $1, key, 1, expires_at FROM standing, unnest($2::bytea[], $3::timestamptz[]) WITH ORDINALITY AS entry(key, expires_at, place)
  WHERE NOT standing.known OR place <= $4 ORDER BY key
  ON CONFLICT (tenant_id, key) DO UPDATE
  SET count = CASE WHEN counter.expires_at <= $5 THEN 1 ELSE counter.count + 1 END, expires_at = excluded.expires_at
  RETURNING key, count
)
SELECT standing.known, counted.key, counted.count FROM standing LEFT JOIN counted ON true`,
  row: columns<{ known: boolean; key: Buffer | null; count: number | null }>({
    known: 'boolean',
    key: 'bytes?',
    count: 'number?',
  }),
}

const CLEAR = { name: 'attempt-clear', text: 'DELETE FROM attempt_counter WHERE tenant_id = $1 AND key = $2' }

/**
 * The effect of a correct guess on its counters; $N is an array of their keys: refunded, deleted, marked as known. They are
 * locked in the order in which a guess locks them.
 */
export const settled = (keys: `$${number}`, now: `$${number}`, first: string): string => `refunded AS (
  UPDATE attempt_counter counter SET count = counter.count - 1, not_before = NULL FROM ${first}
  WHERE counter.tenant_id = $1 AND counter.key = (${keys}::bytea[])[1] AND counter.count > 0 RETURNING 1
), forgotten AS (
  DELETE FROM attempt_counter USING (SELECT count(*) FROM refunded) AS first
  WHERE tenant_id = $1 AND key = (${keys}::bytea[])[2] RETURNING 1
), ${settledKnown(keys, now, '(SELECT count(*) FROM forgotten) AS first')}`

/** The same where only a network is marked as known. An expiry at the end of a day leaves the index entry unchanged for most
 * logins of that day. */
export const settledKnown = (keys: `$${number}`, now: `$${number}`, first: string): string => `known AS (
  INSERT INTO attempt_counter (tenant_id, key, count, expires_at, known)
  SELECT $1, (${keys}::bytea[])[3], 0, date_trunc('day', ${now}::timestamptz) + interval '31 days', true
  FROM ${first} WHERE (${keys}::bytea[])[3] IS NOT NULL
  ON CONFLICT (tenant_id, key) DO UPDATE SET count = 0, expires_at = excluded.expires_at, known = true
)`

/** Whether the settlement does no more than mark a network as known: the guess came from a known one. */
export const marksOnly = (settlement: GuessSettlement | null): boolean =>
  !settlement || (settlement.ceiling === null && settlement.clearedCounter === null)

export const settlementKeys = (settlement: GuessSettlement | null): (Uint8Array | null)[] => [
  settlement?.ceiling ?? null,
  settlement?.clearedCounter ?? null,
  settlement?.known ?? null,
]

const SETTLE = {
  name: 'attempt-settle',
  text: `WITH ${settled('$2', '$3', SOON)} SELECT 1`,
}

/** No guess was counted after the one that caused the wait, so refunding it ends the wait. */
const GIVE_BACK = {
  name: 'attempt-give-back',
  text: `WITH held AS (
  SELECT key FROM attempt_counter WHERE tenant_id = $1 AND key = ANY($2::bytea[]) AND count > 0
  ORDER BY array_position($2, key) FOR UPDATE
)
UPDATE attempt_counter SET count = count - 1, not_before = NULL WHERE tenant_id = $1 AND key = ANY(ARRAY(SELECT key FROM held))`,
}

const COUNT = {
  name: 'attempt-count',
  text: 'SELECT count FROM attempt_counter WHERE tenant_id = $1 AND key = $2 AND expires_at > $3',
  row: columns<{ count: number }>({ count: 'number' }),
}

/** The wait after one more guess on the ceiling: beyond the free guesses each wait is longer than the one before. */
const WAIT = `CASE WHEN counter.count + 1 > ${CEILING.free}
    THEN $9::timestamptz + (counter.count + 1 - ${CEILING.free}) * interval '${CEILING.stepSeconds} seconds' END`

/** A ceiling that a clock ahead has dated: what was left of its wait and of its day is left from now on. */
const CORRECT_CEILING = {
  name: 'attempt-correct-ceiling',
  text: `UPDATE attempt_counter SET not_before = $3::timestamptz + (not_before - (expires_at - $4 * interval '1 second')),
  expires_at = $3::timestamptz + $4 * interval '1 second'
WHERE tenant_id = $1 AND key = $2 AND expires_at > $3::timestamptz + ($4::float8 + $5::float8) * interval '1 second' RETURNING 1`,
}

type GuessRow = Omit<GuessCount, 'account'> & ((AccountColumns & { guessed: string }) | { guessed: null })

/**
 * The account that is found determines the counters: `guessedOf` (lib/data/users/user.ts) in SQL.
 * - The subject is the network if the account recently signed in from it; else the recognized browser; else the counter of
 *   strangers. If the guesses of a known network are used up, a recognized browser still has its own.
 * - A stranger's guess is counted on the account's ceiling first. If the ceiling refuses, nothing else is counted.
 * - The commit need not wait for the disk. The statement that records the result of the guess (the network's failure, the
 *   session) waits, and it precedes the response. The write-ahead log is sequential, so this statement is then on disk too.
 */
const COUNT_GUESS = {
  name: 'attempt-count-guess',
  text: `WITH found AS (
  SELECT ${ACCOUNT_COLUMNS},
    i.provider_user_id || coalesce(' ' || (extract(epoch FROM i.password_changed_at) * 1000)::bigint, '') AS guessed
  FROM ${ACCOUNT_BY_NAME}
), guessed AS (
  SELECT to_json(coalesce((SELECT guessed FROM found), $3))::text AS name
), named AS MATERIALIZED (
  SELECT sha256(convert_to(($4::text[])[1] || name || ($4::text[])[2], 'UTF8')) AS network,
    sha256(convert_to(($5::text[])[1] || name || ($5::text[])[2], 'UTF8')) AS stranger,
    sha256(convert_to(($6::text[])[1] || name || ($6::text[])[2], 'UTF8')) AS ceiling
  FROM guessed
), standing AS MATERIALIZED (
  SELECT named.ceiling, named.network, browser.key IS NOT NULL OR coalesce(at.known, false) AS known, CASE
    WHEN at.known AND (browser.key IS NULL OR at.count < $7) THEN named.network
    ELSE coalesce(browser.key, named.stranger) END AS subject
  FROM named
  LEFT JOIN LATERAL (
    SELECT known, count FROM attempt_counter WHERE tenant_id = $1 AND key = named.network AND expires_at > $9 OFFSET 0
  ) at ON true
  LEFT JOIN LATERAL (
    SELECT key FROM unnest($11::bytea[], $12::bytea[]) AS held(tag, key)
    WHERE tag = substring(named.ceiling FOR 16) LIMIT 1
  ) browser ON true
), due AS MATERIALIZED (
  SELECT standing.ceiling FROM standing
  WHERE NOT known AND $7::int IS NOT NULL AND NOT EXISTS (
    SELECT FROM attempt_counter WHERE tenant_id = $1 AND key = standing.subject AND expires_at > $9 AND count >= $7
  )
), looked AS (
  INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
  SELECT $1, ceiling, 1, $9::timestamptz + interval '${CEILING.seconds} seconds' FROM due
  ON CONFLICT (tenant_id, key) DO UPDATE
  SET count = CASE WHEN counter.expires_at <= $9 THEN 1 ELSE counter.count + 1 END, expires_at = excluded.expires_at,
    not_before = CASE WHEN counter.expires_at > $9 THEN ${WAIT} END
  WHERE counter.expires_at <= $9
    OR counter.count < ${CEILING.most} AND (counter.not_before IS NULL OR counter.not_before <= $9)
  RETURNING count
), counted AS (
  INSERT INTO attempt_counter AS counter (tenant_id, key, count, expires_at)
  SELECT $1, subject, 1, $8 FROM standing WHERE EXISTS (SELECT FROM looked) OR NOT EXISTS (SELECT FROM due)
  ON CONFLICT (tenant_id, key) DO UPDATE
  SET count = CASE WHEN counter.expires_at <= $9 THEN 1 ELSE counter.count + 1 END,
    known = counter.known AND counter.expires_at > $9,
    expires_at = CASE WHEN counter.known AND counter.count = 0 AND counter.expires_at > $9
      THEN counter.expires_at ELSE excluded.expires_at END
  RETURNING count
)
SELECT standing.ceiling AS "ceilingKey", standing.network AS "networkKey", standing.subject AS "sourceKey",
  standing.subject = ANY($12::bytea[]) AS "byBrowser",
  (SELECT count FROM counted) AS guesses, (SELECT count FROM looked) AS "ceilingCount", spent.count AS "refusedCeilingCount",
  spent.not_before AS "notBefore", ARRAY(
    SELECT coalesce((SELECT count FROM attempt_counter WHERE tenant_id = $1 AND key = network.key AND expires_at > $9), 0)
    FROM unnest($10::bytea[]) WITH ORDINALITY AS network(key, place) ORDER BY place
  ) AS failures, found.*
FROM ${SOON}, standing LEFT JOIN found ON true
LEFT JOIN due ON true
LEFT JOIN LATERAL (
  SELECT count, not_before FROM attempt_counter WHERE tenant_id = $1 AND key = due.ceiling AND expires_at > $9 OFFSET 0
) spent ON true`,
  row: columns<GuessRow>({
    ceilingKey: 'bytes',
    networkKey: 'bytes',
    sourceKey: 'bytes',
    byBrowser: 'boolean',
    guesses: 'number?',
    ceilingCount: 'number?',
    refusedCeilingCount: 'number?',
    notBefore: 'date?',
    failures: 'number[]',
    guessed: 'text?',
    ...nullable(ACCOUNT),
  }),
}

export const attemptStore = ({ pool }: Database, tenantId: string): AttemptPort => ({
  async reserve(entries, now) {
    const rows = await run(pool, RESERVE, [
      tenantId,
      entries.map((entry) => entry.key),
      entries.map((entry) => entry.until),
      now,
    ])
    return entries.map((entry) => rows.find((row) => row.key.equals(entry.key))?.count ?? 0)
  },
  async reserveUnlessKnown(entries, strangers, known, now) {
    const all = [...entries, ...strangers]
    const rows = await run(pool, RESERVE_UNLESS_KNOWN, [
      tenantId,
      all.map((entry) => entry.key),
      all.map((entry) => entry.until),
      entries.length,
      now,
      known,
    ])
    const countOf = (key: Uint8Array) => rows.find((row) => row.key?.equals(key))?.count ?? 0
    return { counts: all.map(({ key }) => countOf(key)), isKnown: rows[0]?.known === true }
  },
  async fail(entries, sources, now) {
    await run(pool, FAIL, [
      tenantId,
      entries.map((entry) => entry.key),
      entries.map((entry) => entry.until),
      now,
      sources.map((source) => source.account),
      sources.map((source) => source.key),
      sources.map((source) => source.address),
      sources.map((source) => source.until),
    ])
  },
  tallies: (accounts, now) => run(pool, TALLIES, [tenantId, accounts, now]),
  async forgive(key) {
    await run(pool, FORGIVE, [tenantId, key])
  },
  async clear(key) {
    await run(pool, CLEAR, [tenantId, key])
  },
  async settle(settlement, now) {
    await run(pool, SETTLE, [tenantId, settlementKeys(settlement), now])
  },
  async giveBack(keys) {
    if (keys.length > 0) await run(pool, GIVE_BACK, [tenantId, keys])
  },
  async count(key, now) {
    return (await run(pool, COUNT, [tenantId, key, now]))[0]?.count ?? 0
  },
  async countGuess(guess, networks, now) {
    const { connectionId, name, network, stranger, ceiling, most, until, browsers } = guess
    const values = [
      tenantId,
      connectionId,
      name,
      network,
      stranger,
      ceiling,
      most,
      until,
      now,
      networks,
      browsers.map(({ tag }) => tag),
      browsers.map(({ key }) => key),
    ]
    let [row] = await run(pool, COUNT_GUESS, values)
    const isRefused = row?.guesses === null
    if (
      isRefused &&
      (await run(pool, CORRECT_CEILING, [tenantId, row?.ceilingKey, now, CEILING.seconds, MAX_SKEW_SECONDS])).length > 0
    )
      [row] = await run(pool, COUNT_GUESS, values)
    if (!row) throw new Error('a guess was not counted')
    return { ...countOf(row), account: row.guessed === null ? null : accountOf(row, connectionId) }
  },
})

const countOf = ({
  ceilingKey,
  networkKey,
  sourceKey,
  byBrowser,
  guesses,
  ceilingCount,
  refusedCeilingCount,
  notBefore,
  failures,
}: GuessRow): Omit<GuessCount, 'account'> => ({
  ceilingKey,
  networkKey,
  sourceKey,
  byBrowser,
  guesses,
  ceilingCount,
  refusedCeilingCount,
  notBefore,
  failures,
})
