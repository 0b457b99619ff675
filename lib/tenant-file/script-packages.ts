// Builds the packages of scripts of connections, rules and hooks as they are once the file is applied. What is built already is not built again.
import { DATABASE } from '../connections/database-options'
import { covers, keyOf, type Need } from '../rules/actions/need'
import { type Built, type Bundler, readScriptBundle } from '../rules/packages/bundle'
import { needOfConnection, needsOfDocuments } from '../rules/scripts/needs'
import { isBundleFile, SCRIPT_BUNDLE } from './code-files'
import type { Change, Configuration, ConnectionRow, DocumentRow, Json } from './model'

/** `path` is where the scripts stand in the file. */
export type ScriptBuilds = readonly { path: string; need: Need; built: Built }[]

export async function buildScriptPackages(
  changes: readonly Change[],
  stored: Configuration,
  isBuilt: (need: Need) => Promise<boolean>,
  bundler: Bundler,
): Promise<ScriptBuilds> {
  const builds = new Map<string, ScriptBuilds[number]>()
  for (const { path, need } of needsAfter(changes, stored)) {
    if (builds.has(keyOf(need)) || (await isBuilt(need))) continue
    builds.set(keyOf(need), { path, need, built: await bundler.build(need.dependencies, need.entries) })
  }
  return [...builds.values()]
}

/** The same bundler; what a bundle has that was made elsewhere is not built. */
export function withGiven(given: Json | undefined, bundler: Bundler): Bundler {
  if (given === undefined || given === null) return bundler
  const read = readGiven(given)
  if ('failure' in read) return { build: async () => ({ failure: `${SCRIPT_BUNDLE}: ${read.failure}` }) }
  return {
    build: async (dependencies, entries, signal) =>
      covers(read.need, { dependencies: [...dependencies], entries: [...entries] })
        ? { bundle: read.bundle }
        : bundler.build(dependencies, entries, signal),
  }
}

function readGiven(given: Json): ReturnType<typeof readScriptBundle> {
  if (typeof given === 'string' && isBundleFile(given))
    return { failure: `${given} cannot be read beside the tenant file` }
  return readScriptBundle(typeof given === 'string' ? given : '')
}

/** What of the file does not run because its packages are not there. */
export const unbuilt = (builds: ScriptBuilds): string[] =>
  builds.flatMap(({ path, built }) =>
    'failure' in built ? [`${path}: its packages could not be built: ${built.failure}; it fails until they are`] : [],
  )

function needsAfter(changes: readonly Change[], stored: Configuration): { path: string; need: Need }[] {
  const connections = new Map(stored.connections.map((row) => [row.id, row]))
  const documents = new Map(stored.documents.map((row) => [keyOfDocument(row), row]))
  for (const { write } of changes) {
    if (write.table === 'connection') connections.set(write.row.id, write.row)
    if (write.table === 'document') documents.set(keyOfDocument(write.row), write.row)
  }
  return [
    ...[...connections.values()].flatMap((row) => {
      const need = needOfConnection(row.settings)
      return need ? [{ path: placeOf(row), need }] : []
    }),
    ...needsOfDocuments([...documents.values()]).map(({ name, need }) => ({
      path: name === null ? 'rules' : `hooks[${JSON.stringify(name)}]`,
      need,
    })),
  ]
}

const keyOfDocument = ({ kind, id }: DocumentRow): string => `${kind} ${id}`

const placeOf = ({ name, strategy }: ConnectionRow): string =>
  `${strategy === DATABASE ? 'databases' : 'connections'}[${JSON.stringify(name)}]`
