// Passwordless connections: receiving a message proves an address (threat-model.md PW1 to PW5).
// - A request has the same response for every address. If no one may sign in with the address, the same rows are written for a
//   code that is not sent.
// - The first proof of an address creates a user of its own if the connection allows sign-up; it never opens an account of
//   another connection.

import { loginOfCode } from '../../data/audit/login-id'
import type { Trail } from '../../data/audit/trail'
import type { PasswordlessConnection } from '../../data/connections/connection'
import { dailyBudget } from '../../data/connections/phone-line'
import { isMailAddress } from '../../data/outbox/message'
import { networkBounds, type RequestSource, reserveFor, takeAllowance } from '../../data/users/allowance'
import type { CodeMessenger } from '../../data/users/code-message'
import { isServed, readPhoneNumber } from '../../data/users/phone-number'
import { canonical, type User, type UserPort } from '../../data/users/user'
import type { AccountTriggerDeps, Asking } from '../accounts/account-triggers'
import {
  type CodeAddress,
  type CodeDeps,
  counted,
  type NewcomerAtAddress,
  type OneTimeCodePort,
} from '../one-time-codes/one-time-code'
import { type CodeRequest, composeCode, deadCode, messageOf } from './passwordless-message'
import { asksBeforeRegistration, registrationTriggers } from './passwordless-triggers'

export type PasswordlessDeps = CodeDeps &
  AccountTriggerDeps & { users: UserPort; messenger: CodeMessenger; trail: Trail }

/** The canonical form of an address of this connection; null if it is invalid. */
export async function readAddress({ strategy }: PasswordlessConnection, typed: string): Promise<string | null> {
  if (strategy === 'sms') return readPhoneNumber(typed)
  const address = canonical(typed)
  return isMailAddress(address) ? address : null
}

/** The `amr` value of the proof (RFC 8176). */
export const methodOf = ({ strategy }: PasswordlessConnection): 'sms' | 'otp' => (strategy === 'sms' ? 'sms' : 'otp')

/** The vendor's sentence; SDKs compare it. */
export const wrongCode = ({ strategy }: PasswordlessConnection): string =>
  strategy === 'sms' ? 'Wrong phone number or verification code.' : 'Wrong email or verification code.'

export type DeliveryResult = 'sent' | 'too_many' | 'not_served'

export async function sendCode(
  connection: PasswordlessConnection,
  codeRequest: CodeRequest,
  deps: PasswordlessDeps,
): Promise<DeliveryResult> {
  const { address } = codeRequest
  if (connection.strategy === 'sms' && !(await isServed(address, connection.settings.options.countries)))
    return 'not_served'
  if (!(await maySend(connection, codeRequest, deps))) return 'too_many'
  const account = await deps.users.findAccount(connection.id, address)
  const made = composeCode(connection, codeRequest, deps)
  const message = await deps.messenger.compose(messageOf(connection, made, codeRequest, account?.user ?? null))
  followCode(made.code, made.code.createdAt, deps)
  const alive = account !== null || !connection.settings.options.disable_signup
  await (alive
    ? deps.codes.put(made.code, message)
    : deps.codes.put(deadCode(made.code, deps), { ...message, sealedContent: null, nextAttemptAt: null }))
  deps.messenger.wake()
  const about = { connection, typed: address, ...(account ? { user: account.user } : {}) }
  deps.trail.record(connection.strategy === 'sms' ? 'code_sent' : 'code_or_link_sent', about)
  return 'sent'
}

/** The message budget that all unrecognized requesters of an address share, as a multiple of the budget of one network. */
const STRANGERS = 2

async function maySend(
  connection: PasswordlessConnection,
  { address, ip, browsers }: CodeRequest,
  deps: PasswordlessDeps,
) {
  const { per_address_hour, per_address_day } = connection.settings.options.message_limits
  const limits = (whose: string, times: number) => [
    { name: `code-message-${whose}-hour`, most: times * per_address_hour, seconds: 3600 },
    { name: `code-message-${whose}-day`, most: times * per_address_day, seconds: 86400 },
  ]
  const bounds = {
    own: limits('own', 1),
    strangers: limits('strangers', STRANGERS),
    always: networkBounds('code-message-network', ip, 50, 3600),
  }
  const { allowed } = await reserveFor({ connectionId: connection.id, address }, { ip, browsers }, bounds, deps)
  return allowed && (await takeAllowance([dailyBudget(connection.id, connection.settings.options)], deps))
}

export type CodeAttempt = RequestSource & { address: string; code: string }

export type CodeVerdict =
  /**
   * `at` is the time of redemption. The proof may end earlier logins (lib/data/users/first-proof.ts), but not the login that it
   * starts.
   */
  | { outcome: 'proven'; user: User; at: string }
  /** The code is wrong, or right for an address that may not sign in. */
  | { outcome: 'wrong' | 'expired' | 'exhausted' }
  /** Too many wrong codes at this address or from this network; the code was not checked. */
  | { outcome: 'too_many' }

/** Consumes the code; valid only for the client it was sent for. */
export async function authenticateByCode(
  connection: PasswordlessConnection,
  { clientId, organization, ...attempt }: CodeAttempt & Partial<Pick<Asking, 'organization'>> & { clientId: string },
  deps: PasswordlessDeps,
): Promise<CodeVerdict> {
  const newcomer = newcomerAt(connection, deps)
  const asking = { clientId, ip: attempt.ip, ...(organization && { organization }) }
  const seen = await lookBeforeRules(connection, { ...attempt, clientId }, newcomer, deps)
  if (seen !== undefined && seen?.outcome !== 'fits') return refusedAs(seen ?? { outcome: 'too_many' }, deps)
  const welcome =
    newcomer && (await registrationTriggers(connection, attempt.address, asking, seen !== undefined, deps))
  const redeem = async (made: Made) => ({
    ...(await deps.codes.redeem({ ...made, clientId }, newcomer)),
    at: made.now.toISOString(),
  })
  const result = await tryCode(connection, attempt, redeem, deps)
  deps.trail.context({ connection, typed: attempt.address })
  if (!result) return refusedAs({ outcome: 'too_many' }, deps)
  if (result.outcome !== 'fits') return refusedAs(result, deps)
  if (!result.user) return refusedAs({ outcome: 'wrong' }, deps)
  deps.trail.context({ user: result.user })
  if (welcome && result.user.id === newcomer?.userId) await welcome(result.user)
  return { outcome: 'proven', user: result.user, at: result.at }
}

/** If a right code would create a user and rules must run first: whether the code is right. Otherwise undefined. */
async function lookBeforeRules(
  connection: PasswordlessConnection,
  attempt: CodeAttempt & { clientId: string },
  newcomer: NewcomerAtAddress | null,
  deps: PasswordlessDeps,
) {
  const asks = newcomer !== null && (await asksBeforeRegistration(connection, attempt.address, deps))
  return asks ? lookAtCode(connection, attempt, deps) : undefined
}

type Refused = Exclude<CodeVerdict, { outcome: 'proven' }>

const SENTENCES = { wrong: 'wrong code', expired: 'the code is over', exhausted: 'too many wrong codes' }

/** The reason of a refused code. */
export const REASON_OF_CODE = {
  wrong: 'one_time_code_wrong',
  expired: 'one_time_code_expired',
  exhausted: 'one_time_code_exhausted',
} as const

function refusedAs(verdict: Refused, { trail }: PasswordlessDeps): Refused {
  if (verdict.outcome === 'too_many')
    trail.record('account_blocked', { reason: 'too_many_codes', sentence: 'too many wrong codes' })
  else {
    const { outcome } = verdict
    trail.record('login_refused', { reason: REASON_OF_CODE[outcome], sentence: SENTENCES[outcome] })
  }
  return verdict
}

/** Checks a code without consuming it; a wrong code still counts. Null: too many tries. */
export const lookAtCode = (
  connection: PasswordlessConnection,
  { clientId, ...attempt }: CodeAttempt & { clientId: string | null },
  deps: PasswordlessDeps,
) => tryCode(connection, attempt, (made) => deps.codes.look({ ...made, clientId }), deps)

type Made = Omit<Parameters<OneTimeCodePort['look']>[0], 'clientId'>

async function tryCode<T extends { outcome: string; sentAt?: Date }>(
  { id, settings }: PasswordlessConnection,
  attempt: CodeAttempt,
  make: (made: Made) => Promise<T>,
  deps: PasswordlessDeps,
): Promise<T | null> {
  const result = await counted({ ...attempt, connectionId: id }, settings.options.totp, make, deps)
  if (result?.sentAt) followCode({ connectionId: id, address: attempt.address }, result.sentAt, deps)
  return result
}

/** What was sent and what is done with it are one login, where the request belongs to none: on the pages it belongs to that of the pages. */
function followCode(at: CodeAddress, sentAt: Date, { trail, vault }: PasswordlessDeps): void {
  if (trail.known.login === undefined) trail.follow(loginOfCode(at, sentAt, vault))
}

/** Null if the connection creates no users. */
export function newcomerAt(
  { strategy, settings }: PasswordlessConnection,
  { random }: PasswordlessDeps,
): NewcomerAtAddress | null {
  if (settings.options.disable_signup) return null
  const providerUserId = random.hex(24)
  return { provider: strategy, providerUserId, userId: `${strategy}|${providerUserId}` }
}
