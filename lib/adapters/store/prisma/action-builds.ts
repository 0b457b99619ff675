// Builds of actions, and their bundles, on PostgreSQL. Taking a build is decided by the database (FOR UPDATE SKIP LOCKED).

import { type Build, keyOf, needOf } from '../../../identity/tenant-code/actions/need'
import type { Built, BuiltBundle } from '../../../identity/tenant-code/packages/bundle'
import type { Random } from '../../../kernel/random'
import type { ActionBuildStore } from '../../../management/jobs/action-builds'
import type { ActionBody } from '../../../management/resources/actions'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { ACTION_FIELDS, deployLocked, draftValue, toActionRow } from './management/actions'
import { type Db, inTransaction } from './management/transaction'

type Taken = { tenantId: string; actionId: string; draft: ActionBody | null; attempt: number }

const TAKE = {
  name: 'action-build-take',
  text: `UPDATE action SET build_due_at = $2, build_attempt = build_attempt + 1
WHERE id = (SELECT id FROM action WHERE build_due_at <= $1 ORDER BY build_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING tenant_id AS "tenantId", id AS "actionId", draft, build_attempt AS attempt`,
  row: columns<Taken>({ tenantId: 'text', actionId: 'text', draft: 'json?', attempt: 'number' }),
}

export const actionBuildStore = (db: Database, random: Random): ActionBuildStore => ({
  async take({ at, leaseUntil }) {
    const [taken] = await run(db.pool, TAKE, [at, leaseUntil])
    if (!taken) return null
    const { draft, ...build } = taken
    return { ...build, leaseUntil, need: draft && needOf(draft) }
  },
  finish: ({ tenantId, actionId, need, leaseUntil }, built, at) =>
    inTransaction(db, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM action WHERE tenant_id = ${tenantId} AND id = ${actionId} FOR UPDATE`
      const where = { tenantId, id: actionId, buildDueAt: leaseUntil }
      const found = await tx.action.findFirst({ where, select: ACTION_FIELDS })
      if (!found) return
      const row = toActionRow(found)
      if (need === null || !row.draft) return void (await tx.action.update({ where: { id: actionId }, data: ENDED }))
      const draft = { ...row.draft, ...outcomeOf(built, keyOf(need)) }
      if ('bundle' in built) await putBundle(tx, tenantId, built.bundle, at)
      if ('bundle' in built && draft.deploy_when_built)
        return void (await deployLocked(tx, tenantId, row, draft, random.uuid(), at))
      await tx.action.update({ where: { id: actionId }, data: { draft: await draftValue(draft), ...ENDED } })
    }),
})

const ENDED = { buildDueAt: null, buildAttempt: 0 }

const outcomeOf = (built: Built, key: string): Build =>
  'bundle' in built ? { bundle: built.bundle.digest, built_for: key } : { built_for: key, build_failure: built.failure }

/** A bundle that nothing names is removed after a day (clean-up.ts); this one begins its time again. */
export async function putBundle(tx: Db, tenantId: string, bundle: BuiltBundle, createdAt: Date): Promise<void> {
  const { digest, code, map, packages } = bundle
  await tx.actionBundle.upsert({
    where: { tenantId_digest: { tenantId, digest } },
    create: { tenantId, digest, code, map, packages, createdAt },
    update: { createdAt },
  })
}
