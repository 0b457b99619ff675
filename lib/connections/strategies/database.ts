// Database connections: e-mail address or username, and a password.
// - Unknown user, wrong password and blocked user get the same answer after the same work (threat-model.md SE5).
// - A blocked attempt is checked against nobody: were the real hash looked at, its re-hash would tell a right guess.
// - An imported hash that verifies is replaced by argon2id at once; nobody waits for a second hash twice.

import type { Trail } from '../../audit/trail'
import type { DomainError } from '../../kernel/errors'
import type { AttemptGuard, Guess } from '../../users/attempts'
import { type Account, canonical, type User, type UserPort } from '../../users/user'
import type { Connection } from '../connection'

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
  tellBlocked(account: Account, ip: string): void
}

export type Verdict = Passed | Refused

/** With where the account's failures are counted, which are to be forgotten. */
type Proven = { outcome: 'proven'; user: User; failures: Uint8Array }

type Passed = Omit<Proven, 'failures'>

type Refused =
  /** The password is right, and the connection lets in nobody whose address is not verified. */
  | { outcome: 'unverified'; user: User }
  | { outcome: 'wrong' }
  | { outcome: 'blocked' }
  /** Too many attempts in a short time, right or wrong. */
  | { outcome: 'hurried'; refusal: DomainError }

export type PasswordCredentials = { identifier: string; password: string; ip: string }

export async function authenticateByPassword(
  connection: Connection,
  credentials: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Verdict> {
  const verdict = await provePassword(connection, credentials, deps)
  if (verdict.outcome === 'proven') await deps.attempts.forget(verdict.failures)
  return verdict
}

/** For whoever has the failures forgotten with what comes next. */
export async function provePassword(
  connection: Connection,
  { identifier, password, ip }: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Proven | Refused> {
  const guess = { connectionId: connection.id, name: canonical(identifier), ip }
  deps.trail.about({ connection, typed: identifier })
  const result = await deps.attempts.run(guess, (found, blocked) => {
    if (found) deps.trail.about({ user: found.user })
    return checkPassword(blocked ? null : found, password, deps)
  })
  if (result.verdict === 'hurried') return hurried(result.refusal, guess, deps)
  if (result.verdict === 'passed') return judgeAddress(connection, result.value, result.failures, deps)
  const { account } = result
  if (result.verdict === 'blocked') {
    deps.trail.tell(result.by === 'account' ? 'account_blocked' : 'address_blocked')
    return { outcome: 'blocked' }
  }
  deps.trail.tell(failureOf(account))
  if (result.blockedNow) deps.trail.tell('account_blocked')
  if (result.blockedNow && account) deps.tellBlocked(account, ip)
  return { outcome: 'wrong' }
}

/** Whom it was about is looked up for the log alone. */
async function hurried(refusal: DomainError, { connectionId, name }: Guess, deps: DatabaseDeps): Promise<Refused> {
  const account = await deps.users.findAccount(connectionId, name)
  deps.trail.tell('login_hurried', account ? { user: account.user } : {})
  return { outcome: 'hurried', refusal }
}

const failureOf = (account: Account | null) => {
  if (account === null) return 'user_unknown'
  return account.user.blocked ? 'login_refused' : 'password_wrong'
}

async function judgeAddress({ settings }: Connection, user: User, failures: Uint8Array, deps: DatabaseDeps) {
  if (!settings.options.require_verified_email || user.emailVerified)
    return { outcome: 'proven' as const, user, failures }
  await deps.attempts.forget(failures)
  deps.trail.tell('login_refused', { reason: 'the address is not verified' })
  return { outcome: 'unverified' as const, user }
}

async function checkPassword(account: Account | null, password: string, deps: DatabaseDeps): Promise<User | null> {
  const { ok, rehash } = await deps.passwords.verify(account?.passwordHash ?? null, password)
  if (!ok || !account || account.user.blocked) return null
  if (rehash) await deps.users.replacePasswordHash(account, await deps.passwords.hash(password))
  return account.user
}
