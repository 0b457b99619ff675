// The packages of scripts, rules and hooks as they were built. They are built when these are saved; a run builds nothing.
import type { Clock } from '../../kernel/clock'
import { keyOf, type Need } from '../actions/need'
import { needOfScripts } from './packages'

/** Both members are null while they are built. */
export type ScriptBuild = { bundle: string | null; failure: string | null }

export type ScriptBuildPort = {
  /** What was made for it, or for a need that has all of it. */
  find(need: Need): Promise<ScriptBuild | null>
  /** Has it built, unless it is; what failed before is tried again. */
  order(need: Need, at: Date): Promise<void>
}

export type PackagesFound = { bundle?: string } | { problem: string }

/** The bundle to run with, or why there is none. */
export async function packagesFor(need: Need | null, builds: Pick<ScriptBuildPort, 'find'>): Promise<PackagesFound> {
  if (need === null) return {}
  const built = await builds.find(need)
  if (built?.bundle) return { bundle: built.bundle }
  return { problem: `its packages are not there: ${built?.failure ?? 'they are being built'}` }
}

type Scripts = Readonly<Record<string, string | undefined>>

/** Of scripts as they are cached: they may be long. */
const needs = new WeakMap<Scripts, Need | null>()

/** The same of the scripts of a connection. */
export function packagesOf(scripts: Scripts, builds: Pick<ScriptBuildPort, 'find'>): Promise<PackagesFound> {
  let need = needs.get(scripts)
  if (need === undefined) {
    need = needOfScripts(Object.values(scripts).filter((each) => each !== undefined))
    needs.set(scripts, need)
  }
  return packagesFor(need, builds)
}

export type PreparingDeps = {
  scriptBuilds: ScriptBuildPort
  wakeJobs(): void
  clock: Pick<Clock, 'now'>
  pause(milliseconds: number): Promise<void>
}

const PAUSE_MS = 200
const MAX_PAUSES = 300

/** Has packages built before what needs them is saved. Null once they are there, or why they are not. */
export async function preparePackages(
  needs: readonly (Need | null)[],
  before: readonly (Need | null)[],
  deps: PreparingDeps,
): Promise<string | null> {
  const known = before.map((need) => need && keyOf(need))
  for (const need of needs) {
    const why = need === null || known.includes(keyOf(need)) ? null : await prepared(need, deps)
    if (why !== null) return why
  }
  return null
}

async function prepared(need: Need, { scriptBuilds, wakeJobs, clock, pause }: PreparingDeps): Promise<string | null> {
  const found = await scriptBuilds.find(need)
  if (found?.bundle) return null
  await scriptBuilds.order(need, clock.now())
  wakeJobs()
  for (let pauses = 0; pauses < MAX_PAUSES; pauses += 1) {
    const built = await scriptBuilds.find(need)
    if (built?.bundle) return null
    if (built?.failure) return built.failure
    await pause(PAUSE_MS)
  }
  return 'They are still being built; try again.'
}
