// Opens a mailed link that continues a login (threat-model.md PW3). The link contains the login's handle, which alone gives no
// access: the browser that opens the link decides what is possible.
// - In the browser that started the login, the button continues there, once, under the same requirements as any other step.
// - In any other browser, the user approves the login by the number that it shows, or rejects it. That browser is not signed in.

import { isPasswordless } from '../../data/connections/connection'
import { answerLink, type LinkOfLogin, lookAtLink } from '../../identity/strategies/login-link'
import { digest } from '../../kernel/secret'
import { checkBinding } from '../browser'
import type { LoginDeps } from '../deps'
import { goOnByLink } from '../forms/login-link'
import { dueScreens } from '../steps/index'
import type { LoginTransaction } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { follow } from './advance'
import { openTransaction } from './open'
import { showScreen } from './screen-urls'

export type OpenedLink = {
  handle: string
  secret: string
  link: LinkOfLogin
  transaction: LoginTransaction
  /** Whether this browser started the login. */
  here: boolean
}

/** Null for a link that is answered, used, expired or of another login, or whose login has ended. Read-only. */
export async function openLink(
  { state: handle, ticket: secret }: { state?: string | undefined; ticket?: string | undefined },
  visitor: Visitor,
  deps: LoginDeps,
): Promise<OpenedLink | null> {
  if (!handle || !secret) return null
  const transaction = await waitingLogin(handle, deps)
  deps.trail.follow(transaction?.wants.login)
  const link = transaction && (await linkOf(transaction, deps))
  if (!link || (await lookAtLink(link, secret, deps))?.status !== 'waiting') return null
  const here = checkBinding(visitor, transaction.browserDigest) === 'bound'
  return { handle, secret, link, transaction, here }
}

async function waitingLogin(handle: string, { transactions, clock }: LoginDeps): Promise<LoginTransaction | null> {
  const found = await transactions.find(digest(handle))
  const alive = found && found.transaction.consumedAt === null && found.transaction.expiresAt > clock.now()
  return alive ? found.transaction : null
}

async function linkOf({ decisions, handleDigest }: LoginTransaction, deps: LoginDeps): Promise<LinkOfLogin | null> {
  const { code } = decisions
  const connection = (await deps.connections.all()).find(({ id }) => id === code?.connectionId)
  return code && isPasswordless(connection) ? { connection, address: code.address, login: handleDigest } : null
}

/** The button in the browser that started the login. */
export async function finishHere(
  { handle, secret, link }: OpenedLink,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const open = await openTransaction(handle, visitor, deps)
  if (!dueScreens(open.state).includes('passwordless-code')) return showScreen(open.screen ?? 'login', handle, deps)
  const progress = await goOnByLink(open.state, { login: link.login, ip: visitor.ip }, secret, deps)
  return follow(progress, open, 'passwordless-code', visitor, deps)
}

/** The decision in another browser; without the number it is a rejection. */
export const answerElsewhere = (
  { link, secret }: OpenedLink,
  number: string | null,
  deps: LoginDeps,
): Promise<'approved' | 'rejected' | null> => answerLink(link, { secret, number }, deps)
