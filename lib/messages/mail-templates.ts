// A tenant's own templates of mails, under the vendor's names (docs/management-api.md). One takes the place of subject, HTML and
// sender of a mail; recipient, link and code stay those of the mail.
// - What a person typed before the address was proven is shown only where no mail program could make a link of it (BF8).
import type { OutgoingMessage } from '../outbox/message'
import { type Compiled, compile, type Scope } from './liquid'
import { oneLine, plainName } from './templates'

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

type Named = {
  name?: string | null | undefined
  givenName?: string | null | undefined
  familyName?: string | null | undefined
  nickname?: string | null | undefined
  picture?: string | null | undefined
  emailVerified?: boolean | undefined
  userMetadata?: Readonly<Record<string, unknown>> | undefined
  appMetadata?: Readonly<Record<string, unknown>> | undefined
}

export type TemplateValues = {
  to: string
  locale: string
  tenant: { name: string; friendlyName: string; supportEmail: string | undefined; supportUrl: string | undefined }
  user: Named | null
  application: {
    id: string
    name: string
    isRegistered: boolean
    metadata: Readonly<Record<string, unknown>>
    callbackDomain?: string
  } | null
  connection: string | null
  ip?: string | undefined
  inviter?: string | undefined
  organization?: string | undefined
}

/** `failed` hears of a template that was stored although it is none. */
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
      const scope = scopeOf(message, values)
      const html = body?.(scope)
      const line = subject && oneLine(subject(scope), 250)
      const sender = from && oneLine(from(scope), 500)
      return {
        ...message,
        ...(html === undefined ? {} : { html, text: plainText(html) }),
        ...(line ? { subject: line } : {}),
        ...(sender ? { from: sender } : {}),
      }
    },
    resultUrl: (values, email) => resultUrl && webAddress(resultUrl(scopeOf(null, values)), withEmail !== false, email),
    lifetimeSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : undefined,
  }
}

/** The mail that a template makes for a person who does not exist; throws where it makes none. */
export function previewMail(
  fields: Readonly<Record<string, unknown>>,
  { tenant, baseUrl }: Pick<TemplateValues, 'tenant'> & { baseUrl: string },
): { subject: string; from: string; html: string; text: string } {
  const link = `${baseUrl}/preview`
  const message = { channel: 'email', to: SAMPLE.to, subject: '', text: '', html: '', link, code: '123456' } as const
  const made = templateOf(fields).apply(message, { ...SAMPLE, tenant })
  return { subject: made.subject, from: made.from ?? '', html: made.html, text: made.text }
}

const SAMPLE = {
  to: 'ada@example.com',
  locale: 'en',
  user: { name: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace', nickname: 'ada', emailVerified: true },
  application: { id: 'example', name: 'Example', isRegistered: false, metadata: {} },
  connection: 'Example',
  ip: '192.0.2.1',
  inviter: 'Grace',
  organization: 'Example',
} as const

/** The older form of these fields is `{application.name}`. */
const MACRO = /(?<!\{)\{((?:application|client|connection|user)\.[\w.]+)\}(?!\})/g

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

function scopeOf(message: OutgoingMessage | null, values: TemplateValues): Scope {
  const { tenant, application, connection, locale, inviter, organization } = values
  const named = {
    name: application ? applicationName(application) : tenant.friendlyName,
    clientID: application?.id ?? '',
    client_id: application?.id ?? '',
    client_metadata: application?.metadata ?? {},
    metadata: application?.metadata ?? {},
    callback_domain: application?.callbackDomain ?? '',
  }
  return {
    application: named,
    client: named,
    connection: { name: connection ?? '' },
    request_language: locale,
    tenant: tenant.name,
    friendly_name: tenant.friendlyName,
    support_email: tenant.supportEmail ?? '',
    support_url: tenant.supportUrl ?? '',
    user: userOf(values),
    url: message?.link ?? '',
    link: message?.link ?? '',
    code: message?.code ?? '',
    inviter: { name: plainName(inviter) ?? '' },
    organization: { name: plainName(organization) ?? '', display_name: plainName(organization) ?? '' },
  }
}

/** Anyone may register a client, so its name is treated like a person's. */
const applicationName = ({ name, isRegistered }: NonNullable<TemplateValues['application']>): string =>
  isRegistered ? (plainName(name) ?? '') : name

function userOf({ user, to, ip }: TemplateValues): Scope {
  const named = (name: string | null | undefined): string => (name === to ? to : (plainName(name ?? undefined) ?? ''))
  const isVerified = user?.emailVerified === true
  return {
    email: to,
    email_verified: isVerified,
    name: named(user?.name),
    given_name: named(user?.givenName),
    family_name: named(user?.familyName),
    nickname: named(user?.nickname),
    picture: (isVerified && user?.picture) || '',
    user_metadata: isVerified ? (user?.userMetadata ?? {}) : plainParts(user?.userMetadata ?? {}),
    app_metadata: user?.appMetadata ?? {},
    source_ip: ip ?? '',
  }
}

/** The user who signs up chooses it: only what could be a name, at its first level. */
const plainParts = (metadata: Readonly<Record<string, unknown>>): Scope =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([, value]) => typeof value === 'boolean' || (typeof value === 'string' && plainName(value) !== undefined),
    ),
  )

const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** For programs that show no HTML: words, line breaks and the addresses of links. */
export function plainText(html: string): string {
  const words = html
    .replace(/<(head|style|script|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, ' ')
    .replace(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>([\s\S]*?)<\/a\s*>/gi, '$3 ( $1$2 )')
    .replace(/\s+/g, ' ')
    .replace(/<(?:br|hr|\/?(?:p|div|tr|table|h[1-6]|ul|ol|li))\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name) return NAMED_ENTITIES[name.toLowerCase()] ?? entity
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })
  return words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}
