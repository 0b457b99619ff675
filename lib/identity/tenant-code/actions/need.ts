// What an action and its modules need of npm: the packages that they declare, and what they require of them. It is bundled when the action is saved, and what was
// made is kept with the need that it was made for, so that a change of the code alone builds nothing.
import { digest } from '../../../kernel/secret'
import { packageOf } from '../packages/judge.mjs'
import type { Dependency } from '../packages/need'
import { PRESENT } from '../platform/names'
import { modulesIn } from './source'
import { type WithModules, wholeOf } from './used-modules'

export type Need = {
  dependencies: Dependency[]
  /** The modules of these that the code requires: `lodash`, `date-fns/format`. */
  entries: string[]
}

/** What was made for a need. */
export type Build = {
  /** The digest of the bundle. */
  bundle?: string
  /** Of which need: `keyOf`. */
  built_for?: string
  /** Why there is no bundle, in a sentence. */
  build_failure?: string
}

/** Null where the action needs nothing: what the server itself has (`bcrypt`) is not bundled. */
export function needOf(action: WithModules): Need | null {
  const { code, dependencies } = wholeOf(action)
  const bundled = dependencies.filter(({ name }) => !PRESENT.includes(name))
  if (bundled.length === 0) return null
  const names = bundled.map(({ name }) => name)
  const entries = modulesIn(code).filter((module) => names.includes(packageOf(module)))
  // A package of which parts are required may be too large as a whole, or have no module of its own name.
  const unnamed = names.filter((name) => !entries.some((entry) => packageOf(entry) === name))
  return { dependencies: bundled, entries: [...new Set([...unnamed, ...entries])].sort() }
}

export const keyOf = ({ dependencies, entries }: Need): string =>
  digest(JSON.stringify([dependencies.map(({ name, version = null }) => [name, version]).sort(), entries])).toString(
    'base64url',
  )

/** Whether what was built for the one has all that the other needs. */
export function covers(built: Need, needed: Need): boolean {
  const has = ({ name, version }: Dependency) =>
    built.dependencies.some((each) => each.name === name && each.version === version)
  return needed.dependencies.every(has) && needed.entries.every((entry) => built.entries.includes(entry))
}

export type BuildState = 'building' | 'built' | 'failed'

export function buildState(action: WithModules & Build): BuildState {
  const need = needOf(action)
  if (need === null) return 'built'
  if (action.built_for !== keyOf(need)) return 'building'
  return action.bundle === undefined ? 'failed' : 'built'
}

/** What is still true of it where code and dependencies are these now. */
export function keptBuild(next: WithModules, { bundle, built_for, build_failure }: Build): Build {
  const need = needOf(next)
  if (need === null || built_for === undefined || built_for !== keyOf(need)) return {}
  if (bundle !== undefined) return { bundle, built_for }
  return build_failure === undefined ? {} : { built_for, build_failure }
}
