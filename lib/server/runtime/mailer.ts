// Renders mails about accounts in the tenant's design and the user's language, by the tenant's own template where it has one, and
// seals them for the outbox. Links start with the tenant's base URL, whatever the request's Host header is (threat-model.md HT3).

import type { ClientPort } from '../../data/clients/client'
import type { ConnectionPort } from '../../data/connections/connection'
import { mailBrandOf, type OrganizationPort, spokenName } from '../../data/organizations/organization'
import {
  checkMessage,
  isMailAddress,
  type MailedOrganization,
  type OutgoingMessage,
  type StoredMessageCause,
} from '../../data/outbox/message'
import { type OutboxRow, sealMessage } from '../../data/outbox/outbox'
import type { Tenant } from '../../data/tenants/settings'
import { MAX_MAILED_SECONDS } from '../../data/tickets/ticket'
import type { CodeMessage, CodeMessenger } from '../../data/users/code-message'
import type { ManagedUser } from '../../data/users/managed-user'
import type { Portray } from '../../data/users/picture'
import { BLANK_PERSON } from '../../data/users/user'
import type { AccountMail, AccountMailer, LinkMailKind, MailedUser } from '../../identity/accounts/account-mail'
import { present } from '../../identity/tenant-code/events'
import { messageType } from '../../identity/tenant-code/message-event'
import { lazy } from '../../kernel/lazy'
import { browserOf } from '../../kernel/user-agent'
import type { Job } from '../../management/jobs/job'
import type { InvitationDeps } from '../../management/resources/organization-invitations'
import { presentUser } from '../../management/resources/present-user'
import type { MailTemplates, TemplatedMail } from '../../pages/messages/mail-templates'
import type { PhoneTemplates } from '../../pages/messages/phone-templates'
import type { TemplateTenant, TemplateUser, TemplateValues } from '../../pages/messages/template-scope'
import type { MailContext, MailKind } from '../../pages/messages/templates'
import { brandingOf } from '../../pages/respond'
import { loadMessageTranslate } from '../../text'
import { pickLocale } from '../../text/locale'
import type { Shared } from './shared'

/** The mails load with the first message. */
const loadMails = lazy(() => import('../../pages/messages/templates'))
const loadPhoneTemplates = lazy(() => import('../../pages/messages/phone-templates'))
const loadPhoneMessages = lazy(() => import('../../pages/messages/templates-phone'))

/** A tenant and what its mails may say and name. */
export type MessageTenant = {
  tenant: Pick<Tenant, 'id' | 'name' | 'settings' | 'theme' | 'domains'>
  baseUrl: string
  templates: MailTemplates | undefined
  /** The tenant switched the mail off that verifies the address of a sign-up. */
  verificationOff: boolean
  phoneTemplates: PhoneTemplates | undefined
  clients: Pick<ClientPort, 'find'>
  connections: ConnectionPort
  organizations: Pick<OrganizationPort, 'find'>
  /** A user as the Management API reads it. */
  findRecord(userId: string): Promise<ManagedUser | null>
  portray: Portray
}

export function createMailer(sender: MessageTenant, shared: Shared): AccountMailer {
  const { tenant, baseUrl, templates, verificationOff } = sender
  return {
    welcomes: templates?.has('welcome') ?? false,
    verifiesSignUps: !verificationOff,
    async compose({ organizationId, ...given }) {
      const organization =
        given.organization ?? (organizationId ? await sender.organizations.find(organizationId) : null)
      const mail = { ...given, organization }
      const context = await mailContext({ tenant, baseUrl, ...mail })
      const message = await renderMail(await kindOf(mail, baseUrl, shared), context)
      const kind = templateFor(mail)
      const final = kind
        ? await applyTemplate(kind, message, { ...mail, language: context.locale }, sender, shared)
        : message
      const cause = causeFor(kind ?? mail.kind, { ...mail, language: context.locale })
      return sealMessage({ ...final, cause }, { ...shared, tenantId: tenant.id })
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
    const { kind, path, code, directory } = mail
    return { kind, userName, ip, url: `${baseUrl}${path}`, ...(code && { code }), ...(directory && { directory }) }
  }
  if ('page' in mail) {
    const { kind, page, former = false } = mail
    return { kind, former, userName, ip, url: `${baseUrl}${page}` }
  }
  return { kind: mail.kind, userName, ip }
}

/** Mails to people who need no account yet, in the tenant's first language. */
export function invitationMailer(sender: MessageTenant, shared: Shared): InvitationDeps['invitationMailer'] {
  const { tenant, baseUrl } = sender
  return {
    async compose({ to, link, until, inviter, organization, clientId, connectionId, ...given }) {
      const context = await mailContext({ tenant, baseUrl, to, user: null, organization })
      const named = { inviter, organization: spokenName(organization) }
      const message = await renderMail({ kind: 'invitation', ...named, url: link }, context)
      const about = {
        to,
        user: null,
        clientId,
        connectionId: connectionId ?? '',
        organization,
        invitation: { inviter, ...given },
        language: context.locale,
      }
      const final = await applyTemplate('invitation', message, about, sender, shared)
      const sealed = { ...final, cause: causeFor('invitation', about), until: until.toISOString() }
      return sealMessage(sealed, { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

/** The mail about the end of an import, in the tenant's first language. */
export async function composeImportMail(
  job: Job,
  to: string,
  sender: MessageTenant,
  shared: Pick<Shared, 'vault' | 'random' | 'clock'>,
): Promise<OutboxRow> {
  const { tenant, baseUrl } = sender
  const { inserted, updated, failed, done } = job
  const counts = { added: inserted, changed: updated, refused: failed, unprocessed: (job.total ?? 0) - done }
  const context = await mailContext({ tenant, baseUrl, to, user: null })
  const message = await renderMail({ kind: 'import_ended', counts }, context)
  const cause = { type: messageType('import_ended'), locale: context.locale }
  return sealMessage({ ...message, cause }, { ...shared, tenantId: tenant.id })
}

/** The recipient of a code or link may not own an account yet, so our own words contain no user's name. */
export function createMessenger(sender: MessageTenant, shared: Shared): CodeMessenger {
  const { tenant, baseUrl } = sender
  return {
    async compose(message) {
      const { to, locale, until, organization } = message
      const context = await mailContext({ tenant, baseUrl, to, user: null, locale, organization })
      const plain = await renderCodeMessage(message, context)
      const about = { ...causeOf(message), language: context.locale }
      const final = await inOwnWords(plain, message, about, sender, shared)
      const cause = { ...causeFor(kindIn(message), about), ...factorIn(message) }
      return sealMessage({ ...final, cause, until: until.toISOString() }, { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

/** Codes for second factors alone say whether they confirm a new one. */
const factorIn = (message: CodeMessage): Pick<StoredMessageCause, 'factor'> =>
  message.channel === 'email' || 'notice' in message || message.enrolls === undefined
    ? {}
    : { factor: message.enrolls ? 'enrollment' : 'second-factor-authentication' }

/** Our name of the message. */
function kindIn(message: CodeMessage): string {
  if (message.channel !== 'email')
    return 'notice' in message ? message.notice : message.enrolls ? 'otp_enroll' : 'otp_verify'
  const confirms = 'confirms' in message ? message.confirms : undefined
  return confirms ? CONFIRMING[confirms] : 'login_code'
}

const causeOf = ({
  to,
  user = null,
  clientId = null,
  connectionId = '',
  connection,
  organization,
  ip,
}: CodeMessage) => ({
  to,
  user,
  clientId,
  connectionId,
  connection,
  organization,
  ip,
})

/** By the tenant's template; as it is where there is none, or where the template fails. */
async function inOwnWords(
  plain: OutgoingMessage,
  message: CodeMessage,
  about: MessageSubject,
  sender: MessageTenant,
  shared: Pick<Shared, 'log' | 'clock'>,
): Promise<OutgoingMessage> {
  if (message.channel === 'email') {
    const kind = 'confirms' in message && message.confirms ? CONFIRMING[message.confirms] : undefined
    return kind ? applyTemplate(kind, plain, about, sender, shared) : plain
  }
  if ('notice' in message) return plain
  const { channel, code, enrolls = false } = message
  const template = sender.phoneTemplates?.(channel, enrolls)
  if (!template) return plain
  const { applyPhoneTemplate } = await loadPhoneTemplates()
  const values = { ...(await valuesOf(about, sender, shared, 'record')), channel, code }
  const apply = () => checkMessage(applyPhoneTemplate(template, plain, values, new URL(sender.baseUrl).hostname))
  return tried(channel, apply, sender, shared) ?? plain
}

const CONFIRMING = { factor: 'mfa_code', address: 'address_code' } as const

async function renderCodeMessage(message: CodeMessage, context: MailContext): Promise<OutgoingMessage> {
  if (message.channel !== 'email') {
    const { sender, gateway } = message
    const { renderPhoneMessage } = await loadPhoneMessages()
    return { ...renderPhoneMessage(message, context), ...defined({ sender, gateway }) }
  }
  const shared = { userName: undefined, ip: message.ip ?? '' }
  const urlOf = (path: string): string => `${context.baseUrl}${path}`
  if (!('code' in message)) return renderMail({ ...shared, kind: 'login_link', url: urlOf(message.path) }, context)
  if (message.confirms === 'address')
    return renderMail({ ...shared, kind: 'address_code', code: message.code }, context)
  const link = message.path === undefined ? {} : { url: urlOf(message.path) }
  return renderMail({ ...shared, kind: 'login_code', code: message.code, ...link }, context)
}

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))

export const renderMail = async (kind: MailKind, context: MailContext) => (await loadMails()).renderMail(kind, context)

export const nameIn = (user: MailedUser | null): string | undefined => user?.givenName ?? user?.name ?? undefined

export type MessageSubject = Pick<TemplateValues, 'to' | 'ip' | 'invitation'> & {
  user: MailedUser | null
  clientId: string | null
  connectionId: string
  /** The name of the connection, where the id is not known. */
  connection?: string | undefined
  organization?: MailedOrganization | null | undefined
  language: string
}

/** For an action that delivers the message. */
export function causeFor(kind: string, about: Omit<MessageSubject, 'to'>): StoredMessageCause {
  const { user, clientId, connectionId, connection = connectionId, organization, ip, language: locale } = about
  const known = { userId: user?.id, clientId, organizationId: organization?.id, ip: ip || null }
  return { type: messageType(kind), locale, ...present({ ...known, connection: connection || null }) }
}

/** The message by the tenant's template; as it is where there is none, or where the template fails. */
export async function applyTemplate(
  kind: TemplatedMail,
  message: OutgoingMessage,
  about: MessageSubject,
  sender: MessageTenant,
  shared: Pick<Shared, 'log' | 'clock'>,
): Promise<OutgoingMessage> {
  const template = sender.templates?.get(kind)
  if (!template) return message
  const values = await valuesOf(about, sender, shared, 'record')
  return tried(kind, () => checkMessage(template.apply(message, values)), sender, shared) ?? message
}

/** What the tenant's template of a mail sets for its link. */
export async function linkSettings(
  kind: TemplatedMail,
  about: MessageSubject,
  sender: MessageTenant,
  shared: Pick<Shared, 'log' | 'clock'>,
): Promise<{ lifetimeSeconds?: number; resultUrl?: string }> {
  const template = sender.templates?.get(kind)
  if (!template) return {}
  const { lifetimeSeconds: seconds } = template
  const values = await valuesOf(about, sender, shared, 'given')
  const resultUrl = tried(kind, () => template.resultUrl(values, about.to), sender, shared)
  return { ...(seconds && { lifetimeSeconds: Math.min(seconds, MAX_MAILED_SECONDS) }), ...(resultUrl && { resultUrl }) }
}

function tried<T>(
  template: TemplatedMail | 'sms' | 'voice',
  work: () => T,
  { tenant }: MessageTenant,
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

/**
 * `record`: with what is stored of the user. The look-up is made without a user, too, so that it takes the same time (threat-model.md DB6).
 */
async function valuesOf(
  about: MessageSubject,
  sender: MessageTenant,
  { clock }: Pick<Shared, 'clock'>,
  known: 'record' | 'given',
): Promise<TemplateValues> {
  const { clientId, connectionId, language, organization = null, to, ip, invitation } = about
  const record = known === 'record' ? await sender.findRecord(about.user?.id ?? '') : null
  const connections = await sender.connections.all()
  const connection = about.connection ?? connections.find(({ id }) => id === connectionId)?.name
  return {
    to,
    ip,
    invitation,
    organization,
    locale: language,
    tenant: templateTenant(sender.tenant),
    customDomain: sender.tenant.domains.find(({ domain }) => new URL(sender.baseUrl).host === domain)?.domain,
    user: about.user && templateUser(about.user, record, { to, at: clock.now() }, sender.portray),
    application: clientId === null ? null : await sender.clients.find(clientId),
    connection: connection ?? record?.identities[0]?.connection ?? null,
  }
}

export function templateTenant({ name, settings }: Pick<Tenant, 'name' | 'settings'>): TemplateTenant {
  const { friendly_name, support_email, support_url, default_redirection_uri, picture_url } = settings.tenant
  return {
    name,
    friendlyName: friendly_name ?? name,
    supportEmail: support_email,
    supportUrl: support_url,
    homeUrl: default_redirection_uri,
    logoUrl: picture_url ?? settings.branding.logo_url,
  }
}

/** What is given is newer than what is stored, and all there is of a user who is about to be stored. */
function templateUser(
  given: MailedUser,
  stored: ManagedUser | null,
  { to, at }: { to: string; at: Date },
  portray: Portray,
): TemplateUser {
  const email = isMailAddress(to) ? to : null
  const record = stored ?? unstored(email, at)
  const user = { ...record.user, ...given }
  return {
    record: presentUser({ ...record, user }, { portray }),
    isProven:
      (user.emailVerified && user.email === to) || (user.phoneVerified && user.phoneNumber === to && email === null),
    drawnPicture: portray({ ...user, picture: null }).picture,
  }
}

const unstored = (email: string | null, at: Date): ManagedUser => ({
  user: { id: '', ...BLANK_PERSON, email, factorWantedAt: null, updatedAt: at, recoveryEpoch: '' },
  identities: [],
  createdAt: at,
  lastLoginAt: null,
  lastIp: null,
  loginsCount: 0,
  lastPasswordReset: null,
  hasFactor: false,
})

type Addressed = {
  tenant: Pick<Tenant, 'name' | 'settings' | 'theme'>
  baseUrl: string
  to: string
  user: MailedUser | null
  locale?: string | undefined
  acceptLanguage?: string | undefined
  organization?: MailedOrganization | null | undefined
}

/** The user's language takes precedence over the request's. */
const localeOf = ({ tenant, user, locale = '', acceptLanguage }: Omit<Addressed, 'baseUrl'>) =>
  pickLocale({
    uiLocales: `${user?.profile.locale ?? ''} ${locale}`.trim(),
    acceptLanguage,
    enabled: tenant.settings.tenant.enabled_locales,
  })

export async function mailContext(addressed: Addressed): Promise<MailContext> {
  const { tenant, baseUrl, to, organization } = addressed
  const brand = organization ? mailBrandOf(organization) : undefined
  const { tenantName, supportUrl, accent } = brandingOf({ ...tenant, tenantName: tenant.name })
  const locale = localeOf(addressed)
  return { to, locale, t: await loadMessageTranslate(locale), baseUrl, tenantName, supportUrl, accent, brand }
}
