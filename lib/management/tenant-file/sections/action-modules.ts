// `actionModules`: code that actions share, identified by name. A changed module is published as a version, unless the file says that its
// changes are not (`all_changes_published: false`). A module that cannot be published is reported and stays a draft.
import * as z from 'zod'
import {
  isPublished,
  MAX_MODULES,
  moduleName,
  type StoredModule,
  usedVersion,
  whyUnpublishable,
} from '../../../identity/tenant-code/actions/action-module'
import { MAX_USED_MODULES, type UsedModule } from '../../../identity/tenant-code/actions/used-modules'
import {
  ACTION_MODULE,
  chosenVersion,
  moduleChange,
  readModule,
  actionModules as resource,
} from '../../resources/action-modules'
import { whyUnread } from '../code-files'
import type { Configuration, DocumentRow, JsonObject } from '../model'
import { operate, put } from '../working-copy'
import { documentsOf } from './documents'
import { type ObjectKind, objectsSection } from './objects'
import { openedSecrets, secretNames, secretsThatDiffer } from './secret-entries'

const fields = z.object({
  ...moduleChange.shape,
  name: moduleName,
  all_changes_published: z.boolean().optional(),
  /** Of what it is exported from: a new version has this number at least. */
  latest_version_number: z.number().int().min(1).optional(),
  /** Shown by the vendor's export. */
  actions_using_module_total: z.number().optional(),
})

const documentsIn = documentsOf(ACTION_MODULE)
const modulesIn = (stored: Configuration) => documentsIn(stored).flatMap((row) => readModule(row) ?? [])

const moduleIn = (row: DocumentRow | undefined): StoredModule | undefined => row && readModule(row)?.module

const kind: ObjectKind<DocumentRow> = {
  section: 'actionModules',
  fields,
  all: documentsIn,
  isNamed:
    ({ name }) =>
    ({ body }) =>
      body.name === name,
  async operate(given, row, path, context) {
    const { code, secrets, all_changes_published = true, latest_version_number } = fields.parse(given)
    const before = moduleIn(row)
    const unread = whyUnread(code ?? before?.code ?? '')
    if (unread !== null) return void context.notApplied.push(`${path}: ${unread}`)
    const { name = null, dependencies } = given
    const body = {
      ...(code === undefined ? {} : { code }),
      ...(dependencies === undefined ? {} : { dependencies }),
      ...(secrets && { secrets: secretsThatDiffer(secrets, before?.sealed ?? {}, path, context) }),
    }
    const known = row && { id: row.id, shown: before ? draftOf(before) : {} }
    const id = await put(resource, known ? body : { name, ...body }, known, context)
    const module = moduleIn(context.stored.documents.find((each) => each.id === id))
    if (!all_changes_published || !module || isPublished(module)) return
    const why = whyUnpublishable(module)
    if (why === null)
      await operate(resource.versionsCreate, { params: { id } }, context, { leastVersion: latest_version_number })
    else context.notApplied.push(`${path}: it ${why}; it is not published`)
  },
  name: ({ body }) => String(body.name),
  shown: (row) => shownModule(moduleIn(row)),
  secrets: (row, vault) => openedSecrets(moduleIn(row)?.sealed ?? {}, vault),
}

export const actionModules = objectsSection(kind, 'name', MAX_MODULES)

const draftOf = ({ code, dependencies, sealed }: StoredModule): JsonObject => ({
  ...{ code, dependencies, secrets: secretNames(sealed) },
})

function shownModule(module: StoredModule | undefined): JsonObject {
  if (!module) return {}
  const { name, code, dependencies, sealed, versions } = module
  return {
    ...{ name, code, dependencies, secrets: secretNames(sealed) },
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
  references: z.output<typeof moduleReferences>,
  before: readonly UsedModule[],
  stored: Configuration,
): UsedModule[] {
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
