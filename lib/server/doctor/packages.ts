// Turns what a registry knows about packages of actions and scripts, and what could not be built, into findings. Pure.
import type { PackageUse, ScriptBuildRow } from '../../adapters/store/sql/doctor-facts'
import { keyOf, type Need } from '../../identity/tenant-code/actions/need'
import type { Advisory } from '../../identity/tenant-code/packages/advisories'
import { bundleAmong } from '../../identity/tenant-code/scripts/script-build'
import { doubtful, type Finding, well } from './finding'

const NAMED = 5

/** @param advisories null where the registry did not answer */
export function judgePackages(used: readonly PackageUse[], advisories: readonly Advisory[] | null): Finding[] {
  const count = new Set(used.map(({ name, version }) => `${name}@${version}`)).size
  const packages = `${count} ${count === 1 ? 'package' : 'packages'} of actions`
  if (advisories === null)
    return [well('packages', `${packages}, not checked for known vulnerabilities: the registry gave no answer.`)]
  if (advisories.length === 0) return [well('packages', `${packages}, without known vulnerabilities.`)]
  return advisories.map((advisory) => judgeAdvisory(advisory, used))
}

function judgeAdvisory({ name, versions, severity, title, url }: Advisory, used: readonly PackageUse[]): Finding {
  const users = used.filter((each) => each.name === name && versions.includes(each.version))
  const actions = [...new Set(users.map(({ tenantId, action }) => `${action} (${tenantId})`))]
  const more = actions.length > NAMED ? ` and ${actions.length - NAMED} more` : ''
  return doubtful(
    'packages',
    `${name} ${versions.join(', ')} has a known vulnerability (${severity}): ${title}${url === '' ? '' : ` (${url})`}. ` +
      `It is in ${actions.slice(0, NAMED).join(', ')}${more}: build these actions again with a later version.`,
  )
}

/** What scripts of a tenant need. */
export type ScriptNeed = { tenantId: string; scripts: string; need: Need }

/** Names what scripts need and neither have nor have under way. */
export const judgeUnbuilt = (needs: readonly ScriptNeed[], builds: readonly ScriptBuildRow[]): Finding[] =>
  needs.flatMap(({ tenantId, scripts, need }) => {
    const own = builds.filter((each) => each.tenantId === tenantId)
    const built = own.filter(({ bundle }) => bundle !== null)
    if (bundleAmong(built, need) !== null) return []
    const build = own.find((each) => keyOf(each.need) === keyOf(need))
    if (build && build.failure === null) return []
    const why = build
      ? `could not be built: ${build.failure}`
      : 'are not there, and nothing has ordered them: save one of these scripts again.'
    return [doubtful('packages', `The packages of ${scripts} (${tenantId}) ${why}`)]
  })
