// Builds the packages of scripts of connections, rules and hooks as they are once the file is applied. What is built already is not built again.
import { DATABASE } from '../../data/connections/database-options'
import { covers, keyOf, type Need } from '../../identity/tenant-code/actions/need'
import { type Built, type Bundler, readScriptBundle } from '../../identity/tenant-code/packages/bundle'
import { faultOfNeed } from '../../identity/tenant-code/packages/need'
import { needOfConnection, needsOfDocuments } from '../../identity/tenant-code/scripts/needs'
import type { ConnectionResourceRow } from '../resources/connections'
import { isBundleFile, SCRIPT_BUNDLE, unreadFile } from './code-files'
import type { Configuration, Json } from './model'

/** `path` is where the scripts stand in the file. */
export type ScriptBuilds = readonly { path: string; need: Need; built: Built }[]

/** The bundle that the file names, made elsewhere; null where it names none. */
export type GivenBundle = ReturnType<typeof readScriptBundle> | null

export function givenBundle(given: Json | undefined): GivenBundle {
  if (given === undefined || given === null) return null
  if (typeof given === 'string' && isBundleFile(given)) return { failure: unreadFile(given) }
  return readScriptBundle(typeof given === 'string' ? given : '')
}

/** @param findBundle of what is stored, by its digest */
export async function buildScriptPackages(
  after: Configuration,
  findBundle: (need: Need) => Promise<string | null>,
  given: GivenBundle,
  bundler: Bundler,
): Promise<ScriptBuilds> {
  const builds = new Map<string, ScriptBuilds[number]>()
  for (const { path, need } of needsIn(after)) {
    const built = builds.has(keyOf(need)) ? null : await builtFor(need, await findBundle(need), given, bundler)
    if (built) builds.set(keyOf(need), { path, need, built })
  }
  return [...builds.values()]
}

/** Null where what is stored stays. */
async function builtFor(
  need: Need,
  stored: string | null,
  given: GivenBundle,
  bundler: Bundler,
): Promise<Built | null> {
  const failure = faultOfNeed(need)
  if (failure !== null) return { failure }
  if (given && 'bundle' in given && covers(given.need, need))
    return given.bundle.digest === stored ? null : { bundle: given.bundle }
  if (stored !== null) return null
  if (given && 'failure' in given) return { failure: `${SCRIPT_BUNDLE} cannot be used` }
  return bundler.build(need.dependencies, need.entries)
}

/** What of the file does not run because its packages are not there. */
export const unbuilt = (builds: ScriptBuilds, given: GivenBundle): string[] => [
  ...(given && 'failure' in given ? [`${SCRIPT_BUNDLE}: ${given.failure}`] : []),
  ...builds.flatMap(({ path, built }) =>
    'failure' in built ? [`${path}: its packages could not be built: ${built.failure}; it fails until they are`] : [],
  ),
]

const needsIn = ({ connections, documents }: Configuration): { path: string; need: Need }[] => [
  ...connections.flatMap((row) => {
    const need = needOfConnection(row.settings)
    return need ? [{ path: placeOf(row), need }] : []
  }),
  ...needsOfDocuments(documents).map(({ name, need }) => ({
    path: name === null ? 'rules' : `hooks[${JSON.stringify(name)}]`,
    need,
  })),
]

const placeOf = ({ name, strategy }: ConnectionResourceRow): string =>
  `${strategy === DATABASE ? 'databases' : 'connections'}[${JSON.stringify(name)}]`
