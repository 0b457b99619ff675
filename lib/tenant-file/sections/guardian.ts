// The vendor's records about second factors: which are switched on (`guardianFactors`, a list that is merged by name), when a
// login needs one (`guardianPolicies`), and whether phones are called (`guardianPhoneFactorMessageTypes`).
// - A factor that there is none of here is named as not applied, if the file wants it; a policy without a factor too: it asks
//   nobody for anything.
import * as z from 'zod'
import {
  GUARDIAN_FACTORS,
  guardianPhoneFactorMessageTypesSection,
  guardianPoliciesSection,
} from '../../tenants/settings'
import { itemsOf, oneOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { Json, JsonObject } from '../model'
import { isJsonObject } from '../read'
import { putSetting, settingsSection } from './settings'

const NAME = 'guardianFactors'
const isKnown = oneOf(...GUARDIAN_FACTORS)
const factor = z.object({ name: z.enum(GUARDIAN_FACTORS), enabled: z.boolean() })

export const guardianFactors: Section = {
  name: NAME,
  plan(given, context) {
    const before = switches(context.stored.tenant?.settings[NAME])
    const after = { ...before }
    for (const { value, path } of itemsOf(given, NAME, 'name', context)) {
      if (value.name !== undefined && !isKnown(value.name)) {
        if (value.enabled !== false) context.notApplied.push(path)
        continue
      }
      const read = readFields(factor, value, path, context)
      if (read) after[read.parsed.name] = read.parsed.enabled
    }
    putSetting(NAME, listOf(after), differences(before, after), context)
  },
  export(stored) {
    const factors = stored.tenant?.settings[NAME]
    return Array.isArray(factors) && factors.length > 0 ? factors : undefined
  },
}

/** Name → whether it is on, as what is compared and shown. */
const switches = (stored: Json | undefined): JsonObject =>
  Object.fromEntries(
    (Array.isArray(stored) ? stored.filter(isJsonObject) : []).map(({ name, enabled }) => [
      String(name),
      enabled === true,
    ]),
  )

const listOf = (factors: JsonObject): Json[] =>
  Object.entries(factors).map(([name, enabled]) => ({ name, enabled: enabled ?? false }))

/** Whether a factor of the file, or of the tenant, is on. */
export const isSwitchedOn = (name: (typeof GUARDIAN_FACTORS)[number], { stored }: PlanContext): boolean =>
  switches(stored.tenant?.settings[NAME])[name] === true

const policies = settingsSection('guardianPolicies', guardianPoliciesSection)

export const guardianPolicies: Section = {
  ...policies,
  plan(given, context) {
    policies.plan(given, context)
    const asks = isJsonObject(given) && Array.isArray(given.policies) && given.policies.length > 0
    const answers = GUARDIAN_FACTORS.some((name) => name !== 'recovery-code' && isSwitchedOn(name, context))
    if (asks && !answers)
      context.notApplied.push('guardianPolicies: no factor is switched on, so no login asks for one')
  },
}

export const guardianPhoneFactorMessageTypes = settingsSection(
  'guardianPhoneFactorMessageTypes',
  guardianPhoneFactorMessageTypesSection,
)
