// Accounts whose address or name was stored before it had one form (lib/kernel/mail-address.ts) get it at the start of the server.
// - An index holds the few rows that may need it, so a start reads nothing else.
// - Where another account of the connection has the canonical form, nothing changes: the two may be of one person, which an operator
//   decides (`npm run doctor` lists them). The form leads to the other account until then.
// - The row of a user follows its account, so that the two are compared as before.
import type { Pool } from 'pg'
import { canonical } from '../../../kernel/mail-address'
import { isUniqueViolation } from '../database'

/** As in the migration of the indexes. Every other text is its own canonical form, once it is in lower case. */
const MAY_DIFFER = String.raw`~ '[^ -~]|xn--|\.$'`
const PAGE = 1000

const KEYS = ['email_key', 'username_key'] as const
type Key = (typeof KEYS)[number]

type Row = { tenantId: string; connectionId: string; providerUserId: string; userId: string; text: string }

/** An account that a form would lead away from. */
export type Collision = Pick<Row, 'tenantId' | 'connectionId' | 'userId'> & { form: string }

async function* rowsOf(pool: Pool, key: Key): AsyncGenerator<Row> {
  let after = ['', '', '']
  for (;;) {
    const { rows } = await pool.query<Row>(
      `SELECT tenant_id AS "tenantId", connection_id AS "connectionId", provider_user_id AS "providerUserId", user_id AS "userId",
  ${key} AS text FROM identity WHERE ${key} ${MAY_DIFFER} AND (tenant_id, connection_id, ${key}) > ($1, $2, $3)
ORDER BY tenant_id, connection_id, ${key} LIMIT ${PAGE}`,
      after,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = [last.tenantId, last.connectionId, last.text]
  }
}

/** Changes the rows; those that it could not change are collisions. */
export async function unifyAddresses(pool: Pool): Promise<Collision[]> {
  const collisions: Collision[] = []
  for (const key of KEYS)
    for await (const row of rowsOf(pool, key)) {
      const form = canonical(row.text)
      if (form !== row.text && !(await rename(pool, key, row, form))) collisions.push(collisionOf(row, form))
    }
  await unifyUsers(pool)
  return collisions
}

/** Changes nothing. */
export async function findCollisions(pool: Pool): Promise<Collision[]> {
  const collisions: Collision[] = []
  for (const key of KEYS)
    for await (const row of rowsOf(pool, key)) {
      const form = canonical(row.text)
      if (form !== row.text) collisions.push(collisionOf(row, form))
    }
  return collisions
}

const collisionOf = ({ tenantId, connectionId, userId }: Row, form: string): Collision => ({
  ...{ tenantId, connectionId, userId, form },
})

async function rename(pool: Pool, key: Key, row: Row, form: string): Promise<boolean> {
  try {
    const { rowCount } = await pool.query(
      `UPDATE identity SET ${key} = $5 WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND ${key} = $4
  AND NOT EXISTS (SELECT 1 FROM identity o WHERE o.tenant_id = $1 AND o.connection_id = $2 AND o.provider_user_id <> $3
    AND (o.email_key = $5 OR o.username_key = $5))`,
      [row.tenantId, row.connectionId, row.providerUserId, row.text, form],
    )
    return rowCount === 1
  } catch (error) {
    // Another account took the form meanwhile.
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** An account that kept its key keeps the user's address as well. */
async function unifyUsers(pool: Pool): Promise<void> {
  let after = ['', '']
  for (;;) {
    const { rows } = await pool.query<{ tenantId: string; id: string; email: string }>(
      `SELECT tenant_id AS "tenantId", id, email FROM "user" WHERE email ${MAY_DIFFER} AND (tenant_id, id) > ($1, $2)
ORDER BY tenant_id, id LIMIT ${PAGE}`,
      after,
    )
    for (const { tenantId, id, email } of rows) {
      const form = canonical(email)
      if (form === email) continue
      await pool.query(
        `UPDATE "user" u SET email = $4 WHERE u.tenant_id = $1 AND u.id = $2 AND u.email = $3 AND NOT EXISTS (
  SELECT 1 FROM identity i WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.email_key = $5)`,
        [tenantId, id, email, form, email.trim().toLowerCase()],
      )
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = [last.tenantId, last.id]
  }
}
