// The three sections that are one record each: `tenant`, `branding`, `attackProtection`. They share a tenant's
// settings, each under its own name.
import type { z } from 'zod'
import { type PlanContext, readFields, type Section, setAside, type Unsupported } from '../context'
import { differences, merge, sorted } from '../fields'
import type { JsonObject } from '../model'
import { isJsonObject } from '../read'

export const settingsSection = (
  name: string,
  schema: z.ZodType,
  unsupported: readonly Unsupported[] = [],
): Section => ({
  name,
  plan(given, context) {
    if (!isJsonObject(given)) {
      context.problems.push({ path: name, reason: 'must be a map of fields' })
      return
    }
    const read = readFields(schema, setAside(given, name, unsupported, context), name, context)
    if (read) putSettings(name, read.known, context)
  },
  export(stored) {
    const settings = stored.tenant?.settings[name]
    return isJsonObject(settings) && Object.keys(settings).length > 0 ? sorted(settings) : undefined
  },
})

function putSettings(name: string, given: JsonObject, context: PlanContext): void {
  const tenant = context.stored.tenant ?? { name: context.tenantId, settings: {} }
  const before = section(tenant.settings, name)
  const after = merge(before, given)
  const details = differences(before, after)
  if (details.length === 0) return
  const friendly = name === 'tenant' && typeof after.friendly_name === 'string' ? after.friendly_name : tenant.name
  const row = { name: friendly, settings: { ...tenant.settings, [name]: after } }
  context.changes.push({ section: name, action: 'update', name, details, write: { table: 'tenant', row } })
  context.stored.tenant = row
}

function section(settings: JsonObject, name: string): JsonObject {
  const value = settings[name]
  return isJsonObject(value) ? value : {}
}
