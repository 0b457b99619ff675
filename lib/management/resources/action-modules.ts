// Actions Modules: code that actions share. A draft is edited, and published as a numbered version that never changes; an action names the
// version that it uses, and keeps it (lib/identity/tenant-code/actions/used-modules.ts).
import * as z from 'zod'
import {
  isPublished,
  MAX_MODULES,
  type ModuleVersion,
  moduleBody,
  moduleId,
  moduleName,
  published,
  type StoredModule,
  storedModule,
  usedVersion,
  versionId,
  whyUnpublishable,
} from '../../identity/tenant-code/actions/action-module'
import { MAX_MODULE_CODE, type UsedModule, usedModule } from '../../identity/tenant-code/actions/used-modules'
import { dependency, MAX_PACKAGES } from '../../identity/tenant-code/packages/need'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectsIn } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { Document, DocumentDeps } from '../operations/documents'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { pagedObject, pagedShape, pageOf, pageQuery, windowOf } from '../operations/list'
import { type Call, operationsWith } from '../operations/operation'
import { actionSecrets, presentSecrets, sealSecrets, shownSecrets } from './action-secrets'
import type { ActionResourceStore } from './actions'

/** What a tenant file allows and the API does not. */
export type ActionModuleDoor = {
  /** Of what a file was exported from: a new version has this number at least. */
  leastVersion?: number | undefined
}

export type ActionModuleDeps = DocumentDeps &
  ActionModuleDoor & {
    random: Random
    vault: Vault
    managedActions: Pick<ActionResourceStore, 'list'>
  }

export const ACTION_MODULE = 'action-module'

const operation = operationsWith<ActionModuleDeps>()

const PATH = '/actions/modules'
const members = {
  code: z.string().max(MAX_MODULE_CODE),
  dependencies: z.array(z.looseObject(dependency.shape)).max(MAX_PACKAGES).optional(),
  secrets: actionSecrets.optional(),
}
const create = z.looseObject({ name: moduleName, ...members, publish: z.boolean().optional() })
export const moduleChange = z.looseObject({ ...members, code: members.code.optional() })

const shownVersion = z.object({
  id: z.string(),
  module_id: z.string(),
  version_number: z.number(),
  code: z.string(),
  dependencies: z.array(dependency),
  secrets: shownSecrets,
  created_at: z.string(),
})
const listed = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  dependencies: z.array(dependency),
  secrets: shownSecrets,
  actions_using_module_total: z.number(),
  all_changes_published: z.boolean(),
  latest_version_number: z.number().optional(),
  created_at: z.string(),
  updated_at: z.string(),
})
const shown = listed
  .extend({ latest_version: shownVersion.omit({ module_id: true }).optional() })
  .meta({ id: 'ActionModule' })

const user = z.object({
  action_id: z.string(),
  action_name: z.string(),
  module_version_id: z.string(),
  module_version_number: z.number(),
  supported_triggers: z.array(z.object({ id: z.string(), version: z.string() })),
})

const named = shown.extend({ publish: z.unknown() })
const notApplied = (given: JsonObject): string[] => unknownMembers(named, given)

export const actionModules = {
  list: operation({
    name: 'action_modules.list',
    method: 'GET',
    path: PATH,
    summary: 'List the modules that actions share',
    scopes: ['read:actions'],
    query: z.object(pageQuery),
    status: 200,
    answer: z.object({ modules: z.array(listed), ...pagedShape }),
    async handle({ query, deps }) {
      const { rows, total } = windowOf(await modulesOf(deps), pageOf(query).window, ({ id }) => id)
      const bodies = await mapBounded(rows, ({ id, module }) => presentListed(id, module, deps))
      return { body: pagedObject('modules', query, { rows: bodies, total }) }
    },
  }),
  create: operation({
    name: 'action_modules.create',
    example: { name: 'greetings', code: 'exports.greet = (name) => `Hello ${name}`', publish: true },
    method: 'POST',
    path: PATH,
    summary: 'Create a module that actions share',
    scopes: ['create:actions'],
    target: 'tenant',
    notApplied,
    body: create,
    status: 201,
    answer: shown,
    async handle({ body, deps }) {
      const { name } = body
      const at = deps.clock.now()
      const time = at.toISOString()
      const none = { code: '', dependencies: [], sealed: {}, secrets_set: {} }
      const draft = { name, ...draftOf(body, none, deps), versions: [], created_at: time, updated_at: time }
      const module = body.publish ? published(publishable(draft), time) : draft
      if ((await deps.documents.list(ACTION_MODULE)).length >= MAX_MODULES)
        throw conflict(`The tenant has ${MAX_MODULES} modules, and may have no more`, 'too_many_action_modules')
      const id = moduleId(name)
      await deps.documents.change(
        ACTION_MODULE,
        id,
        (before) => {
          if (before) throw conflict('A module with this name already exists.', 'action_module_conflict')
          return module
        },
        at,
      )
      const after = await present(id, module, deps)
      return { body: after, before: {}, after, id }
    },
  }),
  read: operation({
    name: 'action_modules.read',
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Read a module that actions share',
    scopes: ['read:actions'],
    status: 200,
    tagged: true,
    answer: shown,
    async handle(call) {
      const { id, module } = await existing(call)
      return { body: await present(id, module, call.deps) }
    },
  }),
  update: operation({
    name: 'action_modules.update',
    example: { code: 'exports.greet = (name) => `Good morning ${name}`' },
    examplePath: { id: '<module>' },
    method: 'PATCH',
    path: `${PATH}/:id`,
    summary: 'Change the draft of a module',
    scopes: ['update:actions'],
    target: 'tenant',
    notApplied,
    body: moduleChange,
    status: 200,
    tagged: true,
    answer: shown,
    handle: (call) => changed(call, (module) => ({ ...module, ...draftOf(call.body, module, call.deps) })),
  }),
  delete: operation({
    name: 'action_modules.delete',
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Delete a module that no action uses',
    scopes: ['delete:actions'],
    target: 'tenant',
    status: 204,
    async handle({ params: { id = '' }, deps, ifMatch }) {
      const found = readModule({ id, body: (await deps.documents.find(ACTION_MODULE, id)) ?? {} })
      if (!found) return {}
      if (ifMatch !== null) checkUnchanged(ifMatch, await present(id, found.module, deps))
      const { total } = await usersOf(id, deps)
      if (total > 0)
        throw new DomainError('precondition_failed', 'Deployed actions use the module.', {
          members: { errorCode: 'action_module_in_use' },
        })
      const before = await present(id, found.module, deps)
      await deps.documents.change(ACTION_MODULE, id, () => null, deps.clock.now())
      return { before, after: {} }
    },
  }),
  actionsList: operation({
    name: 'action_modules.actions.list',
    method: 'GET',
    path: `${PATH}/:id/actions`,
    summary: 'List the deployed actions that use a module',
    scopes: ['read:actions'],
    query: z.object(pageQuery),
    status: 200,
    answer: z.object({ actions: z.array(user), ...pagedShape }),
    async handle(call) {
      const { id } = await existing(call)
      const { rows, total } = await call.deps.managedActions.list({ moduleId: id }, pageOf(call.query).window)
      const actions = rows.map((row) => {
        const used = objectsIn(row.live.modules).find((each) => each.module_id === id)
        return {
          action_id: row.id,
          action_name: row.name,
          module_version_id: used?.module_version_id ?? '',
          module_version_number: used?.module_version_number ?? 0,
          supported_triggers: [{ id: row.live.trigger ?? '', version: row.live.version ?? '' }],
        }
      })
      return { body: pagedObject('actions', call.query, { rows: actions, total }) }
    },
  }),
  versionsList: operation({
    name: 'action_modules.versions.list',
    method: 'GET',
    path: `${PATH}/:id/versions`,
    summary: 'List the versions of a module',
    scopes: ['read:actions'],
    query: z.object(pageQuery),
    status: 200,
    answer: z.object({ versions: z.array(shownVersion), ...pagedShape }),
    async handle(call) {
      const { id, module } = await existing(call)
      const rows = module.versions.map((version) => presentVersion(id, version))
      const page = windowOf(rows, pageOf(call.query).window, (version) => version.id)
      return { body: pagedObject('versions', call.query, page) }
    },
  }),
  versionsCreate: operation({
    name: 'action_modules.versions.create',
    method: 'POST',
    path: `${PATH}/:id/versions`,
    summary: 'Publish the draft of a module as a version',
    scopes: ['create:actions', 'update:actions'],
    target: 'tenant',
    status: 201,
    answer: shownVersion,
    async handle(call) {
      const time = call.deps.clock.now().toISOString()
      const { leastVersion } = call.deps
      const { id, module } = await change(call, (module) => published(publishable(module), time, leastVersion))
      const [newest] = module.versions
      if (!newest) throw inexistent('action_module_version')
      return { body: presentVersion(id, newest), after: { version_number: newest.number } }
    },
  }),
  versionsRead: operation({
    name: 'action_modules.versions.read',
    method: 'GET',
    path: `${PATH}/:id/versions/:version_id`,
    summary: 'Read a version of a module',
    scopes: ['read:actions'],
    status: 200,
    answer: shownVersion,
    async handle(call) {
      const { id, module } = await existing(call)
      return { body: presentVersion(id, versionOf(id, module, call.params.version_id)) }
    },
  }),
  rollback: operation({
    name: 'action_modules.rollback',
    example: { module_version_id: '<module version>' },
    examplePath: { id: '<module>' },
    method: 'POST',
    path: `${PATH}/:id/rollback`,
    summary: 'Make the draft of a module that of an earlier version',
    scopes: ['create:actions', 'update:actions'],
    target: 'tenant',
    body: z.strictObject({ module_version_id: z.string().min(1).max(200) }),
    status: 200,
    answer: shown,
    handle: (call) =>
      changed(call, (module) => {
        const version = versionOf(call.params.id ?? '', module, call.body.module_version_id)
        return { ...module, ...moduleBody.parse(version) }
      }),
  }),
}

export type FoundModule = { id: string; module: StoredModule }
type ModuleCall = Pick<Call<ActionModuleDeps>, 'params' | 'deps'> & { ifMatch?: string | null }

export function readModule({ id, body }: Document): FoundModule | null {
  const { data: module } = storedModule.safeParse(body)
  return module ? { id, module } : null
}

const modulesOf = async ({ documents }: Pick<ActionModuleDeps, 'documents'>): Promise<FoundModule[]> =>
  (await documents.list(ACTION_MODULE))
    .flatMap((document) => readModule(document) ?? [])
    .sort((one, other) => (one.module.name < other.module.name ? -1 : 1))

async function existing({ params: { id = '' }, deps }: ModuleCall): Promise<FoundModule> {
  const found = readModule({ id, body: (await deps.documents.find(ACTION_MODULE, id)) ?? {} })
  if (!found) throw inexistent('action_module')
  return found
}

function versionOf(id: string, { versions }: StoredModule, wanted: string | undefined): ModuleVersion {
  const version = versions.find(({ number }) => versionId(id, number) === wanted)
  if (!version) throw inexistent('action_module_version')
  return version
}

/** Changes a module under its lock. */
async function change(
  { params: { id = '' }, deps, ifMatch = null }: ModuleCall,
  alter: (module: StoredModule) => StoredModule,
): Promise<FoundModule & { before: StoredModule }> {
  const at = deps.clock.now()
  const total = ifMatch === null ? 0 : (await usersOf(id, deps)).total
  const done: { before?: StoredModule; module?: StoredModule } = {}
  await deps.documents.change(
    ACTION_MODULE,
    id,
    (body) => {
      const found = readModule({ id, body: body ?? {} })
      if (!found) throw inexistent('action_module')
      if (ifMatch !== null) checkUnchanged(ifMatch, presentUsedBy(total, id, found.module))
      done.before = found.module
      done.module = { ...alter(found.module), updated_at: at.toISOString() }
      return done.module
    },
    at,
  )
  if (!done.before || !done.module) throw inexistent('action_module')
  return { id, before: done.before, module: done.module }
}

async function changed(call: ModuleCall, alter: (module: StoredModule) => StoredModule) {
  const { id, before, module } = await change(call, alter)
  const after = await present(id, module, call.deps)
  return { body: after, before: await present(id, before, call.deps), after }
}

type Draft = Pick<StoredModule, 'code' | 'dependencies' | 'sealed' | 'secrets_set'>

function draftOf(
  { code, dependencies, secrets }: z.output<typeof moduleChange>,
  before: Draft,
  deps: Pick<ActionModuleDeps, 'clock' | 'vault' | 'random'>,
): Draft {
  return {
    code: code ?? before.code,
    dependencies: dependencies?.map((each) => dependency.parse(each)) ?? before.dependencies,
    ...sealSecrets(secrets, before, deps),
  }
}

/** Throws for code that no action could use. */
function publishable(module: StoredModule): StoredModule {
  const why = whyUnpublishable(module)
  if (why !== null) throw invalidBody(`The module cannot be published: it ${why}`)
  return module
}

const usersOf = (moduleId: string, { managedActions }: Pick<ActionModuleDeps, 'managedActions'>) =>
  managedActions.list({ moduleId }, { offset: 0, limit: 1 })

const presentListed = async (id: string, module: StoredModule, deps: Pick<ActionModuleDeps, 'managedActions'>) =>
  listedUsedBy((await usersOf(id, deps)).total, id, module)

/** @param total of the actions that use it */
function listedUsedBy(total: number, id: string, module: StoredModule) {
  const { name, code, dependencies, versions, created_at, updated_at } = module
  const [newest] = versions
  return {
    ...{ id, name, code, dependencies, secrets: presentSecrets(module) },
    actions_using_module_total: total,
    all_changes_published: isPublished(module),
    ...(newest ? { latest_version_number: newest.number } : {}),
    ...{ created_at, updated_at },
  }
}

const present = async (
  id: string,
  module: StoredModule,
  deps: Pick<ActionModuleDeps, 'managedActions'>,
): Promise<JsonObject> => presentUsedBy((await usersOf(id, deps)).total, id, module)

function presentUsedBy(total: number, id: string, module: StoredModule): JsonObject {
  const [newest] = module.versions
  const { module_id: _, ...latest } = newest ? presentVersion(id, newest) : { module_id: '' }
  return { ...listedUsedBy(total, id, module), ...(newest ? { latest_version: latest } : {}) }
}

const presentVersion = (id: string, version: ModuleVersion) => ({
  ...{ id: versionId(id, version.number), module_id: id, version_number: version.number },
  ...{ code: version.code, dependencies: version.dependencies, secrets: presentSecrets(version) },
  created_at: version.created_at,
})

/** A version of a module that an action runs with. */
export const shownUsed = usedModule.omit({ code: true, dependencies: true, sealed: true })

/** How a body names a version of a module: by ids, or by name and number. */
export const moduleReference = z.looseObject({
  module_id: z.string().max(200).optional(),
  module_name: z.string().max(255).optional(),
  module_version_id: z.string().max(200).optional(),
  module_version_number: z.number().int().optional(),
})

export type ModuleReference = z.output<typeof moduleReference>

export const presentUsed = ({ code: _code, dependencies: _dependencies, sealed: _sealed, ...reference }: UsedModule) =>
  reference

/** The version that a reference names. What the action has already is kept, also where it exists nowhere else any more. */
export function chosenVersion(
  reference: ModuleReference,
  modules: readonly FoundModule[],
  before: readonly UsedModule[],
): UsedModule | null {
  const found = modules.find(({ id, module }) =>
    reference.module_id === undefined ? module.name === reference.module_name : id === reference.module_id,
  )
  const versions = found ? found.module.versions.map((each) => usedVersion(found.id, found.module, each)) : []
  return [...versions, ...before].find((each) => isOf(each, reference)) ?? null
}

/** Throws for a version that does not exist. */
export async function usedModules(
  references: readonly ModuleReference[],
  before: readonly UsedModule[],
  deps: Pick<ActionModuleDeps, 'documents'>,
): Promise<UsedModule[]> {
  const modules = references.length === 0 ? [] : await modulesOf(deps)
  const used = references.map((reference) => {
    const version = chosenVersion(reference, modules, before)
    if (version) return version
    const name = reference.module_name ?? reference.module_id ?? ''
    throw invalidBody({ path: 'modules', message: `There is no such version of the module ${name}` })
  })
  if (new Set(used.map((each) => each.module_name)).size < used.length)
    throw invalidBody({ path: 'modules', message: 'A module is there twice' })
  return used
}

function isOf(
  used: UsedModule,
  { module_id, module_name, module_version_id, module_version_number }: ModuleReference,
): boolean {
  if (module_version_id !== undefined) return used.module_version_id === module_version_id
  const isModule = module_id === undefined ? used.module_name === module_name : used.module_id === module_id
  return isModule && used.module_version_number === module_version_number
}
