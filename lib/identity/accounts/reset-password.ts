// Sets a password by a mailed link (threat-model.md DB6, RT7).
// - Opening the link changes nothing. The button consumes the link in the transaction that sets the password, ends every
//   session, pending login, code and token family of the user (except of the session whose step it is), lifts the blocks for wrong guesses, and writes the notification
//   mail. Only one of several parallel clicks wins.
// - It signs no one in, a blocked user stays blocked, and second factors stay.
// - The network of the request becomes known to the account, so the new password works there even while attackers exhaust the
//   attempt limits (BF6).
// - The link proves the address, so the address becomes verified, unless it was not mailed (lib/management/resources/tickets.ts).
import { type ConnectionPort, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { OrganizationPort } from '../../data/organizations/organization'
import {
  findStep,
  findTicket,
  type TicketKind,
  type TicketMaker,
  type TicketRef,
  ticketKind,
  ticketRef,
} from '../../data/tickets/ticket'
import { makeKnown } from '../../data/users/allowance'
import { familiarToAccount } from '../../data/users/attempts'
import { type NewPasswordDeps, refusalOfPassword, wasUsed } from '../../data/users/new-password'
import {
  type PasswordPolicy,
  type PasswordRefusal,
  type PersonalData,
  policyOf,
} from '../../data/users/password-policy'
import { guessedOf, type User } from '../../data/users/user'
import type { Vault } from '../../kernel/secret'
import type { CustomDatabaseDeps } from '../custom-databases/ask'
import { bringPerson, changeByScript } from '../custom-databases/changes'
import { type Denied, type Effects, reasonOfDenial } from '../tenant-code/trigger'
import {
  type LinkDeps,
  type LinkKind,
  type LinkPayload,
  type MailExtras,
  type RequestContext,
  requestLink,
} from './account-link'
import { type AccountTriggerDeps, notifyTriggers } from './account-triggers'
import { type CheckedReset, readPass, runRules } from './reset-triggers'
import { composeSignInMail, type SignInMailDeps } from './sign-in-mail'
import { welcomeOf } from './verify-email'

export const RESET: LinkKind = {
  ticket: ticketKind<LinkPayload>('reset-password', 3600),
  mail: 'reset_password',
  path: '/u/reset-password',
  events: { sent: 'reset_requested', unsent: 'reset_request_refused' },
}

/** The same link, for an owner whose password is known from a data breach. */
export const LEAKED: LinkKind = { ...RESET, mail: 'stolen_credentials' }

/** A step inside a page, or of an API, that sets a password as the link does, in the session that it was made from. */
export type PasswordStep = {
  kind: TicketKind<LinkPayload & TicketMaker>
  by: TicketMaker
  /** Whether that session outlasts the change. */
  keepsSession?: true
}

export type ResetDeps = LinkDeps &
  CustomDatabaseDeps &
  NewPasswordDeps &
  AccountTriggerDeps & {
    connections: ConnectionPort
    organizations: Pick<OrganizationPort, 'find'>
    vault: Vault
    undoAddress: SignInMailDeps['undoAddress']
  }

/** The account of the link, and the password policy. */
export type OpenReset = { payload: LinkPayload; user: User; connection: DatabaseConnection; policy: PasswordPolicy }

/** Someone whom only the script of a custom database knows has an account from then on. */
export const requestReset = (
  connection: DatabaseConnection,
  email: string,
  context: RequestContext,
  deps: LinkDeps & CustomDatabaseDeps,
  extras: MailExtras = {},
): Promise<boolean> =>
  requestLink(RESET, connection, email, context, deps, {
    ...extras,
    bring: () => bringPerson(connection, email, context, deps),
  })

/** Read-only; null for a link that is used, ended or not ours. */
export async function openReset(
  ticket: string,
  { tickets, clock, connections, users }: Pick<ResetDeps, 'tickets' | 'clock' | 'connections' | 'users'>,
  step?: PasswordStep,
): Promise<OpenReset | null> {
  const payload = step
    ? await findStep(step.kind, ticket, step.by, { tickets, clock })
    : await findTicket(RESET.ticket, ticket, { tickets, clock })
  const connection = (await connections.all()).find(({ id }) => id === payload?.connectionId)
  if (!payload || !isDatabase(connection)) return null
  const account = await users.findAccount(connection.id, payload.email)
  if (account?.providerUserId !== payload.providerUserId || account.user.id !== payload.userId) return null
  return { payload, user: account.user, connection, policy: policyOf(connection.settings.options) }
}

export type ResetResult =
  | { outcome: 'done'; user: User; clientId: string | null; resultUrl?: string | undefined }
  | { outcome: 'refused'; refusal: PasswordRefusal }
  | { outcome: 'denied'; denied: Denied }
  /** The actions ask for more first. */
  | { outcome: 'suspended'; open: OpenReset; effects: Effects }
  | { outcome: 'expired' }

/** `passed`: what the actions have let pass already (reset-actions.ts). */
export type ResetContext = Omit<RequestContext, 'clientId'> & { passed?: CheckedReset | undefined }

export async function resetPassword(
  ticket: string,
  password: string,
  context: ResetContext,
  deps: ResetDeps,
  step?: PasswordStep,
): Promise<ResetResult> {
  const open = await openReset(ticket, deps, step)
  if (!open) return { outcome: 'expired' }
  const { user: owner, connection } = open
  deps.trail.context({ user: owner, connection })
  deps.trail.follow(open.payload.login)
  const refusal = await refusalFor(open, password, deps)
  if (refusal) {
    const sentence = `the password was refused: ${refusal.kind}`
    if (refusal.kind === 'breached') deps.trail.record('reset_password_leaked', { sentence })
    else deps.trail.record('password_change_refused', { reason: 'password_too_weak', sentence })
    return { outcome: 'refused', refusal }
  }
  const ruled = step ? null : (readPass(context.passed, ticket, deps) ?? (await runRules(open, context, deps)))
  if (ruled?.suspended && !ruled.denied) return { outcome: 'suspended', open, effects: ruled }
  const denied = ruled?.denied ?? (await deniedByScript(open, password, context, deps))
  if (denied) {
    deps.trail.record('password_change_refused', { reason: reasonOfDenial(denied), sentence: denied.reason })
    return { outcome: 'denied', denied }
  }
  const keepsSid = step?.keepsSession ? step.by.sid : null
  const change = { ticket: ticketRef(step?.kind ?? RESET.ticket, ticket), keepsSid, password }
  const user = await setPassword(open, change, context, deps)
  if (user) {
    const { clientId } = open.payload
    deps.trail.record('password_changed')
    notifyTriggers('post-change-password', user.id, connection, { ...context, clientId }, deps)
  }
  const { clientId } = open.payload
  const resultUrl = ruled?.resultUrl ?? open.payload.resultUrl
  return user ? { outcome: 'done', user, clientId, resultUrl } : { outcome: 'expired' }
}

/** A password of a database elsewhere is set there, and not kept here. */
async function deniedByScript(
  { payload, connection }: OpenReset,
  password: string,
  { ip }: Omit<RequestContext, 'clientId'>,
  deps: ResetDeps,
): Promise<Denied | null> {
  const change = { script: 'change_password', password } as const
  return changeByScript(connection, payload.email, change, { clientId: payload.clientId, ip }, deps)
}

async function refusalFor({ payload, user, policy }: OpenReset, password: string, deps: ResetDeps) {
  const terms = { policy, person: personOf(user), stage: 'pre-change-password' } as const
  const refusal = await refusalOfPassword(password, terms, deps)
  if (refusal || policy.history === 0) return refusal
  const used = await wasUsed(password, await deps.accounts.passwordHistory(payload), policy.history, deps)
  return used ? ({ kind: 'history', size: policy.history } satisfies PasswordRefusal) : null
}

async function setPassword(
  { payload, user, connection, policy }: OpenReset,
  { ticket, keepsSid, password }: { ticket: TicketRef; keepsSid: string | null; password: string },
  { ip, locale }: Omit<RequestContext, 'clientId'>,
  deps: ResetDeps,
): Promise<User | null> {
  const { accounts, passwords, mailer, clock } = deps
  const change = {
    connectionId: payload.connectionId,
    providerUserId: payload.providerUserId,
    userId: payload.userId,
    ticket,
    keepsSid,
    byManager: payload.byManager ?? false,
    email: payload.email,
    proves: payload.proves ?? true,
    hash: authenticatesByScript(connection) ? null : await passwords.hash(password),
    // The current password is kept separately.
    keep: Math.max(policy.history - 1, 0),
    at: clock.now(),
  }
  const mail = await mailer.compose({
    kind: 'password_changed',
    to: payload.email,
    user,
    clientId: payload.clientId,
    connectionId: payload.connectionId,
    organizationId: payload.organizationId,
    ip,
    locale,
  })
  const context = { locale, except: payload.email }
  const others = await composeSignInMail(user, { what: 'changed', ways: ['password'] }, deps, context)
  const welcome = change.proves ? await welcomeOf(payload, { ip, locale }, deps) : null
  const changed = await accounts.replacePassword(change, mail, others, welcome)
  if (!changed) return null
  mailer.wake()
  const guessed = guessedOf({ providerUserId: payload.providerUserId, passwordChangedAt: change.at })
  await makeKnown(familiarToAccount(payload.connectionId, guessed), ip, deps)
  return changed
}

export const personOf = (user: User): PersonalData => ({ ...user, metadata: user.userMetadata })
