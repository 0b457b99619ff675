// Token buckets in PostgreSQL: one statement for a batch of requests (lib/adapters/store/batch.ts), by the database's clock.
// - The table is unlogged: a count costs no write-ahead log and no wait for the disk. A crash of the database fills every
//   bucket, once.
// - Rows are locked in the order of their keys, for the duration of the statement only. Statements of several instances
//   therefore wait for each other only at a shared bucket, and cannot deadlock.
// - Requests of one batch for the same bucket are taken together and distributed here.
// - `kept_until` changes at most once a day, so that an update can be heap-only (HOT).
import type { Pool } from 'pg'
import { type BucketStanding, HAIR, type Limit, MAX_AHEAD_MS, standingOf } from '../../../data/rate-limit/bucket'
import type { BucketStore } from '../../../data/rate-limit/store'
import { batch } from '../batch'
import { columns } from '../columns'
import { run } from '../database'

type Row = { key: Buffer; count: number; tokens: number; at: number }

const TAKE = {
  name: 'rate-bucket-take',
  text: `INSERT INTO rate_bucket AS kept (key, burst, per_minute, taken, tokens, at, kept_until)
SELECT key, burst, per_minute, least(asked, burst), burst - least(asked, burst), now(), now() + interval '2 days'
FROM unnest($1::bytea[], $2::float8[], $3::float8[], $4::int[]) AS wanted(key, burst, per_minute, asked)
ORDER BY key
ON CONFLICT (key) DO UPDATE SET (burst, per_minute, taken, tokens, at, kept_until) = (
  SELECT EXCLUDED.burst, EXCLUDED.per_minute, taken, available - taken, refilled.at,
    date_trunc('day', refilled.at + least((EXCLUDED.burst - available + taken) * 60 / EXCLUDED.per_minute, 31536000)
      * interval '1 second') + interval '2 days'
  FROM (
    SELECT CASE WHEN kept.at > EXCLUDED.at + interval '${MAX_AHEAD_MS} milliseconds' THEN EXCLUDED.at
      ELSE greatest(kept.at, EXCLUDED.at) END AS at, least(EXCLUDED.burst, kept.tokens
      + extract(epoch FROM greatest(kept.at, EXCLUDED.at) - kept.at)::float8 * EXCLUDED.per_minute / 60) AS available
  ) refilled, LATERAL (SELECT least(EXCLUDED.taken, floor(available + ${HAIR})) AS taken) counted
)
RETURNING key, taken AS count, tokens, extract(epoch FROM at)::float8 * 1000 AS at`,
  row: columns<Row>({ key: 'bytes', count: 'number', tokens: 'number', at: 'number' }),
}

type Ask = { name: Buffer; limit: Limit }
type Wanted = { name: Buffer; limit: Limit; places: number[] }

/** `nameOf` derives an opaque key. */
export function databaseBuckets(pool: Pool, nameOf: (key: string) => Buffer): BucketStore {
  const take = batch((asks: readonly Ask[]) => takeAll(asks, pool))
  return { take: (key, limit) => take({ name: nameOf(key), limit }) }
}

async function takeAll(asks: readonly Ask[], pool: Pool): Promise<BucketStanding[]> {
  const wanted = byName(asks)
  const rows = await run(pool, TAKE, [
    wanted.map(({ name }) => name),
    wanted.map(({ limit }) => limit.burst),
    wanted.map(({ limit }) => limit.per_minute),
    wanted.map(({ places }) => places.length),
  ])
  const standings: BucketStanding[] = []
  const taken = new Map(rows.map((row) => [row.key.toString('latin1'), row]))
  for (const { name, limit, places } of wanted) {
    const row = taken.get(name.toString('latin1'))
    if (!row) throw new Error('a bucket was not counted')
    places.forEach((place, turn) => {
      standings[place] = standingOf(row, limit, turn)
    })
  }
  return standings
}

/** Groups requests by bucket, because a statement may change a row only once. */
function byName(asks: readonly Ask[]): Wanted[] {
  const wanted = new Map<string, Wanted>()
  asks.forEach(({ name, limit }, place) => {
    const key = name.toString('latin1')
    const known = wanted.get(key)
    if (known) known.places.push(place)
    else wanted.set(key, { name, limit, places: [place] })
  })
  return [...wanted.values()]
}
