// The tenant's provider of mail. While it is enabled, the mails of the tenant are sent by it; else as the process is configured.
// - Credentials are sealed and their secrets are write-only: a mask or an absent secret keeps the stored one, as long as it goes to
//   the same destination.
import * as z from 'zod'
import {
  MAIL_KINDS,
  MAIL_PROVIDERS,
  MAIL_PURPOSE,
  type MailProvider,
  type MailProviderName,
} from '../../data/outbox/mail-providers'
import { isMailAddress } from '../../data/outbox/message'
import { senderOf } from '../../data/outbox/sender'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { conflict, inexistent, invalidBody, missing, problemOf } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { fieldsQuery, selectFields } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { maskSecrets, withStored } from '../operations/write-only'

export type EmailProviderRow = MailProvider & { enabled: boolean }

export type EmailProviderStore = {
  find(): Promise<EmailProviderRow | null>
  /** Changes the provider under a lock; `alter` gets null for an absent one, and returns null to remove it. */
  change(
    alter: (before: EmailProviderRow | null) => EmailProviderRow | null,
    at: Date,
  ): Promise<{ before: EmailProviderRow | null; after: EmailProviderRow | null }>
}

export type EmailProviderDeps = {
  clock: { now(): Date }
  random: Random
  vault: Vault
  emailProvider: EmailProviderStore
  /** Sends a test message by the tenant's provider now. Returns the reason of a failure, or null. */
  sendTestMail(to: string): Promise<string | null>
}

const PATH = '/emails/provider'
/** The vendor's providers that do not exist here. */
const ELSEWHERE = ['mandrill', 'sparkpost', 'azure_cs', 'ms365'] as const

const operation = operationsWith<EmailProviderDeps>()

const isSender = (from: string): boolean => isMailAddress(senderOf(from).email) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(from)

export const isMailElsewhere = (name: unknown): name is (typeof ELSEWHERE)[number] =>
  ELSEWHERE.some((each) => each === name)

const members = {
  name: z.enum([...MAIL_PROVIDERS, ...ELSEWHERE]).meta({
    title: 'Provider',
    options: {
      smtp: 'SMTP',
      ses: 'Amazon SES',
      sendgrid: 'SendGrid',
      mailgun: 'Mailgun',
      postmark: 'Postmark',
      resend: 'Resend',
      custom: 'An action',
    },
  }),
  enabled: z.boolean().optional().meta({
    title: 'In use',
    help: 'Otherwise mails go out as this server is configured.',
  }),
  default_from_address: z
    .string()
    .max(500)
    .refine(isSender, 'must be an address, or a name and <address>')
    .meta({ title: 'Sender', help: 'An address, or a name and <address>.' }),
  credentials: z.record(z.string(), z.json()),
  settings: z.record(z.string(), z.json()).nullish(),
}
export const newEmailProvider = z.strictObject(members)

/** What a provider of any kind has; the kind that is named decides what it needs. Where two kinds differ, the first is shown. */
const ofEveryKind = (part: 'credentials' | 'settings') => {
  const shapes = Object.values(MAIL_KINDS).map((kind) => (kind[part] as z.ZodObject).shape)
  return z.strictObject(Object.assign({}, ...shapes.toReversed())).partial()
}

const described = newEmailProvider.extend({
  credentials: ofEveryKind('credentials'),
  settings: ofEveryKind('settings').nullish(),
})

const changed = newEmailProvider.partial()
type Body = z.output<typeof changed>

export const emailProviderMembers = z.object(members)

type Sealing = Pick<EmailProviderDeps, 'random' | 'vault'>

const shown = z
  .object({ ...members, name: z.enum(MAIL_PROVIDERS), enabled: z.boolean(), settings: z.record(z.string(), z.json()) })
  .meta({ id: 'EmailProvider' })

function present({ name, enabled, from, settings, sealedCredentials }: EmailProviderRow, { vault }: EmailProviderDeps) {
  return {
    name,
    enabled,
    default_from_address: from,
    credentials: maskSecrets(openCredentials(sealedCredentials, vault), MAIL_KINDS[name].secrets),
    settings,
  } satisfies JsonObject
}

const shownOf = (row: EmailProviderRow | null, deps: EmailProviderDeps): JsonObject => (row ? present(row, deps) : {})

/** Empty if another secret sealed them. */
export function openCredentials(sealed: Uint8Array, vault: Vault): JsonObject {
  const plain = vault.open(MAIL_PURPOSE, sealed)
  return plain ? objectIn(JSON.parse(plain.toString('utf8'))) : {}
}

/** The row after a body; `before` is null for a new one. */
function emailProviderRow(body: Body, before: EmailProviderRow | null, { vault, random }: Sealing): EmailProviderRow {
  const { name = before?.name, enabled = before?.enabled ?? true, default_from_address: from = before?.from } = body
  if (name === undefined || from === undefined) throw invalidBody(missing('name'))
  if (isMailElsewhere(name))
    throw invalidBody(`The provider ${name} does not exist here. Use one of ${MAIL_PROVIDERS.join(', ')}`)
  const same = before?.name === name ? before : null
  const stored = same ? openCredentials(same.sealedCredentials, vault) : {}
  const credentials = body.credentials || !same ? credentialsOf(name, body.credentials ?? {}, stored) : null
  return {
    name,
    enabled,
    from,
    settings: settingsOf(name, body.settings === undefined ? (same?.settings ?? {}) : (body.settings ?? {})),
    sealedCredentials: credentials
      ? vault.seal(MAIL_PURPOSE, JSON.stringify(credentials), random)
      : (same?.sealedCredentials ?? new Uint8Array()),
  }
}

function settingsOf(name: MailProviderName, settings: JsonObject): JsonObject {
  const checked = MAIL_KINDS[name].settings.safeParse(settings, { reportInput: true })
  if (!checked.success) throw invalidBody({ ...problemOf(checked.error), within: 'settings' })
  return objectIn(checked.data)
}

function credentialsOf(name: MailProviderName, given: JsonObject, stored: JsonObject): JsonObject {
  const { credentials, secrets, destination } = MAIL_KINDS[name]
  const { settings, kept } = withStored(given, stored, secrets)
  const checked = credentials.safeParse(settings, { reportInput: true })
  if (!checked.success) throw invalidBody({ ...problemOf(checked.error), within: 'credentials' })
  if (kept !== undefined && destination(checked.data) !== destination(stored))
    throw invalidBody(`The destination changes: send ${kept} again`)
  return checked.data
}

export const emailProvider = {
  read: operation({
    name: 'email_provider.read',
    method: 'GET',
    path: PATH,
    summary: 'Read the provider of mail',
    scopes: ['read:email_provider'],
    query: z.object(fieldsQuery),
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ query, deps }) {
      const row = await deps.emailProvider.find()
      if (!row) throw inexistent('email_provider')
      return { body: selectFields(present(row, deps), query) }
    },
  }),
  make: operation({
    name: 'email_provider.make',
    console: true,
    example: {
      name: 'sendgrid',
      default_from_address: 'Shop <hello@shop.example>',
      credentials: { api_key: 'the-key-of-the-account' },
    },
    method: 'POST',
    path: PATH,
    summary: 'Set the provider of mail',
    scopes: ['create:email_provider'],
    target: 'tenant',
    body: newEmailProvider,
    describedBody: described,
    status: 201,
    answer: shown,
    async handle({ body, deps }) {
      const alter = (before: EmailProviderRow | null): EmailProviderRow => {
        if (before) throw conflict('The tenant has a provider of mail already.', 'email_provider_conflict')
        return emailProviderRow(body, null, deps)
      }
      const { after } = await deps.emailProvider.change(alter, deps.clock.now())
      return { body: shownOf(after, deps), before: {}, after: shownOf(after, deps), id: PATH }
    },
  }),
  change: operation({
    name: 'email_provider.change',
    console: true,
    example: { default_from_address: 'Shop <team@shop.example>' },
    method: 'PATCH',
    path: PATH,
    summary: 'Change the provider of mail',
    scopes: ['update:email_provider'],
    target: 'tenant',
    body: changed,
    describedBody: described.partial(),
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ body, ifMatch, deps }) {
      const alter = (before: EmailProviderRow | null): EmailProviderRow => {
        if (!before) throw inexistent('email_provider')
        checkUnchanged(ifMatch, present(before, deps))
        return emailProviderRow(body, before, deps)
      }
      const { before, after } = await deps.emailProvider.change(alter, deps.clock.now())
      return { body: shownOf(after, deps), before: shownOf(before, deps), after: shownOf(after, deps), id: PATH }
    },
  }),
  remove: operation({
    name: 'email_provider.remove',
    console: true,
    danger: true,
    method: 'DELETE',
    path: PATH,
    summary: 'Remove the provider of mail',
    scopes: ['delete:email_provider'],
    target: 'tenant',
    status: 204,
    async handle({ ifMatch, deps }) {
      const alter = (before: EmailProviderRow | null): null => {
        if (before) checkUnchanged(ifMatch, present(before, deps))
        return null
      }
      const { before } = await deps.emailProvider.change(alter, deps.clock.now())
      return { before: shownOf(before, deps), after: {}, id: PATH }
    },
  }),
  try: operation({
    name: 'email_provider.try',
    console: true,
    method: 'POST',
    path: `${PATH}/test`,
    summary: 'Send a test message by the provider of mail (ours)',
    scopes: ['update:email_provider'],
    target: 'tenant',
    body: z.strictObject({
      to: z.string().max(320).refine(isMailAddress, 'must be an e-mail address').meta({ title: 'To' }),
    }),
    status: 200,
    answer: z.object({ sent: z.literal(true) }),
    async handle({ body, deps }) {
      const row = await deps.emailProvider.find()
      if (!row?.enabled) throw inexistent('email_provider')
      const reason = await deps.sendTestMail(body.to)
      if (reason !== null)
        throw new DomainError('invalid_request', `The message could not be sent: ${reason}`, {
          members: { errorCode: 'email_provider_failed' },
        })
      return { body: { sent: true }, id: PATH }
    },
  }),
}
