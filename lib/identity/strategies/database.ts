// Database connections: e-mail address or username, and a password.
// - Unknown user, wrong password and blocked user get the same response after the same work (threat-model.md SE5).
// - A blocked attempt is verified as if the account did not exist: with the real hash, a rehash would reveal a correct guess.
// - An imported hash that verifies is replaced by argon2id at once.
// - Where several databases are tried, each costs one hash, whether or not it has the account. The first whose password is right
//   signs in; the caller gives their order (docs/adr/0050-several-databases.md).
// - A script of a custom database is asked after that hash, once the guess is counted, and only where no database before it let the person
//   in: the passwords of other databases are not for it (docs/adr/0056-scripts-of-connections.md).

import type { Trail } from '../../data/audit/trail'
import type { DatabaseConnection } from '../../data/connections/connection'
import { authenticatesByScript, isCustom } from '../../data/connections/custom-database'
import type { AttemptGuard, FailedGuess, GoodGuess } from '../../data/users/attempts'
import { isRefusedAsBreached } from '../../data/users/breached-passwords'
import type { RecognizedBrowser } from '../../data/users/recognized-browser'
import { canonical, type DatabaseAccount, type User, type UserPort } from '../../data/users/user'
import { accessDenied, type DomainError } from '../../kernel/errors'
import type { Asking } from '../accounts/account-triggers'
import { loginByScript, type ScriptLoginDeps } from '../custom-databases/login'
import { type Denied, reasonOfDenial } from '../tenant-code/trigger'

export type DatabaseDeps = ScriptLoginDeps & {
  users: UserPort
  attempts: AttemptGuard
  trail: Trail
  /**
   * Notifies the owner that the account was blocked for an address. The caller does not wait, so the response time does not
   * depend on whether the account exists.
   */
  notifyBlocked(account: DatabaseAccount, ip: string, place?: LoginPlace): void
  /** Mails the owner a link to choose a new password, if the tenant wants that. The caller does not wait. */
  notifyLeaked(connection: DatabaseConnection, user: User, ip: string, place?: LoginPlace): void
}

/** The application of a login, and its organization, for the mails that it causes. */
export type LoginPlace = Partial<Pick<Asking, 'clientId' | 'organization'>>

export type PasswordVerdict = Passed | Refused

/** Includes the correct guess, whose attempt counter the caller settles. */
type Proven = { outcome: 'proven'; user: User; connection: DatabaseConnection; guess: GoodGuess }

type Passed = Omit<Proven, 'guess'>

type Refused =
  /** The password is right, but the connection requires a verified address. */
  | { outcome: 'unverified'; user: User; connection: DatabaseConnection }
  /** The password is right, but known from a data breach, and the tenant refuses such logins. */
  | { outcome: 'breached' }
  /** For the caller all reasons are one; `reason` is for the log. */
  | { outcome: 'wrong'; reason: ReturnType<typeof reasonOf> }
  | { outcome: 'blocked' }
  /** The script of a custom database refused for a reason of its own, or failed. */
  | { outcome: 'script'; refusal: DomainError }
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
  connections: readonly DatabaseConnection[],
  credentials: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<PasswordVerdict> {
  const verdict = await provePassword(connections, credentials, deps)
  if (verdict.outcome === 'proven') await deps.attempts.settle(verdict.guess)
  return verdict
}

/** For callers that settle the attempt counter in their own next statement. */
export async function provePassword(
  connections: readonly DatabaseConnection[],
  { identifier, password, place, ...from }: PasswordCredentials,
  deps: DatabaseDeps,
): Promise<Proven | Refused> {
  const name = canonical(identifier)
  const cause = { clientId: place?.clientId, ip: from.ip }
  const ordered = customLast(connections)
  const connectionOf = (id: string) => connections.find((connection) => connection.id === id)
  const attempt = { connectionIds: ordered.map(({ id }) => id), name, ...from }
  deps.trail.context({ ...(connections[0] && { connection: connections[0] }), typed: identifier })
  const refusals: Denied[] = []
  let hasPassed = Promise.resolve(false)
  const check = async (
    found: DatabaseAccount | null,
    connection: DatabaseConnection,
    before: Promise<boolean> | null,
  ) => {
    const isHere = !authenticatesByScript(connection)
    const shown = isHere && !isHidden(found, connection) ? found : null
    const user = await checkPassword(shown, password, deps)
    const needsScript = isCustom(connection) && !(isHere && found?.passwordHash) && before !== null
    if (user || !needsScript || (await before)) return user
    const answer = await loginByScript(connection, { name, password, cause }, deps)
    if (answer && 'denied' in answer) refusals.push(answer.denied)
    return answer && 'user' in answer && !hides(connection, answer.user) ? answer.user : null
  }
  const result = await deps.attempts.run(
    attempt,
    async (found, connectionId, isEvaluated) => {
      const connection = connectionOf(connectionId)
      if (!connection) return null
      const before = hasPassed
      const user = check(found, connection, isEvaluated ? before : null)
      hasPassed = user.then(
        async (own) => own !== null || (await before),
        () => true,
      )
      const proven = await user
      return proven ? { user: proven, connection } : null
    },
    ({ user }) => ownsAddress(user, name),
  )
  if (result.verdict === 'throttled') return throttled(result.refusal, connections, name, deps)
  const record = (failure: FailedGuess) =>
    recordFailure(failure, { connection: connectionOf(failure.connectionId), ip: from.ip, place }, deps)
  if (result.verdict === 'passed') {
    const { user, connection } = result.value
    for (const failure of result.failures.filter(({ account }) => account !== null)) record(failure)
    deps.trail.context({ user, connection })
    if (await isRefusedAsBreached(password, 'login', deps))
      return leaked(connection, { user, guess: result.guess, ip: from.ip, place }, deps)
    return judgeAddress(connection, user, result.guess, deps)
  }
  const shown = ofAccounts(result.failures)
  const [refusal] = refusals
  for (const failure of shown) if (!refusal || failure.blockedNow) record(failure)
  if (result.verdict === 'blocked') return { outcome: 'blocked' }
  if (refusal) return refusedByScript(refusal, deps)
  return { outcome: 'wrong', reason: shown[0] ? reasonOf(shown[0]) : 'user_unknown' }
}

/** Custom databases after the others, so that their scripts see a password only where it opened none of those. */
const customLast = (connections: readonly DatabaseConnection[]): readonly DatabaseConnection[] => [
  ...connections.filter((connection) => !isCustom(connection)),
  ...connections.filter(isCustom),
]

function refusedByScript(denied: Denied, { trail }: Pick<DatabaseDeps, 'trail'>): Refused {
  const reason = reasonOfDenial(denied)
  trail.record('login_refused', { reason, sentence: denied.reason })
  return { outcome: 'script', refusal: accessDenied(denied.reason, { reason }) }
}

type Failed = { connection: DatabaseConnection | undefined; ip: string; place: LoginPlace | undefined }

function recordFailure(
  failure: FailedGuess,
  { connection, ip, place }: Failed,
  { trail, notifyBlocked }: Pick<DatabaseDeps, 'trail' | 'notifyBlocked'>,
): void {
  const { account, blockedNow } = failure
  const about = { ...(connection && { connection }), ...(account && { user: account.user }) }
  const reason = reasonOf(failure)
  if (reason === 'user_blocked') trail.record('login_refused', { ...about, reason, sentence: 'user is blocked' })
  else trail.record(EVENT_OF[reason], about)
  if (!blockedNow) return
  trail.record('account_blocked', about)
  if (account) notifyBlocked(account, ip, place)
}

const EVENT_OF = {
  account_locked: 'account_blocked',
  address_locked: 'address_blocked',
  user_unknown: 'user_unknown',
  wrong_password: 'password_wrong',
} as const

function reasonOf({ account, blockedBy: by }: FailedGuess): keyof typeof EVENT_OF | 'user_blocked' {
  if (by !== null) return by === 'account' ? 'account_locked' : 'address_locked'
  if (account === null) return 'user_unknown'
  return account.user.blocked ? 'user_blocked' : 'wrong_password'
}

/** Those of accounts; where there is none, one stands for the attempt. */
function ofAccounts(failures: readonly FailedGuess[]): readonly FailedGuess[] {
  const known = failures.filter(({ account }) => account !== null)
  return known.length > 0
    ? known
    : [failures.find(({ blockedBy }) => blockedBy === null) ?? failures[0]].filter((each) => !!each)
}

/** The account is looked up only for the audit log. */
async function throttled(
  refusal: DomainError,
  connections: readonly DatabaseConnection[],
  name: string,
  deps: DatabaseDeps,
): Promise<Refused> {
  const accounts = await Promise.all(connections.map(({ id }) => deps.users.findAccount(id, name)))
  const place = accounts.findIndex((account) => account !== null)
  const connection = connections[Math.max(place, 0)]
  const user = accounts[place]?.user
  deps.trail.record('login_hurried', { ...(connection && { connection }), ...(user && { user }) })
  return { outcome: 'throttled', refusal }
}

/** The mailbox of an address is the same in every database; a username may be another person's. */
const ownsAddress = ({ email, emailVerified }: User, name: string): boolean =>
  emailVerified && email !== null && canonical(email) === name

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
const isHidden = (found: DatabaseAccount | null, connection: DatabaseConnection): boolean =>
  found !== null && hides(connection, found.user)

export const hides = ({ settings }: DatabaseConnection, { emailVerified }: User): boolean =>
  settings.options.hide_existing_accounts && !emailVerified

export const wantsVerifiedAddress = ({ settings }: DatabaseConnection, { emailVerified }: User): boolean =>
  settings.options.require_verified_email && !emailVerified

async function judgeAddress(connection: DatabaseConnection, user: User, guess: GoodGuess, deps: DatabaseDeps) {
  if (!wantsVerifiedAddress(connection, user)) return { outcome: 'proven' as const, user, connection, guess }
  await deps.attempts.settle(guess)
  deps.trail.record('login_refused', { reason: 'address_unverified', sentence: 'the address is not verified' })
  return { outcome: 'unverified' as const, user, connection }
}

async function checkPassword(
  account: DatabaseAccount | null,
  password: string,
  deps: DatabaseDeps,
): Promise<User | null> {
  const { ok, rehash } = await deps.passwords.verify(account?.passwordHash ?? null, password)
  if (!ok || !account || account.user.blocked) return null
  if (rehash) await deps.users.replacePasswordHash(account, await deps.passwords.hash(password))
  return account.user
}
