// The packages of scripts of connections, rules and hooks, on PostgreSQL: built once for each need, and found by it when one of these runs.

import { keyOf, type Need } from '../../../identity/tenant-code/actions/need'
import type { Built } from '../../../identity/tenant-code/packages/bundle'
import { needOfConnection } from '../../../identity/tenant-code/scripts/needs'
import { bundleAmong, type ScriptBuild, type ScriptBuildPort } from '../../../identity/tenant-code/scripts/script-build'
import type { ActionBuildStore } from '../../../management/jobs/action-builds'
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

type BuiltNeed = { need: Need; bundle: string | null }

/** A tenant has few. */
const LIST_BUILT = {
  name: 'script-build-list-built',
  text: 'SELECT need, bundle FROM script_build WHERE tenant_id = $1 AND bundle IS NOT NULL ORDER BY created_at DESC, key',
  row: columns<BuiltNeed>({ need: 'json', bundle: 'text?' }),
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
  const need = needOfConnection(settings)
  if (need) await orderBuild(tx, tenantId, need, at)
}

/** Has packages built, unless they are. */
export async function orderBuild(tx: Db, tenantId: string, need: Need, at: Date): Promise<void> {
  const [key, due] = [keyOf(need), { buildDueAt: at, buildAttempt: 0 }]
  await tx.scriptBuild.createMany({ data: { tenantId, key, need, createdAt: at, ...due }, skipDuplicates: true })
  const failed = { tenantId, key, bundle: null, failure: { not: null } }
  await tx.scriptBuild.updateMany({ where: failed, data: { failure: null, ...due } })
}

/** Keeps what was built before a tenant file is applied; what failed is left to the server. */
export async function keepBuild(tx: Db, tenantId: string, need: Need, built: Built, at: Date): Promise<void> {
  if ('failure' in built) return orderBuild(tx, tenantId, need, at)
  const data = { bundle: built.bundle.digest, failure: null, buildDueAt: null, buildAttempt: 0 }
  const row = { tenantId, key: keyOf(need), need, createdAt: at }
  await putBundle(tx, tenantId, built.bundle, at)
  await tx.scriptBuild.upsert({
    where: { tenantId_key: { tenantId, key: row.key } },
    create: { ...row, ...data },
    update: data,
  })
}

/** What `find` of the port finds, in a transaction. */
export const findBundle = async (
  tx: Pick<Db, '$queryRawUnsafe'>,
  tenantId: string,
  need: Need,
): Promise<string | null> => bundleAmong(await tx.$queryRawUnsafe<BuiltNeed[]>(LIST_BUILT.text, tenantId), need)

export const scriptBuilds = (db: Database, tenantId: string): ScriptBuildPort => ({
  async find(need) {
    const [exact] = await run(db.pool, FIND, [tenantId, keyOf(need)])
    if (exact?.bundle) return exact
    const built = await run(db.pool, LIST_BUILT, [tenantId])
    const bundle = bundleAmong(built, need)
    return bundle === null ? (exact ?? null) : { bundle, failure: null }
  },
  order: (need, at) => inTransaction(db, (tx) => orderBuild(tx, tenantId, need, at)),
})
