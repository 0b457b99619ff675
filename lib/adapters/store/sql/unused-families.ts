// Removes token families without an end (`expiration_type: non-expiring`) that were not used since a time.
import type { Pool } from 'pg'
import { ENDLESS_SECONDS } from '../../../tokens/family'

const BATCH = 1000

/** Their end is stored as one that no clock reaches. A day less, for what was rounded. */
const REMOVE = `DELETE FROM token_family WHERE id = ANY (ARRAY(
  SELECT id FROM token_family
  WHERE expires_at > created_at + make_interval(secs => ${ENDLESS_SECONDS - 86_400}) AND coalesce(revoked_at, rotated_at, created_at) < $1
  LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
))`

export async function removeUnusedFamilies(pool: Pool, since: Date): Promise<number> {
  let count = 0
  for (;;) {
    const { rowCount } = await pool.query(REMOVE, [since])
    count += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) return count
  }
}
