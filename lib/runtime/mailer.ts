// Renders mails about accounts in the tenant's design and the user's language, by the tenant's own template where it has one, and
// seals them for the outbox. Links start with the tenant's base URL, whatever the request's Host header is (threat-model.md HT3).

import type { AccountMail, AccountMailer, LinkMailKind, MailedUser } from '../accounts/account-mail'
import type { ClientPort } from '../clients/client'
import type { ConnectionPort } from '../connections/connection'
import type { Job } from '../jobs/job'
import { lazy } from '../kernel/lazy'
import { parseUrl } from '../kernel/url'
import { browserOf } from '../kernel/user-agent'
import type { InvitationDeps } from '../management/resources/organization-invitations'
import type { MailTemplates, TemplatedMail, TemplateValues } from '../messages/mail-templates'
import type { PhoneTemplates } from '../messages/phone-templates'
import type { MailContext, MailKind } from '../messages/templates'
import { checkMessage, type MailBrand, type OutgoingMessage } from '../outbox/message'
import { type OutboxRow, sealMessage } from '../outbox/outbox'
import { brandingOf } from '../pages/respond'
import type { Tenant } from '../tenants/settings'
import { loadMessageTranslate } from '../texts'
import { pickLocale } from '../texts/locale'
import { MAX_MAILED_SECONDS } from '../tickets/ticket'
import type { CodeMessage, CodeMessenger } from '../users/code-message'
import type { Shared } from './runtime'

/** The mails load with the first message. */
const loadMails = lazy(() => import('../messages/templates'))
const loadPhoneTemplates = lazy(() => import('../messages/phone-templates'))
const loadPhoneMessages = lazy(() => import('../messages/templates-phone'))

/** A tenant and what its mails may say and name. */
export type Sender = {
  tenant: Pick<Tenant, 'id' | 'name' | 'settings' | 'theme'>
  baseUrl: string
  templates: MailTemplates | undefined
  /** The tenant switched the mail off that verifies the address of a sign-up. */
  verificationOff: boolean
  phoneTemplates: PhoneTemplates | undefined
  clients: ClientPort
  connections: ConnectionPort
}

export function createMailer(sender: Sender, shared: Shared): AccountMailer {
  const { tenant, baseUrl, templates, verificationOff } = sender
  return {
    welcomes: templates?.has('welcome') ?? false,
    verifiesSignUps: !verificationOff,
    async compose(mail) {
      const context = await mailContext({ tenant, baseUrl, ...mail })
      const message = await renderMail(await kindOf(mail, baseUrl, shared), context)
      const kind = templateFor(mail)
      const final = kind
        ? await applyTemplate(kind, message, { ...mail, language: context.locale }, sender, shared)
        : message
      return sealMessage(final, { ...shared, tenantId: tenant.id })
    },
    linkSettings: ({ kind, byCode, ...about }) =>
      linkSettings(linkTemplate(kind, byCode), { ...about, language: localeOf({ ...about, tenant }) }, sender, shared),
    wake: shared.wakeDispatcher,
  }
}

function templateFor(mail: AccountMail): TemplatedMail | undefined {
  if ('path' in mail) return linkTemplate(mail.kind, mail.code !== undefined)
  return mail.kind === 'welcome' ? mail.kind : undefined
}

const linkTemplate = (kind: LinkMailKind, byCode = false): TemplatedMail =>
  kind === 'reset_password' && byCode ? 'reset_password_code' : kind

async function kindOf(mail: AccountMail, baseUrl: string, { clock }: Pick<Shared, 'clock'>): Promise<MailKind> {
  const userName = nameIn(mail.user)
  const { ip } = mail
  if (mail.kind === 'sign_in_changed') {
    const { kind, change, by, userAgent, page, former = false } = mail
    const browser = await browserOf(userAgent)
    return { kind, change, by, former, userName, ip, browser, at: clock.now(), url: `${baseUrl}${page}` }
  }
  if ('path' in mail) {
    const { kind, path, code } = mail
    return { kind, userName, ip, url: `${baseUrl}${path}`, ...(code === undefined ? {} : { code }) }
  }
  if ('page' in mail) {
    const { kind, page, former = false } = mail
    return { kind, former, userName, ip, url: `${baseUrl}${page}` }
  }
  return { kind: mail.kind, userName, ip }
}

/** Mails to people who need no account yet, in the tenant's first language. */
export function invitationMailer(sender: Sender, shared: Shared): InvitationDeps['invitationMailer'] {
  const { tenant, baseUrl } = sender
  return {
    async compose({ to, inviter, brand, link, until }) {
      const organization = brand.name
      const context = await mailContext({ tenant, baseUrl, to, user: null, brand })
      const message = await renderMail({ kind: 'invitation', inviter, organization, url: link }, context)
      const about = {
        to,
        user: null,
        clientId: null,
        connectionId: '',
        inviter,
        organization,
        language: context.locale,
      }
      const final = await applyTemplate('invitation', message, about, sender, shared)
      return sealMessage({ ...final, until: until.toISOString() }, { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

/** The mail about the end of an import, in the tenant's first language. */
export async function composeImportMail(
  job: Job,
  to: string,
  sender: Sender,
  shared: Pick<Shared, 'vault' | 'random' | 'clock'>,
): Promise<OutboxRow> {
  const { tenant, baseUrl } = sender
  const { inserted, updated, failed, done } = job
  const counts = { added: inserted, changed: updated, refused: failed, unprocessed: (job.total ?? 0) - done }
  const context = await mailContext({ tenant, baseUrl, to, user: null })
  const message = await renderMail({ kind: 'import_ended', counts }, context)
  return sealMessage(message, { ...shared, tenantId: tenant.id })
}

/** The recipient of a code or link may not own an account yet, so these messages contain no user's name. */
export function createMessenger(sender: Sender, shared: Shared): CodeMessenger {
  const { tenant, baseUrl } = sender
  return {
    async compose(message) {
      const { to, locale, until, brand } = message
      const context = await mailContext({ tenant, baseUrl, to, user: null, locale, brand })
      const plain = await renderCodeMessage(message, context)
      const factor = 'factor' in message ? message.factor : undefined
      const about = { to, user: factor?.user ?? null, clientId: null, connectionId: '', language: context.locale }
      const final = factor
        ? await applyTemplate('mfa_code', plain, { ...about, clientName: factor.clientName }, sender, shared)
        : 'confirms' in message
          ? await applyTemplate('address_code', plain, about, sender, shared)
          : await inOwnWords(plain, message, context, sender, shared)
      return sealMessage({ ...final, until: until.toISOString() }, { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

/** A text message or call by the tenant's template; as it is where there is none, or where the template fails. */
async function inOwnWords(
  plain: OutgoingMessage,
  message: CodeMessage,
  { locale, baseUrl, tenantName: friendlyName }: MailContext,
  sender: Sender,
  shared: Pick<Shared, 'log'>,
): Promise<OutgoingMessage> {
  if (message.channel === 'email' || 'notice' in message) return plain
  const { channel, code, enrolls = false } = message
  const template = sender.phoneTemplates?.(channel, enrolls)
  if (!template) return plain
  const { applyPhoneTemplate } = await loadPhoneTemplates()
  const values = { channel, code, locale, tenantName: sender.tenant.name, friendlyName }
  const apply = () => checkMessage(applyPhoneTemplate(template, plain, values, new URL(baseUrl).hostname))
  return tried(channel, apply, sender, shared) ?? plain
}

async function renderCodeMessage(message: CodeMessage, context: MailContext): Promise<OutgoingMessage> {
  if (message.channel !== 'email') {
    const { sender, gateway } = message
    const { renderPhoneMessage } = await loadPhoneMessages()
    return { ...renderPhoneMessage(message, context), ...defined({ sender, gateway }) }
  }
  const shared = { userName: undefined, ip: message.ip }
  const urlOf = (path: string): string => `${context.baseUrl}${path}`
  if (!('code' in message)) return renderMail({ ...shared, kind: 'login_link', url: urlOf(message.path) }, context)
  if ('confirms' in message) return renderMail({ ...shared, kind: 'address_code', code: message.code }, context)
  const link = message.path === undefined ? {} : { url: urlOf(message.path) }
  return renderMail({ ...shared, kind: 'login_code', code: message.code, ...link }, context)
}

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))

export const renderMail = async (kind: MailKind, context: MailContext) => (await loadMails()).renderMail(kind, context)

export const nameIn = (user: MailedUser | null): string | undefined => user?.givenName ?? user?.name ?? undefined

type About = Pick<TemplateValues, 'to' | 'user' | 'ip' | 'inviter' | 'organization'> & {
  clientId: string | null
  clientName?: string
  connectionId: string
  language: string
}

/** The message by the tenant's template; as it is where there is none, or where the template fails. */
export async function applyTemplate(
  kind: TemplatedMail,
  message: OutgoingMessage,
  about: About,
  sender: Sender,
  shared: Pick<Shared, 'log'>,
): Promise<OutgoingMessage> {
  const template = sender.templates?.get(kind)
  if (!template) return message
  const values = await valuesOf(about, sender)
  return tried(kind, () => checkMessage(template.apply(message, values)), sender, shared) ?? message
}

/** What the tenant's template of a mail sets for its link. */
export async function linkSettings(
  kind: TemplatedMail,
  about: About,
  sender: Sender,
  shared: Pick<Shared, 'log'>,
): Promise<{ lifetimeSeconds?: number; resultUrl?: string }> {
  const template = sender.templates?.get(kind)
  if (!template) return {}
  const { lifetimeSeconds: seconds } = template
  const values = await valuesOf(about, sender)
  const resultUrl = tried(kind, () => template.resultUrl(values, about.to), sender, shared)
  return { ...(seconds && { lifetimeSeconds: Math.min(seconds, MAX_MAILED_SECONDS) }), ...(resultUrl && { resultUrl }) }
}

function tried<T>(
  template: TemplatedMail | 'sms' | 'voice',
  work: () => T,
  { tenant }: Sender,
  { log }: Pick<Shared, 'log'>,
): T | undefined {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    log.warn({ tenant: tenant.id, template, reason }, 'A template failed, so the standard message is sent.')
    return undefined
  }
}

async function valuesOf(about: About, { tenant, clients, connections }: Sender): Promise<TemplateValues> {
  const { clientId, clientName, connectionId, language, ...given } = about
  const client = clientId === null ? null : await clients.find(clientId)
  const connection = (await connections.all()).find(({ id }) => id === connectionId)
  const { support_email: supportEmail, support_url: supportUrl, friendly_name } = tenant.settings.tenant
  const named = clientName === undefined ? null : { id: '', name: clientName, isRegistered: true, metadata: {} }
  return {
    ...given,
    locale: language,
    tenant: { name: tenant.name, friendlyName: friendly_name ?? tenant.name, supportEmail, supportUrl },
    application: client
      ? {
          id: client.clientId,
          name: client.name,
          isRegistered: client.isRegistered,
          metadata: client.settings.client_metadata ?? {},
          ...callbackDomain(client.settings.callbacks),
        }
      : named,
    connection: connection?.name ?? null,
  }
}

/** Anyone may register a client, but its template is the tenant's, and the address one that the client has. */
function callbackDomain([first]: readonly string[]): { callbackDomain?: string } {
  const origin = first === undefined ? undefined : parseUrl(first)?.origin
  return origin === undefined || origin === 'null' ? {} : { callbackDomain: origin }
}

type Addressed = {
  tenant: Pick<Tenant, 'name' | 'settings' | 'theme'>
  baseUrl: string
  to: string
  user: MailedUser | null
  locale?: string | undefined
  acceptLanguage?: string | undefined
  brand?: MailBrand | undefined
}

/** The user's language takes precedence over the request's. */
const localeOf = ({ tenant, user, locale = '', acceptLanguage }: Omit<Addressed, 'baseUrl'>) =>
  pickLocale({
    uiLocales: `${user?.profile.locale ?? ''} ${locale}`.trim(),
    acceptLanguage,
    enabled: tenant.settings.tenant.enabled_locales,
  })

export async function mailContext(addressed: Addressed): Promise<MailContext> {
  const { tenant, baseUrl, to, brand } = addressed
  const { tenantName, supportUrl, accent } = brandingOf({ ...tenant, tenantName: tenant.name })
  const locale = localeOf(addressed)
  return { to, locale, t: await loadMessageTranslate(locale), baseUrl, tenantName, supportUrl, accent, brand }
}
