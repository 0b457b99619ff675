// What an execution of a statement reads, from PostgreSQL's own account of it: rows, not time, so the result does not depend on the
// machine.
import type { Pool, PoolClient } from 'pg'
import { GROWING } from './growth'
import type { SentStatement } from './sent-statements'

export type QueryPlan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: QueryPlan[]
}

export const nodesOf = (plan: QueryPlan): QueryPlan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The growing table that a node reads, undefined for any other node. A partition counts as its table. */
export type TableOf = (node: QueryPlan) => string | undefined

export async function readTables(pool: Pool): Promise<TableOf> {
  const { rows } = await pool.query<{ name: string; table: string }>(
    `SELECT c.relname AS name, coalesce(parent.relname, owner.relname) AS table
     FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class owner ON owner.oid = coalesce(i.indrelid, c.oid)
     LEFT JOIN pg_inherits h ON h.inhrelid = owner.oid LEFT JOIN pg_class parent ON parent.oid = h.inhparent
     WHERE c.relkind IN ('r', 'p', 'i', 'I') AND c.relnamespace = 'public'::regnamespace`,
  )
  const tables = new Map(rows.map(({ name, table }) => [name, table]))
  return (node) => {
    const table = tables.get(node['Relation Name'] ?? node['Index Name'] ?? '')
    return table !== undefined && GROWING.has(table) ? table : undefined
  }
}

/** `found` went on to the rest of the statement, `passed` was read and dropped. */
export type PlanReading = { table: string; by: string; found: number; passed: number }

/** Transactions, settings and definitions have no plan. */
const PLANNED = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i

/** Executes the statement with these settings of the planner, undoes it, and returns what each part of it read. */
export async function readingsOf(
  client: PoolClient,
  { text, values }: SentStatement,
  settings: readonly string[],
  tableOf: TableOf,
): Promise<PlanReading[]> {
  if (!PLANNED.test(text)) return []
  await client.query('BEGIN')
  try {
    for (const setting of settings) await client.query(`SET LOCAL ${setting}`)
    const explained = `EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON) ${text}`
    const { rows } = await client.query({ text: explained, values })
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) => {
      const table = tableOf(node)
      if (table === undefined) return []
      const loops = node['Actual Loops'] ?? 0
      const passed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      const by = `${node['Node Type']}${node['Index Name'] ? ` of ${node['Index Name']}` : ''}`
      return [{ table, by, found: Math.ceil((node['Actual Rows'] ?? 0) * loops), passed: Math.ceil(passed * loops) }]
    })
  } finally {
    await client.query('ROLLBACK')
  }
}
