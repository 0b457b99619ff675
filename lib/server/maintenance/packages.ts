// The doctor's facts about packages: those that deployed actions and scripts of all tenants have, what the registry knows of them, and which could not
// be built. Only the command collects them, because it asks the registry that the configuration of npm names.
import type { Pool } from 'pg'
import type { Need } from '../../identity/tenant-code/actions/need'
import { findAdvisories } from '../../identity/tenant-code/packages/advisories'
import { needOfConnection, needsOfDocuments } from '../../identity/tenant-code/scripts/needs'
import type { Finding } from '../doctor/finding'
import { judgePackages, judgeUnbuilt, type PackageUse, type ScriptBuildRow, type ScriptNeed } from '../doctor/packages'

const IN_USE = `SELECT action.tenant_id AS "tenantId", action.name AS action, used.name, used.version, used.integrity
FROM action JOIN action_bundle ON action_bundle.tenant_id = action.tenant_id AND digest = settings->>'bundle',
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
UNION ALL
SELECT b.tenant_id, 'scripts', used.name, used.version, used.integrity
FROM script_build b JOIN action_bundle ON action_bundle.tenant_id = b.tenant_id AND digest = b.bundle,
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
ORDER BY 1, 2, 3, 4`

const SCRIPTED = `SELECT tenant_id AS "tenantId", name, settings FROM connection
WHERE settings->'options' ? 'customScripts' OR settings->'options' ? 'scripts'`

const DOCUMENTS = `SELECT tenant_id AS "tenantId", jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'body', body)) AS documents
FROM document WHERE kind IN ('rule', 'hook') GROUP BY 1`

const BUILDS = 'SELECT tenant_id AS "tenantId", need, bundle, failure FROM script_build ORDER BY created_at DESC, key'

/** No findings of what cannot be queried: that is a finding already. */
export async function examinePackages(pool: Pool, root: string): Promise<Finding[]> {
  const none = (): Finding[] => []
  return [...(await examineUse(pool, root).catch(none)), ...(await examineScripts(pool).catch(none))]
}

async function examineUse(pool: Pool, root: string): Promise<Finding[]> {
  const { rows: used } = await pool.query<PackageUse & { integrity: string }>(IN_USE)
  return used.length === 0 ? [] : judgePackages(used, await findAdvisories(used, root))
}

async function examineScripts(pool: Pool): Promise<Finding[]> {
  const connections = await pool.query<{ tenantId: string; name: string; settings: unknown }>(SCRIPTED)
  const tenants = await pool.query<{ tenantId: string; documents: Parameters<typeof needsOfDocuments>[0] }>(DOCUMENTS)
  const needs = [
    ...connections.rows.flatMap(({ tenantId, name, settings }) =>
      needed(tenantId, `the connection ${name}`, needOfConnection(settings)),
    ),
    ...tenants.rows.flatMap(({ tenantId, documents }) =>
      needsOfDocuments(documents).flatMap(({ name, need }) =>
        needed(tenantId, name === null ? 'rules' : `the hook ${name}`, need),
      ),
    ),
  ]
  if (needs.length === 0) return []
  const { rows } = await pool.query<ScriptBuildRow>(BUILDS)
  return judgeUnbuilt(needs, rows)
}

const needed = (tenantId: string, scripts: string, need: Need | null): ScriptNeed[] =>
  need === null ? [] : [{ tenantId, scripts, need }]
