// The sections that are one record each, such as `tenant`, `branding` and `attackProtection`. Each is a member of the tenant's
// settings.

import type * as z from 'zod'
import { isJsonObject, mergeObjects } from '../../../kernel/json'
import { type PlanContext, readFields, type Section } from '../context'
import type { Elsewhere } from '../elsewhere'
import { differences, sorted } from '../fields'
import type { Json, JsonObject } from '../model'

export const settingsSection = (
  name: string,
  schema: z.ZodType,
  elsewhere: Elsewhere = {},
  seal: Seal = (given) => given,
): Section => ({
  name,
  plan(given, context) {
    if (!isJsonObject(given)) {
      context.problems.push({ path: name, reason: 'must be a map of fields' })
      return
    }
    const read = readFields(schema, given, name, context, elsewhere)
    if (read) putSettings(name, seal(read.known, storedSection(name, context), context), context)
  },
  export(stored) {
    const settings = stored.tenant?.settings[name]
    return isJsonObject(settings) && Object.keys(settings).length > 0 ? sorted(settings) : undefined
  },
})

/** Replaces the secrets of a section; an unchanged one keeps its sealed value. */
type Seal = (given: JsonObject, before: JsonObject, context: PlanContext) => JsonObject

function putSettings(name: string, given: JsonObject, context: PlanContext): void {
  const before = storedSection(name, context)
  const after = mergeObjects(before, given)
  putSetting(name, after, differences(before, after), context)
}

/** Writes one of the tenant's settings if it differs. */
export function putSetting(name: string, after: JsonObject | Json[], details: string[], context: PlanContext): void {
  if (details.length === 0) return
  const tenant = context.stored.tenant ?? { name: context.tenantId, settings: {} }
  const named = name === 'tenant' && isJsonObject(after) ? after.friendly_name : undefined
  const friendly = typeof named === 'string' ? named : tenant.name
  const row = { name: friendly, settings: { ...tenant.settings, [name]: after } }
  context.changes.push({
    section: name,
    action: 'update',
    name,
    details,
    writes: [{ table: 'tenant', row }],
    records: [],
  })
  context.stored.tenant = row
}

function storedSection(name: string, { stored }: PlanContext): JsonObject {
  const value = stored.tenant?.settings[name]
  return isJsonObject(value) ? value : {}
}
