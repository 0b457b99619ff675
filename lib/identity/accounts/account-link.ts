// Mailed links for an account: the owner, the purpose, and the one way to request them.
// - Nothing reveals whether an account exists: the same statements write the same rows, and for an unknown address the rows are
//   unusable (threat-model.md DB6). Requests beyond the limits are dropped silently.
// - The mail goes to the stored address. A newer link ends the older ones.
import type { EventName } from '../../data/audit/events'
import type { Trail } from '../../data/audit/trail'
import type { DatabaseConnection } from '../../data/connections/connection'
import type { MailedOrganization } from '../../data/outbox/message'
import { makeTicket, type TicketKind, type TicketPort } from '../../data/tickets/ticket'
import type { AccountKey, AccountPort, MailedLinkRow } from '../../data/users/account'
import { type AllowanceDeps, mayMail, type RequestSource } from '../../data/users/allowance'
import { familiarToAccount } from '../../data/users/attempts'
import { canonical, type DatabaseAccount, guessedOf, type User, type UserPort } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { type AccountMailer, type LinkMailKind, type MailedUser, mailableAddress } from './account-mail'
import type { Asking } from './account-triggers'

/** The account of a link, and the address it was sent to. */
export type LinkPayload = {
  connectionId: string
  providerUserId: string
  userId: string
  email: string
  /** The client at which the request started. */
  clientId: string | null
  /** False for a link that was not mailed to the address: it proves nothing about it. */
  proves?: boolean
  /** A manager made the link, so the password that it sets is a recovery. */
  byManager?: boolean
  /** Where the last page leads, in place of the client. */
  resultUrl?: string
  /** That of the login or request that asked for it. */
  organizationId?: string
  /** The id of the login that asked for it, for the log. */
  login?: string
}

export type LinkKind = {
  ticket: TicketKind<LinkPayload>
  mail: LinkMailKind
  path: string
  /** The audit events: the link was sent, or there was no account to send it to. */
  events: { sent: EventName; unsent?: EventName }
}

export type RequestContext = Asking &
  RequestSource & {
    locale: string | undefined
    /** A session asked for it, so it must not end what the owner may have asked for. */
    sparesOlder?: boolean
  }

export type LinkDeps = AllowanceDeps & {
  accounts: AccountPort
  users: UserPort
  tickets: TicketPort
  mailer: AccountMailer
  clock: Clock
  random: Random
  trail: Trail
}

/**
 * Sends the link if an account has this address and `wanted` accepts it; whether requests are within their limits. `bring` is asked for every
 * address within the limits, and may make the account of one that has none.
 */
export async function requestLink(
  kind: LinkKind,
  connection: DatabaseConnection,
  address: string,
  context: RequestContext,
  deps: LinkDeps,
  { wanted = () => true, bring = async () => null, ...extras }: Wishes & MailExtras = {},
): Promise<boolean> {
  const email = canonical(address)
  const known = await deps.users.findAccount(connection.id, email)
  const familiarity = familiarToAccount(connection.id, known ? guessedOf(known) : email)
  if (!(await mayMail(kind.mail, { connectionId: connection.id, address: email }, context, deps, familiarity)))
    return false
  const brought = await bring()
  const account = known ?? brought
  const owner = account && wanted(account.user) ? account : null
  const { login } = deps.trail.known
  await deps.accounts.requestLink(await linkFor(kind, owner, { ...context, login }, deps, extras))
  deps.mailer.wake()
  deps.trail.context({ connection, typed: email })
  if (owner) deps.trail.record(kind.events.sent, { user: owner.user })
  else if (kind.events.unsent)
    deps.trail.record(kind.events.unsent, { reason: 'no_such_account', sentence: 'no such account' })
  return true
}

type Wishes = { wanted?(user: User): boolean; bring?(): Promise<DatabaseAccount | null> }

/** The link for an unknown address goes to an address that no mail server has (RFC 2606). */
const DEAD_LETTER = 'nobody@nobody.invalid'

type Owner = {
  connectionId: string
  providerUserId: string
  email: string | null
  user: Pick<User, 'id'> & MailedUser
}

/** What the mail says beside its link. */
export type MailExtras = { code?: string; directory?: string }

/** What a link is made for, whether a person or a manager asks for it. */
type LinkContext = Omit<RequestContext, 'organization'> & {
  organization?: MailedOrganization | null
  login?: string | undefined
}

/** A newer link for the same account and address ends this one. What an intruder mails to another address ends nothing. */
export const linkSubject = ({ connectionId, providerUserId, email }: AccountKey & { email: string }): string =>
  `${connectionId}|${providerUserId}|${email}`

export async function linkFor(
  { ticket: kind, mail, path }: LinkKind,
  account: Owner | null,
  context: LinkContext,
  { mailer, clock, random }: Pick<LinkDeps, 'mailer' | 'clock' | 'random'>,
  extras: MailExtras = {},
): Promise<MailedLinkRow> {
  const { clientId, ip, locale, organization, login } = context
  const { connectionId, providerUserId } = account ?? { connectionId: '', providerUserId: random.hex(24) }
  const user = account?.user ?? null
  const stored = account && mailableAddress(account)
  const to = stored ?? DEAD_LETTER
  const about = { kind: mail, to, user, clientId, connectionId, locale, organization }
  const { lifetimeSeconds, resultUrl } = await mailer.linkSettings({ ...about, byCode: extras.code !== undefined })
  const payload = {
    connectionId,
    providerUserId,
    userId: user?.id ?? '',
    email: canonical(to),
    clientId,
    ...(login === undefined ? {} : { login }),
    ...(resultUrl === undefined ? {} : { resultUrl }),
    ...(organization && { organizationId: organization.id }),
  }
  const options = {
    subject: linkSubject({ connectionId, providerUserId, email: payload.email }),
    ...(context.sparesOlder && { sparesOlder: true }),
    ...(lifetimeSeconds && { lifetimeSeconds }),
  }
  const { plain, ticket } = makeTicket(kind, payload, { clock, random }, options)
  const row = await mailer.compose({ ...about, ...extras, path: `${path}?ticket=${plain}`, ip })
  return { ticket, mail: row, alive: stored !== null }
}
