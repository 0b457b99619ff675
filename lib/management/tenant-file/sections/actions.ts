// `actions`: a tenant's own code, identified by name. An action that needs something this server lacks (a module, packages that could
// not be built, an unsupported call, another trigger) is reported and left out; invalid JavaScript refuses the file.
// - Its packages are built before the file is planned (packages.ts). They stay as they are while what it needs of them does.
// - An action that decides access is not left out, because its check must not be skipped. It is stored, fails when it runs, and
//   denies unless its `on_failure` says otherwise (threat-model.md AC3).
// - Secrets are sealed when they are read; an unchanged secret keeps its sealed value, and no export contains them.

import * as z from 'zod'
import type { TriggerName } from '../../../data/tenants/triggers'
import {
  decidesAccess,
  failurePolicy,
  MAX_ACTIONS,
  MAX_CODE,
  type OnFailure,
  onFailure,
  onFailureProblem,
} from '../../../identity/rules/actions/action'
import { isTrigger, syntaxProblem, whyNotRunnable } from '../../../identity/rules/actions/check'
import { type Build, keptBuild, keyOf, needOf } from '../../../identity/rules/actions/need'
import { type UsedModule, usedModule } from '../../../identity/rules/actions/used-modules'
import type { BuiltBundle } from '../../../identity/rules/packages/bundle'
import { dependency, MAX_PACKAGES } from '../../../identity/rules/packages/need'
import { isJsonObject, mergeObjects } from '../../../kernel/json'
import { digest } from '../../../kernel/secret'
import { isCodeFile } from '../code-files'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { ActionRow, Configuration, Json, JsonObject } from '../model'
import { moduleReferences, modulesFor } from './action-modules'
import { sealedOf, secretEntries } from './secret-entries'

const NAME = 'actions'

const actionEntry = z.object({
  name: z.string().min(1).max(255),
  code: z.string().max(MAX_CODE).optional(),
  dependencies: z.array(dependency).max(MAX_PACKAGES).optional(),
  /** Made elsewhere by `npm run actions -- bundle`; packages.ts reads it. */
  bundle: z.string().optional(),
  modules: moduleReferences.optional(),
  secrets: secretEntries.optional(),
  runtime: z.string().max(20).optional(),
  deployed: z.boolean().optional(),
  /** The status of the vendor's build. */
  status: z.string().optional(),
  supported_triggers: z
    .array(z.object({ id: z.string(), version: z.string().optional() }))
    .length(1)
    .optional(),
  on_failure: onFailure.optional(),
})

type Entry = z.output<typeof actionEntry>

export const actions: Section = {
  name: NAME,
  plan(given, context) {
    const items = itemsOf(given, NAME, 'name', context)
    if (items.length > MAX_ACTIONS)
      context.problems.push({ path: NAME, reason: `has more than ${MAX_ACTIONS} actions, the most of a tenant` })
    for (const item of items) planAction(item.value, item.path, context)
  },
  export: ({ actions }) => (actions.length === 0 ? undefined : actions.map(exported)),
}

export const findAction = (name: string, { actions }: Configuration): ActionRow | undefined =>
  actions.find((action) => action.name === name)

function planAction(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(actionEntry, value, path, context)
  if (!read) return
  const stored = findAction(read.parsed.name, context.stored)
  const code = read.parsed.code ?? text(stored?.settings.code) ?? ''
  const absent = code === '' ? 'has no code' : isCodeFile(code) ? `${code} cannot be read beside the tenant file` : null
  const syntax = absent === null ? syntaxProblem(code) : null
  if (absent !== null) context.notApplied.push(`${path}: ${absent}`)
  else if (syntax !== null) context.problems.push({ path: `${path}.code`, reason: syntax })
  else planRunnable(read.parsed, code, stored, path, context)
}

function planRunnable(
  entry: Entry,
  code: string,
  stored: ActionRow | undefined,
  path: string,
  context: PlanContext,
): void {
  const { supported_triggers: [bound] = [] } = entry
  const trigger = bound?.id ?? text(stored?.settings.trigger) ?? ''
  if (!isTrigger(trigger)) {
    context.notApplied.push(`${path}: there is no trigger ${trigger === '' ? 'named' : trigger} here`)
    return
  }
  const { runtime, deployed, on_failure } = entry
  const before = stored?.settings ?? {}
  const dependencies = entry.dependencies ?? dependenciesOf(before)
  const modules = modulesFor(entry.modules, modulesOf(before), context.stored)
  const packages = packagesFor({ code, dependencies, modules }, before, context)
  const lacking = whyNotRunnable({ code, trigger, dependencies, modules })
  const why = lacking ?? packages.why
  const policy = on_failure ?? onFailure.safeParse(before.on_failure).data
  if (why !== null) context.notApplied.push(`${path}: ${why}${consequence(policy, trigger)}`)
  if (why !== null && !decidesAccess(trigger)) return
  const ineffective = onFailureProblem({ on_failure, trigger })
  if (ineffective !== null) context.notApplied.push(`${path}.on_failure: ${ineffective}`)
  const version = bound?.version
  const declared = entry.dependencies && (dependencies as Json)
  const shared = entry.modules && (modules as unknown as Json)
  const given = Object.entries({
    code,
    dependencies: declared,
    modules: shared,
    trigger,
    version,
    runtime,
    deployed,
    on_failure,
  })
  const { bundle: _bundle, built_for: _builtFor, ...others } = before
  const settings = mergeObjects(
    others,
    Object.fromEntries(given.filter(([, field]) => field !== undefined)) as JsonObject,
  )
  const sealed = sealedOf(entry.secrets, sealedIn(before), path, context)
  putAction(
    stored,
    { name: entry.name, settings: { ...settings, ...packages.build, sealed } },
    packages.bundle,
    context,
  )
}

export const dependenciesOf = ({ dependencies }: JsonObject) => z.array(dependency).safeParse(dependencies).data ?? []

export const modulesOf = ({ modules }: JsonObject): UsedModule[] => z.array(usedModule).safeParse(modules).data ?? []

const sealedIn = ({ sealed }: JsonObject) => (isJsonObject(sealed) ? sealed : {}) as Record<string, string>

type Packages = { build: Pick<Build, 'bundle' | 'built_for'>; bundle: BuiltBundle | null; why: string | null }

/** Those that are stored, where the action needs the same. */
function packagesFor(action: Parameters<typeof needOf>[0], before: JsonObject, context: PlanContext): Packages {
  const need = needOf(action)
  const kept = keptBuild(action, before as Build)
  if (need === null || kept.bundle !== undefined) return { build: kept, bundle: null, why: null }
  const key = keyOf(need)
  const built = context.built(key)
  if ('failure' in built) return { build: {}, bundle: null, why: `its packages could not be built: ${built.failure}` }
  return { build: { bundle: built.bundle.digest, built_for: key }, bundle: built.bundle, why: null }
}

function consequence(on_failure: OnFailure | undefined, trigger: TriggerName): string {
  if (!decidesAccess(trigger)) return ''
  return failurePolicy({ on_failure, trigger }) === 'deny' ? '; it fails and denies' : '; it fails and lets pass'
}

function putAction(
  stored: ActionRow | undefined,
  row: ActionRow,
  bundle: BuiltBundle | null,
  context: PlanContext,
): void {
  context.stored.actions = [...context.stored.actions.filter((action) => action !== stored), row]
  const details = differences(stored ? withoutSecrets(stored) : {}, withoutSecrets(row))
  if (stored && details.length === 0) return
  context.changes.push({
    section: NAME,
    action: stored ? 'update' : 'create',
    name: row.name,
    details,
    writes: [{ table: 'action', row, bundle }],
    records: [],
  })
}

/** Code and secrets appear only as marks that show whether they changed. */
function withoutSecrets({ settings }: ActionRow): JsonObject {
  const { code, sealed, kept: _kept, built_for: _, modules: _modules, ...rest } = settings
  const marks = Object.entries(isJsonObject(sealed) ? sealed : {}).map(([name, value]) => [name, markOf(value)])
  return {
    ...rest,
    code: `${text(code)?.length} characters, ${markOf(code)}`,
    modules: referencesIn(settings),
    secrets: Object.fromEntries(marks),
  }
}

const referencesIn = (settings: JsonObject): JsonObject[] =>
  modulesOf(settings).map(({ module_name, module_version_number }) => ({ module_name, module_version_number }))

const markOf = (value: Json | undefined): string =>
  digest(text(value) ?? '')
    .toString('hex')
    .slice(0, 8)

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

function exported({ name, settings }: ActionRow): JsonObject {
  const { code, trigger, version, sealed, kept: _kept, bundle: _bundle, built_for: _builtFor, ...others } = settings
  const { modules: _modules, ...rest } = others
  const modules = referencesIn(settings)
  return {
    name,
    ...rest,
    ...(modules.length > 0 ? { modules } : {}),
    supported_triggers: [{ id: trigger ?? '', ...(version === undefined ? {} : { version }) }],
    secrets: Object.keys(isJsonObject(sealed) ? sealed : {}).map((each) => ({ name: each })),
    code: code ?? '',
  }
}
