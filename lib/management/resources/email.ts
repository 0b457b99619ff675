// Templates of mails.
// - An enabled template takes the place of the mail here that is sent for the same purpose (lib/pages/messages/mail-templates.ts);
//   one that is no Liquid is refused. What has no effect is kept, shown again and reported.
import * as z from 'zod'
import { MAX_MAILED_SECONDS } from '../../data/tickets/ticket'
import type { JsonObject } from '../../kernel/json'
import { openObject, withOthers } from '../../kernel/schema'
import type { DocumentDeps } from '../operations/documents'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { operationsWith } from '../operations/operation'

export const TEMPLATES = [
  'verify_email',
  'verify_email_by_code',
  'auth_email_by_code',
  'reset_email',
  'reset_email_by_code',
  'welcome_email',
  'blocked_account',
  'stolen_credentials',
  'enrollment_email',
  'mfa_oob_code',
  'change_password',
  'password_reset',
  'user_invitation',
  'async_approval',
] as const

export const EMAIL_TEMPLATE = 'email-template'
const PATH = '/email-templates/:templateName'

export type MailPreview = { subject: string; from: string; html: string; text: string }

export type EmailDeps = DocumentDeps & {
  /** What is wrong with a source in Liquid; null if nothing. */
  templateFault(source: string): Promise<string | null>
  /** The mail of a template for a person who does not exist; throws where it makes none. */
  previewMail(template: JsonObject): Promise<MailPreview>
}

const operation = operationsWith<EmailDeps>()

const EXAMPLE = {
  body: '<p>Hello {{ user.name }}</p>',
  from: 'Example <login@example.com>',
  subject: 'Hello',
  syntax: 'liquid',
  enabled: false,
}

const text = (most: number) => z.string().max(most).nullable()

const members = {
  body: text(200_000),
  from: text(500),
  subject: text(1000),
  syntax: z.literal('liquid', 'must be liquid').nullable(),
  resultUrl: text(2000),
  urlLifetimeInSeconds: z.number().int().min(0).max(31_536_000).nullable(),
  includeEmailInRedirect: z.boolean(),
  enabled: z.boolean().nullable(),
}
const change = z.object({ template: z.string(), ...members }).partial()
const whole = change.required({ body: true, from: true, subject: true, syntax: true, enabled: true })
export const newEmailTemplate = whole.extend({ template: z.enum(TEMPLATES) })

/** Mails that do not exist here. `change_password` and `password_reset` are older forms of `reset_email`. */
const UNSENT: ReadonlySet<string> = new Set<(typeof TEMPLATES)[number]>([
  'auth_email_by_code',
  'change_password',
  'password_reset',
  'async_approval',
])

const LINK_MEMBERS = ['resultUrl', 'includeEmailInRedirect', 'urlLifetimeInSeconds'] as const
type LinkMember = (typeof LINK_MEMBERS)[number]

/** Of the mails with a link of this server: what a template may say of it. */
const LINKS: ReadonlyMap<string, readonly LinkMember[]> = new Map<(typeof TEMPLATES)[number], readonly LinkMember[]>([
  ['verify_email', LINK_MEMBERS],
  ['reset_email', LINK_MEMBERS],
  ['reset_email_by_code', LINK_MEMBERS],
  ['stolen_credentials', LINK_MEMBERS],
  ['blocked_account', LINK_MEMBERS],
  ['enrollment_email', ['urlLifetimeInSeconds']],
])

/** A default says nothing: the vendor's tools send every member. */
const SAYS: Readonly<Record<LinkMember, (value: unknown) => boolean>> = {
  resultUrl: (value) => typeof value === 'string' && value.trim() !== '',
  includeEmailInRedirect: (value) => value === false,
  urlLifetimeInSeconds: (value) => typeof value === 'number' && value > 0,
}

/** The members of a template that are kept without effect. A longer life of a link counts as the longest. */
export function unusedMembers(template: JsonObject): string[] {
  const { template: name, ...given } = template
  if (UNSENT.has(String(name))) return Object.keys(given).filter((member) => given[member] !== null)
  const own = LINKS.get(String(name)) ?? []
  const isUnused = (member: LinkMember): boolean =>
    SAYS[member](given[member]) &&
    (!own.includes(member) ||
      (member === 'urlLifetimeInSeconds' && Number(given.urlLifetimeInSeconds) > MAX_MAILED_SECONDS))
  return [...Object.keys(given).filter((member) => !(member in members)), ...LINK_MEMBERS.filter(isUnused)]
}

/** Members that do not exist here are kept. */
const open = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => openObject(shape)

const LIQUID = ['body', 'from', 'subject', 'resultUrl'] as const

async function checkLiquid(
  template: Partial<Record<(typeof LIQUID)[number], string | null | undefined>>,
  { templateFault }: EmailDeps,
): Promise<void> {
  for (const member of LIQUID) {
    const source = template[member]
    const fault = source ? await templateFault(source) : null
    if (fault !== null) throw invalidBody({ path: member, message: fault })
  }
}

function named(name: string | undefined): string {
  const template = TEMPLATES.find((each) => each === name)
  if (template === undefined) throw inexistent('email_template')
  return template
}

const shown = withOthers(newEmailTemplate).meta({ id: 'EmailTemplate' })

export const email = {
  make: operation({
    name: 'email_templates.make',
    example: { template: 'welcome_email', ...EXAMPLE },
    method: 'POST',
    path: '/email-templates',
    summary: 'Create a template of mails',
    scopes: ['create:email_templates'],
    target: 'tenant',
    body: open(newEmailTemplate),
    status: 201,
    answer: shown,
    notApplied: unusedMembers,
    async handle({ body, deps }) {
      await checkLiquid(body, deps)
      const alter = (before: JsonObject | null): JsonObject => {
        if (before) throw conflict('The template already exists.', 'email_template_conflict')
        return body
      }
      const { after } = await deps.documents.change(EMAIL_TEMPLATE, body.template, alter, deps.clock.now())
      return { body: after, before: {}, after: after ?? {}, id: body.template }
    },
  }),
  read: operation({
    name: 'email_templates.read',
    method: 'GET',
    path: PATH,
    summary: 'Read a template of mails',
    scopes: ['read:email_templates'],
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ params, deps }) {
      const found = await deps.documents.find(EMAIL_TEMPLATE, named(params.templateName))
      if (!found) throw inexistent('email_template')
      return { body: found }
    },
  }),
  change: operation({
    name: 'email_templates.change',
    example: { enabled: false },
    examplePath: { templateName: 'welcome_email' },
    method: 'PATCH',
    path: PATH,
    summary: 'Change a template of mails',
    scopes: ['update:email_templates'],
    target: 'tenant',
    body: open(change),
    status: 200,
    answer: shown,
    notApplied: unusedMembers,
    tagged: true,
    async handle({ params, body, ifMatch, deps }) {
      const template = named(params.templateName)
      await checkLiquid(body, deps)
      const alter = (before: JsonObject | null): JsonObject => {
        if (!before) throw inexistent('email_template')
        checkUnchanged(ifMatch, before)
        return { ...before, ...body, template }
      }
      const { before, after } = await deps.documents.change(EMAIL_TEMPLATE, template, alter, deps.clock.now())
      return { body: after, before: before ?? {}, after: after ?? {} }
    },
  }),
  replace: operation({
    name: 'email_templates.replace',
    example: EXAMPLE,
    examplePath: { templateName: 'welcome_email' },
    method: 'PUT',
    path: PATH,
    summary: 'Replace a template of mails',
    scopes: ['update:email_templates'],
    target: 'tenant',
    body: open(whole),
    status: 200,
    answer: shown,
    notApplied: unusedMembers,
    async handle({ params, body, deps }) {
      const template = named(params.templateName)
      await checkLiquid(body, deps)
      const after = { ...body, template }
      const { before } = await deps.documents.change(EMAIL_TEMPLATE, template, () => after, deps.clock.now())
      return { body: after, before: before ?? {}, after }
    },
  }),
  preview: operation({
    name: 'email_templates.preview',
    example: { body: '<p>{{ user.name }}</p>', subject: 'For {{ user.email }}' },
    examplePath: { templateName: 'welcome_email' },
    method: 'POST',
    path: `${PATH}/preview`,
    summary: 'Show the mail that a template makes, as it is stored or with members of the body',
    scopes: ['read:email_templates'],
    target: 'tenant',
    body: change,
    bodyOptional: true,
    status: 200,
    answer: z.object({ subject: z.string(), from: z.string(), html: z.string(), text: z.string() }),
    audited: false,
    async handle({ params, body, deps }) {
      const stored = await deps.documents.find(EMAIL_TEMPLATE, named(params.templateName))
      if (!stored && !body?.body) throw inexistent('email_template')
      await checkLiquid(body ?? {}, deps)
      const shown = await deps.previewMail({ ...stored, ...body }).catch(() => null)
      if (!shown) throw invalidBody('The template makes no mail')
      return { body: shown }
    },
  }),
}
