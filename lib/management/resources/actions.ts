// Actions: a draft that is edited, the deployed code that runs, and a numbered version for each deployment.
// - What cannot run here (a module that actions lack, a call that does not exist at the trigger) can be saved and is refused at
//   deployment, so no login meets it.
// - Packages are bundled by a job when a draft is saved (lib/management/jobs/action-builds.ts). Only a built draft can be deployed, as at the vendor.
// - Secrets are write-only and sealed; one without a value keeps its stored value.

import * as z from 'zod'
import { TRIGGERS, type TriggerName } from '../../data/tenants/triggers'
import {
  type Action,
  actionSettings,
  MAX_ACTIONS,
  MAX_CODE,
  onFailure,
  onFailureProblem,
  toAction,
} from '../../identity/tenant-code/actions/action'
import { isTrigger, syntaxProblem, whyNotRunnable } from '../../identity/tenant-code/actions/check'
import type { TriedAction } from '../../identity/tenant-code/actions/engine'
import { type Build, buildState, keptBuild, type Need, needOf } from '../../identity/tenant-code/actions/need'
import { MAX_USED_MODULES, type UsedModule } from '../../identity/tenant-code/actions/used-modules'
import versions from '../../identity/tenant-code/actions/versions.json'
import { type Dependency, dependency, MAX_PACKAGES } from '../../identity/tenant-code/packages/need'
import { type BrokenScripts, refuseBroken } from '../../identity/tenant-code/scripts/script-build'
import { invalidRequest } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import type { Random } from '../../kernel/random'
import { openObject, withOthers, withoutEffect } from '../../kernel/schema'
import type { Vault } from '../../kernel/secret'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { flag, type Page, pagedObject, pagedShape, pageOf, pageQuery, type Window } from '../operations/list'
import { keepOthers } from '../operations/members'
import { type Call, operationsWith } from '../operations/operation'
import type { ResourceStore } from '../operations/resource'
import { type ActionModuleDeps, moduleReference, presentUsed, shownUsed, usedModules } from './action-modules'
import { type ActionSecretsRow, actionSecrets, presentSecrets, sealSecrets, shownSecrets } from './action-secrets'

/** The code of an action and what belongs to it. */
export type ActionBody = Build &
  ActionSecretsRow & {
    code: string
    trigger: TriggerName
    /** Of the trigger. */
    version: string
    runtime: string
    dependencies: Dependency[]
    /** Absent in what an earlier version stored. */
    modules?: UsedModule[]
    /** A draft is deployed when its packages are built. */
    deploy_when_built?: true
    on_failure?: 'deny' | 'pass'
    /** Members without effect. */
    kept?: JsonObject
  }

export type ActionResourceRow = {
  id: string
  name: string
  /** What runs; its `deployed` is false before the first deployment. */
  live: JsonObject
  draft: ActionBody | null
  /** When the build of the draft's packages is due; null where there is nothing to build. */
  buildDueAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type ActionVersionRow = { id: string; number: number; body: ActionBody; createdAt: Date }

export type ActionFilter = {
  triggerId?: string | undefined
  actionName?: string | undefined
  deployed?: boolean | undefined
  /** Of the vendor's market place: none here. */
  installed?: boolean | undefined
  /** That runs with this module. */
  moduleId?: string | undefined
}

export type ActionResourceStore = ResourceStore<ActionResourceRow, ActionFilter> & {
  /** Makes the body run, as a new version. Null if the action is absent. */
  deploy(
    id: string,
    body: (row: ActionResourceRow) => ActionBody,
    versionId: string,
    at: Date,
  ): Promise<{ row: ActionResourceRow; version: ActionVersionRow } | null>
  versions(id: string, window: Window): Promise<Page<ActionVersionRow>>
  version(id: string, versionId: string): Promise<ActionVersionRow | null>
  /** Whether a trigger is bound to the action. */
  isBound(name: string): Promise<boolean>
  /** Removes the action from every trigger. */
  unbind(name: string): Promise<void>
}

/** What a tenant file allows and the API does not. */
export type ActionDoor = BrokenScripts & {
  /** A file changes what runs, whatever draft there is. */
  overDraft?: true
  /** What came of packages that were built before; the API builds them after. */
  builtBefore?(need: Need): Build
}

export type ActionDeps = ActionDoor & {
  clock: { now(): Date }
  random: Random
  vault: Vault
  documents: ActionModuleDeps['documents']
  managedActions: ActionResourceStore
  /** Called after a commit that made something to build. */
  wakeJobs(): void
  /** Runs it on this event without an effect. */
  tryAction(action: Action, event: JsonObject): Promise<TriedAction>
}

const operation = operationsWith<ActionDeps>()

const EXAMPLE_CODE =
  "exports.onExecutePostLogin = async (event, api) => { api.idToken.setCustomClaim('https://example.com/plan', 'gold') }"

/** The newest runtime of the vendor: the code runs in a sandbox without Node.js, whatever its name. */
export const RUNTIMES = ['node22', 'node18']
const DEFAULT_RUNTIME = 'node22'

const trigger = openObject({ id: z.string().min(1).max(64), version: z.string().max(20).optional() })
const members = {
  name: z.string().min(1).max(255),
  supported_triggers: z.array(trigger).length(1),
  code: z.string().max(MAX_CODE).optional(),
  dependencies: z.array(openObject(dependency.shape)).max(MAX_PACKAGES).optional(),
  runtime: z.string().max(20).optional(),
  modules: z.array(moduleReference).max(MAX_USED_MODULES).optional(),
  secrets: actionSecrets.optional(),
  on_failure: onFailure.optional(),
}
const createBody = openObject({ ...members, deploy: z.boolean().optional() })
export const actionChange = openObject({
  ...members,
  name: members.name.optional(),
  supported_triggers: members.supported_triggers.optional(),
})
const boundTo = z.array(z.object({ id: z.string(), version: z.string() }))
const shownBody = {
  supported_triggers: boundTo,
  code: z.string(),
  dependencies: z.array(dependency),
  runtime: z.string(),
  modules: z.array(shownUsed).optional(),
  secrets: shownSecrets,
  on_failure: members.on_failure,
}
const shownVersion = withOthers(
  z.object({
    id: z.string(),
    action_id: z.string(),
    number: z.number(),
    ...shownBody,
    deployed: z.boolean(),
    status: z.literal('built'),
    built_at: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    action: z.object({ id: z.string(), name: z.string(), supported_triggers: boundTo }),
  }),
).meta({ id: 'ActionVersion' })
export const shownAction = withOthers(
  z.object({
    id: z.string(),
    name: members.name,
    ...shownBody,
    status: z.enum(['building', 'built', 'failed']),
    errors: z.array(z.object({ id: z.string(), msg: z.string() })).optional(),
    all_changes_deployed: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    deployed_version: shownVersion.optional(),
  }),
).meta({ id: 'Action' })

/** With what a body says once, or a read shows of the deployment. */
const named = shownAction.extend({ deploy: z.unknown(), deployed_version: z.unknown() })
const notApplied = (action: JsonObject): string[] => unknownMembers(named, action)

type Body = z.output<typeof actionChange>
type ActionCall = Pick<Call<ActionDeps>, 'params' | 'deps'>

const shownTrigger = z.object({
  id: z.string(),
  version: z.string(),
  status: z.literal('CURRENT'),
  runtimes: z.array(z.string()),
  default_runtime: z.string(),
  compatible_triggers: z.array(z.never()),
  binding_policy: z.enum(['entity-bound', 'trigger-bound']),
})

export const actions = {
  list: operation({
    name: 'actions.list',
    method: 'GET',
    path: '/actions/actions',
    summary: 'List actions',
    scopes: ['read:actions'],
    query: z.object({
      ...pageQuery,
      triggerId: z.string().max(64).optional(),
      actionName: z.string().max(255).optional(),
      deployed: flag.optional(),
      installed: flag.optional(),
    }),
    status: 200,
    answer: z.object({ actions: z.array(shownAction), ...pagedShape }),
    async handle({ query, deps }) {
      const { rows, total } = await deps.managedActions.list(query, pageOf(query).window)
      const bodies = await mapBounded(rows, (row) => presentAction(row, deps))
      return { body: pagedObject('actions', query, { rows: bodies, total }) }
    },
  }),
  create: operation({
    name: 'actions.create',
    example: { name: 'Add a claim', supported_triggers: [{ id: 'post-login', version: 'v3' }], code: EXAMPLE_CODE },
    method: 'POST',
    path: '/actions/actions',
    summary: 'Create an action',
    scopes: ['create:actions'],
    notApplied,
    target: 'tenant',
    body: createBody,
    status: 201,
    answer: shownAction,
    async handle({ body, deps }) {
      const now = deps.clock.now()
      const drafted = draftOf(body, await modulesOf(body, null, deps), null, deps)
      if (body.deploy) runnable(drafted, deps)
      const isBuilding = buildState(drafted) === 'building'
      const draft: ActionBody = body.deploy && isBuilding ? { ...drafted, deploy_when_built: true } : drafted
      const row: ActionResourceRow = {
        id: deps.random.uuid(),
        name: body.name,
        live: { code: '', trigger: draft.trigger, version: draft.version, deployed: false },
        draft,
        buildDueAt: isBuilding ? now : null,
        createdAt: now,
        updatedAt: now,
      }
      const { total } = await deps.managedActions.list({}, { offset: 0, limit: 1 })
      if (total >= MAX_ACTIONS)
        throw conflict(`The tenant has ${MAX_ACTIONS} actions, and may have no more`, 'too_many_actions')
      if (!(await deps.managedActions.insert(row, now))) throw taken()
      if (isBuilding) deps.wakeJobs()
      const deployed =
        body.deploy && !isBuilding
          ? await deps.managedActions.deploy(row.id, () => draft, deps.random.uuid(), deps.clock.now())
          : null
      const after = await presentAction(deployed?.row ?? row, deps)
      return { body: after, before: {}, after, id: row.id }
    },
  }),
  read: operation({
    name: 'actions.read',
    method: 'GET',
    path: '/actions/actions/:id',
    summary: 'Read an action',
    scopes: ['read:actions'],
    notApplied,
    status: 200,
    tagged: true,
    answer: shownAction,
    handle: async (call) => ({ body: await presentAction(await existing(call), call.deps) }),
  }),
  update: operation({
    name: 'actions.update',
    example: { code: EXAMPLE_CODE },
    method: 'PATCH',
    path: '/actions/actions/:id',
    summary: 'Change the draft of an action',
    scopes: ['update:actions'],
    notApplied,
    target: 'tenant',
    body: actionChange,
    status: 200,
    tagged: true,
    answer: shownAction,
    async handle({ params, body, deps, ifMatch }) {
      const now = deps.clock.now()
      const found = body.modules && (await deps.managedActions.find(params.id ?? ''))
      const modules = await modulesOf(body, found ? changedBody(found, deps) : null, deps)
      const alter = async (row: ActionResourceRow): Promise<ActionResourceRow> => {
        if (ifMatch !== null) checkUnchanged(ifMatch, await presentAction(row, deps))
        const draft = draftOf(body, modules, changedBody(row, deps), deps)
        const buildDueAt = buildState(draft) === 'building' ? now : null
        return { ...row, name: body.name ?? row.name, draft, buildDueAt, updatedAt: now }
      }
      const done = await deps.managedActions.change(params.id ?? '', alter, now)
      if (done === null) throw inexistent('action')
      if (done === 'taken') throw taken()
      if (done.after.buildDueAt) deps.wakeJobs()
      const after = await presentAction(done.after, deps)
      return { body: after, before: await presentAction(done.before, deps), after }
    },
  }),
  delete: operation({
    name: 'actions.delete',
    method: 'DELETE',
    path: '/actions/actions/:id',
    summary: 'Delete an action',
    scopes: ['delete:actions'],
    target: 'tenant',
    query: z.object({ force: flag.optional() }),
    status: 204,
    async handle({ params, query, deps, ifMatch }) {
      const row = await deps.managedActions.find(params.id ?? '')
      if (!row) return {}
      if (ifMatch !== null) checkUnchanged(ifMatch, await presentAction(row, deps))
      if (await deps.managedActions.isBound(row.name)) {
        if (!query.force)
          throw conflict(
            'The action is bound to a trigger. Unbind it first, or delete with force=true.',
            'action_bound',
          )
        await deps.managedActions.unbind(row.name)
      }
      await deps.managedActions.remove(row.id, () => {})
      return { before: await presentAction(row, deps) }
    },
  }),
  deploy: operation({
    name: 'actions.deploy',
    method: 'POST',
    path: '/actions/actions/:id/deploy',
    summary: 'Make the draft of an action run',
    scopes: ['create:actions', 'update:actions'],
    target: 'tenant',
    status: 202,
    answer: shownVersion,
    async handle({ params, deps }) {
      const done = await deps.managedActions.deploy(
        params.id ?? '',
        (row) => built(runnable(bodyOf(row), deps), deps),
        deps.random.uuid(),
        deps.clock.now(),
      )
      if (done === null) throw inexistent('action')
      return { body: presentVersion(done.version, done.row, true), after: { deployed_version: done.version.number } }
    },
  }),
  test: operation({
    name: 'actions.test',
    example: { payload: { user: { user_id: 'auth0|1', email: 'ada@example.com' } } },
    method: 'POST',
    path: '/actions/actions/:id/test',
    summary: 'Run the draft of an action on an event, without an effect',
    scopes: ['create:actions', 'update:actions'],
    target: 'tenant',
    body: z.object({ payload: z.record(z.string(), z.json()) }),
    status: 200,
    answer: z.object({
      payload: z.object({
        outcome: z.string(),
        error: z.string().nullable(),
        effects: z.record(z.string(), z.json()),
        calls: z.array(z.object({ method: z.string(), arguments: z.json() })),
        requests: z.array(
          z.object({
            method: z.string(),
            host: z.string(),
            status: z.union([z.number(), z.literal('done')]).nullable(),
            failure: z.string().nullable(),
            milliseconds: z.number(),
          }),
        ),
        stack: z.string().nullable(),
        logs: z.array(z.object({ level: z.string(), text: z.string() })),
        milliseconds: z.number(),
      }),
    }),
    audited: false,
    async handle(call) {
      const row = await existing(call)
      const draft = built(runnable(bodyOf(row), {}), {})
      const action = toAction({ name: row.name, settings: draft })
      if (!action) throw invalidBody('The action cannot be read')
      const { reason: error, lines: logs, ...ran } = await call.deps.tryAction(action, call.body.payload)
      return { body: { payload: { ...ran, error, logs } } }
    },
  }),
  versionsList: operation({
    name: 'actions.versions.list',
    method: 'GET',
    path: '/actions/actions/:id/versions',
    summary: 'List the versions of an action',
    scopes: ['read:actions'],
    query: z.object(pageQuery),
    status: 200,
    answer: z.object({ versions: z.array(shownVersion), ...pagedShape }),
    async handle(call) {
      const row = await existing(call)
      const newest = await newestOf(row, call.deps)
      const { rows, total } = await call.deps.managedActions.versions(row.id, pageOf(call.query).window)
      const versions = rows.map((version) => presentVersion(version, row, version.id === newest?.id))
      return { body: pagedObject('versions', call.query, { rows: versions, total }) }
    },
  }),
  versionsRead: operation({
    name: 'actions.versions.read',
    method: 'GET',
    path: '/actions/actions/:id/versions/:version_id',
    summary: 'Read a version of an action',
    scopes: ['read:actions'],
    status: 200,
    answer: shownVersion,
    async handle(call) {
      const row = await existing(call)
      const version = await existingVersion(row, call)
      return { body: presentVersion(version, row, version.id === (await newestOf(row, call.deps))?.id) }
    },
  }),
  versionsDeploy: operation({
    name: 'actions.versions.deploy',
    method: 'POST',
    path: '/actions/actions/:id/versions/:version_id/deploy',
    summary: 'Make an earlier version of an action run again',
    scopes: ['create:actions', 'update:actions'],
    target: 'tenant',
    body: z.looseObject({ update_draft: withoutEffect(z.boolean(), (value) => value === false).optional() }),
    bodyOptional: true,
    status: 202,
    answer: shownVersion,
    async handle(call) {
      const { deps } = call
      const version = await existingVersion(await existing(call), call)
      const done = await deps.managedActions.deploy(
        call.params.id ?? '',
        () => built(runnable(version.body, deps), deps),
        deps.random.uuid(),
        deps.clock.now(),
      )
      if (done === null) throw inexistent('action')
      return { body: presentVersion(done.version, done.row, true), after: { deployed_version: done.version.number } }
    },
  }),
  triggersList: operation({
    name: 'actions.triggers.list',
    method: 'GET',
    path: '/actions/triggers',
    summary: 'List the triggers that actions can be bound to',
    scopes: ['read:actions'],
    status: 200,
    answer: z.object({ triggers: z.array(shownTrigger) }),
    handle: () => ({ body: { triggers: TRIGGERS.map(presentTrigger) } }),
  }),
}

const taken = () => conflict('An action with the same name already exists.', 'action_conflict')

async function existing({ params, deps }: ActionCall): Promise<ActionResourceRow> {
  const row = await deps.managedActions.find(params.id ?? '')
  if (!row) throw inexistent('action')
  return row
}

async function existingVersion(row: ActionResourceRow, { params, deps }: ActionCall): Promise<ActionVersionRow> {
  const version = await deps.managedActions.version(row.id, params.version_id ?? '')
  if (!version) throw inexistent('action_version')
  return version
}

/** The one that was deployed last. */
const newestOf = async (
  { id }: ActionResourceRow,
  { managedActions }: ActionDeps,
): Promise<ActionVersionRow | undefined> => (await managedActions.versions(id, { offset: 0, limit: 1 })).rows[0]

/** The draft, or what runs where nothing was saved since. */
function bodyOf({ draft, live, updatedAt }: ActionResourceRow): ActionBody {
  if (draft) return draft
  const { data } = actionSettings.safeParse(live)
  const sealed = data?.sealed ?? {}
  const at = updatedAt.toISOString()
  return {
    code: data?.code ?? '',
    trigger: data?.trigger ?? 'post-login',
    version: data?.version ?? versionOf(data?.trigger ?? 'post-login'),
    runtime: data?.runtime ?? DEFAULT_RUNTIME,
    dependencies: data?.dependencies ?? [],
    modules: data?.modules ?? [],
    ...(data?.bundle === undefined ? {} : { bundle: data.bundle }),
    ...(data?.built_for === undefined ? {} : { built_for: data.built_for }),
    ...(data?.on_failure === undefined ? {} : { on_failure: data.on_failure }),
    sealed,
    secrets_set: Object.fromEntries(Object.keys(sealed).map((name) => [name, at])),
    kept: objectIn(live.kept),
  }
}

export const isDeployed = ({ live }: Pick<ActionResourceRow, 'live'>): boolean => live.deployed !== false

/** What runs, or the draft of an action that was never deployed. */
export const runningBody = (row: ActionResourceRow): ActionBody =>
  bodyOf(isDeployed(row) ? { ...row, draft: null } : row)

const changedBody = (row: ActionResourceRow, { overDraft }: ActionDoor): ActionBody =>
  overDraft ? runningBody(row) : bodyOf(row)

/** Those that the body names; undefined where it names none. */
const modulesOf = async (
  { modules }: Pick<Body, 'modules'>,
  before: ActionBody | null,
  deps: ActionDeps,
): Promise<UsedModule[] | undefined> => modules && usedModules(modules, before?.modules ?? [], deps)

function draftOf(body: Body, given: UsedModule[] | undefined, before: ActionBody | null, deps: ActionDeps): ActionBody {
  const [bound] = body.supported_triggers ?? []
  const wanted = bound?.id
  if (wanted !== undefined && !isTrigger(wanted))
    throw invalidBody({ path: 'supported_triggers', message: `The trigger ${wanted} does not exist here` })
  const triggerName = wanted ?? before?.trigger ?? 'post-login'
  if (before && triggerName !== before.trigger)
    throw invalidBody({ path: 'supported_triggers', message: 'The trigger of an action cannot be changed' })
  const policy = body.on_failure ?? before?.on_failure
  const problem = onFailureProblem({ on_failure: policy, trigger: triggerName })
  if (problem !== null) throw invalidBody({ path: 'on_failure', message: problem })
  const code = body.code ?? before?.code ?? ''
  const dependencies = (body.dependencies ?? before?.dependencies ?? []).map(({ name, version }) => ({
    name,
    ...(version === undefined ? {} : { version }),
  }))
  const modules = given ?? before?.modules ?? []
  return {
    code,
    ...buildOf({ code, dependencies, modules }, body, before, deps),
    trigger: triggerName,
    version: bound?.version ?? before?.version ?? versionOf(triggerName),
    runtime: body.runtime ?? before?.runtime ?? DEFAULT_RUNTIME,
    dependencies,
    modules,
    ...(policy === undefined ? {} : { on_failure: policy }),
    ...sealSecrets(body.secrets, { sealed: before?.sealed ?? {}, secrets_set: before?.secrets_set ?? {} }, deps),
    kept: keepOthers(named, body, before?.kept),
  }
}

/** A body that names the packages again asks for another attempt where they could not be built. */
function buildOf(
  next: Pick<ActionBody, 'code' | 'dependencies' | 'modules'>,
  body: Body,
  before: ActionBody | null,
  { builtBefore }: ActionDoor,
): Build {
  const kept = keptBuild(next, before ?? {})
  const need = kept.bundle === undefined ? needOf(next) : null
  if (need && builtBefore) return builtBefore(need)
  return body.dependencies !== undefined && kept.bundle === undefined ? {} : kept
}

/** Throws for code that could not run: at a login it would deny. */
function runnable(body: ActionBody, deps: BrokenScripts): ActionBody {
  const { code, trigger, dependencies, modules = [] } = body
  const syntax = syntaxProblem(code)
  if (syntax !== null) throw invalidBody({ path: 'code', message: syntax })
  const why = whyNotRunnable({ code, trigger, dependencies, modules })
  if (why !== null) refuseBroken(deps, why, 'code', invalidBody(`The action cannot be deployed: it ${why}`))
  return body
}

/** Throws for a draft whose packages are not there. The vendor's clients repeat a deployment that gets the first answer. */
function built(body: ActionBody, deps: BrokenScripts): ActionBody {
  const state = buildState(body)
  if (state === 'building') throw invalidRequest("A draft must be in the 'built' state before it can be deployed.")
  if (state === 'failed') {
    const refusal = invalidRequest(`The packages of the action could not be built: ${body.build_failure}`)
    refuseBroken(deps, `its packages could not be built: ${body.build_failure}`, 'dependencies', refusal)
  }
  return body
}

/** The vendor's newest version of each trigger. */
const NEWEST: Readonly<Record<TriggerName, number>> = versions
const versionOf = (id: TriggerName): string => `v${NEWEST[id]}`

const presentTrigger = (id: TriggerName) => ({
  id,
  version: versionOf(id),
  status: 'CURRENT',
  runtimes: RUNTIMES,
  default_runtime: DEFAULT_RUNTIME,
  compatible_triggers: [],
  // An action of this trigger is named by a profile (token-exchange-profiles.ts).
  binding_policy: id === 'custom-token-exchange' ? 'entity-bound' : 'trigger-bound',
})

export async function presentAction(row: ActionResourceRow, deps: ActionDeps): Promise<JsonObject> {
  const body = bodyOf(row)
  const version = await newestOf(row, deps)
  const deployed = isDeployed(row)
  return {
    id: row.id,
    name: row.name,
    ...presentBody(body),
    ...presentBuild(body),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    all_changes_deployed: row.draft === null && deployed,
    ...(version && deployed ? { deployed_version: presentVersion(version, row, true) } : {}),
  }
}

function presentBuild(body: ActionBody): JsonObject {
  const status = buildState(body)
  return { status, ...(status === 'failed' ? { errors: [{ id: 'build_failed', msg: body.build_failure ?? '' }] } : {}) }
}

const presentBody = ({
  code,
  trigger,
  version,
  runtime,
  dependencies,
  modules = [],
  on_failure,
  secrets_set,
  kept,
}: ActionBody): JsonObject => ({
  ...kept,
  supported_triggers: [{ id: trigger, version }],
  code,
  dependencies,
  ...(modules.length > 0 ? { modules: modules.map(presentUsed) } : {}),
  runtime,
  secrets: presentSecrets({ secrets_set }),
  ...(on_failure === undefined ? {} : { on_failure }),
})

function presentVersion(
  { id, number, body, createdAt }: ActionVersionRow,
  row: ActionResourceRow,
  deployed: boolean,
): JsonObject {
  const at = createdAt.toISOString()
  return {
    id,
    action_id: row.id,
    number,
    ...presentBody(body),
    deployed,
    status: 'built',
    built_at: at,
    created_at: at,
    updated_at: at,
    action: { id: row.id, name: row.name, supported_triggers: [{ id: body.trigger, version: body.version }] },
  }
}
