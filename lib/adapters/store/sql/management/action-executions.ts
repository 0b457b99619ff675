// Runs of actions by their ids, on PostgreSQL; lib/adapters/store/action-runs.ts writes them.
import type { ExecutionRow, ExecutionStore } from '../../../../management/resources/action-executions'
import { RUN, RUN_COLUMNS } from '../../action-runs'
import { columns } from '../../columns'
import { type Database, run } from '../../database'

const COLUMNS = `id::text, ${RUN_COLUMNS}`
const ROW = columns<ExecutionRow>({ id: 'text', ...RUN })

const FIND = {
  name: 'managed-execution-find',
  text: `SELECT ${COLUMNS} FROM action_run WHERE tenant_id = $1 AND id = $2`,
  row: ROW,
}

/** `id` alone would be the text of the answer, in which 9 comes after 10. */
const LIST = {
  name: 'managed-execution-list',
  text: `SELECT ${COLUMNS} FROM action_run WHERE tenant_id = $1 AND id < $2 ORDER BY action_run.id DESC LIMIT $3`,
  row: ROW,
}

const LIST_OF_ACTION = {
  name: 'managed-execution-list-action',
  text: `SELECT ${COLUMNS} FROM action_run WHERE tenant_id = $1 AND id < $2 AND action = $4
ORDER BY action_run.id DESC LIMIT $3`,
  row: ROW,
}

const ID = /^[1-9]\d{0,17}$/
const AFTER_ALL = '9223372036854775807'

export const executionStore = ({ pool }: Database, tenantId: string): ExecutionStore => ({
  async find(id) {
    return ID.test(id) ? ((await run(pool, FIND, [tenantId, id]))[0] ?? null) : null
  },
  async list(action, window) {
    const after = 'offset' in window ? null : window.after
    if (after !== null && !ID.test(after)) return { rows: [], total: 0 }
    const values = [tenantId, after ?? AFTER_ALL, window.limit]
    const rows = await (action === null ? run(pool, LIST, values) : run(pool, LIST_OF_ACTION, [...values, action]))
    return { rows, total: rows.length }
  },
})
