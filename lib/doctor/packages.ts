// Turns what a registry knows about packages of actions and scripts, and what could not be built, into findings. Pure.
import type { Advisory } from '../rules/packages/advisories'
import { doubtful, type Finding, well } from './finding'

/** A package in the bundle of a deployed action. */
export type PackageUse = { tenantId: string; action: string; name: string; version: string }

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

/** What scripts of a tenant need, by the key of it. */
export type ScriptNeed = { tenantId: string; scripts: string; key: string }

/** @param builds that made no bundle; those without a failure are not over */
export const judgeUnbuilt = (
  needs: readonly ScriptNeed[],
  builds: readonly { tenantId: string; key: string; failure: string | null }[],
): Finding[] =>
  needs.flatMap(({ tenantId, scripts, key }) => {
    const build = builds.find((each) => each.tenantId === tenantId && each.key === key)
    return build?.failure
      ? [doubtful('packages', `The packages of ${scripts} (${tenantId}) could not be built: ${build.failure}`)]
      : []
  })
