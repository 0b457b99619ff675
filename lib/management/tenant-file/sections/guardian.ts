// The vendor's records of second factors: which are enabled (`guardianFactors`, a list merged by name), when a login needs one
// (`guardianPolicies`), whether phones are called (`guardianPhoneFactorMessageTypes`), and whether security keys recognize the person.
// - An unsupported factor is reported as not applied, if the file enables it; so is a policy without an enabled factor, because
//   it has no effect.

import * as z from 'zod'
import {
  guardianPhoneFactorMessageTypesSection,
  guardianPhoneFactorSelectedProviderSection,
  guardianPoliciesSection,
  guardianWebauthnRoamingSection,
} from '../../../data/tenants/settings'
import { FACTOR_RECORDS, FACTORS } from '../../../identity/mfa/factors/index'
import { isJsonObject } from '../../../kernel/json'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { oneOf } from '../elsewhere'
import { differences } from '../fields'
import type { Json, JsonObject } from '../model'
import { putSetting, settingsSection } from './settings'

const NAME = 'guardianFactors'
const isKnown = oneOf(...FACTOR_RECORDS)
const factor = z.object({ name: z.enum(FACTOR_RECORDS), enabled: z.boolean() })

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

/** Name → whether it is enabled, for comparison and display. */
const switches = (stored: Json | undefined): JsonObject =>
  Object.fromEntries(
    (Array.isArray(stored) ? stored.filter(isJsonObject) : []).map(({ name, enabled }) => [
      String(name),
      enabled === true,
    ]),
  )

const listOf = (factors: JsonObject): Json[] =>
  Object.entries(factors).map(([name, enabled]) => ({ name, enabled: enabled ?? false }))

/** Whether a factor is enabled, by the file or in the tenant. */
export const isSwitchedOn = (name: string, { stored }: PlanContext): boolean =>
  switches(stored.tenant?.settings[NAME])[name] === true

const policies = settingsSection('guardianPolicies', guardianPoliciesSection)

export const guardianPolicies: Section = {
  ...policies,
  async plan(given, context) {
    await policies.plan(given, context)
    const asks = isJsonObject(given) && Array.isArray(given.policies) && given.policies.length > 0
    const answers = FACTORS.some(({ isFallback, names }) => !isFallback && isSwitchedOn(names.record, context))
    if (asks && !answers)
      context.notApplied.push('guardianPolicies: no factor is switched on, so no login asks for one')
  },
}

export const guardianPhoneFactorMessageTypes = settingsSection(
  'guardianPhoneFactorMessageTypes',
  guardianPhoneFactorMessageTypesSection,
)

const selected = settingsSection('guardianPhoneFactorSelectedProvider', guardianPhoneFactorSelectedProviderSection)

export const guardianPhoneFactorSelectedProvider: Section = {
  ...selected,
  async plan(given, context) {
    await selected.plan(given, context)
    const { phoneProvider } = context.stored
    const account = phoneProvider?.name === 'twilio' && !phoneProvider.disabled ? 'twilio' : 'auth0'
    const provider = isJsonObject(given) ? given.provider : undefined
    if ((provider === 'twilio' || provider === 'auth0') && provider !== account)
      context.notApplied.push(`${selected.name}.provider: "${provider}" (phoneProviders decides: ${account})`)
  },
}

export const guardianWebauthnRoaming = settingsSection('guardianWebauthnRoaming', guardianWebauthnRoamingSection)
