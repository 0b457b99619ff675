// The packages of scripts of connections, on PostgreSQL: built once for each need, and found by it when a script runs.
import type { ActionBuildStore } from '../../jobs/action-builds'
import { objectIn } from '../../kernel/json'
import { keyOf, type Need } from '../../rules/actions/need'
import { needOfScripts } from '../../rules/scripts/packages'
import type { ScriptBuild, ScriptBuildPort } from '../../rules/scripts/script-build'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { putBundle } from './action-builds'
import { type Db, inTransaction } from './management/transaction'

type Taken = { tenantId: string; key: string; need: Need; attempt: number }

const TAKE = {
  name: 'script-build-take',
  text: `UPDATE script_build s SET build_due_at = $2, build_attempt = build_attempt + 1
FROM (SELECT tenant_id, key FROM script_build WHERE build_due_at <= $1 ORDER BY build_due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
WHERE s.tenant_id = due.tenant_id AND s.key = due.key
RETURNING s.tenant_id AS "tenantId", s.key, s.need, s.build_attempt AS attempt`,
  row: columns<Taken>({ tenantId: 'text', key: 'text', need: 'json', attempt: 'number' }),
}

const FIND = {
  name: 'script-build-find',
  text: 'SELECT bundle, failure FROM script_build WHERE tenant_id = $1 AND key = $2',
  row: columns<ScriptBuild>({ bundle: 'text?', failure: 'text?' }),
}

/** Those of saved scripts. `actionId` of a build is its key. */
export const scriptBuildStore = (db: Database): ActionBuildStore => ({
  async take({ at, leaseUntil }) {
    const [taken] = await run(db.pool, TAKE, [at, leaseUntil])
    if (!taken) return null
    const { tenantId, key, need, attempt } = taken
    return { tenantId, actionId: key, need, attempt, leaseUntil }
  },
  finish: ({ tenantId, actionId: key, leaseUntil }, built, at) =>
    inTransaction(db, async (tx) => {
      const made = 'bundle' in built ? { bundle: built.bundle.digest, failure: null } : { failure: built.failure }
      const data = { ...made, buildDueAt: null, buildAttempt: 0 }
      const { count } = await tx.scriptBuild.updateMany({ where: { tenantId, key, buildDueAt: leaseUntil }, data })
      if (count === 1 && 'bundle' in built) await putBundle(tx, tenantId, built.bundle, at)
    }),
})

/** Has the packages of the scripts of a connection built, in the transaction that stores it. What failed before is tried again. */
export async function buildScripts(tx: Db, tenantId: string, settings: unknown, at: Date): Promise<void> {
  const { customScripts, scripts: ofProvider } = objectIn(objectIn(settings).options)
  const all = { ...objectIn(customScripts), ...objectIn(ofProvider) }
  const scripts = Object.values(all).filter((script) => typeof script === 'string')
  const need = needOfScripts(scripts)
  if (need === null) return
  const [key, due] = [keyOf(need), { buildDueAt: at, buildAttempt: 0 }]
  await tx.scriptBuild.createMany({ data: { tenantId, key, need, createdAt: at, ...due }, skipDuplicates: true })
  const failed = { tenantId, key, bundle: null, failure: { not: null } }
  await tx.scriptBuild.updateMany({ where: failed, data: { failure: null, ...due } })
}

export const scriptBuilds = ({ pool }: Database, tenantId: string): ScriptBuildPort => ({
  find: async (key) => (await run(pool, FIND, [tenantId, key]))[0] ?? null,
})
