// A tenant's own templates of mails, under the vendor's names (docs/management-api.md). One takes the place of subject, HTML and
// sender of a mail; recipient, link and code stay those of the mail.
import type { OutgoingMessage } from '../../data/outbox/message'
import { decodeEntities } from './entities'
import { type Compiled, compile, type TemplateScope } from './liquid'
import { sampleValues, scopeOf, type TemplateTenant, type TemplateValues } from './template-scope'
import { oneLine } from './templates'

/** The vendor's template → the mail here. Mails of the other templates are not sent here. */
export const MAILS = {
  verify_email: 'verify_email',
  verify_email_by_code: 'address_code',
  reset_email: 'reset_password',
  reset_email_by_code: 'reset_password_code',
  blocked_account: 'blocked_account',
  stolen_credentials: 'stolen_credentials',
  enrollment_email: 'enroll_factor',
  welcome_email: 'welcome',
  mfa_oob_code: 'mfa_code',
  user_invitation: 'invitation',
} as const

export type TemplatedMail = (typeof MAILS)[keyof typeof MAILS]

export type MailTemplate = {
  apply(message: OutgoingMessage, values: TemplateValues): OutgoingMessage
  /** Where the last page of a link leads; undefined for the usual place. */
  resultUrl(values: TemplateValues, email: string): string | undefined
  lifetimeSeconds: number | undefined
}

export type MailTemplates = ReadonlyMap<TemplatedMail, MailTemplate>

export type TemplateDocument = { id: string; body: unknown }

/** `failed` hears of a template that was stored although it is not valid. */
export function readMailTemplates(
  documents: readonly TemplateDocument[],
  failed: (template: string, error: unknown) => void,
): MailTemplates | undefined {
  const templates = new Map<TemplatedMail, MailTemplate>()
  for (const { id, body } of documents) {
    const mail = Object.hasOwn(MAILS, id) ? MAILS[id as keyof typeof MAILS] : undefined
    const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    if (mail === undefined || fields.enabled !== true) continue
    try {
      templates.set(mail, templateOf(fields))
    } catch (error) {
      failed(id, error)
    }
  }
  return templates.size === 0 ? undefined : templates
}

/** Without a body, the mail keeps ours. */
function templateOf(fields: Readonly<Record<string, unknown>>): MailTemplate {
  const source = typeof fields.body === 'string' ? fields.body : ''
  const body = source.trim() === '' ? undefined : compile(source, 'html')
  const [subject, from, resultUrl] = [fields.subject, fields.from, fields.resultUrl].map(lineOf)
  const { urlLifetimeInSeconds: seconds, includeEmailInRedirect: withEmail } = fields
  return {
    apply(message, values) {
      const scope = mailScope(message, values)
      const html = body?.(scope)
      const line = subject && oneLine(decodeEntities(subject(scope)), 250)
      const sender = from && oneLine(decodeEntities(from(scope)), 500)
      return {
        ...message,
        ...(html === undefined ? {} : { html, text: plainText(html) }),
        ...(line ? { subject: line } : {}),
        ...(sender ? { from: sender } : {}),
      }
    },
    resultUrl: (values, email) =>
      resultUrl && webAddress(resultUrl(scopeOf(values, { inUrl: true })), withEmail !== false, email),
    lifetimeSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : undefined,
  }
}

/** The mail that a template makes for a person who does not exist; throws where it makes none. */
export function previewMail(
  fields: Readonly<Record<string, unknown>>,
  { tenant, baseUrl }: { tenant: TemplateTenant; baseUrl: string },
): { subject: string; from: string; html: string; text: string } {
  const link = `${baseUrl}/preview`
  const values = sampleValues(tenant)
  const message = { channel: 'email', to: values.to, subject: '', text: '', html: '', link, code: '123456' } as const
  const made = templateOf(fields).apply(message, values)
  return { subject: made.subject, from: made.from ?? '', html: made.html, text: made.text }
}

/** The older form of these fields is `{application.name}`. */
const MACRO = /(?<!\{)\{((?:application|client|connection|user|organization)\.[\w.]+)\}(?!\})/g

const lineOf = (source: unknown): Compiled | undefined =>
  typeof source === 'string' && source.trim() !== '' ? compile(source.replace(MACRO, '{{ $1 }}'), 'text') : undefined

function webAddress(text: string, withEmail: boolean, email: string): string | undefined {
  const address = text.trim()
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.searchParams.set('success', 'true')
  url.searchParams.set('code', 'success')
  if (withEmail) url.searchParams.set('email', email)
  return url.href
}

const mailScope = ({ link, code }: OutgoingMessage, values: TemplateValues): TemplateScope => ({
  ...scopeOf(values),
  url: link,
  link,
  code,
})

/** For programs that show no HTML: words, line breaks and the addresses of links. */
export function plainText(html: string): string {
  const words = html
    .replace(/<(head|style|script|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, ' ')
    .replace(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>([\s\S]*?)<\/a\s*>/gi, '$3 ( $1$2 )')
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|hr|\/?(?:p|div|tr|table|h[1-6]|ul|ol|li))\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
  return decodeEntities(words)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}
