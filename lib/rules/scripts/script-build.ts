// What came of building the packages of scripts. Both members are null while they are built.
import { keyOf } from '../actions/need'
import { needOfScripts } from './packages'

export type ScriptBuild = { bundle: string | null; failure: string | null }

export type ScriptBuildPort = {
  /** By the key of what the scripts need. */
  find(key: string): Promise<ScriptBuild | null>
}

type Scripts = Readonly<Record<string, string | undefined>>

/** Of scripts as they are cached: they may be long. */
const keys = new WeakMap<Scripts, string | null>()

function keyOfPackages(scripts: Scripts): string | null {
  const known = keys.get(scripts)
  if (known !== undefined) return known
  const need = needOfScripts(Object.values(scripts).filter((each) => each !== undefined))
  const key = need === null ? null : keyOf(need)
  keys.set(scripts, key)
  return key
}

/** The bundle that the scripts of a connection run with, or why they cannot. */
export async function packagesOf(
  scripts: Scripts,
  builds: ScriptBuildPort,
): Promise<{ bundle?: string } | { problem: string }> {
  const key = keyOfPackages(scripts)
  if (key === null) return {}
  const built = await builds.find(key)
  if (built?.bundle) return { bundle: built.bundle }
  return { problem: `its packages are not there: ${built?.failure ?? 'they are being built'}` }
}
