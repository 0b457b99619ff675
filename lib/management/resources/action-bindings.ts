// The actions of each trigger, in order: a list that is replaced as a whole.

import * as z from 'zod'
import type { TriggerName } from '../../data/tenants/triggers'
import { bindingsIn, MAX_BOUND, mostBound, type TriggerBindings } from '../../data/tenants/triggers'
import { isTrigger } from '../../identity/tenant-code/actions/check'
import { type Json, type JsonObject, objectIn } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { inexistent, invalidBody } from '../operations/errors'
import { pagedObject, pagedShape, pageOf, pageQuery } from '../operations/list'
import { operationsWith } from '../operations/operation'
import type { SingletonDeps, TenantRecord } from '../operations/singleton'
import { type ActionDeps, type ActionResourceRow, presentAction, shownAction } from './actions'

/** What a tenant file allows and the API does not. */
export type BindingDoor = {
  /** An action that is not there, or is made for another trigger, is bound by its name. It fails when the trigger runs. */
  bindsUnfit?: true
}

export type BindingDeps = ActionDeps & Pick<SingletonDeps, 'tenantRecord'> & BindingDoor

type Binding = NonNullable<TriggerBindings[TriggerName]>[number]

const operation = operationsWith<BindingDeps>()

const body = z.looseObject({
  bindings: z
    .array(
      z.looseObject({
        ref: z.object({ type: z.enum(['action_id', 'action_name', 'binding_id']), value: z.string().min(1).max(300) }),
        display_name: z.string().max(255).optional(),
      }),
    )
    .max(MAX_BOUND),
})

/** An action that was removed since has a name alone. */
const shown = z.object({
  id: z.string(),
  trigger_id: z.string(),
  display_name: z.string(),
  action: z.union([shownAction, z.object({ name: z.string() })]),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
})

export const actionBindings = {
  bindingsList: operation({
    name: 'actions.bindings.list',
    method: 'GET',
    path: '/actions/triggers/:id/bindings',
    summary: 'List the actions of a trigger in their order',
    scopes: ['read:actions'],
    query: z.object(pageQuery),
    status: 200,
    answer: z.object({ bindings: z.array(shown), ...pagedShape }),
    async handle({ params, query, deps }) {
      const trigger = existingTrigger(params.id)
      const bound = bindingsIn((await deps.tenantRecord.read()).settings)[trigger] ?? []
      const { offset, limit } = pageOf(query).window
      const part = bound.slice(offset, offset + limit)
      const bindings = await mapBounded(part, (binding) => presentBinding(binding, trigger, deps))
      return { body: pagedObject('bindings', query, { rows: bindings, total: bound.length }) }
    },
  }),
  bindingsUpdate: operation({
    name: 'actions.bindings.update',
    example: { bindings: [] },
    examplePath: { id: 'post-login' },
    method: 'PATCH',
    path: '/actions/triggers/:id/bindings',
    summary: 'Replace the actions of a trigger',
    scopes: ['update:actions'],
    target: 'tenant',
    body,
    status: 200,
    answer: z.object({ bindings: z.array(shown) }),
    async handle({ params, body: { bindings: given }, deps }) {
      const trigger = existingTrigger(params.id)
      if (given.length > mostBound(trigger))
        throw invalidBody(`At most ${mostBound(trigger)} can be bound at ${trigger}`)
      const bound: Binding[] = []
      for (const { ref, display_name } of given) {
        const name = deps.bindsUnfit ? ref.value : (await boundAction(ref, trigger, deps)).name
        if (bound.some(({ action_name }) => action_name === name)) throw invalidBody(`${name} is bound twice`)
        bound.push({ action_name: name, ...(display_name === undefined ? {} : { display_name }) })
      }
      const alter = ({ settings, ...record }: TenantRecord): TenantRecord => ({
        ...record,
        settings: { ...settings, triggers: { ...objectIn(settings.triggers), [trigger]: bound as Json } },
      })
      const { before } = await deps.tenantRecord.change(alter, deps.clock.now())
      const bindings = await mapBounded(bound, (binding) => presentBinding(binding, trigger, deps))
      return {
        body: { bindings },
        before: { bindings: namesOf(bindingsIn(before.settings)[trigger]) },
        after: { bindings: namesOf(bound) },
      }
    },
  }),
}

const namesOf = (bindings: readonly Binding[] = []): string[] => bindings.map(({ action_name }) => action_name)

function existingTrigger(id = ''): TriggerName {
  if (!isTrigger(id)) throw inexistent('trigger')
  return id
}

/** A binding has the id of its action: an action is bound to a trigger once. */
async function boundAction(
  { type, value }: { type: string; value: string },
  trigger: TriggerName,
  { managedActions }: BindingDeps,
): Promise<ActionResourceRow> {
  const named = async () => (await managedActions.list({ actionName: value }, { offset: 0, limit: 1 })).rows[0]
  const row = type === 'action_name' ? await named() : await managedActions.find(value)
  if (!row) throw invalidBody(`No action is called ${value}`)
  if (row.live.deployed === false) throw invalidBody(`${row.name} is not deployed`)
  if (row.live.trigger !== trigger) throw invalidBody(`${row.name} is made for ${String(row.live.trigger)}`)
  return row
}

async function presentBinding(
  { action_name, display_name }: Binding,
  trigger: TriggerName,
  deps: BindingDeps,
): Promise<JsonObject> {
  const [row] = (await deps.managedActions.list({ actionName: action_name }, { offset: 0, limit: 1 })).rows
  return {
    id: row?.id ?? action_name,
    trigger_id: trigger,
    display_name: display_name ?? action_name,
    action: row ? await presentAction(row, deps) : { name: action_name },
    created_at: row?.createdAt.toISOString() ?? null,
    updated_at: row?.updatedAt.toISOString() ?? null,
  }
}
