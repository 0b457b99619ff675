// Passwordless connections: whoever receives what is sent to an address proves it (threat-model.md PW1 to PW5).
// - Asking has one answer, whoever has the address: where nobody may sign in with it, the same rows are written, a code that
//   is sent to nobody.
// - An address that is proven for the first time makes a user of its own, where the connection allows it; it never opens
//   an account at another connection.

import type { AccountRuleDeps } from '../accounts/account-rules'
import type { Trail } from '../audit/trail'
import type { Connection } from '../connections/connection'
import { dailyBudget, lineOf } from '../connections/phone-line'
import { type CodeDeps, counted, type NewcomerAtAddress, type OneTimeCodePort } from '../one-time-code'
import { isMailAddress } from '../outbox/message'
import { type Asker, isAllowed, networkBounds, reserveFor } from '../users/allowance'
import type { CodeMessenger } from '../users/code-message'
import { isServed, readPhoneNumber } from '../users/phone-number'
import { canonical, type User, type UserPort } from '../users/user'
import { type Asked, composeCode, deadCode, messageOf } from './passwordless-message'
import { asksRules, newcomerRules } from './passwordless-rules'

export type PasswordlessStrategy = NewcomerAtAddress['provider']

export type PasswordlessConnection = Connection & { strategy: PasswordlessStrategy }

export const isPasswordless = (connection: Connection | null | undefined): connection is PasswordlessConnection =>
  connection?.strategy === 'email' || connection?.strategy === 'sms'

export type PasswordlessDeps = CodeDeps & AccountRuleDeps & { users: UserPort; messenger: CodeMessenger; trail: Trail }

/** The one spelling of an address of this connection, or null for what is none. */
export async function readAddress({ strategy }: PasswordlessConnection, typed: string): Promise<string | null> {
  if (strategy === 'sms') return readPhoneNumber(typed)
  const address = canonical(typed)
  return isMailAddress(address) ? address : null
}

/** What a proof of it is called (RFC 8176). */
export const methodOf = ({ strategy }: PasswordlessConnection): 'sms' | 'otp' => (strategy === 'sms' ? 'sms' : 'otp')

/** The vendor's sentence, which SDKs compare. */
export const wrongCode = ({ strategy }: PasswordlessConnection): string =>
  strategy === 'sms' ? 'Wrong phone number or verification code.' : 'Wrong email or verification code.'

export type Sent = 'sent' | 'too_many' | 'not_served'

export async function sendCode(
  connection: PasswordlessConnection,
  asked: Asked,
  deps: PasswordlessDeps,
): Promise<Sent> {
  const { options } = connection.settings
  const { address } = asked
  if (connection.strategy === 'sms' && !(await isServed(address, options.countries))) return 'not_served'
  if (!(await maySend(connection, asked, deps))) return 'too_many'
  const account = await deps.users.findAccount(connection.id, address)
  const made = composeCode(connection, asked, deps)
  const message = deps.messenger.compose(messageOf(connection, made, asked))
  const alive = account !== null || !options.disable_signup
  await (alive
    ? deps.codes.put(made.code, message)
    : deps.codes.put(deadCode(made.code, deps), { ...message, sealedContent: null, nextAttemptAt: null }))
  deps.messenger.wake()
  const about = { connection, typed: address, ...(account ? { user: account.user } : {}) }
  deps.trail.record(connection.strategy === 'sms' ? 'code_sent' : 'code_or_link_sent', about)
  return 'sent'
}

/** How many times what one network may cause at an address all may together that it is not known at. */
const STRANGERS = 2

async function maySend(connection: PasswordlessConnection, { address, ip, browsers }: Asked, deps: PasswordlessDeps) {
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
  return allowed && (await isAllowed([dailyBudget(lineOf(connection))], deps))
}

export type CodeAttempt = Asker & { address: string; code: string }

export type CodeVerdict =
  /** `at`: logins of before may have been ended by the proof (lib/users/first-proof.ts); what it begins is not one of them. */
  | { outcome: 'proven'; user: User; at: string }
  /** Wrong, or right for an address that nobody may sign in with. */
  | { outcome: 'wrong' | 'expired' | 'exhausted' }
  /** Too many wrong ones at this address, or from this network: it was not looked at. */
  | { outcome: 'too_many' }

/** Uses the code up; for the client that it was sent for alone. */
export async function authenticateByCode(
  connection: PasswordlessConnection,
  { clientId, ...attempt }: CodeAttempt & { clientId: string },
  deps: PasswordlessDeps,
): Promise<CodeVerdict> {
  const newcomer = newcomerAt(connection, deps)
  const asking = { clientId, ip: attempt.ip }
  const seen = await lookBeforeRules(connection, { ...attempt, clientId }, newcomer, deps)
  if (seen !== undefined && seen?.outcome !== 'fits') return refusedAs(seen ?? { outcome: 'too_many' }, deps)
  const welcome = newcomer && (await newcomerRules(connection, attempt.address, asking, seen !== undefined, deps))
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

/** Where a right code would make somebody of whom rules are to be asked: whether it is right. Undefined where not. */
async function lookBeforeRules(
  connection: PasswordlessConnection,
  attempt: CodeAttempt & { clientId: string },
  newcomer: NewcomerAtAddress | null,
  deps: PasswordlessDeps,
) {
  const asks = newcomer !== null && (await asksRules(connection, attempt.address, deps))
  return asks ? lookAtCode(connection, attempt, deps) : undefined
}

type Refused = Exclude<CodeVerdict, { outcome: 'proven' }>

const REASONS = { wrong: 'wrong code', expired: 'the code is over', exhausted: 'too many wrong codes' }

function refusedAs(verdict: Refused, { trail }: PasswordlessDeps): Refused {
  if (verdict.outcome === 'too_many') trail.record('account_blocked', { reason: 'too many wrong codes' })
  else trail.record('login_refused', { reason: REASONS[verdict.outcome] })
  return verdict
}

/** Looks, and uses nothing up; a wrong one counts all the same. Null: it was one too many. */
export const lookAtCode = (
  connection: PasswordlessConnection,
  { clientId, ...attempt }: CodeAttempt & { clientId: string | null },
  deps: PasswordlessDeps,
) => tryCode(connection, attempt, (made) => deps.codes.look({ ...made, clientId }), deps)

type Made = Omit<Parameters<OneTimeCodePort['look']>[0], 'clientId'>

const tryCode = <T extends { outcome: string }>(
  { id, settings }: PasswordlessConnection,
  attempt: CodeAttempt,
  make: (made: Made) => Promise<T>,
  deps: PasswordlessDeps,
): Promise<T | null> => counted({ ...attempt, connectionId: id }, settings.options.totp, make, deps)

/** Null where the connection makes nobody. */
export function newcomerAt(
  { strategy, settings }: PasswordlessConnection,
  { random }: PasswordlessDeps,
): NewcomerAtAddress | null {
  if (settings.options.disable_signup) return null
  const providerUserId = random.hex(24)
  return { provider: strategy, providerUserId, userId: `${strategy}|${providerUserId}` }
}
