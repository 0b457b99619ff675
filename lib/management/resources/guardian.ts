// Second factors: which are enabled, when a login needs one, and whether phones get texts or calls.
// - Messages are sent as the process is configured, so another provider is refused.
import * as z from 'zod'
import type { ManagementScope } from '../../apis/management-scopes'
import { isJsonObject, type JsonObject } from '../../kernel/json'
import { FACTOR_RECORDS } from '../../mfa/factors/index'
import { guardianPhoneFactorMessageTypesSection, guardianPoliciesSection } from '../../tenants/settings'
import { inexistent, invalidBody } from '../errors'
import { type Operation, operationsWith } from '../operation'
import { defineSingleton, type SingletonDeps, type TenantRecord } from '../singleton'

const operation = operationsWith<SingletonDeps>()

/** The vendor's factors, in its order; those without WebAuthn and Duo exist here. */
const FACTORS = [
  'sms',
  'push-notification',
  'otp',
  'email',
  'duo',
  'webauthn-roaming',
  'webauthn-platform',
  'recovery-code',
] as const

const isServed = (name: string): boolean => (FACTOR_RECORDS as readonly string[]).includes(name)

function enabledIn({ settings }: TenantRecord): ReadonlySet<unknown> {
  const factors = Array.isArray(settings.guardianFactors) ? settings.guardianFactors.filter(isJsonObject) : []
  return new Set(factors.filter(({ enabled }) => enabled === true).map(({ name }) => name))
}

function withFactor(record: TenantRecord, name: string, enabled: boolean): TenantRecord {
  const names = new Set(enabledIn(record))
  if (enabled) names.add(name)
  else names.delete(name)
  const factors = FACTOR_RECORDS.map((each) => ({ name: each, enabled: names.has(each) }))
  return { ...record, settings: { ...record.settings, guardianFactors: factors } }
}

const factors = [
  operation({
    name: 'guardian.factors.list',
    method: 'GET',
    path: '/guardian/factors',
    summary: 'List the second factors',
    scopes: ['read:guardian_factors'],
    status: 200,
    async handle({ deps }) {
      const enabled = enabledIn(await deps.tenantRecord.read())
      return { body: FACTORS.map((name) => ({ name, enabled: enabled.has(name), trial_expired: false })) }
    },
  }),
  operation({
    name: 'guardian.factors.update',
    method: 'PUT',
    path: '/guardian/factors/:name',
    summary: 'Enable or disable a second factor',
    scopes: ['update:guardian_factors'],
    body: z.object({ enabled: z.boolean() }),
    status: 200,
    async handle({ params, body: { enabled }, deps }) {
      const { name = '' } = params
      if (!(FACTORS as readonly string[]).includes(name)) throw inexistent('factor')
      if (!isServed(name)) {
        if (enabled) throw invalidBody(`The factor ${name} does not exist here' on property 'enabled`)
        return { body: { enabled } }
      }
      const { before } = await deps.tenantRecord.change((record) => withFactor(record, name, enabled), deps.clock.now())
      return { body: { enabled }, before: { enabled: enabledIn(before).has(name) }, after: { enabled } }
    },
  }),
]

const policyNames = guardianPoliciesSection.shape.policies.unwrap()

const policiesIn = ({ settings }: TenantRecord): string[] =>
  guardianPoliciesSection.parse(isJsonObject(settings.guardianPolicies) ? settings.guardianPolicies : {}).policies

const policies = [
  operation({
    name: 'guardian.policies.list',
    method: 'GET',
    path: '/guardian/policies',
    summary: 'List the policies of second factors',
    scopes: ['read:mfa_policies'],
    status: 200,
    handle: async ({ deps }) => ({ body: policiesIn(await deps.tenantRecord.read()) }),
  }),
  operation({
    name: 'guardian.policies.update',
    method: 'PUT',
    path: '/guardian/policies',
    summary: 'Set the policies of second factors',
    scopes: ['update:mfa_policies'],
    example: ['all-applications'],
    body: policyNames,
    status: 200,
    async handle({ body: policies, deps }) {
      const alter = (record: TenantRecord): TenantRecord => ({
        ...record,
        settings: { ...record.settings, guardianPolicies: { policies } },
      })
      const { before } = await deps.tenantRecord.change(alter, deps.clock.now())
      return { body: policies, before: { policies: policiesIn(before) }, after: { policies } }
    },
  }),
]

const messageTypes = defineSingleton({
  name: 'guardian.message_types',
  title: 'types of messages to phones',
  path: '/guardian/factors/phone/message-types',
  scope: 'guardian_factors',
  method: 'PUT',
  at: ['guardianPhoneFactorMessageTypes'],
  schema: guardianPhoneFactorMessageTypesSection,
  body: guardianPhoneFactorMessageTypesSection.required() as unknown as z.ZodType<JsonObject>,
})

const READ: ManagementScope = 'read:guardian_factors'
const UPDATE: ManagementScope = 'update:guardian_factors'

/** Who sends the messages of a factor: one value, which cannot be changed. */
const selectedProvider = (factor: string, provider: string): Operation<SingletonDeps>[] => {
  const path = `/guardian/factors/${factor}/selected-provider`
  const name = `guardian.${factor.replace('-', '_')}_selected_provider`
  const title = `provider of the factor ${factor}`
  return [
    operation({
      name: `${name}.read`,
      method: 'GET',
      path,
      summary: `Read the ${title}`,
      scopes: [READ],
      status: 200,
      handle: () => ({ body: { provider } }),
    }),
    operation({
      name: `${name}.update`,
      method: 'PUT',
      path,
      summary: `Choose the ${title}`,
      scopes: [UPDATE],
      body: z.object({ provider: z.literal(provider, `Only ${provider} exists here`) }),
      status: 200,
      audited: false,
      handle: () => ({ body: { provider } }),
    }),
  ]
}

/** The credentials of a service that sends messages: none are kept here. */
const provider = (factor: string, service: string): Operation<SingletonDeps>[] => {
  const path = `/guardian/factors/${factor}/providers/${service}`
  const name = `guardian.${factor.replace('-', '_')}_${service}`
  return [
    operation({
      name: `${name}.read`,
      method: 'GET',
      path,
      summary: `Read the settings of ${service}`,
      scopes: [READ],
      status: 200,
      handle: () => ({ body: {} }),
    }),
    operation({
      name: `${name}.update`,
      method: 'PUT',
      path,
      summary: `Refused: messages are sent as the server is configured`,
      scopes: [UPDATE],
      body: z.looseObject({}),
      status: 200,
      handle() {
        throw invalidBody(`Messages are sent as this server is configured, not by ${service} of the tenant`)
      },
    }),
  ]
}

const templates = (factor: 'sms' | 'phone'): Operation<SingletonDeps>[] =>
  defineSingleton({
    name: `guardian.${factor}_templates`,
    title: 'templates of text messages',
    path: `/guardian/factors/${factor}/templates`,
    scope: 'guardian_factors',
    method: 'PUT',
    at: ['guardianTemplates'],
    schema: z.object({}),
    body: z.object({
      enrollment_message: z.string().min(1).max(5000),
      verification_message: z.string().min(1).max(5000),
    }) as unknown as z.ZodType<JsonObject>,
  })

export const guardian: readonly Operation<SingletonDeps>[] = [
  ...factors,
  ...policies,
  ...messageTypes,
  ...selectedProvider('phone', 'auth0'),
  ...selectedProvider('sms', 'auth0'),
  ...selectedProvider('push-notification', 'guardian'),
  ...provider('phone', 'twilio'),
  ...provider('sms', 'twilio'),
  ...provider('push-notification', 'sns'),
  ...provider('push-notification', 'apns'),
  ...provider('push-notification', 'fcm'),
  ...templates('sms'),
  ...templates('phone'),
]
