// Database connections: e-mail address or username, and a password.
// - Unknown user, wrong password and blocked user get the same answer after the same work (threat-model.md SE5).
// - A blocked attempt is checked against nobody: were the real hash looked at, its re-hash would tell a right guess.
// - An imported hash that verifies is replaced by argon2id at once; nobody waits for a second hash twice.

import type { Trail } from '../audit/trail'
import type { Connection } from '../connections/connection'
import type { DomainError } from '../kernel/errors'
import type { AttemptGuard, GoodGuess, Guess } from '../users/attempts'
import type { RecognizedBrowser } from '../users/recognized-browser'
import { type Account, canonical, type User, type UserPort } from '../users/user'

export type PasswordVerifier = {
  /** `null` is the account that does not exist. */
  verify(stored: string | null, plain: string): Promise<{ ok: boolean; rehash: boolean }>
  hash(plain: string): Promise<string>
}

export type DatabaseDeps = {
  users: UserPort
  attempts: AttemptGuard
  passwords: PasswordVerifier
  trail: Trail
  /** Tells the owner of an account that it was blocked for one address. Not waited for: the answer must not take longer for an account that exists. */
  notifyBlocked(account: Account, ip: string): void
}

export type Verdict = Passed | Refused

/** With the good guess, which the caller settles. */
type Proven = { outcome: 'proven'; user: User; guess: GoodGuess }

type Passed = Omit<Proven, 'guess'>

type Refused =
  /** The password is right, and the connection lets in nobody whose address is not verified. */
  | { outcome: 'unverified'; user: User }
  | { outcome: 'wrong' }
  | { outcome: 'blocked' }
  /** Too many attempts in a short time, right or wrong. */
  | { outcome: 'throttled'; refusal: DomainError }

export type PasswordCredentials = {
  identifier: string
  password: string
  ip: string
  /** In which somebody signed in before. */
  browsers?: readonly RecognizedBrowser[]
}

export async function authenticateByPassword(
  connection: Connection,
  credentials: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Verdict> {
  const verdict = await provePassword(connection, credentials, deps)
  if (verdict.outcome === 'proven') await deps.attempts.settle(verdict.guess)
  return verdict
}

/** For a caller that settles the guess with what comes next. */
export async function provePassword(
  connection: Connection,
  { identifier, password, ...from }: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Proven | Refused> {
  const guess = { connectionId: connection.id, name: canonical(identifier), ...from }
  deps.trail.context({ connection, typed: identifier })
  const result = await deps.attempts.run(guess, (found, blocked) => {
    if (found) deps.trail.context({ user: found.user })
    return checkPassword(blocked || isHidden(found, connection) ? null : found, password, deps)
  })
  if (result.verdict === 'throttled') return throttled(result.refusal, guess, deps)
  if (result.verdict === 'passed') return judgeAddress(connection, result.value, result.guess, deps)
  const { account } = result
  if (result.verdict === 'blocked') {
    deps.trail.record(result.by === 'account' ? 'account_blocked' : 'address_blocked')
    return { outcome: 'blocked' }
  }
  deps.trail.record(failureOf(account))
  if (result.blockedNow) deps.trail.record('account_blocked')
  if (result.blockedNow && account) deps.notifyBlocked(account, from.ip)
  return { outcome: 'wrong' }
}

/** Whom it was about is looked up for the log alone. */
async function throttled(refusal: DomainError, { connectionId, name }: Guess, deps: DatabaseDeps): Promise<Refused> {
  const account = await deps.users.findAccount(connectionId, name)
  deps.trail.record('login_hurried', account ? { user: account.user } : {})
  return { outcome: 'throttled', refusal }
}

/** Told apart from an address that somebody else has, an account that was just made would say that nobody has it. */
const isHidden = (found: Account | null, { settings }: Connection): boolean =>
  settings.options.hide_existing_accounts && found?.user.emailVerified === false

const failureOf = (account: Account | null) => {
  if (account === null) return 'user_unknown'
  return account.user.blocked ? 'login_refused' : 'password_wrong'
}

async function judgeAddress({ settings }: Connection, user: User, guess: GoodGuess, deps: DatabaseDeps) {
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
