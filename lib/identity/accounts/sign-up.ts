// Sign-up at a database connection (the contract's "Signup"; threat-model.md DB1 to DB4, D6).
// - Everything is validated before anything is written. The password is hashed whether or not the address is taken, and unique
//   keys of the database decide races. Account, verification link and its mail are one transaction.
// - The owner of an existing account is notified by mail at the stored address; the caller learns only what the tenant allows.

import type { EventName } from '../../data/audit/events'
import type { DatabaseConnection } from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { NewAccount } from '../../data/users/account'
import { type CountLimit, mayMail, networkBounds, takeAllowance } from '../../data/users/allowance'
import { type NewPasswordDeps, refusalOfPassword } from '../../data/users/new-password'
import { type PasswordRefusal, policyOf } from '../../data/users/password-policy'
import { canonical, type User } from '../../data/users/user'
import type { Reason } from '../../kernel/reasons'
import type { CustomDatabaseDeps } from '../custom-databases/ask'
import { isKnownToScript, makeByScript, makesPeople } from '../custom-databases/changes'
import { type Denied, reasonOfDenial } from '../tenant-code/trigger'
import { type LinkDeps, linkFor, type RequestContext } from './account-link'
import { type MailedUser, mailableAddress } from './account-mail'
import { type AccountTriggerDeps, admitNewcomer, notifyTriggers } from './account-triggers'
import { type InvalidInput, type NewPerson, readPerson, type SignUpInput } from './sign-up-person'
import { VERIFY } from './verify-email'
import { verifiesSignUps, welcomeMail } from './welcome'

export type { SignUpInput } from './sign-up-person'

export type SignUpRefusal =
  /** Denied by an action of the tenant. */
  | { reason: 'denied'; denied: Denied }
  | { reason: 'disabled' | 'exists' | 'username_taken' | 'passkey_taken' | 'too_many' }
  | ({ reason: 'invalid' } & InvalidInput)
  | { reason: 'password'; refusal: PasswordRefusal }

export type SignUpResult = { outcome: 'created'; user: User; id: string } | ({ outcome: 'refused' } & SignUpRefusal)

export type SignUpDeps = LinkDeps & NewPasswordDeps & AccountTriggerDeps & CustomDatabaseDeps

/** `invited`: the acceptance of the invitation proves the address, so that no mail asks for another proof. */
type SignUpContext = RequestContext & { invited?: boolean }

/** The caller must check that the client may use the connection. */
export async function signUp(
  connection: DatabaseConnection,
  input: SignUpInput,
  context: SignUpContext,
  deps: SignUpDeps,
): Promise<SignUpResult> {
  const result = await attempt(connection, input, context, deps)
  const about = { connection, typed: input.email }
  if (result.outcome === 'created') {
    deps.trail.record('sign_up', { ...about, user: result.user })
    notifyTriggers('post-user-registration', result.user.id, connection, context, deps)
  } else {
    const reason = reasonOfSignUp(result)
    deps.trail.record(refusalEvent(result), { ...about, reason, sentence: sentenceOf(result) })
  }
  return result
}

function refusalEvent(refused: SignUpRefusal): EventName {
  if (refused.reason === 'too_many') return 'rate_limited'
  const leaked = refused.reason === 'password' && refused.refusal.kind === 'breached'
  return leaked ? 'sign_up_password_leaked' : 'sign_up_refused'
}

const REASONS = {
  disabled: 'sign_up_disabled',
  exists: 'address_taken',
  username_taken: 'username_taken',
  passkey_taken: 'passkey_taken',
  too_many: 'too_many_sign_ups',
  invalid: 'sign_up_malformed',
} as const

export function reasonOfSignUp(refused: SignUpRefusal): Reason {
  if (refused.reason === 'denied') return reasonOfDenial(refused.denied)
  if (refused.reason !== 'password') return REASONS[refused.reason]
  return refused.refusal.kind === 'breached' ? 'leaked_password' : 'password_too_weak'
}

const sentenceOf = (refused: SignUpRefusal): string =>
  refused.reason === 'password'
    ? `password: ${refused.refusal.kind}`
    : refused.reason === 'denied'
      ? refused.denied.reason
      : refused.reason

async function attempt(
  connection: DatabaseConnection,
  input: SignUpInput,
  context: SignUpContext,
  deps: SignUpDeps,
): Promise<SignUpResult> {
  if (connection.settings.options.disable_signup || !makesPeople(connection, input.password))
    return refused({ reason: 'disabled' })
  const person = readPerson(connection, input)
  if ('problem' in person) return refused({ reason: 'invalid', ...person })
  const refusal = input.password === null ? null : await passwordRefusal(connection, person, input.password, deps)
  if (refusal) return refused({ reason: 'password', refusal })
  if (!(await takeAllowance(signUpBounds(context, deps), deps))) return refused({ reason: 'too_many' })
  const isKnown = await isKnownToScript(connection, person.email, context, deps)
  if (typeof isKnown === 'object') return refused({ reason: 'denied', denied: isKnown.denied })
  const admitted = deps.triggers.isBound('pre-user-registration')
    ? await admit(person, connection, context, deps)
    : person
  if ('denied' in admitted) return refused({ reason: 'denied', denied: admitted.denied })
  const newcomer = { ...person, ...admitted }
  if (authenticatesByScript(connection) && input.password !== null)
    return isKnown ? refused({ reason: 'exists' }) : createByScript(connection, newcomer, input.password, context, deps)
  const passwordHash = input.password === null ? null : await deps.passwords.hash(input.password)
  if (isKnown) return refused({ reason: 'exists' })
  const credentials = { passwordHash, passkey: input.passkey ?? null }
  return create(connection, newcomer, credentials, context, deps)
}

function admit(
  { email, username, profile, userMetadata }: NewPerson,
  connection: DatabaseConnection,
  context: RequestContext,
  deps: SignUpDeps,
) {
  const { name, givenName, familyName, nickname, picture } = profile
  const names = { name, given_name: givenName, family_name: familyName, nickname, picture }
  return admitNewcomer({ email, username, ...names }, userMetadata, connection, context, deps)
}

const refused = (refusal: SignUpRefusal): SignUpResult => ({ outcome: 'refused', ...refusal })

function passwordRefusal(connection: DatabaseConnection, person: NewPerson, password: string, deps: SignUpDeps) {
  const { email, username, profile, userMetadata: metadata } = person
  const policy = policyOf(connection.settings.options)
  const terms = { policy, person: { email, username, ...profile, metadata }, stage: 'pre-user-registration' } as const
  return refusalOfPassword(password, terms, deps)
}

/** The limit per network and minute: the vendor's protection against mass registration. */
function signUpBounds({ ip }: RequestContext, { settings }: SignUpDeps): CountLimit[] {
  const { enabled, shields, allowlist, stage } = settings.attackProtection.suspiciousIpThrottling
  if (!enabled || !shields.includes('block') || allowlist.includes(ip)) return []
  return networkBounds('sign-up', ip, stage['pre-user-registration'].max_attempts, 60)
}

type Admitted = Omit<NewPerson, 'userMetadata'> & Pick<NewAccount, 'userMetadata'>

async function create(
  connection: DatabaseConnection,
  person: Admitted,
  credentials: Pick<NewAccount, 'passwordHash' | 'passkey'>,
  context: SignUpContext,
  deps: SignUpDeps,
): Promise<SignUpResult> {
  const providerUserId = deps.random.hex(24)
  const keys = { connectionId: connection.id, providerUserId, userId: `auth0|${providerUserId}` }
  const account: NewAccount = { ...keys, ...person, ...credentials, at: deps.clock.now() }
  const owner = ownerOf(account)
  const isMailedLink = !context.invited && verifiesSignUps(connection, deps)
  const link = isMailedLink ? await linkFor(VERIFY, owner, context, deps) : null
  const welcome = isMailedLink ? null : await welcomeMail(aboutOf(owner, context), deps)
  const result = await deps.accounts.create(account, link, welcome)
  if ('user' in result) {
    deps.mailer.wake()
    return { outcome: 'created', user: result.user, id: providerUserId }
  }
  if (result.taken === 'passkey') return refused({ reason: 'passkey_taken' })
  if (result.taken === 'username' || (await isTaken(connection, person.username, deps)))
    return refused({ reason: 'username_taken' })
  await notifyOwner(connection, person.email, context, deps)
  return refused({ reason: 'exists' })
}

/** The account is elsewhere first, so the link and its mail follow in a transaction of their own. */
async function createByScript(
  connection: DatabaseConnection,
  { email, username, profile, userMetadata, appMetadata = {} }: Admitted,
  password: string,
  context: SignUpContext,
  deps: SignUpDeps,
): Promise<SignUpResult> {
  const unproven = { emailVerified: false, phoneNumber: null, phoneVerified: false }
  const newcomer = { email, username, profile, userMetadata, appMetadata, ...unproven }
  const made = await makeByScript(connection, newcomer, password, context, deps)
  if ('denied' in made) return refused({ reason: 'denied', denied: made.denied })
  if ('taken' in made) return refused({ reason: made.taken === 'email' ? 'exists' : 'username_taken' })
  const { account } = made
  const isMailed = !context.invited && !account.user.emailVerified && verifiesSignUps(connection, deps)
  if (isMailed) await deps.accounts.requestLink(await linkFor(VERIFY, account, context, deps))
  const to = mailableAddress(account)
  const { connectionId, user } = account
  const welcome = isMailed || !to ? null : await welcomeMail(aboutOf({ connectionId, email: to, user }, context), deps)
  if (welcome) await deps.accounts.notify(welcome)
  deps.mailer.wake()
  return { outcome: 'created', user, id: account.providerUserId }
}

/**
 * A taken username is reported whether or not the address is taken as well; otherwise the difference would reveal the address.
 */
const isTaken = async (
  { id }: DatabaseConnection,
  username: string | null | undefined,
  { users }: SignUpDeps,
): Promise<boolean> => typeof username === 'string' && (await users.findAccount(id, canonical(username))) !== null

const ownerOf = ({ connectionId, providerUserId, userId, email, profile, userMetadata, appMetadata }: NewAccount) => ({
  connectionId,
  providerUserId,
  email,
  user: { ...profile, id: userId, userMetadata, appMetadata: appMetadata ?? {}, profile: {} },
})

const aboutOf = (
  { connectionId, email: to, user }: { connectionId: string; email: string; user: MailedUser },
  context: RequestContext,
) => {
  const { ip, locale, clientId, organization } = context
  return { to, user, clientId, connectionId, ip, locale, organization }
}

async function notifyOwner(
  connection: DatabaseConnection,
  email: string,
  context: RequestContext,
  deps: SignUpDeps,
): Promise<void> {
  const { ip } = context
  if (!(await mayMail('already_registered', { connectionId: connection.id, address: email }, { ip }, deps))) return
  const account = await deps.users.findAccount(connection.id, email)
  const to = account && mailableAddress(account)
  if (!to) return
  const { user } = account
  await deps.accounts.notify(
    await deps.mailer.compose({
      kind: 'already_registered',
      ...aboutOf({ connectionId: connection.id, email: to, user }, context),
    }),
  )
  deps.mailer.wake()
}
