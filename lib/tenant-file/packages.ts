// Builds the packages that the actions of a file need, before it is planned: a plan is pure, and a transaction waits for no registry.
// - What is stored already for the same need is not built again.
// - `bundle` of an action is what `npm run actions -- bundle` made elsewhere; then nothing is resolved here.
import { isJsonObject, type Json, type JsonObject } from '../kernel/json'
import { keptBuild, keyOf, needOf } from '../rules/actions/need'
import { type Built, type Bundler, readBundle } from '../rules/packages/bundle'
import { isBundleFile } from './code-files'
import type { Configuration } from './model'
import { dependenciesOf } from './sections/actions'

/** @param configuration is read only for a file with actions */
export async function buildPackages(
  given: Json | undefined,
  configuration: () => Promise<Configuration>,
  bundler: Bundler,
): Promise<(key: string) => Built> {
  const builds = new Map<string, Built>()
  const actions = Array.isArray(given) ? given.flatMap((entry) => (isJsonObject(entry) ? [entry] : [])) : []
  const stored = actions.length > 0 ? (await configuration()).actions : []
  for (const entry of actions) {
    const settings = stored.find(({ name }) => name === entry.name)?.settings ?? {}
    const action = actionOf(entry, settings)
    const need = needOf(action)
    if (need === null || keptBuild(action, settings).bundle !== undefined || builds.has(keyOf(need))) continue
    // One after another: each is a process of its own.
    const { dependencies, entries } = need
    const built =
      typeof entry.bundle === 'string' ? readGiven(entry.bundle) : await bundler.build(dependencies, entries)
    builds.set(keyOf(need), built)
  }
  return (key) => builds.get(key) ?? { failure: 'they were changed while the file was applied' }
}

/** What the entry leaves out stays as it is stored. */
const actionOf = (entry: JsonObject, settings: JsonObject) => ({
  code: textOf(entry.code) ?? textOf(settings.code) ?? '',
  dependencies: dependenciesOf(entry.dependencies === undefined ? settings : entry),
})

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

const readGiven = (bundle: string): Built =>
  isBundleFile(bundle) ? { failure: `${bundle} cannot be read beside the tenant file` } : readBundle(bundle)
