// Database connections: e-mail address or username, and a password.
// - Unknown user, wrong password and blocked user get the same response after the same work (threat-model.md SE5).
// - A blocked attempt is verified as if the account did not exist: with the real hash, a rehash would reveal a correct guess.
// - An imported hash that verifies is replaced by argon2id at once.

import type { Asking } from '../accounts/account-rules'
import type { Trail } from '../audit/trail'
import type { DatabaseConnection } from '../connections/connection'
import type { DomainError } from '../kernel/errors'
import type { AttemptGuard, GoodGuess, Guess } from '../users/attempts'
import { type BreachDeps, isRefusedAsBreached } from '../users/breached-passwords'
import type { RecognizedBrowser } from '../users/recognized-browser'
import { type Account, canonical, type User, type UserPort } from '../users/user'

export type PasswordVerifier = {
  /** `null` stands in for an account that does not exist. */
  verify(stored: string | null, plain: string): Promise<{ ok: boolean; rehash: boolean }>
  hash(plain: string): Promise<string>
}

export type DatabaseDeps = BreachDeps & {
  users: UserPort
  attempts: AttemptGuard
  passwords: PasswordVerifier
  trail: Trail
  /**
   * Notifies the owner that the account was blocked for an address. The caller does not wait, so the response time does not
   * depend on whether the account exists.
   */
  notifyBlocked(account: Account, ip: string, place?: LoginPlace): void
  /** Mails the owner a link to choose a new password, if the tenant wants that. The caller does not wait. */
  notifyLeaked(connection: DatabaseConnection, user: User, ip: string, place?: LoginPlace): void
}

/** The application of a login, and its organization, for the mails that it causes. */
export type LoginPlace = Partial<Pick<Asking, 'clientId' | 'organization'>>

export type Verdict = Passed | Refused

/** Includes the correct guess, whose attempt counter the caller settles. */
type Proven = { outcome: 'proven'; user: User; guess: GoodGuess }

type Passed = Omit<Proven, 'guess'>

type Refused =
  /** The password is right, but the connection requires a verified address. */
  | { outcome: 'unverified'; user: User }
  /** The password is right, but known from a data breach, and the tenant refuses such logins. */
  | { outcome: 'breached' }
  | { outcome: 'wrong' }
  | { outcome: 'blocked' }
  /** Too many attempts in a short time, right or wrong. */
  | { outcome: 'throttled'; refusal: DomainError }

export type PasswordCredentials = {
  identifier: string
  password: string
  ip: string
  /** Recognition values of the browser from earlier logins. */
  browsers?: readonly RecognizedBrowser[]
  place?: LoginPlace
}

export async function authenticateByPassword(
  connection: DatabaseConnection,
  credentials: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Verdict> {
  const verdict = await provePassword(connection, credentials, deps)
  if (verdict.outcome === 'proven') await deps.attempts.settle(verdict.guess)
  return verdict
}

/** For callers that settle the attempt counter in their own next statement. */
export async function provePassword(
  connection: DatabaseConnection,
  { identifier, password, place, ...from }: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Proven | Refused> {
  const attempt = { connectionId: connection.id, name: canonical(identifier), ...from }
  deps.trail.context({ connection, typed: identifier })
  const result = await deps.attempts.run(attempt, (found, blocked) => {
    if (found) deps.trail.context({ user: found.user })
    return checkPassword(blocked || isHidden(found, connection) ? null : found, password, deps)
  })
  if (result.verdict === 'throttled') return throttled(result.refusal, attempt, deps)
  if (result.verdict === 'passed') {
    const { value: user, guess } = result
    if (await isRefusedAsBreached(password, 'login', deps))
      return leaked(connection, { user, guess, ip: from.ip, place }, deps)
    return judgeAddress(connection, user, guess, deps)
  }
  const { account } = result
  if (result.verdict === 'blocked') {
    deps.trail.record(result.by === 'account' ? 'account_blocked' : 'address_blocked')
    return { outcome: 'blocked' }
  }
  deps.trail.record(failureOf(account))
  if (result.blockedNow) deps.trail.record('account_blocked')
  if (result.blockedNow && account) deps.notifyBlocked(account, from.ip, place)
  return { outcome: 'wrong' }
}

/** The account is looked up only for the audit log. */
async function throttled(refusal: DomainError, { connectionId, name }: Guess, deps: DatabaseDeps): Promise<Refused> {
  const account = await deps.users.findAccount(connectionId, name)
  deps.trail.record('login_hurried', account ? { user: account.user } : {})
  return { outcome: 'throttled', refusal }
}

/** The guess was correct, so it does not count against the account. */
async function leaked(
  connection: DatabaseConnection,
  { user, guess, ip, place }: { user: User; guess: GoodGuess; ip: string; place: LoginPlace | undefined },
  deps: DatabaseDeps,
): Promise<Refused> {
  await deps.attempts.settle(guess)
  deps.trail.record('login_password_leaked')
  deps.notifyLeaked(connection, user, ip, place)
  return { outcome: 'breached' }
}

/**
 * Where existing accounts are hidden, an unverified account answers like none; otherwise a fresh sign-up would show that its
 * address was free.
 */
const isHidden = (found: Account | null, { settings }: DatabaseConnection): boolean =>
  settings.options.hide_existing_accounts && found?.user.emailVerified === false

const failureOf = (account: Account | null) => {
  if (account === null) return 'user_unknown'
  return account.user.blocked ? 'login_refused' : 'password_wrong'
}

async function judgeAddress({ settings }: DatabaseConnection, user: User, guess: GoodGuess, deps: DatabaseDeps) {
  if (!settings.options.require_verified_email || user.emailVerified) return { outcome: 'proven' as const, user, guess }
  await deps.attempts.settle(guess)
  deps.trail.record('login_refused', { reason: 'the address is not verified' })
  return { outcome: 'unverified' as const, user }
}

async function checkPassword(account: Account | null, password: string, deps: DatabaseDeps): Promise<User | null> {
  const { ok, rehash } = await deps.passwords.verify(account?.passwordHash ?? null, password)
  if (!ok || !account || account.user.blocked) return null
  if (rehash) await deps.users.replacePasswordHash(account, await deps.passwords.hash(password))
  return account.user
}
