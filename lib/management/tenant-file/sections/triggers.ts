// `triggers`: the actions of each trigger, in order. A trigger in the file is replaced, the others stay. An unknown action is
// reported. At a trigger that decides access it stays bound, and so denies (threat-model.md AC3); elsewhere it is left out.

import * as z from 'zod'
import type { TriggerName } from '../../../data/tenants/triggers'
import { mostBound } from '../../../data/tenants/triggers'
import { decidesAccess } from '../../../identity/tenant-code/actions/action'
import { isTrigger } from '../../../identity/tenant-code/actions/check'
import { isJsonObject, objectIn, objectsIn } from '../../../kernel/json'
import { actionBindings } from '../../resources/action-bindings'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import type { Json, JsonObject } from '../model'
import { operate } from '../working-copy'
import { findAction } from './actions'
import { settingsSection } from './settings'

const NAME = 'triggers'

const binding = z.object({ action_name: z.string().min(1).max(255), display_name: z.string().max(255).optional() })

const section = settingsSection({
  name: NAME,
  fields: z.record(z.string(), z.json()),
  async operate(bound, _before, context) {
    for (const [id, bindings = []] of Object.entries(bound))
      await operate(actionBindings.bindingsUpdate, { params: { id }, body: { bindings } }, context, {
        bindsUnfit: true,
      })
  },
})

export const triggers: Section = {
  ...section,
  async plan(given, context) {
    if (!isJsonObject(given)) {
      context.problems.push({ path: NAME, reason: 'must be a map of triggers' })
      return
    }
    const before = objectIn(context.stored.tenant?.settings[NAME])
    const after: JsonObject = {}
    for (const [trigger, list] of Object.entries(given)) {
      if (isTrigger(trigger)) {
        const bound = bindings(trigger, list ?? [], context)
        // An empty list for a trigger without bindings is no change.
        if (bound.length > 0 || before[trigger] !== undefined) after[trigger] = bound
      } else if (!Array.isArray(list) || list.length > 0) context.notApplied.push(`${NAME}.${trigger}`)
    }
    if (Object.keys(after).length > 0) await section.plan(after, context)
  },
  export({ tenant }) {
    const bound = Object.entries(objectIn(tenant?.settings[NAME])).filter(([, list]) => objectsIn(list).length > 0)
    return bound.length === 0 ? undefined : Object.fromEntries(bound)
  },
}

/** As the API takes them. */
function bindings(trigger: TriggerName, given: Json, context: PlanContext): Json[] {
  const items = itemsOf(given, `${NAME}.${trigger}`, 'action_name', context)
  const most = mostBound(trigger)
  if (items.length > most)
    context.problems.push({
      path: `${NAME}.${trigger}`,
      reason: `must have at most ${most} ${most === 1 ? 'action' : 'actions'}`,
    })
  return items.flatMap(({ value, path }): Json[] => {
    const read = readFields(binding, value, path, context)
    if (!read) return []
    const problem = bindingProblem(read.parsed.action_name, trigger, context)
    if (problem !== null) context.notApplied.push(`${path}: ${problem}`)
    const { action_name = '', ...rest } = read.known
    const bound = { ref: { type: 'action_name', value: action_name }, ...rest }
    return problem === null || decidesAccess(trigger) ? [bound] : []
  })
}

function bindingProblem(name: string, trigger: TriggerName, { stored }: PlanContext): string | null {
  const action = findAction(name, stored)
  const instead = decidesAccess(trigger) ? 'it fails and denies' : 'nothing runs in its place'
  if (!action) return `there is no such action here, so ${instead}`
  const made = action.live.trigger
  return made === trigger ? null : `the action is made for ${String(made)}`
}
