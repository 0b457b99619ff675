// Blocks the given users of a tenant, only in a database that contains the given other tenant. Returns how many of the users
// exist, and how many of them were not blocked before.

import { columns } from '../columns'
import { type Database, run } from '../database'
import { asOperator } from '../operator'
import { inTransaction } from '../transaction'

type Named = { tenantId: string; ids: readonly string[]; whereTenant: string }

export async function blockUsers(
  { pool }: Database,
  { tenantId, ids, whereTenant }: Named,
): Promise<{ count: number; blocked: number }> {
  return inTransaction(pool, async (client) => {
    await asOperator(client)
    const [row] = await run(client, BLOCK_USERS, [tenantId, ids, whereTenant])
    return row ?? { count: 0, blocked: 0 }
  })
}

const BLOCK_USERS = {
  name: 'user-block-named',
  text: `WITH named AS (
  SELECT id FROM "user" WHERE tenant_id = $1 AND id = ANY($2::text[]) AND EXISTS (SELECT 1 FROM tenant WHERE id = $3)
), changed AS (
  UPDATE "user" SET blocked = true, updated_at = now() FROM named
  WHERE "user".tenant_id = $1 AND "user".id = named.id AND NOT "user".blocked
  RETURNING "user".id
)
SELECT (SELECT count(*) FROM named)::int AS count, (SELECT count(*) FROM changed)::int AS blocked`,
  row: columns<{ count: number; blocked: number }>({ count: 'number', blocked: 'number' }),
}
