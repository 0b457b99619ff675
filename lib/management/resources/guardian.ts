// Second factors: which are enabled, when a login needs one, and whether phones get texts or calls.
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import {
  guardianPhoneFactorMessageTypesSection,
  guardianPoliciesSection,
  guardianWebauthnRoamingSection,
} from '../../data/tenants/settings'
import { FACTOR_RECORDS } from '../../identity/mfa/factors/index'
import { isJsonObject, type JsonObject, objectIn, objectsIn } from '../../kernel/json'
import { MASK } from '../../kernel/secret'
import type { DocumentDeps } from '../operations/documents'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { emptyAnswer, type Operation, operationsWith } from '../operations/operation'
import { defineSingleton, type SingletonDeps, type TenantRecord } from '../operations/singleton'
import { idOf, type PhoneProviderDeps, type PhoneProviderRow, phoneProviders } from './phone-providers'

export type GuardianDeps = SingletonDeps &
  DocumentDeps &
  PhoneProviderDeps & {
    /** What is wrong with a source in Liquid; null if nothing. */
    templateFault(source: string): Promise<string | null>
  }

const operation = operationsWith<GuardianDeps>()

const TEMPLATES = 'phone-template'
const TEMPLATE_ID = 'guardian'

/** With these the vendor's list begins. All factors of the list but Duo exist here. */
const FIRST: readonly string[] = ['sms', 'push-notification', 'otp', 'email', 'duo']
const LISTED = [...FIRST, ...FACTOR_RECORDS.filter((name) => !FIRST.includes(name))]

const isServed = (name: string): boolean => FACTOR_RECORDS.includes(name)

const enabledIn = ({ settings }: TenantRecord): ReadonlySet<unknown> =>
  new Set(objectsIn(settings.guardianFactors).flatMap(({ name, enabled }) => (enabled === true ? [name] : [])))

function withFactor({ settings, ...record }: TenantRecord, name: string, enabled: boolean): TenantRecord {
  const factors = new Map(objectsIn(settings.guardianFactors).map((factor) => [factor.name, factor]))
  factors.set(name, { name, enabled })
  return { ...record, settings: { ...settings, guardianFactors: [...factors.values()] } }
}

const switched = z.object({ enabled: z.boolean() })

const factors = {
  factorsList: operation({
    name: 'guardian.factors.list',
    method: 'GET',
    path: '/guardian/factors',
    summary: 'List the second factors',
    scopes: ['read:guardian_factors'],
    status: 200,
    answer: z.array(switched.extend({ name: z.string(), trial_expired: z.boolean() })),
    async handle({ deps }) {
      const enabled = enabledIn(await deps.tenantRecord.read())
      return { body: LISTED.map((name) => ({ name, enabled: enabled.has(name), trial_expired: false })) }
    },
  }),
  factorsUpdate: operation({
    name: 'guardian.factors.update',
    console: true,
    example: { enabled: true },
    examplePath: { name: 'otp' },
    method: 'PUT',
    path: '/guardian/factors/:name',
    summary: 'Enable or disable a second factor',
    scopes: ['update:guardian_factors'],
    target: 'tenant',
    body: switched,
    status: 200,
    answer: switched,
    async handle({ params, body: { enabled }, deps }) {
      const { name = '' } = params
      if (!LISTED.includes(name)) throw inexistent('factor')
      if (!isServed(name)) {
        if (enabled) throw invalidBody({ path: 'enabled', message: `The factor ${name} does not exist here` })
        return { body: { enabled } }
      }
      const { before } = await deps.tenantRecord.change((record) => withFactor(record, name, enabled), deps.clock.now())
      return { body: { enabled }, before: { enabled: enabledIn(before).has(name) }, after: { enabled } }
    },
  }),
}

const policyNames = guardianPoliciesSection.shape.policies.unwrap()

const policiesIn = ({ settings }: TenantRecord): string[] =>
  guardianPoliciesSection.parse(isJsonObject(settings.guardianPolicies) ? settings.guardianPolicies : {}).policies

const policies = {
  policiesList: operation({
    name: 'guardian.policies.list',
    method: 'GET',
    path: '/guardian/policies',
    summary: 'List the policies of second factors',
    scopes: ['read:mfa_policies'],
    status: 200,
    answer: policyNames,
    handle: async ({ deps }) => ({ body: policiesIn(await deps.tenantRecord.read()) }),
  }),
  policiesUpdate: operation({
    name: 'guardian.policies.update',
    console: true,
    method: 'PUT',
    path: '/guardian/policies',
    summary: 'Set the policies of second factors',
    scopes: ['update:mfa_policies'],
    target: 'tenant',
    example: ['all-applications'],
    body: policyNames,
    status: 200,
    answer: policyNames,
    async handle({ body: policies, deps }) {
      const alter = (record: TenantRecord): TenantRecord => ({
        ...record,
        settings: { ...record.settings, guardianPolicies: { policies } },
      })
      const { before } = await deps.tenantRecord.change(alter, deps.clock.now())
      return { body: policies, before: { policies: policiesIn(before) }, after: { policies } }
    },
  }),
}

const messageTypes = defineSingleton({
  name: 'guardian.message_types',
  console: true,
  title: 'types of messages to phones',
  path: '/guardian/factors/phone/message-types',
  scope: 'guardian_factors',
  method: 'PUT',
  at: ['guardianPhoneFactorMessageTypes'],
  example: { message_types: ['sms', 'voice'] },
  schema: guardianPhoneFactorMessageTypesSection,
  body: guardianPhoneFactorMessageTypesSection.required(),
})

/** An authenticator gives a key to pages of one host, which is that of the tenant. */
const ownParty = z.strictObject({
  userVerification: z.enum(['discouraged', 'preferred', 'required']).optional(),
  overrideRelyingParty: z.literal(false, 'The relying party is the host of the tenant').optional(),
  relyingPartyIdentifier: z.null().optional(),
})

const ownRelyingParty = z.object({ overrideRelyingParty: z.literal(false) })
const OWN_PARTY = { overrideRelyingParty: false }

const webauthnRoaming = defineSingleton({
  name: 'guardian.webauthn_roaming',
  console: true,
  title: 'settings of security keys',
  path: '/guardian/factors/webauthn-roaming/settings',
  scope: 'guardian_factors',
  method: 'PUT',
  at: ['guardianWebauthnRoaming'],
  example: { userVerification: 'preferred', overrideRelyingParty: false },
  schema: guardianWebauthnRoamingSection,
  body: ownParty,
  accept: ({ userVerification }): JsonObject => (userVerification === undefined ? {} : { userVerification }),
  always: OWN_PARTY,
  answer: guardianWebauthnRoamingSection.extend(ownRelyingParty.shape),
  present: (members) => ({ ...members, ...OWN_PARTY }),
})

/** A device always recognizes the person, so there is nothing to set. */
const webauthnPlatform = {
  webauthnPlatformRead: operation({
    name: 'guardian.webauthn_platform.read',
    method: 'GET',
    path: '/guardian/factors/webauthn-platform/settings',
    summary: 'Read the settings of devices that recognize a person',
    scopes: ['read:guardian_factors'],
    status: 200,
    answer: ownRelyingParty,
    handle: () => ({ body: OWN_PARTY }),
  }),
  webauthnPlatformUpdate: operation({
    name: 'guardian.webauthn_platform.update',
    method: 'PUT',
    path: '/guardian/factors/webauthn-platform/settings',
    summary: 'Accepts the settings that always apply',
    scopes: ['update:guardian_factors'],
    target: 'tenant',
    body: ownParty.omit({ userVerification: true }),
    example: { overrideRelyingParty: false },
    status: 200,
    answer: ownRelyingParty,
    audited: false,
    handle: () => ({ body: OWN_PARTY }),
  }),
}

const READ: ManagementScope = 'read:guardian_factors'
const UPDATE: ManagementScope = 'update:guardian_factors'

/** The product's own sender, and the account of the tenant's. */
const OWN = 'auth0'
const ACCOUNT = 'twilio'
/** An action of the tenant delivers the codes of second factors (docs/actions.md). */
const HOOK = 'phone-message-hook'

const accountBody = z.strictObject({
  from: z.string().max(40).nullish(),
  messaging_service_sid: z.string().max(64).nullish(),
  auth_token: z.string().max(200).nullish(),
  sid: z.string().max(64).nullish(),
})

/** The words around a code are those of a phone template. */
const PHONE_TEMPLATES: readonly ManagementScope[] = ['create:phone_templates', 'update:phone_templates']

/** The account also sends what has nothing to do with second factors. */
const PHONE_PROVIDERS: readonly ManagementScope[] = ['create:phone_providers', 'update:phone_providers']

const shownSelected = z.object({ provider: z.enum([OWN, ACCOUNT, HOOK]) })
/** Without members while there is no account. */
const shownAccount = z
  .object({
    sid: z.string().nullable(),
    auth_token: z.string(),
    from: z.string().nullable(),
    messaging_service_sid: z.string().nullable(),
  })
  .partial()

/** Who sends the text messages and calls: the same for both names of the factor, and for /branding/phone/providers. */
const phoneProvider = (factor: 'sms' | 'phone') => {
  const selected = `/guardian/factors/${factor}/selected-provider`
  const account = `/guardian/factors/${factor}/providers/${ACCOUNT}`
  return {
    selected: operation({
      name: `guardian.${factor}_selected_provider.read`,
      method: 'GET',
      path: selected,
      summary: 'Read who sends text messages and calls',
      scopes: [READ],
      status: 200,
      answer: shownSelected,
      handle: async ({ deps }) => ({
        body: selectedOf(await deps.tenantRecord.read(), await deps.phoneProvider.find()),
      }),
    }),
    select: operation({
      name: `guardian.${factor}_selected_provider.update`,
      method: 'PUT',
      path: selected,
      summary: 'Choose who sends text messages and calls',
      scopes: [UPDATE],
      target: 'tenant',
      needs: PHONE_PROVIDERS,
      body: z.object({ provider: z.enum([OWN, ACCOUNT, HOOK], `must be ${OWN}, ${ACCOUNT} or ${HOOK}`) }),
      example: { provider: OWN },
      status: 200,
      answer: shownSelected,
      async handle(call) {
        const { body, deps } = call
        const { provider } = body
        const row = await deps.phoneProvider.find()
        const disabled = provider === OWN
        if (row?.name !== ACCOUNT && provider === ACCOUNT) throw invalidBody(`No account of ${ACCOUNT} is stored`)
        if (row?.name === ACCOUNT && provider !== HOOK && row.disabled !== disabled)
          await phoneProviders.change.handle({ ...call, params: { id: idOf(row) }, body: { disabled }, ifMatch: null })
        const select = ({ settings, ...rest }: TenantRecord): TenantRecord => ({
          ...rest,
          settings: { ...settings, guardianPhoneFactorSelectedProvider: { provider } },
        })
        const records = await deps.tenantRecord.change(select, deps.clock.now())
        const after = selectedOf(records.after, await deps.phoneProvider.find())
        return { body: after, before: selectedOf(records.before, row), after }
      },
    }),
    account: operation({
      name: `guardian.${factor}_twilio.read`,
      method: 'GET',
      path: account,
      summary: 'Read the account that sends text messages and calls',
      scopes: [READ],
      status: 200,
      answer: shownAccount,
      handle: async ({ deps }) => ({ body: accountOf(await deps.phoneProvider.find()) }),
    }),
    setAccount: operation({
      name: `guardian.${factor}_twilio.update`,
      method: 'PUT',
      path: account,
      summary: 'Store the account that sends text messages and calls once it is chosen',
      example: { sid: `AC${'0'.repeat(32)}`, from: '+15005550006', auth_token: 'the-token-of-the-account' },
      scopes: [UPDATE],
      target: 'tenant',
      needs: PHONE_PROVIDERS,
      body: accountBody,
      status: 200,
      answer: shownAccount,
      async handle(call) {
        const { body, deps } = call
        const { sid = null, from = null, messaging_service_sid: mssid = null, auth_token } = body
        const row = await deps.phoneProvider.find()
        if (row && row.name !== ACCOUNT)
          throw conflict(`The provider of messages is ${row.name}.`, 'phone_provider_conflict')
        const delivery_methods = row?.configuration.delivery_methods ?? ['text']
        const account = {
          configuration: { sid, default_from: from, mssid, delivery_methods },
          credentials: auth_token ? { auth_token } : {},
        }
        await (row
          ? phoneProviders.change.handle({ ...call, params: { id: idOf(row) }, body: account, ifMatch: null })
          : phoneProviders.make.handle({ ...call, body: { name: ACCOUNT, disabled: true, ...account } }))
        const after = accountOf(await deps.phoneProvider.find())
        return { body: after, before: accountOf(row), after }
      },
    }),
  }
}

function selectedOf({ settings }: TenantRecord, row: PhoneProviderRow | null): JsonObject {
  const { provider } = objectIn(settings.guardianPhoneFactorSelectedProvider)
  if (provider === HOOK) return { provider }
  return { provider: row?.name === ACCOUNT && !row.disabled ? ACCOUNT : OWN }
}

function accountOf(row: PhoneProviderRow | null): JsonObject {
  if (row?.name !== ACCOUNT) return {}
  const { sid, default_from: from, mssid } = row.configuration
  return {
    sid,
    auth_token: MASK,
    ...(from === undefined ? {} : { from }),
    ...(mssid === undefined ? {} : { messaging_service_sid: mssid }),
  }
}

const ownPush = z.object({ provider: z.literal('guardian') })

const pushProvider = {
  pushNotificationSelectedProviderRead: operation({
    name: 'guardian.push_notification_selected_provider.read',
    method: 'GET',
    path: '/guardian/factors/push-notification/selected-provider',
    summary: 'Read who sends prompts to devices',
    scopes: [READ],
    status: 200,
    answer: ownPush,
    handle: () => ({ body: { provider: 'guardian' } }),
  }),
  pushNotificationSelectedProviderUpdate: operation({
    name: 'guardian.push_notification_selected_provider.update',
    method: 'PUT',
    path: '/guardian/factors/push-notification/selected-provider',
    summary: 'Choose who sends prompts to devices',
    scopes: [UPDATE],
    target: 'tenant',
    body: z.object({ provider: z.literal('guardian', 'Only guardian exists here') }),
    example: { provider: 'guardian' },
    status: 200,
    answer: ownPush,
    audited: false,
    handle: () => ({ body: { provider: 'guardian' } }),
  }),
}

/** Services for an app of the tenant's own; a device here is a page, which needs none. */
const refused = (title: string, path: string, methods: readonly ('PUT' | 'PATCH')[]): Operation<GuardianDeps>[] => {
  const name = `guardian.${title}`
  return [
    operation({
      name: `${name}.read`,
      method: 'GET',
      path,
      summary: `Read the settings of ${title}: none here`,
      scopes: [READ],
      status: 200,
      answer: emptyAnswer,
      handle: () => ({ body: {} }),
    }),
    ...methods.map((method) =>
      operation({
        name: `${name}.${method === 'PUT' ? 'update' : 'change'}`,
        method,
        path,
        summary: `Refused: ${title} does not exist here`,
        scopes: [UPDATE],
        target: 'tenant',
        body: z.looseObject({}),
        status: 200,
        answer: emptyAnswer,
        handle() {
          throw invalidBody(`${title} does not exist here`)
        },
      }),
    ),
  ]
}

const PUSH = '/guardian/factors/push-notification/providers'
const refusedProviders: Operation<GuardianDeps>[] = [
  ...['sns', 'apns', 'fcm', 'fcmv1'].flatMap((service) => refused(service, `${PUSH}/${service}`, ['PUT', 'PATCH'])),
  ...refused('duo', '/guardian/factors/duo/settings', ['PUT', 'PATCH']),
]

const templateBody = z.strictObject({
  enrollment_message: z.string().min(1).max(5000),
  verification_message: z.string().min(1).max(5000),
})

/** The words of codes for second factors and for logins without a password, while no phone template has them. */
const templates = (factor: 'sms' | 'phone'): Operation<GuardianDeps>[] => {
  const path = `/guardian/factors/${factor}/templates`
  return [
    operation({
      name: `guardian.${factor}_templates.read`,
      method: 'GET',
      path,
      summary: 'Read the templates of text messages and calls',
      scopes: [READ],
      status: 200,
      answer: templateBody.partial(),
      handle: async ({ deps }) => ({ body: (await deps.documents.find(TEMPLATES, TEMPLATE_ID)) ?? {} }),
    }),
    operation({
      name: `guardian.${factor}_templates.update`,
      method: 'PUT',
      path,
      summary: 'Change the templates of text messages and calls',
      scopes: [UPDATE],
      target: 'tenant',
      needs: PHONE_TEMPLATES,
      body: templateBody,
      example: { enrollment_message: '{{ code }} is your code', verification_message: '{{ code }} is your code' },
      status: 200,
      answer: templateBody,
      async handle({ body, deps }) {
        for (const [member, source] of Object.entries(body)) {
          const fault = await deps.templateFault(source)
          if (fault !== null) throw invalidBody({ path: member, message: fault })
        }
        const { before } = await deps.documents.change(TEMPLATES, TEMPLATE_ID, () => body, deps.clock.now())
        return { body, before: before ?? {}, after: body }
      },
    }),
  ]
}

export const guardian = {
  ...factors,
  ...policies,
  messageTypes,
  webauthnRoaming,
  ...webauthnPlatform,
  phoneProvider: phoneProvider('phone'),
  smsProvider: phoneProvider('sms'),
  ...pushProvider,
  refusedProviders,
  smsTemplates: templates('sms'),
  phoneTemplates: templates('phone'),
}
