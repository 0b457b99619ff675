// Idempotency keys on PostgreSQL. The unique key of the table decides which of parallel requests is executed.
import type { Claimed, IdempotencyStore } from '../../../../management/operations/idempotency'
import { columns } from '../../columns'
import { type Database, run } from '../../database'

type Row = { [K in keyof Claimed]: Claimed[K] | null } & { claimed: boolean }

const CLAIM = {
  name: 'idempotency-claim',
  text: `WITH live AS (
  SELECT FROM idempotency_key WHERE caller = $2 AND tenant_id = $1 AND expires_at > $5 LIMIT $7
), mine AS (
  INSERT INTO idempotency_key AS held (tenant_id, caller, key, request, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM live) < $7
  ON CONFLICT (caller, key, tenant_id) DO UPDATE SET request = excluded.request, sealed = NULL,
    created_at = excluded.created_at, expires_at = excluded.expires_at
  WHERE held.expires_at <= $5
  RETURNING 1
)
SELECT EXISTS (SELECT FROM mine) AS claimed, held.request, held.sealed, held.created_at AS "createdAt"
FROM (SELECT) AS one LEFT JOIN idempotency_key held
  ON held.caller = $2 AND held.key = $3 AND held.tenant_id = $1 AND held.expires_at > $5`,
  row: columns<Row>({ claimed: 'boolean', request: 'bytes?', sealed: 'bytes?', createdAt: 'date?' }),
}

const KEEP = {
  name: 'idempotency-keep',
  text: `UPDATE idempotency_key SET sealed = $5
WHERE caller = $2 AND key = $3 AND tenant_id = $1 AND request = $4 AND sealed IS NULL`,
}

const RELEASE = {
  name: 'idempotency-release',
  text: `DELETE FROM idempotency_key
WHERE caller = $2 AND key = $3 AND tenant_id = $1 AND request = $4 AND sealed IS NULL`,
}

export function idempotencyStore({ pool }: Database, tenantId: string): IdempotencyStore {
  return {
    async claim(claim, { at, until, most }) {
      const { caller, key, request } = claim
      // A parallel claim is not in the snapshot of the statement that lost to it, but in the next one.
      for (let round = 0; round < 2; round += 1) {
        const [row] = await run(pool, CLAIM, [tenantId, caller, key, request, at, until, most])
        if (row?.claimed) return true
        if (row?.request && row.createdAt) return { request: row.request, sealed: row.sealed, createdAt: row.createdAt }
      }
      return null
    },
    async keep({ caller, key, request }, sealed) {
      await run(pool, KEEP, [tenantId, caller, key, request, sealed])
    },
    async release({ caller, key, request }) {
      await run(pool, RELEASE, [tenantId, caller, key, request])
    },
  }
}
