// `actionModules`: code that actions share, identified by name. A changed module is published as a version, unless the file says that its
// changes are not (`all_changes_published: false`). A module that cannot be published is reported and stays a draft.
import * as z from 'zod'
import {
  isPublished,
  MAX_MODULES,
  type ModuleBody,
  moduleId,
  moduleName,
  published,
  type StoredModule,
  usedVersion,
  whyUnpublishable,
} from '../../../identity/rules/actions/action-module'
import { MAX_MODULE_CODE, MAX_USED_MODULES, type UsedModule } from '../../../identity/rules/actions/used-modules'
import { dependency, MAX_PACKAGES } from '../../../identity/rules/packages/need'
import { ACTION_MODULE, chosenVersion, readModule } from '../../resources/action-modules'
import { isCodeFile } from '../code-files'
import { itemsOf, type PlanContext, type Section } from '../context'
import type { Configuration, DocumentRow, JsonObject } from '../model'
import { documentsOf, putDocument } from './documents'
import { exportedObjects, planObject, writtenKind } from './objects'
import { openedSecrets, sealedOf, secretEntries } from './secret-entries'

const NAME = 'actionModules'

const fields = z.object({
  name: moduleName,
  code: z.string().max(MAX_MODULE_CODE).optional(),
  dependencies: z.array(dependency).max(MAX_PACKAGES).optional(),
  secrets: secretEntries.optional(),
  all_changes_published: z.boolean().optional(),
  /** Of what it is exported from: a new version has this number at least. */
  latest_version_number: z.number().int().min(1).optional(),
  /** Shown by the vendor's export. */
  actions_using_module_total: z.number().optional(),
})

const documentsIn = documentsOf(ACTION_MODULE)
const modulesIn = (stored: Configuration) => documentsIn(stored).flatMap((row) => readModule(row) ?? [])

const moduleIn = (row: DocumentRow | undefined): StoredModule | undefined => row && readModule(row)?.module

const kind = writtenKind<DocumentRow>({
  section: NAME,
  fields,
  all: documentsIn,
  isNamed:
    ({ name }) =>
    ({ body }) =>
      body.name === name,
  build(given, row, path, context) {
    const entry = fields.parse(given)
    const before = moduleIn(row)
    const code = entry.code ?? before?.code ?? ''
    const absent =
      code === '' ? 'has no code' : isCodeFile(code) ? `${code} cannot be read beside the tenant file` : null
    if (absent !== null) {
      context.notApplied.push(`${path}: ${absent}`)
      return null
    }
    const module = changedModule(entry, code, before, path, context)
    const body = publishedIfWished(entry, module, path, context)
    return { kind: ACTION_MODULE, id: moduleId(entry.name), body }
  },
  name: ({ body }) => String(body.name),
  shown: (row) => shownModule(moduleIn(row)),
  secrets: (row, vault) => openedSecrets(moduleIn(row)?.sealed ?? {}, vault),
  put: putDocument,
  write: (row) => ({ table: 'document', row }),
})

export const actionModules: Section = {
  name: NAME,
  async plan(given, context) {
    const items = itemsOf(given, NAME, 'name', context)
    if (items.length > MAX_MODULES)
      context.problems.push({ path: NAME, reason: `has more than ${MAX_MODULES} modules, the most of a tenant` })
    for (const { value, path } of items) await planObject(kind, value, path, context)
  },
  export: (stored, _users, vault) => exportedObjects(kind, stored, vault),
}

type Entry = z.output<typeof fields>

function changedModule(
  { name, dependencies, secrets }: Entry,
  code: string,
  before: StoredModule | undefined,
  path: string,
  context: PlanContext,
): StoredModule {
  const time = context.now.toISOString()
  const sealed = sealedOf(secrets, before?.sealed ?? {}, path, context)
  const setAt = (secret: string) => (before?.sealed[secret] === sealed[secret] && before?.secrets_set[secret]) || time
  const body: ModuleBody = {
    code,
    dependencies: dependencies ?? before?.dependencies ?? [],
    sealed,
    secrets_set: Object.fromEntries(Object.keys(sealed).map((secret) => [secret, setAt(secret)])),
  }
  return { name, versions: [], created_at: time, ...before, ...body, updated_at: time }
}

function publishedIfWished(
  { all_changes_published: wished = true, latest_version_number: least = 1 }: Entry,
  module: StoredModule,
  path: string,
  { now, notApplied }: PlanContext,
): StoredModule {
  if (!wished || isPublished(module)) return module
  const why = whyUnpublishable(module)
  if (why === null) return published(module, now.toISOString(), Math.max((module.versions[0]?.number ?? 0) + 1, least))
  notApplied.push(`${path}: it ${why}; it is not published`)
  return module
}

function shownModule(module: StoredModule | undefined): JsonObject {
  if (!module) return {}
  const { name, code, dependencies, sealed, versions } = module
  return {
    ...{ name, code, dependencies, secrets: Object.keys(sealed).map((secret) => ({ name: secret })) },
    all_changes_published: isPublished(module),
    ...(versions[0] ? { latest_version_number: versions[0].number } : {}),
  }
}

/** How an action names its modules. Ids are of the tenant that the file was exported from. */
export const moduleReferences = z
  .array(
    z.object({
      module_name: z.string().min(1).max(255),
      module_version_number: z.number().int().min(1).optional(),
      module_id: z.string().optional(),
      module_version_id: z.string().optional(),
    }),
  )
  .max(MAX_USED_MODULES)

/** The versions that an action uses: those of these numbers, or the newest ones. A module without a version is left out. */
export function modulesFor(
  references: z.output<typeof moduleReferences> | undefined,
  before: readonly UsedModule[],
  stored: Configuration,
): UsedModule[] {
  if (references === undefined) return [...before]
  const modules = modulesIn(stored)
  return references.flatMap(({ module_name, module_version_number }) => {
    const found = modules.find(({ module }) => module.name === module_name)
    const newest = found?.module.versions[0]
    return (
      chosenVersion({ module_name, module_version_number }, modules, before) ??
      (found && newest ? usedVersion(found.id, found.module, newest) : [])
    )
  })
}
