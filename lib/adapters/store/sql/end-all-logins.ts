// Ends every login of a tenant, for a database that was restored after an incident: sessions, token families, unfinished logins and the
// browsers remembered for second factors. In batches of users, each a transaction, so that running servers wait for no long one.
import type { Pool } from 'pg'
import { inTransaction } from '../transaction'
import { END_LOGINS_OF_ALL } from './end-logins'

const BATCH = 500

/** Returns how many users the tenant has. */
export async function endAllLogins(pool: Pool, tenantId: string): Promise<number> {
  await pool.query(
    'UPDATE token_family SET revoked_at = now() WHERE tenant_id = $1 AND user_id IS NULL AND revoked_at IS NULL',
    [tenantId],
  )
  let count = 0
  for (let last = ''; ; ) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM "user" WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
      [tenantId, last],
    )
    const ids = rows.map(({ id }) => id)
    const next = ids.at(-1)
    if (next === undefined) return count
    await inTransaction(pool, async (client) => {
      for (const text of END_LOGINS_OF_ALL) await client.query(text, [tenantId, ids])
    })
    count += ids.length
    last = next
  }
}
