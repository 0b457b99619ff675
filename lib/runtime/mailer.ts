// Renders mails about accounts in the tenant's design and the user's language, and seals them for the outbox. Links start with
// the tenant's base URL, whatever the request's Host header is (threat-model.md HT3).

import type { AccountMail, AccountMailer } from '../accounts/account-mail'
import { lazy } from '../kernel/lazy'
import type { InvitationDeps } from '../management/resources/organization-invitations'
import type { MailContext, MailKind } from '../messages/templates'
import { sealMessage } from '../outbox/outbox'
import { brandingOf } from '../pages/respond'
import type { Tenant } from '../tenants/settings'
import { loadMessageTranslate } from '../texts'
import { pickLocale } from '../texts/locale'
import type { CodeMessage, CodeMessenger } from '../users/code-message'
import type { User } from '../users/user'
import type { Shared } from './runtime'

/** The templates load with the first message. */
const loadMails = lazy(() => import('../messages/templates'))
const loadPhoneMessages = lazy(() => import('../messages/templates-phone'))

type Named = Pick<User, 'name' | 'givenName' | 'profile'>

export function createMailer(tenant: Tenant, baseUrl: string, shared: Shared): AccountMailer {
  return {
    async compose(mail) {
      const context = await mailContext({ tenant, baseUrl, to: mail.to, user: mail.user, locale: mail.locale })
      return sealMessage(await renderMail(kindOf(mail, baseUrl), context), { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

function kindOf(mail: AccountMail, baseUrl: string): MailKind {
  const userName = nameIn(mail.user)
  const { ip } = mail
  return 'path' in mail
    ? { kind: mail.kind, userName, ip, url: `${baseUrl}${mail.path}` }
    : { kind: mail.kind, userName, ip }
}

type Branded = { tenantId: string; tenantName: string; baseUrl: string; settings: Tenant['settings'] }

/** Mails to people who need no account yet, in the tenant's first language. */
export function invitationMailer(
  { tenantId, tenantName, baseUrl, settings }: Branded,
  shared: Shared,
): InvitationDeps['invitationMailer'] {
  const tenant = { id: tenantId, name: tenantName, settings }
  return {
    async compose({ to, inviter, organization, link, until }) {
      const context = await mailContext({ tenant, baseUrl, to, user: null })
      const content = await renderMail({ kind: 'invitation', inviter, organization, url: link }, context)
      return sealMessage({ ...content, until: until.toISOString() }, { ...shared, tenantId })
    },
    wake: shared.wakeDispatcher,
  }
}

/** The recipient of a code or link may not own an account yet, so these messages contain no user's name. */
export function createMessenger(tenant: Tenant, baseUrl: string, shared: Shared): CodeMessenger {
  return {
    async compose(message) {
      const { to, locale, until } = message
      const context = await mailContext({ tenant, baseUrl, to, user: null, locale })
      const content = { ...(await renderCodeMessage(message, context)), until: until.toISOString() }
      return sealMessage(content, { ...shared, tenantId: tenant.id })
    },
    wake: shared.wakeDispatcher,
  }
}

async function renderCodeMessage(message: CodeMessage, context: MailContext) {
  if (message.channel !== 'email') {
    const { sender, gateway } = message
    const { renderPhoneMessage } = await loadPhoneMessages()
    return { ...renderPhoneMessage(message, context), ...defined({ sender, gateway }) }
  }
  const shared = { userName: undefined, ip: message.ip }
  const urlOf = (path: string): string => `${context.baseUrl}${path}`
  if (!('code' in message)) return renderMail({ ...shared, kind: 'login_link', url: urlOf(message.path) }, context)
  const link = message.path === undefined ? {} : { url: urlOf(message.path) }
  return renderMail({ ...shared, kind: 'login_code', code: message.code, ...link }, context)
}

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))

export const renderMail = async (kind: MailKind, context: MailContext) => (await loadMails()).renderMail(kind, context)

export const nameIn = (user: Named | null): string | undefined => user?.givenName ?? user?.name ?? undefined

type Addressed = {
  tenant: Pick<Tenant, 'name' | 'settings'>
  baseUrl: string
  to: string
  user: Named | null
  locale?: string | undefined
}

/** The user's language takes precedence over the request's. */
export async function mailContext({ tenant, baseUrl, to, user, locale = '' }: Addressed): Promise<MailContext> {
  const { tenantName, supportUrl, accent } = brandingOf({ settings: tenant.settings, tenantName: tenant.name })
  const uiLocales = `${user?.profile.locale ?? ''} ${locale}`.trim()
  const enabled = tenant.settings.tenant.enabled_locales
  const chosen = pickLocale({ uiLocales, enabled })
  const t = await loadMessageTranslate(chosen)
  return { to, locale: chosen, t, baseUrl, tenantName, supportUrl, accent }
}
