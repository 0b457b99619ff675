// A new e-mail address or phone number of a user, typed by the user: it counts once the code that was sent to it is typed, too
// (threat-model.md AP6).
// - The code belongs to one user, one address and the session that asked, lives ten minutes and works once. A newer request ends it.
// - An address by which another account signs in gets the same answer, and no message.
// - The old address is mailed about the change, with a link that undoes it (restore-email.ts); the old number gets a text message.

import type { Trail } from '../../data/audit/trail'
import { type Connection, type ConnectionPort, isDatabase, isUpstream } from '../../data/connections/connection'
import { dailyBudget, phoneLine } from '../../data/connections/phone-line'
import { isMailAddress } from '../../data/outbox/message'
import type { OutboxRow } from '../../data/outbox/outbox'
import { type TicketDeps, type TicketMaker, type TicketRef, ticketKind, ticketOf } from '../../data/tickets/ticket'
import type { AccountPort } from '../../data/users/account'
import { type AllowanceDeps, mayMail, takeAllowance } from '../../data/users/allowance'
import type { CodeMessenger } from '../../data/users/code-message'
import { checkAddressProven } from '../../data/users/first-proof'
import type { ManagedAccount, ManagedUserRecords, UserChange } from '../../data/users/managed-user'
import { isServed, readPhoneNumber } from '../../data/users/phone-number'
import { subjectOf } from '../../data/users/profile'
import type { UndoAddressPort, UndoRequest } from '../../data/users/undo-address'
import { canonical, type User, type UserPort } from '../../data/users/user'
import { addSeconds } from '../../kernel/clock'
import { accessDenied, invalidRequest } from '../../kernel/errors'
import type { Vault } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'
import { type AccountMailer, mailableAddress } from '../accounts/account-mail'
import { composeSignInMail } from '../accounts/sign-in-mail'
import type { CustomDatabaseDeps } from '../custom-databases/ask'
import { changeByScript, keepsAddresses, type ScriptedChange } from '../custom-databases/changes'
import { reasonOfDenial } from '../tenant-code/trigger'
import { restoringLink } from './restore-email'

export type ContactKind = 'email' | 'phone'

/** A typed address in its canonical form. The nonce makes the code one of this request. */
export type NewAddress = { kind: ContactKind; address: string; nonce: string }

export type ContactDeps = AllowanceDeps &
  CustomDatabaseDeps &
  TicketDeps & {
    accounts: AccountPort
    users: UserPort
    connections: ConnectionPort
    messenger: CodeMessenger
    mailer: AccountMailer
    undoAddress: UndoAddressPort
    management(): Promise<{ managedUsers: ManagedUserRecords }>
    vault: Vault
    trail: Trail
  }

/** `by` is the session of the user. */
export type ContactContext = { ip: string; locale: string | undefined; by: TicketMaker }

type OwnAccount = ManagedAccount & { connection: Connection }

const LIFETIME_SECONDS = 600
const CODE = ticketKind<TicketMaker>('portal-address', LIFETIME_SECONDS)
const KIND = 'new-address'
const CODE_DIGITS = 6
const HOUR = 3600

/** The account that a new address would belong to; null where a provider or a database elsewhere sets the addresses. */
export async function ownAccount(
  user: User,
  { management, connections }: Pick<ContactDeps, 'management' | 'connections'>,
): Promise<OwnAccount | null> {
  const { managedUsers } = await management()
  const [accounts, all] = await Promise.all([managedUsers.accounts(user.id), connections.all()])
  const own = accounts.find((account) => subjectOf(account) === user.id)
  const connection = all.find(({ id }) => id === own?.connectionId)
  if (!own || !connection || isUpstream(connection)) return null
  if (isDatabase(connection) && keepsAddresses(connection)) return null
  return { ...own, connection }
}

/** Whether an address of the kind is what finds the account. */
const isKey = ({ connection }: OwnAccount, kind: ContactKind): boolean =>
  kind === 'email' ? isDatabase(connection) || connection.strategy === 'email' : connection.strategy === 'sms'

export type AddressChangeOutcome =
  | { outcome: 'sent'; waiting: NewAddress }
  | { outcome: 'gone' | 'invalid' | 'not_served' | 'too_many' }

/**
 * Sends a code to the new address. The address that finds the account may be replaced before it is verified; another one would
 * verify an account whose own address is not (threat-model.md BF2).
 */
export async function requestNewAddress(
  user: User,
  { kind, typed }: { kind: ContactKind; typed: string },
  context: ContactContext,
  deps: ContactDeps,
): Promise<AddressChangeOutcome> {
  const own = await ownAccount(user, deps)
  if (!own) return { outcome: 'gone' }
  if (!isKey(own, kind)) await checkAddressProven(user, deps)
  const address = await readAddress(kind, typed)
  if (address === null) return { outcome: 'invalid' }
  const line = kind === 'phone' ? await phoneLine(deps.connections) : null
  if (line && !(await isServed(address, line.options.countries))) return { outcome: 'not_served' }
  if (!(await maySend(user, own, address, context, deps))) return { outcome: 'too_many' }
  if (line && !(await takeAllowance([dailyBudget(line.id, line.options)], deps))) return { outcome: 'too_many' }
  const holder = isKey(own, kind) ? await deps.users.findAccount(own.connectionId, address) : null
  const alive = holder === null || holder.user.id === user.id
  const code = deps.random.digits(CODE_DIGITS)
  const waiting = { kind, address, nonce: deps.random.token(16) }
  const until = addSeconds(deps.clock.now(), LIFETIME_SECONDS)
  const shared = {
    to: address,
    code,
    until,
    locale: context.locale,
    user,
    connectionId: own.connectionId,
    ip: context.ip,
  }
  const mail = await deps.messenger.compose(
    line
      ? { ...shared, channel: 'sms', sender: line.options.from, gateway: line.options.gateway_url }
      : { ...shared, channel: 'email', confirms: 'address' },
  )
  const digest = digestOf(user, waiting, code, deps.vault)
  const ticket = ticketOf(CODE, context.by, digest, deps, { subject: `${user.id} ${kind}` })
  await deps.accounts.requestLink({ ticket, mail, alive })
  deps.messenger.wake()
  deps.trail.record(kind === 'email' ? 'verification_sent' : 'code_sent', { user })
  return { outcome: 'sent', waiting }
}

async function readAddress(kind: ContactKind, typed: string): Promise<string | null> {
  if (kind === 'phone') return readPhoneNumber(typed)
  const address = canonical(typed)
  return isMailAddress(address) ? address : null
}

async function maySend(
  { id }: User,
  { connectionId }: OwnAccount,
  address: string,
  { ip }: ContactContext,
  deps: ContactDeps,
): Promise<boolean> {
  if (!(await takeAllowance([{ name: 'new-address', of: [id], most: 10, seconds: HOUR }], deps))) return false
  return mayMail(KIND, { connectionId, address }, { ip }, deps)
}

const digestOf = ({ id }: User, { kind, address, nonce }: NewAddress, typed: string, vault: Vault): Buffer =>
  vault.mac(KIND, JSON.stringify([id, kind, address, nonce, readCode(typed)]))

export type Confirmed = 'done' | 'gone' | 'taken' | 'wrong' | 'too_many'

/** Changes the address if the code is right. Of several callers with one code, one changes it. */
export async function confirmNewAddress(
  user: User,
  waiting: NewAddress,
  code: string,
  context: ContactContext,
  deps: ContactDeps,
): Promise<Confirmed> {
  const { kind } = waiting
  const own = await ownAccount(user, deps)
  if (!own) return 'gone'
  if (!isKey(own, kind)) await checkAddressProven(user, deps)
  if (!(await takeAllowance([{ name: 'new-address-code', of: [user.id], most: 10, seconds: HOUR }], deps)))
    return 'too_many'
  const at = deps.clock.now()
  const step: TicketRef = { kind: CODE, digest: digestOf(user, waiting, code, deps.vault) }
  if ((await deps.tickets.find(step, at)) === undefined) return 'wrong'
  await changeThere(own, waiting, context, deps)
  const change = { ...changeOf(own, waiting), ...(await messagesAbout(user, own, waiting, step, context, deps)) }
  const { managedUsers } = await deps.management()
  const done = await managedUsers.change(user.id, change, at, (before) => {
    if (before.user.email !== user.email || before.user.emailVerified !== user.emailVerified)
      throw invalidRequest('The account has changed meanwhile', { reason: 'account_changed', redirectable: false })
  })
  if (done !== 'done') return done === 'spent' ? 'wrong' : (done ?? 'gone')
  deps.mailer.wake()
  deps.trail.record('changed', { user, change: kind === 'email' ? 'email address' : 'phone number' })
  return 'done'
}

async function changeThere(
  { connection, emailKey, usernameKey }: OwnAccount,
  { kind, address }: NewAddress,
  { ip }: ContactContext,
  deps: ContactDeps,
): Promise<void> {
  if (!isDatabase(connection)) return
  const change: ScriptedChange =
    kind === 'email'
      ? { script: 'change_email', email: address, verified: true }
      : { script: 'change_phone_number', phoneNumber: address, verified: true }
  const denied = await changeByScript(connection, emailKey ?? usernameKey ?? '', change, { ip }, deps)
  if (denied) throw accessDenied(denied.reason, { reason: reasonOfDenial(denied), redirectable: false })
}

function changeOf(own: OwnAccount, { kind, address }: NewAddress): UserChange {
  const { connectionId, providerUserId, usernameKey, connection } = own
  const fields =
    kind === 'email' ? { email: address, emailVerified: true } : { phoneNumber: address, phoneVerified: true }
  const keys =
    connection.strategy === 'sms' ? { email: null, username: address } : { email: address, username: usernameKey }
  return {
    fields,
    account: { connectionId, providerUserId },
    ...(isKey(own, kind) ? { keys } : {}),
  }
}

const WAYS = { email: 'email-address', phone: 'phone-number' } as const

/** What is sent about the change, and what the change needs of the session. */
async function messagesAbout(
  user: User,
  own: OwnAccount,
  waiting: NewAddress,
  step: TicketRef,
  context: ContactContext,
  deps: ContactDeps,
): Promise<Pick<UserChange, 'notices' | 'byOwner'>> {
  const [undo, text, mail] = await Promise.all([
    undoForOldAddress(user, own, waiting, context, deps),
    noticeToOldNumber(user, waiting, context, deps),
    composeSignInMail(user, { what: 'changed', ways: [WAYS[waiting.kind]] }, deps, { locale: context.locale }),
  ])
  if (waiting.kind === 'email') return { byOwner: { step, ...(undo && { undo, inChain: mail }) } }
  return { ...(mail && { notices: [mail] }), byOwner: { step, ...(text && { text }) } }
}

/** The link for the address that was verified until now. */
async function undoForOldAddress(
  user: User,
  own: OwnAccount,
  { kind, address }: NewAddress,
  { ip, locale }: ContactContext,
  deps: ContactDeps,
): Promise<UndoRequest | undefined> {
  const to = mailableAddress(user)
  if (kind === 'phone' || to === null || !user.emailVerified || to === address) return undefined
  const { id, name, givenName, profile } = user
  const about = {
    to,
    user: { id, name, givenName, profile },
    clientId: null,
    connectionId: own.connectionId,
    ip,
    locale,
  }
  const compose = (page: string): Promise<OutboxRow> => deps.mailer.compose({ kind: 'email_changed', page, ...about })
  return restoringLink(own, { id, email: to }, compose, deps)
}

/**
 * The text message to the number that was verified until now. It needs no share of the daily budget: the code for the new number
 * took one.
 */
async function noticeToOldNumber(
  { phoneNumber: to, phoneVerified, profile }: User,
  { kind, address }: NewAddress,
  { locale }: ContactContext,
  { connections, messenger, clock }: ContactDeps,
): Promise<OutboxRow | undefined> {
  if (kind === 'email' || to === null || !phoneVerified || to === address) return undefined
  const { options } = await phoneLine(connections)
  if (!(await isServed(to, options.countries))) return undefined
  return messenger.compose({
    to,
    channel: 'sms',
    notice: 'number_changed',
    sender: options.from,
    gateway: options.gateway_url,
    locale: `${profile.locale ?? ''} ${locale ?? ''}`.trim(),
    until: addSeconds(clock.now(), 24 * HOUR),
  })
}
