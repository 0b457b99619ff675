// Reads the audit log: newest first, by user, type and time. Index ranges or a day's partitions, never a scan.
import type { Pool } from 'pg'
import type { StoredRecord } from '../../../data/audit/verify'
import { columns } from '../columns'
import { run } from '../database'

export type AuditFilter = { userId?: string; type?: string; since?: Date; limit: number }

export type ListedRecord = Pick<StoredRecord, 'logId' | 'type' | 'at' | 'content' | 'personal'>

const COLUMNS = 'log_id AS "logId", type, at, content, personal'
const ROW = columns<ListedRecord>({ logId: 'text', type: 'text', at: 'date', content: 'text', personal: 'text?' })

/** Each set of filters has its own statement, so that each gets a plan with its own index. */
export function listRecords(
  pool: Pool,
  tenantId: string,
  { userId, type, since, limit }: AuditFilter,
): Promise<ListedRecord[]> {
  const values: unknown[] = [tenantId, limit]
  const where = ['tenant_id = $1']
  const add = (value: unknown, condition: (marker: string) => string): void => {
    if (value !== undefined) where.push(condition(`$${values.push(value)}`))
  }
  add(userId, (marker) => `user_id = ${marker}`)
  add(type, (marker) => `type = ${marker}`)
  // A record is stored after its event, so a record stored earlier is also of an earlier event.
  add(since, (marker) => `stored_at >= ${marker} AND at >= ${marker}`)
  const name = `audit-list${userId ? '-user' : ''}${type ? '-type' : ''}${since ? '-since' : ''}`
  const text = `SELECT ${COLUMNS} FROM audit_record WHERE ${where.join(' AND ')} ORDER BY seq DESC LIMIT $2`
  return run(pool, { name, text, row: ROW }, values)
}

export const tenantsWithChains = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ id: string }>('SELECT tenant_id AS id FROM audit_chain ORDER BY 1')).rows.map(({ id }) => id)
