// `actions`: a tenant's own code, identified by name. An action that needs something this server lacks (a module, packages that could
// not be built, an unsupported call, another trigger) is reported and left out; invalid JavaScript refuses the file.
// - Its packages are built before the file is planned (packages.ts). They stay as they are while what it needs of them does.
// - An action that decides access is not left out, because its check must not be skipped. It is stored, fails when it runs, and
//   denies unless its `on_failure` says otherwise (threat-model.md AC3).

import * as z from 'zod'
import {
  decidesAccess,
  failurePolicy,
  MAX_ACTIONS,
  onFailureProblem,
} from '../../../identity/tenant-code/actions/action'
import { isTrigger, syntaxProblem } from '../../../identity/tenant-code/actions/check'
import { objectsIn } from '../../../kernel/json'
import { digest } from '../../../kernel/secret'
import { presentUsed } from '../../resources/action-modules'
import {
  type ActionBody,
  type ActionDeps,
  type ActionResourceRow,
  type ActionResourceStore,
  actionChange,
  isDeployed,
  actions as resource,
  runningBody,
} from '../../resources/actions'
import { liveOf } from '../../resources/deployed-action'
import { whyUnread } from '../code-files'
import type { PlanContext } from '../context'
import { demand, onlyThese, rowsIn } from '../copied-stores'
import type { Configuration, JsonObject, StoreWrite } from '../model'
import { operate, put } from '../working-copy'
import { moduleReferences, modulesFor } from './action-modules'
import { type ObjectKind, objectsSection } from './objects'
import { openedSecrets, secretNames, secretsThatDiffer } from './secret-entries'

export type ActionRow = ActionResourceRow & {
  /** The number of its newest version; 0 before the first. */
  newest: number
}

declare module '../model' {
  interface Copied {
    actions: { rows: ActionRow[]; stores: Pick<ActionDeps, 'managedActions'> }
  }
}

const fields = z.object({
  ...actionChange.required({ name: true }).shape,
  modules: moduleReferences.optional(),
  /** Made elsewhere by `npm run actions -- bundle`; packages.ts reads it. */
  bundle: z.string().optional(),
  deployed: z.boolean().optional(),
  /** The status of the vendor's build. */
  status: z.string().optional(),
})

const kind: ObjectKind<ActionRow> = {
  section: 'actions',
  copy: { name: 'actions', none: [], stores: (context) => ({ managedActions: actionsOf(context) }) },
  fields,
  all: ({ actions }) => actions,
  isNamed: (entry) => (row) => row.name === entry.name,
  async operate(entry, before, path, context) {
    const { notApplied, problems, stored } = context
    const running = before && runningBody(before)
    const { deployed = true, modules, secrets, on_failure, supported_triggers, ...read } = fields.parse(entry)
    const { code = running?.code ?? '' } = read
    const trigger = supported_triggers?.[0]?.id ?? running?.trigger ?? ''
    const unread = whyUnread(code)
    const syntax = unread === null ? syntaxProblem(code) : null
    if (unread !== null) return void notApplied.push(`${path}: ${unread}`)
    if (syntax !== null) return void problems.push({ path: `${path}.code`, reason: syntax })
    if (!isTrigger(trigger))
      return void notApplied.push(`${path}: there is no trigger ${trigger === '' ? 'named' : trigger} here`)
    if (!deployed && before && isDeployed(before))
      return void notApplied.push(`${path}.deployed: it runs already, and stays as it is`)
    const ineffective = onFailureProblem({ on_failure, trigger })
    if (ineffective !== null) notApplied.push(`${path}.on_failure: ${ineffective}`)
    const { bundle: _, status: _status, deployed: _deployed, on_failure: _policy, ...members } = entry
    const body = {
      ...members,
      ...(modules && { modules: modulesFor(modules, running?.modules ?? [], stored).map(presentUsed) }),
      ...(secrets && { secrets: secretsThatDiffer(secrets, running?.sealed ?? {}, path, context) }),
      ...(on_failure && ineffective === null && { on_failure }),
    }
    const all = stored.actions
    const whys: string[] = []
    const door = { keepBroken: (why: string) => void whys.push(why) }
    // All is sent each time, so that what fails is reported each time.
    const id = await put(resource, body, before && { id: before.id, shown: {} }, context, door)
    if (deployed) await operate(resource.deploy, { params: { id } }, context, door)
    const [why] = whys
    if (why === undefined) return
    const policy = failurePolicy({ on_failure: on_failure ?? running?.on_failure, trigger })
    const consequence = policy === 'deny' ? '; it fails and denies' : '; it fails and lets pass'
    notApplied.push(`${path}: ${why}${decidesAccess(trigger) ? consequence : ''}`)
    if (!decidesAccess(trigger)) stored.actions = all
  },
  name: ({ name }) => name,
  shown(row) {
    const { bundle, code, modules = [], sealed, trigger, version, ...body } = runningBody(row)
    return {
      ...{ trigger, version, ...shownMembers(row, body), modules: referencesTo(modules), secrets: secretNames(sealed) },
      ...(bundle === undefined ? {} : { bundle }),
      code: `${code.length} characters, ${digest(code).toString('hex').slice(0, 8)}`,
    }
  },
  secrets: (row, vault) => openedSecrets(runningBody(row).sealed, vault),
  exported(row) {
    const { code, modules = [], sealed, trigger, version, ...body } = runningBody(row)
    return {
      ...{ name: row.name, ...shownMembers(row, body) },
      ...(modules.length > 0 ? { modules: referencesTo(modules) } : {}),
      ...{ supported_triggers: [{ id: trigger, version }], secrets: secretNames(sealed), code },
    }
  },
}

export const actions = objectsSection(kind, 'name', MAX_ACTIONS)

export const findAction = (name: string, { actions }: Configuration): ActionRow | undefined =>
  actions.find((action) => action.name === name)

type Body = Pick<ActionBody, 'dependencies' | 'runtime' | 'on_failure'>

const shownMembers = (row: ActionRow, { dependencies, runtime, on_failure }: Body): JsonObject => ({
  ...{ dependencies, runtime, deployed: isDeployed(row) },
  ...(on_failure === undefined ? {} : { on_failure }),
})

const referencesTo = (modules: NonNullable<ActionBody['modules']>): JsonObject[] =>
  modules.map(({ module_name, module_version_number }) => ({ module_name, module_version_number }))

function actionsOf(context: PlanContext): ActionResourceStore {
  const { stored, writes } = context
  const rows = rowsIn<ActionResourceRow, ActionRow>(context, 'actions', ({ managedActions }) => managedActions, {
    nameOf: ({ name }) => name,
    listed: (row, before) => ({ ...row, newest: before?.newest ?? 0 }),
  })
  return onlyThese<ActionResourceStore>({
    ...rows,
    async list({ actionName, moduleId }) {
      const found = stored.actions.filter(
        ({ name, live }) =>
          (actionName === undefined || name === actionName) &&
          (moduleId === undefined || objectsIn(live.modules).some(({ module_id }) => module_id === moduleId)),
      )
      return { rows: found, total: found.length }
    },
    versions: async () => ({ rows: [], total: 0 }),
    async deploy(id, bodyOf, versionId, createdAt) {
      const before = stored.actions.find((row) => row.id === id)
      if (!before) return null
      const body = bodyOf(before)
      const deployed = { draft: null, buildDueAt: null, newest: before.newest + 1, updatedAt: createdAt }
      const row = { ...before, live: liveOf(body, before.live), ...deployed }
      stored.actions = stored.actions.map((each) => (each === before ? row : each))
      const run: StoreWrite['run'] = async ({ managedActions }, at) =>
        demand(await managedActions.deploy(id, () => body, versionId, at))
      writes.push({ table: 'actions', row, run })
      return { row, version: { id: versionId, number: row.newest, body, createdAt } }
    },
  })
}
