// Database connections: e-mail address or username, and a password.
// - Unknown user, wrong password and blocked user get the same answer after the same work (threat-model.md SE5).
// - A blocked attempt is checked against nobody: were the real hash looked at, its re-hash would tell a right guess.
// - An imported hash that verifies is replaced by argon2id at once; nobody waits for a second hash twice.

import type { Trail } from '../../audit/trail'
import type { DomainError } from '../../kernel/errors'
import type { AttemptGuard } from '../../users/attempts'
import { type Account, canonical, guessedOf, type User, type UserPort } from '../../users/user'
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

export type Verdict =
  | { outcome: 'proven'; user: User }
  /** The password is right, and the connection lets in nobody whose address is not verified. */
  | { outcome: 'unverified'; user: User }
  | { outcome: 'wrong' }
  | { outcome: 'blocked' }
  /** Too many attempts in a short time, right or wrong. */
  | { outcome: 'hurried'; refusal: DomainError }

export type PasswordCredentials = { identifier: string; password: string; ip: string }

export async function authenticateByPassword(
  connection: Connection,
  { identifier, password, ip }: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Verdict> {
  const key = canonical(identifier)
  const account = await deps.users.findAccount(connection.id, key)
  const subject = { connectionId: connection.id, identifier: account ? guessedOf(account) : key, ip }
  deps.trail.about({ connection, typed: identifier, ...(account ? { user: account.user } : {}) })
  const result = await deps.attempts.run(subject, (blocked) => checkPassword(blocked ? null : account, password, deps))
  if (result.verdict === 'passed') {
    const verdict = judgeAddress(connection, result.value)
    if (verdict.outcome === 'unverified') deps.trail.tell('login_refused', { reason: 'the address is not verified' })
    return verdict
  }
  if (result.verdict === 'failed') deps.trail.tell(failureOf(account))
  if (result.verdict === 'blocked') deps.trail.tell(result.by === 'account' ? 'account_blocked' : 'address_blocked')
  else if (result.verdict === 'failed' && result.blockedNow) deps.trail.tell('account_blocked')
  if (result.verdict === 'hurried') {
    deps.trail.tell('login_hurried')
    return { outcome: 'hurried', refusal: result.refusal }
  }
  if (result.verdict === 'failed' && result.blockedNow && account) deps.tellBlocked(account, ip)
  return { outcome: result.verdict === 'blocked' ? 'blocked' : 'wrong' }
}

const failureOf = (account: Account | null) => {
  if (account === null) return 'user_unknown'
  return account.user.blocked ? 'login_refused' : 'password_wrong'
}

const judgeAddress = ({ settings }: Connection, user: User): Extract<Verdict, { user: User }> => ({
  outcome: settings.options.require_verified_email && !user.emailVerified ? 'unverified' : 'proven',
  user,
})

async function checkPassword(account: Account | null, password: string, deps: DatabaseDeps): Promise<User | null> {
  const { ok, rehash } = await deps.passwords.verify(account?.passwordHash ?? null, password)
  if (!ok || !account || account.user.blocked) return null
  if (rehash) await deps.users.replacePasswordHash(account, await deps.passwords.hash(password))
  return account.user
}
