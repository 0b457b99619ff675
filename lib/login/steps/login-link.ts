// Opens a mailed link that continues a login (threat-model.md PW3). The link contains the login's handle, which alone gives no
// access: the browser that opens the link decides what is possible.
// - In the browser that started the login, the button continues there, once, under the same requirements as any other step.
// - In any other browser, the user approves the login by the number that it shows, or rejects it. That browser is not signed in.

import { isPasswordless } from '../../connections/connection'
import type { HttpRequest, HttpResponse } from '../../http/message'
import { digest } from '../../kernel/secret'
import { answerLink, type LinkOfLogin, lookAtLink } from '../../strategies/login-link'
import { goOnByLink } from '../actions/login-link'
import { checkBinding } from '../browser'
import type { LoginDeps } from '../deps'
import type { LoginTransaction } from '../transaction'
import { follow, show } from './advance'
import { openTransaction } from './open'
import { dueScreens } from './requirements'

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
  request: HttpRequest,
  deps: LoginDeps,
): Promise<OpenedLink | null> {
  if (!handle || !secret) return null
  const transaction = await waitingLogin(handle, deps)
  const link = transaction && (await linkOf(transaction, deps))
  if (!link || (await lookAtLink(link, secret, deps))?.status !== 'waiting') return null
  const here = checkBinding(request, transaction.browserDigest, deps) === 'bound'
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
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const open = await openTransaction(handle, request, deps)
  if (!dueScreens(open.state).includes('passwordless-code')) return show(open, open.screen ?? 'login', deps)
  const progress = await goOnByLink(open.state, { login: link.login, ip: request.ip }, secret, deps)
  return follow(progress, open, 'passwordless-code', request, deps)
}

/** The decision in another browser; without the number it is a rejection. */
export const answerElsewhere = (
  { link, secret }: OpenedLink,
  number: string | null,
  deps: LoginDeps,
): Promise<'approved' | 'rejected' | null> => answerLink(link, { secret, number }, deps)
