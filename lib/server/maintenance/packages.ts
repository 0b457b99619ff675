// The doctor's facts about packages: those that deployed actions and scripts of all tenants have, what the registry knows of them, and which could not
// be built. Only the command collects them, because it asks the registry that the configuration of npm names.
import type { Pool } from 'pg'
import { readBuilds, readCodeDocuments, readPackages, readScripted } from '../../adapters/store/sql/doctor-facts'
import type { Need } from '../../identity/tenant-code/actions/need'
import { findAdvisories } from '../../identity/tenant-code/packages/advisories'
import { needOfConnection, needsOfDocuments } from '../../identity/tenant-code/scripts/needs'
import type { Finding } from '../doctor/finding'
import { judgePackages, judgeUnbuilt, type ScriptNeed } from '../doctor/packages'

/** No findings of what cannot be queried: that is a finding already. */
export async function examinePackages(pool: Pool, root: string): Promise<Finding[]> {
  const none = (): Finding[] => []
  return [...(await examineUse(pool, root).catch(none)), ...(await examineScripts(pool).catch(none))]
}

async function examineUse(pool: Pool, root: string): Promise<Finding[]> {
  const used = await readPackages(pool)
  return used.length === 0 ? [] : judgePackages(used, await findAdvisories(used, root))
}

async function examineScripts(pool: Pool): Promise<Finding[]> {
  const needs = [
    ...(await readScripted(pool)).flatMap(({ tenantId, name, settings }) =>
      needed(tenantId, `the connection ${name}`, needOfConnection(settings)),
    ),
    ...(await readCodeDocuments(pool)).flatMap(({ tenantId, documents }) =>
      needsOfDocuments(documents).flatMap(({ name, need }) =>
        needed(tenantId, name === null ? 'rules' : `the hook ${name}`, need),
      ),
    ),
  ]
  return needs.length === 0 ? [] : judgeUnbuilt(needs, await readBuilds(pool))
}

const needed = (tenantId: string, scripts: string, need: Need | null): ScriptNeed[] =>
  need === null ? [] : [{ tenantId, scripts, need }]
