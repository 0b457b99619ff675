// Builds the packages that the actions of a file need, before it is planned: a plan is pure, and a transaction waits for no registry.
// - What is stored already for the same need is not built again.
// - `bundle` of an action is what `npm run actions -- bundle` made elsewhere; then nothing is resolved here.

import * as z from 'zod'
import { keptBuild, keyOf, needOf } from '../../identity/tenant-code/actions/need'
import { type Built, type Bundler, readBundle } from '../../identity/tenant-code/packages/bundle'
import { dependency } from '../../identity/tenant-code/packages/need'
import { isJsonObject, type JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { type ActionBody, runningBody } from '../resources/actions'
import { isBundleFile, unreadFile } from './code-files'
import { COPIES, NOTHING } from './configuration'
import { contextOf } from './context'
import type { Configuration } from './model'
import { actionModules, moduleReferences, modulesFor } from './sections/action-modules'

/** @param configuration is read only for a file with actions */
export async function buildPackages(
  document: JsonObject,
  configuration: () => Promise<Configuration>,
  { bundler, ...deps }: { bundler: Bundler; vault: Vault; random: Random },
): Promise<(key: string) => Built> {
  const builds = new Map<string, Built>()
  const given = document.actions
  const actions = Array.isArray(given) ? given.flatMap((entry) => (isJsonObject(entry) ? [entry] : [])) : []
  const stored = actions.length > 0 ? await afterModules(document, await configuration(), deps) : NOTHING
  for (const entry of actions) {
    const row = stored.actions.find(({ name }) => name === entry.name)
    const before = row && runningBody(row)
    const action = actionOf(entry, before, stored)
    const need = needOf(action)
    if (need === null || keptBuild(action, before ?? {}).bundle !== undefined || builds.has(keyOf(need))) continue
    // One after another: each is a process of its own.
    const { dependencies, entries } = need
    const built =
      typeof entry.bundle === 'string' ? readGiven(entry.bundle) : await bundler.build(dependencies, entries)
    builds.set(keyOf(need), built)
  }
  return (key) => builds.get(key) ?? { failure: 'they were changed while the file was applied' }
}

/** The configuration with the modules of the file. */
async function afterModules(
  { actionModules: given }: JsonObject,
  stored: Configuration,
  deps: { vault: Vault; random: Random },
): Promise<Configuration> {
  if (given === undefined || given === null) return stored
  const place = { tenantId: '', baseUrl: '', users: [], templateFault: () => null, unusedTexts: () => [] }
  const context = contextOf({ ...place, ...deps, stored, copies: COPIES })
  await actionModules.plan(given, context)
  return context.stored
}

/** What the entry leaves out stays as it is stored. */
function actionOf(entry: JsonObject, before: ActionBody | undefined, stored: Configuration) {
  const { data: references } = moduleReferences.safeParse(entry.modules)
  const { data: dependencies } = z.array(dependency).safeParse(entry.dependencies)
  return {
    code: typeof entry.code === 'string' ? entry.code : (before?.code ?? ''),
    dependencies: dependencies ?? before?.dependencies ?? [],
    modules: references ? modulesFor(references, before?.modules ?? [], stored) : (before?.modules ?? []),
  }
}

const readGiven = (bundle: string): Built =>
  isBundleFile(bundle) ? { failure: unreadFile(bundle) } : readBundle(bundle)
