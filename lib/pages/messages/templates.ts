// Renders each kind of mail to a subject, text and HTML in the user's language (threat-model.md DB7).
// - A link to this server has the configured base URL, never the Host header of a request. Other origins are refused.
// - Names of people are untrusted: one line, short, and shown only if no mail client could turn them into a link (BF8). Names that an
//   administrator chose are shown as they are, in one line.
// - A link opens a page with a button. Following the link changes nothing, because mail scanners follow links.

import type { MailBrand, OutgoingMessage } from '../../data/outbox/message'
import type { MailedWay, OtherWay, SignInChange } from '../../identity/accounts/account-mail'
import type { FactorName } from '../../identity/mfa/factors/index'
import type { NamedBrowser } from '../../kernel/user-agent'
import type { Translate } from '../../text/catalogue'
import type { Locale } from '../../text/locale'
import { type MailAction, type MailParts, mailHtml, mailText } from './mail-layout'

export type BlockedAccount = {
  kind: 'blocked_account'
  userName: string | undefined
  /** The blocked network address. */
  ip: string
  unblockUrl: string
}

/** A mail with a button that opens one of our pages. */
export type LinkMail = {
  kind:
    | 'verify_email'
    | 'reset_password'
    | 'stolen_credentials'
    | 'login_link'
    | 'enroll_factor'
    | 'deletion_requested'
    | 'deletion_scheduled'
    | 'deletion_refused'
    | 'email_changed'
  former?: boolean
  /** Of a mail for a new password: it may be typed in place of opening the link. */
  code?: string
  /** The name of the database of the account. */
  directory?: string
  userName: string | undefined
  ip: string
  url: string
}

/** A change of a way to sign in, and who caused it. */
export type SignInMail = {
  kind: 'sign_in_changed'
  change: SignInChange
  by: 'owner' | 'administrator'
  at: Date
  browser: NamedBrowser
  /** The recipient is the address of the account before its change, which can be undone. */
  former?: boolean
  userName: string | undefined
  ip: string
  url: string
}

/** A notification without a button. */
export type NoteMail = {
  kind: 'already_registered' | 'password_changed' | 'welcome'
  userName: string | undefined
  ip: string
}

/** A mail with a code for the page that requested it, or with a link to open. */
export type CodeMail = {
  kind: 'login_code' | 'address_code'
  userName: string | undefined
  ip: string
  code: string
  url?: string
}

/** The link leads to the application that the recipient is invited to use. */
export type InvitationMail = { kind: 'invitation'; inviter: string; organization: string; url: string }

/** What an import of users did. */
export type ImportMail = {
  kind: 'import_ended'
  counts: Record<'added' | 'changed' | 'refused' | 'unprocessed', number>
}

export type MailKind = BlockedAccount | LinkMail | SignInMail | NoteMail | CodeMail | InvitationMail | ImportMail

export type MailContext = {
  to: string
  locale: Locale
  /** The texts of messages in that language. */
  t: Translate
  /** The only permitted origin of links to this server. */
  baseUrl: string
  tenantName: string
  supportUrl?: string | undefined
  accent?: string | undefined
  brand?: MailBrand | undefined
}

/** Renders the mail for `kind`, ready to enqueue. */
export function renderMail(kind: MailKind, context: MailContext): OutgoingMessage {
  const tenant = oneLine(context.tenantName, 100)
  const url = kind.kind === 'blocked_account' ? kind.unblockUrl : 'url' in kind ? kind.url : undefined
  const link = url === undefined || kind.kind === 'invitation' ? url : ownLink(url, context.baseUrl)
  const parts = partsOf(kind, link, tenant, context)
  return {
    channel: 'email',
    to: context.to,
    subject: context.t(`mail.${kind.kind}.subject`, { tenant }),
    text: mailText(parts),
    html: mailHtml(parts, { ...context, tenantName: tenant }),
    ...(link === undefined || ('former' in kind && kind.former) ? {} : { link }),
    ...('code' in kind && kind.code !== undefined ? { code: kind.code } : {}),
  }
}

function partsOf(kind: MailKind, link: string | undefined, tenant: string, context: MailContext): MailParts {
  const { t, supportUrl } = context
  const name = 'userName' in kind ? plainName(kind.userName) : undefined
  const { kind: mail } = kind
  const former = 'former' in kind && kind.former === true
  return {
    title: t(`mail.${mail}.title`, { tenant }),
    preview: t(`mail.${mail}.preview`),
    greeting: name === undefined ? t('mail.greeting_unnamed') : t('mail.greeting', { name }),
    paragraphs: [
      t(`mail.${mail}.lead`, { tenant }),
      ...(isCodeBesideLink(kind) ? [t('mail.reset_password.code')] : []),
    ],
    facts: factsOf(kind, context),
    action: link === undefined || former ? undefined : actionOf(mail, link, t),
    closing: [former ? t('mail.former') : t(`mail.${mail}.closing`, { tenant })],
    help: supportUrl ? { label: t('mail.help'), href: supportUrl } : undefined,
    footer: t('mail.footer', { tenant }),
  }
}

const isCodeBesideLink = (kind: MailKind): boolean => kind.kind === 'reset_password' && kind.code !== undefined

/** The button. A mail with a code and a link has the button of the mail with the link alone. */
function actionOf(kind: MailKind['kind'], href: string, t: Translate): MailAction | undefined {
  if (kind === 'already_registered' || kind === 'password_changed' || kind === 'welcome') return undefined
  if (kind === 'address_code' || kind === 'import_ended') return undefined
  const words = kind === 'login_code' ? 'login_link' : kind
  return { intro: t(`mail.${words}.intro`), label: t(`mail.${words}.action`), href, fallback: t('mail.fallback') }
}

/** A mail that a manager caused has no address of a person. An application may let anyone invite, so an inviter's name is shown as those of people are. */
function factsOf(kind: MailKind, { t, locale }: MailContext): MailParts['facts'] {
  if (kind.kind === 'import_ended')
    return Object.entries(kind.counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => ({ label: t(`mail.${name as keyof ImportMail['counts']}`), value: String(count) }))
  if (kind.kind !== 'invitation')
    return [
      ...('code' in kind && kind.code !== undefined ? [{ label: t('mail.code'), value: kind.code }] : []),
      ...('directory' in kind && kind.directory !== undefined
        ? [{ label: t('login.database'), value: oneLine(kind.directory, 128) }]
        : []),
      ...(kind.kind === 'sign_in_changed' ? factsOfChange(kind, t, locale) : []),
      ...(kind.ip === '' ? [] : [{ label: t('mail.address'), value: oneLine(kind.ip, 64) }]),
    ]
  const inviter = plainName(kind.inviter)
  return [
    { label: t('mail.organization'), value: oneLine(kind.organization, 255) },
    ...(inviter === undefined ? [] : [{ label: t('mail.invited_by'), value: inviter }]),
  ]
}

/** A User-Agent header may name any text as its browser, so it is shown as names of people are. */
function factsOfChange({ change, by, at, browser }: SignInMail, t: Translate, locale: Locale): MailParts['facts'] {
  const names = change.ways.map((each) =>
    isOther(each) ? t(`mail.way.${each}`) : t(`mfa.factor.${each as FactorName}`),
  )
  const ways = new Intl.ListFormat(locale, { type: 'unit' }).format(names)
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const named = [browser.browser, browser.system].map(plainName).filter((each) => each !== undefined)
  return [
    { label: t('mail.change'), value: t(`mail.sign_in_changed.${change.what}`, { ways }) },
    { label: t('mail.time'), value: `${moment.format(at)} UTC` },
    ...(by === 'owner' ? [] : [{ label: t('mail.changed_by'), value: t('mail.administrator') }]),
    ...(named.length === 0 ? [] : [{ label: t('mail.browser'), value: named.join(', ') }]),
  ]
}

const OTHER_WAYS: Readonly<Record<OtherWay, true>> = {
  passkey: true,
  password: true,
  'connected-account': true,
  'email-address': true,
  'phone-number': true,
  username: true,
}

const isOther = (way: MailedWay): way is OtherWay => Object.hasOwn(OTHER_WAYS, way)

function ownLink(link: string, baseUrl: string): string {
  const own = URL.canParse(link) && new URL(link).origin === new URL(baseUrl).origin
  if (!own) throw new Error('a link in a mail must begin with the base URL')
  return link
}

const REORDERING_OR_CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

export const oneLine = (text: string, limit: number): string =>
  [...text.replace(REORDERING_OR_CONTROL, ' ').replace(/\s+/g, ' ').trim()].slice(0, limit).join('')

/**
 * Letters, spaces, hyphens, apostrophes, and full stops before a space or the end. Any other character could be part of text that
 * a mail client turns into a link: `win24.ly`, `win。example`, an address, a telephone number.
 */
const PLAIN_NAME = /^(?:[\p{L}\p{M} '’-]|\.(?= |$))+$/u

/** The NFKC form is checked as well: mail clients treat a full-width letter or dot as the plain one. */
export function plainName(name: string | undefined): string | undefined {
  const line = oneLine(name ?? '', 60)
  return PLAIN_NAME.test(line) && PLAIN_NAME.test(line.normalize('NFKC')) ? line : undefined
}
