// The doctor's facts about packages of actions: those that deployed actions of all tenants have, and what the registry knows of them. Only the
// command collects them, because it asks the registry that the configuration of npm names.
import type { Pool } from 'pg'
import type { Finding } from '../doctor/finding'
import { judgePackages, type PackageUse } from '../doctor/packages'
import { findAdvisories } from '../rules/packages/advisories'

const IN_USE = `SELECT action.tenant_id AS "tenantId", action.name AS action, used.name, used.version, used.integrity
FROM action JOIN action_bundle ON action_bundle.tenant_id = action.tenant_id AND digest = settings->>'bundle',
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
UNION ALL
SELECT b.tenant_id, 'scripts of connections', used.name, used.version, used.integrity
FROM script_build b JOIN action_bundle ON action_bundle.tenant_id = b.tenant_id AND digest = b.bundle,
jsonb_to_recordset(packages) AS used(name text, version text, integrity text)
ORDER BY 1, 2, 3, 4`

/** No findings if the database cannot be queried: that is a finding already. */
export async function examinePackages(pool: Pool, root: string): Promise<Finding[]> {
  const used = await pool.query<PackageUse & { integrity: string }>(IN_USE).then(
    ({ rows }) => rows,
    () => [],
  )
  return used.length === 0 ? [] : judgePackages(used, await findAdvisories(used, root))
}
