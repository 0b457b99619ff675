// The tenant's provider of text messages and calls. While it is enabled, it sends the messages of its delivery methods; others are
// sent as the process is configured.
import * as z from 'zod'
import {
  CHANNEL_OF,
  PHONE_KINDS,
  PHONE_PROVIDERS,
  PHONE_PURPOSE,
  type PhoneProvider,
} from '../../data/outbox/phone-providers'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { conflict, inexistent, invalidBody, problemOf } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { flag } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { withStored } from '../operations/write-only'
import { phoneNumberOf } from './user-body'

export type PhoneProviderRow = PhoneProvider & { disabled: boolean }

export type PhoneProviderStore = {
  find(): Promise<PhoneProviderRow | null>
  /** Changes the provider under a lock; `alter` gets null for an absent one, and returns null to remove it. */
  change(
    alter: (before: PhoneProviderRow | null) => PhoneProviderRow | null,
    at: Date,
  ): Promise<{ before: PhoneProviderRow | null; after: PhoneProviderRow | null }>
}

export type PhoneProviderDeps = {
  clock: { now(): Date }
  random: Random
  vault: Vault
  phoneProvider: PhoneProviderStore
  /** Sends a test message by the tenant's provider now. Returns the reason of a failure, or null. */
  sendTestCall(to: string, channel: 'sms' | 'voice', text?: string): Promise<string | null>
}

const PATH = '/branding/phone/providers'
const ONE = `${PATH}/:id`
/** A tenant has one provider at most. */
export const idOf = ({ name }: Pick<PhoneProvider, 'name'>): string => `pro_${name}`
const EXAMPLE_ID = idOf({ name: 'twilio' })

const operation = operationsWith<PhoneProviderDeps>()

const json = z.record(z.string(), z.json())
const name = z.enum(PHONE_PROVIDERS).meta({ title: 'Provider', options: { twilio: 'Twilio', custom: 'An action' } })
const members = {
  name,
  disabled: z.boolean().optional().meta({
    title: 'Not in use',
    help: 'Then messages go out as this server is configured.',
    group: 'provider',
    order: 1,
  }),
  configuration: json,
  credentials: json,
}
export const newPhoneProvider = z.strictObject(members)
/** The provider that is named decides which of these it needs. */
const described = newPhoneProvider.extend(PHONE_KINDS.twilio)
const changed = newPhoneProvider.partial()
type Body = z.output<typeof changed>

export const phoneProviderMembers = z.object(members)

const shown = z
  .object({
    id: z.string(),
    name,
    channel: z.literal('phone'),
    disabled: z.boolean(),
    configuration: json,
  })
  .meta({ id: 'PhoneProvider' })
const present = ({ name, disabled, configuration }: PhoneProviderRow): JsonObject => ({
  id: idOf({ name }),
  name,
  channel: 'phone',
  disabled,
  configuration: objectIn(configuration),
})
const shownOf = (row: PhoneProviderRow | null): JsonObject => (row ? present(row) : {})

function checked<T>(schema: z.ZodType<T>, value: JsonObject, place: string): T {
  const read = schema.safeParse(value, { reportInput: true })
  if (!read.success) throw invalidBody({ ...problemOf(read.error), within: place })
  return read.data
}

/** The row after a body; `before` is null for a new one. A provider takes nothing from one of another name. */
function providerRow(
  body: Body,
  before: PhoneProviderRow | null,
  { vault, random }: Pick<PhoneProviderDeps, 'random' | 'vault'>,
): PhoneProviderRow {
  const name = body.name ?? before?.name ?? 'twilio'
  const same = before?.name === name ? before : null
  const kind = PHONE_KINDS[name]
  const stored = same ? openPhoneCredentials(same, vault) : {}
  const { settings } = withStored(body.credentials ?? {}, stored, name === 'twilio' ? ['auth_token'] : [])
  const configuration =
    body.configuration || !same
      ? checked<unknown>(kind.configuration, withoutUnset(body.configuration ?? {}), 'configuration')
      : same.configuration
  const credentials = checked<unknown>(kind.credentials, settings, 'credentials')
  return {
    ...({ name, configuration } as PhoneProvider),
    disabled: body.disabled ?? before?.disabled ?? false,
    sealedCredentials: vault.seal(PHONE_PURPOSE, JSON.stringify(credentials), random),
  }
}

/** Empty if another secret sealed them. */
export function openPhoneCredentials({ sealedCredentials }: PhoneProvider, vault: Vault): JsonObject {
  const plain = vault.open(PHONE_PURPOSE, sealedCredentials)
  return plain ? objectIn(JSON.parse(plain.toString('utf8'))) : {}
}

const withoutUnset = (configuration: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== null && value !== ''))

function demand(id: string | undefined, row: PhoneProviderRow | null): PhoneProviderRow {
  if (!row || id !== idOf(row)) throw inexistent('phone_provider')
  return row
}

export const phoneProviders = {
  all: operation({
    name: 'phone_providers.all',
    method: 'GET',
    path: PATH,
    summary: 'List the provider of text messages and calls',
    scopes: ['read:phone_providers'],
    query: z.object({ disabled: flag.optional() }),
    status: 200,
    answer: z.object({ providers: z.array(shown) }),
    async handle({ query, deps }) {
      const row = await deps.phoneProvider.find()
      const isListed = row && (query.disabled === undefined || query.disabled === row.disabled)
      return { body: { providers: isListed ? [present(row)] : [] } }
    },
  }),
  make: operation({
    name: 'phone_providers.make',
    console: true,
    example: {
      name: 'twilio',
      configuration: { sid: `AC${'0'.repeat(32)}`, default_from: '+15005550006', delivery_methods: ['text'] },
      credentials: { auth_token: 'the-token-of-the-account' },
    },
    method: 'POST',
    path: PATH,
    summary: 'Set the provider of text messages and calls',
    scopes: ['create:phone_providers'],
    target: 'tenant',
    body: newPhoneProvider,
    describedBody: described,
    status: 201,
    answer: shown,
    async handle({ body, deps }) {
      const alter = (before: PhoneProviderRow | null): PhoneProviderRow => {
        if (before) throw conflict('The tenant has a provider of messages already.', 'phone_provider_conflict')
        return providerRow(body, null, deps)
      }
      const { after } = await deps.phoneProvider.change(alter, deps.clock.now())
      return { body: shownOf(after), before: {}, after: shownOf(after), id: idOf(body) }
    },
  }),
  read: operation({
    name: 'phone_providers.read',
    method: 'GET',
    path: ONE,
    summary: 'Read the provider of text messages and calls',
    scopes: ['read:phone_providers'],
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ params, deps }) {
      return { body: present(demand(params.id, await deps.phoneProvider.find())) }
    },
  }),
  change: operation({
    name: 'phone_providers.change',
    console: true,
    example: { disabled: true },
    examplePath: { id: EXAMPLE_ID },
    method: 'PATCH',
    path: ONE,
    summary: 'Change the provider of text messages and calls',
    scopes: ['update:phone_providers'],
    target: 'tenant',
    body: changed,
    describedBody: described.partial(),
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ params, body, ifMatch, deps }) {
      const alter = (before: PhoneProviderRow | null): PhoneProviderRow => {
        checkUnchanged(ifMatch, present(demand(params.id, before)))
        return providerRow(body, before, deps)
      }
      const { before, after } = await deps.phoneProvider.change(alter, deps.clock.now())
      return { body: shownOf(after), before: shownOf(before), after: shownOf(after) }
    },
  }),
  remove: operation({
    name: 'phone_providers.remove',
    console: true,
    danger: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Remove the provider of text messages and calls',
    scopes: ['delete:phone_providers'],
    target: 'tenant',
    status: 204,
    async handle({ params, ifMatch, deps }) {
      const alter = (before: PhoneProviderRow | null): PhoneProviderRow | null => {
        if (!before || params.id !== idOf(before)) return before
        checkUnchanged(ifMatch, present(before))
        return null
      }
      const { before, after } = await deps.phoneProvider.change(alter, deps.clock.now())
      return { before: shownOf(before), after: shownOf(after) }
    },
  }),
  try: operation({
    name: 'phone_providers.try',
    console: true,
    method: 'POST',
    path: `${ONE}/try`,
    summary: 'Send a test message by the provider',
    scopes: ['create:phone_providers'],
    target: 'tenant',
    body: z.strictObject({
      to: z.string().min(4).max(40).meta({ title: 'To' }),
      delivery_method: z
        .enum(['text', 'voice'])
        .default('text')
        .meta({ title: 'By', options: { text: 'Text message', voice: 'Call' } }),
    }),
    status: 202,
    answer: z.object({ message: z.string() }),
    async handle({ params, body, deps }) {
      const { configuration, disabled } = demand(params.id, await deps.phoneProvider.find())
      if (disabled || !configuration.delivery_methods.includes(body.delivery_method))
        throw invalidBody(`The provider does not send by ${body.delivery_method}`)
      const reason = await deps.sendTestCall(await phoneNumberOf(body.to), CHANNEL_OF[body.delivery_method])
      if (reason !== null)
        throw new DomainError('invalid_request', `The message could not be sent: ${reason}`, {
          members: { errorCode: 'phone_provider_failed' },
        })
      return { body: { message: 'The provider accepted the message' } }
    },
  }),
}
