// Templates of text messages and calls, one for each of the vendor's types. An enabled one makes the words of the messages of its
// type (lib/pages/messages/phone-templates.ts); codes are sent here, the other types are kept.
import * as z from 'zod'
import { CHANNEL_OF } from '../../data/outbox/phone-providers'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import type { DocumentDeps } from '../operations/documents'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { flag } from '../operations/list'
import { operationsWith } from '../operations/operation'
import type { PhoneProviderDeps } from './phone-providers'
import { phoneNumberOf } from './user-body'

const TYPES = ['otp_verify', 'otp_enroll', 'change_password', 'blocked_account', 'password_breach'] as const
type Type = (typeof TYPES)[number]

export const PHONE_TEMPLATE = 'phone-template'
const PATH = '/branding/phone/templates'
const ONE = `${PATH}/:id`
const ID_PREFIX = 'tem_'

export type PhoneTemplateDeps = DocumentDeps &
  Pick<PhoneProviderDeps, 'sendTestCall'> & {
    /** What is wrong with a source in Liquid; null if nothing. */
    templateFault(source: string): Promise<string | null>
    /** The words of a stored template for a test message; throws where it fails. */
    phoneTemplateWords(source: string, channel: 'sms' | 'voice'): Promise<string>
  }

const operation = operationsWith<PhoneTemplateDeps>()

const source = z.string().min(1).max(5000)
const from = z.string().regex(/^[\w+ ]{0,40}$/, 'must be a number or a name')
const words = z.strictObject({ text: source.optional(), voice: source.optional() })
const content = z.strictObject({
  syntax: z.literal('liquid', 'must be liquid').optional(),
  from: from.optional(),
  body: words.optional(),
})
export const newPhoneTemplate = z.strictObject({
  type: z.enum(TYPES),
  disabled: z.boolean().optional(),
  content: content.optional(),
})
const changed = z.strictObject({ disabled: z.boolean().optional(), content: content.optional() })

const shown = z
  .object({
    id: z.string(),
    channel: z.literal('phone'),
    customizable: z.boolean(),
    type: z.enum(TYPES),
    disabled: z.boolean(),
    content: z.object({
      syntax: z.string(),
      from: z.string(),
      body: z.object({ text: z.string(), voice: z.string() }),
    }),
  })
  .meta({ id: 'PhoneTemplate' })

const CODE = {
  text: '{{ code }} - {{ friendly_name }}',
  voice: '{{ friendly_name }}. {{ code }}. {{ pause }}{{ code }}.',
}
const NOTE = { text: '{{ friendly_name }}', voice: '{{ friendly_name }}' }
const STANDARD: Readonly<Record<Type, { text: string; voice: string }>> = {
  otp_verify: CODE,
  otp_enroll: CODE,
  change_password: CODE,
  blocked_account: NOTE,
  password_breach: NOTE,
}

const standardOf = (type: Type): JsonObject => ({ syntax: 'liquid', from: '', body: STANDARD[type] })

const present = (type: string, body: JsonObject): JsonObject => ({
  id: phoneTemplateId(type),
  channel: 'phone',
  customizable: true,
  type,
  ...body,
})

export const phoneTemplateId = (type: string): string => `${ID_PREFIX}${type}`

const typeOf = (id = ''): Type => {
  const type = TYPES.find((each) => id === `${ID_PREFIX}${each}`)
  if (type) return type
  throw inexistent('phone_template')
}

/** Codes are sent here; messages of the other types are not. */
const notApplied = ({ type, disabled }: JsonObject): string[] =>
  disabled === true || type === 'otp_verify' || type === 'otp_enroll' ? [] : ['content']

/** What a body gives takes the place of what was there; `body` merges. */
function phoneTemplateAfter(type: Type, before: JsonObject | null, given: z.output<typeof changed>): JsonObject {
  const old = before ? objectIn(before.content) : standardOf(type)
  const { body: words = {}, ...rest } = given.content ?? {}
  return {
    disabled: given.disabled ?? before?.disabled ?? false,
    content: { ...old, ...rest, body: { ...objectIn(old.body), ...words } },
  }
}

async function checkLiquid({ content: given }: z.output<typeof changed>, deps: PhoneTemplateDeps): Promise<void> {
  for (const [member, text] of Object.entries(given?.body ?? {})) {
    const fault = text === undefined ? null : await deps.templateFault(text)
    if (fault !== null) throw invalidBody({ path: `content.body.${member}`, message: fault })
  }
}

/** Changes a template that exists; null leaves it away. */
async function change(
  {
    params,
    ifMatch,
    deps,
  }: { params: Readonly<Record<string, string>>; ifMatch: string | null; deps: PhoneTemplateDeps },
  alter: (before: JsonObject, type: Type) => JsonObject,
) {
  const type = typeOf(params.id)
  const { before, after } = await deps.documents.change(
    PHONE_TEMPLATE,
    type,
    (stored) => {
      if (!stored) throw inexistent('phone_template')
      checkUnchanged(ifMatch, present(type, stored))
      return alter(stored, type)
    },
    deps.clock.now(),
  )
  const body = present(type, after ?? {})
  return { body, before: present(type, before ?? {}), after: body }
}

export const phoneTemplates = {
  all: operation({
    name: 'phone_templates.all',
    method: 'GET',
    path: PATH,
    summary: 'List the templates of text messages and calls',
    scopes: ['read:phone_templates'],
    query: z.object({ disabled: flag.optional() }),
    status: 200,
    answer: z.object({ templates: z.array(shown) }),
    async handle({ query, deps }) {
      const stored = (await deps.documents.list(PHONE_TEMPLATE)).filter(({ id }) => TYPES.some((type) => type === id))
      const listed = stored.filter(({ body }) => query.disabled === undefined || body.disabled === query.disabled)
      return { body: { templates: listed.map(({ id, body }) => present(id, body)) } }
    },
  }),
  make: operation({
    name: 'phone_templates.make',
    method: 'POST',
    path: PATH,
    summary: 'Create a template of text messages and calls',
    scopes: ['create:phone_templates'],
    notApplied,
    target: 'tenant',
    body: newPhoneTemplate,
    example: {
      type: 'otp_verify',
      disabled: true,
      content: { syntax: 'liquid', body: { text: '{{ code }} is your code', voice: 'Your code is {{ code }}' } },
    },
    status: 201,
    answer: shown,
    async handle({ body: { type, ...given }, deps }) {
      await checkLiquid(given, deps)
      const alter = (before: JsonObject | null): JsonObject => {
        if (before) throw conflict('The template already exists.', 'phone_template_conflict')
        return phoneTemplateAfter(type, null, given)
      }
      const { after } = await deps.documents.change(PHONE_TEMPLATE, type, alter, deps.clock.now())
      const body = present(type, after ?? {})
      return { body, before: {}, after: body, id: phoneTemplateId(type) }
    },
  }),
  read: operation({
    name: 'phone_templates.read',
    method: 'GET',
    path: ONE,
    summary: 'Read a template of text messages and calls',
    scopes: ['read:phone_templates'],
    notApplied,
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ params, deps }) {
      return { body: present(typeOf(params.id), await existing(params.id, deps)) }
    },
  }),
  change: operation({
    name: 'phone_templates.change',
    example: { disabled: true },
    examplePath: { id: 'tem_otp_verify' },
    method: 'PATCH',
    path: ONE,
    summary: 'Change a template of text messages and calls',
    scopes: ['update:phone_templates'],
    notApplied,
    target: 'tenant',
    body: changed,
    status: 200,
    tagged: true,
    answer: shown,
    async handle(call) {
      await checkLiquid(call.body, call.deps)
      return change(call, (before, type) => phoneTemplateAfter(type, before, call.body))
    },
  }),
  reset: operation({
    name: 'phone_templates.reset',
    example: {},
    examplePath: { id: 'tem_otp_verify' },
    method: 'PATCH',
    path: `${ONE}/reset`,
    summary: 'Give a template its first content and disable it',
    scopes: ['update:phone_templates'],
    target: 'tenant',
    body: z.looseObject({}),
    bodyOptional: true,
    status: 200,
    answer: shown,
    handle: (call) => change(call, (_before, type) => ({ disabled: true, content: standardOf(type) })),
  }),
  remove: operation({
    name: 'phone_templates.remove',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a template of text messages and calls',
    scopes: ['delete:phone_templates'],
    target: 'tenant',
    status: 204,
    async handle({ params, ifMatch, deps }) {
      const type = TYPES.find((each) => params.id === `${ID_PREFIX}${each}`)
      if (!type) return {}
      const alter = (before: JsonObject | null): null => {
        if (before) checkUnchanged(ifMatch, present(type, before))
        return null
      }
      const { before } = await deps.documents.change(PHONE_TEMPLATE, type, alter, deps.clock.now())
      return before ? { before: present(type, before), after: {} } : {}
    },
  }),
  try: operation({
    name: 'phone_templates.try',
    method: 'POST',
    path: `${ONE}/try`,
    summary: 'Send a test message by the provider in the words of a template',
    scopes: ['create:phone_templates'],
    target: 'tenant',
    body: z.strictObject({ to: z.string().min(4).max(40), delivery_method: z.enum(['text', 'voice']).default('text') }),
    status: 202,
    answer: z.object({ message: z.string() }),
    async handle({ params, body: { to, delivery_method: method }, deps }) {
      const { body: words } = objectIn((await existing(params.id, deps)).content)
      const channel = CHANNEL_OF[method]
      const text = await deps.phoneTemplateWords(String(objectIn(words)[method] ?? ''), channel).catch(() => null)
      if (text === null) throw invalidBody('The template makes no message')
      const reason = await deps.sendTestCall(await phoneNumberOf(to), channel, text)
      if (reason !== null)
        throw new DomainError('invalid_request', `The message could not be sent: ${reason}`, {
          members: { errorCode: 'phone_provider_failed' },
        })
      return { body: { message: 'The provider accepted the message' } }
    },
  }),
}

async function existing(id: string | undefined, { documents }: PhoneTemplateDeps): Promise<JsonObject> {
  const found = await documents.find(PHONE_TEMPLATE, typeOf(id))
  if (!found) throw inexistent('phone_template')
  return found
}
