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
import { isJsonObject, objectsIn } from '../../../kernel/json'
import { guardian } from '../../resources/guardian'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { oneOf } from '../elsewhere'
import type { Json, JsonObject } from '../model'
import { operate } from '../working-copy'
import { changedBy, settingsSection } from './settings'

const isKnown = oneOf(...FACTOR_RECORDS)
const factor = z.object({ name: z.enum(FACTOR_RECORDS), enabled: z.boolean() })

const switched = settingsSection({
  name: 'guardianFactors',
  fields: z.record(z.string(), z.boolean()),
  async operate(entry, _before, context) {
    for (const [name, enabled] of Object.entries(entry))
      await operate(guardian.factorsUpdate, { params: { name }, body: { enabled } }, context)
  },
  shown: switches,
})

export const guardianFactors: Section = {
  ...switched,
  async plan(given, context) {
    const wanted: JsonObject = {}
    for (const { value, path } of itemsOf(given, switched.name, 'name', context)) {
      if (value.name !== undefined && !isKnown(value.name)) {
        if (value.enabled !== false) context.notApplied.push(path)
        continue
      }
      const read = readFields(factor, value, path, context)
      if (read) wanted[read.parsed.name] = read.parsed.enabled
    }
    await switched.plan(wanted, context)
  },
}

/** Name → whether it is enabled, for comparison and display. */
function switches(stored: Json | undefined): JsonObject {
  return Object.fromEntries(objectsIn(stored).map(({ name, enabled }) => [String(name), enabled === true]))
}

/** Whether a factor is enabled, by the file or in the tenant. */
export const isSwitchedOn = (name: string, { stored }: PlanContext): boolean =>
  switches(stored.tenant?.settings[switched.name])[name] === true

const policies = settingsSection({
  name: 'guardianPolicies',
  fields: guardianPoliciesSection,
  operate: ({ policies: body }, _before, context) => body && operate(guardian.policiesUpdate, { body }, context),
})

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

export const guardianPhoneFactorMessageTypes = settingsSection({
  name: 'guardianPhoneFactorMessageTypes',
  fields: guardianPhoneFactorMessageTypesSection,
  operate: changedBy(guardian.messageTypes.update),
})

/** The provider of messages decides between the account and this server's own sender. */
export const guardianPhoneFactorSelectedProvider = settingsSection({
  name: 'guardianPhoneFactorSelectedProvider',
  fields: guardianPhoneFactorSelectedProviderSection,
  async operate({ provider: given }, _before, context) {
    if (given === undefined) return
    const { phoneProvider } = context.stored
    const account = phoneProvider?.name === 'twilio' && !phoneProvider.disabled ? 'twilio' : 'auth0'
    const provider = given === 'phone-message-hook' ? given : account
    await operate(guardian.phoneProvider.select, { body: { provider } }, context)
    if (provider !== given)
      context.notApplied.push(
        `guardianPhoneFactorSelectedProvider.provider: ${JSON.stringify(given)} (phoneProviders decides: ${account})`,
      )
  },
})

export const guardianWebauthnRoaming = settingsSection({
  name: 'guardianWebauthnRoaming',
  fields: guardianWebauthnRoamingSection,
  operate: changedBy(guardian.webauthnRoaming.update),
})
