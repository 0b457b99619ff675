// A person's passkeys: list, add, rename, remove. For the portal, the login pages and the APIs (threat-model.md PK1 to PK5).

import type { Trail } from '../../data/audit/trail'
import { type ConnectionPort, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { AccountKey } from '../../data/users/account'
import { checkAddressProven, type FirstProofPort } from '../../data/users/first-proof'
import {
  MAX_PASSKEYS,
  newPasskeyId,
  type Passkey,
  type PasskeyPort,
  type UnownedPasskey,
} from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import { accessDenied, type DomainError, invalidRequest } from '../../kernel/errors'
import { storedUserAgent } from '../../kernel/user-agent'
import { composeSignInMail, type SignInMailDeps } from '../accounts/sign-in-mail'
import { modelName } from './authenticator-model'
import { beginCeremony, type CeremonyDeps, ceremonyKind, takeCeremony } from './ceremony'
import {
  type CreationOptions,
  creationOptions,
  descriptorOf,
  handleFor,
  namesOf,
  type UserVerification,
} from './options'
import { canUsePasskeys, originOf, type PasskeySite, relyingPartyIdOf } from './relying-party'
import {
  type Created,
  type CreationResponse,
  creationResponse,
  type ExpectedPasskeyAnswer,
  verifyCreation,
} from './verify'

export type PasskeyDeps = CeremonyDeps &
  PasskeySite & {
    passkeys: PasskeyPort
    connections: ConnectionPort
    accounts: FirstProofPort
    mailer: SignInMailDeps['mailer']
    undoAddress: SignInMailDeps['undoAddress']
    trail: Trail
  }

export const NAME_LENGTH = 100

export const listPasskeys = (user: User, { passkeys }: PasskeyDeps): Promise<Passkey[]> => passkeys.list(user.id)

export const offersPasskeys = ({ settings }: DatabaseConnection, site: PasskeySite): boolean =>
  settings.options.authentication_methods.passkey.enabled && canUsePasskeys(site)

export const databasesWithPasskeys = async (
  deps: Pick<PasskeyDeps, 'connections'> & PasskeySite,
): Promise<DatabaseConnection[]> =>
  (await deps.connections.all()).filter(isDatabase).filter((each) => offersPasskeys(each, deps))

/** What every caller asks of authenticators for the connection. */
export const verificationOf = ({ settings }: DatabaseConnection): UserVerification =>
  settings.options.passkey_options.user_verification

/** Whether it refuses an answer without user verification. */
export const needsVerification = (connection: DatabaseConnection): boolean => verificationOf(connection) === 'required'

/** A database elsewhere needs a password. An account that no one may open before a mail was read cannot be opened by its passkey either. */
export function takesPasskeySignUp(database: DatabaseConnection, site: PasskeySite): boolean {
  const { require_verified_email, hide_existing_accounts } = database.settings.options
  return (
    offersPasskeys(database, site) &&
    !require_verified_email &&
    !hide_existing_accounts &&
    !authenticatesByScript(database)
  )
}

/** The account of the user that can have passkeys; null if there is none. The one that the user's id names is preferred. */
export async function accountForPasskey(
  user: User,
  deps: PasskeyDeps,
  isMeant: (account: AccountKey) => boolean = () => true,
): Promise<AccountKey | null> {
  const offering = await databasesWithPasskeys(deps)
  if (offering.length === 0) return null
  const accounts = (await deps.passkeys.accountsOf(user.id)).filter(
    (account) => offering.some(({ id }) => id === account.connectionId) && isMeant(account),
  )
  return accounts.find(({ providerUserId }) => user.id.endsWith(`|${providerUserId}`)) ?? accounts[0] ?? null
}

type Adding = AccountKey & {
  userId: string
  handle: string
  /** Null, or absent in a session of the previous release, if a page of this server asks. */
  clientId?: string | null
  /** The login in which the answer counts (threat-model.md BF19); null or absent if the page is of a login that is not finished. */
  login?: string | null
}

/** Whose page asks the browser: one of this server, or of a client that may name its own pages. */
export type PasskeyPage = { clientId: string | null; login: string | null; origins: readonly string[] }

export const ourPage = (site: PasskeySite, login: string | null = null): PasskeyPage => ({
  clientId: null,
  login,
  origins: [originOf(site)],
})

/** An hour, as long as the page that asks may be open. */
const ADD = ceremonyKind<Adding>('add', 3600)

/** How long the browser's own dialog stays open. */
const DIALOG_SECONDS = 300

/** Starts adding a passkey to an account of the user. The session is for `finishPasskey`, the options for the browser. */
export async function beginPasskey(
  user: User,
  account: AccountKey,
  deps: PasskeyDeps,
  { clientId, login }: PasskeyPage = ourPage(deps),
): Promise<{ session: string; options: CreationOptions }> {
  await checkAddressProven(user, deps)
  const known = await deps.passkeys.list(user.id)
  if (known.length >= MAX_PASSKEYS)
    throw accessDenied(`A person can have ${MAX_PASSKEYS} passkeys`, { reason: 'factor_limit_reached' })
  const rpId = relyingPartyIdOf(deps)
  const handle = handleFor(known, rpId, deps.random)
  const payload = { ...account, userId: user.id, handle: Buffer.from(handle).toString('base64url'), clientId, login }
  const { session, challenge } = beginCeremony(ADD, payload, deps)
  const person = { handle, ...namesOf(user) }
  const connection = await databaseAt(account.connectionId, deps)
  const userVerification = connection ? verificationOf(connection) : 'preferred'
  const options = creationOptions(challenge, rpId, person, { seconds: DIALOG_SECONDS, userVerification })
  return { session, options: { ...options, excludeCredentials: known.map(descriptorOf) } }
}

type BrowserAnswer = { session: string; response: unknown; userAgent: string | undefined }

export type AddRefusal =
  /** Started too long ago, already ended, or by another user or client. */
  | 'expired'
  /** The browser's answer is not valid. */
  | 'invalid'
  /** The tenant does not accept authenticators of this model. */
  | 'model'
  /** It is known already, the user has the maximum, or the account has changed meanwhile. */
  | 'conflict'

export type Added = { outcome: 'added'; passkey: Passkey } | { outcome: 'refused'; reason: AddRefusal }

/** Stores the passkey that the browser created. */
export async function finishPasskey(
  user: User,
  answer: BrowserAnswer,
  deps: PasskeyDeps,
  { clientId, login, origins }: PasskeyPage = ourPage(deps),
): Promise<Added> {
  const { session, response, userAgent } = answer
  const started = await takeCeremony(ADD, session, deps)
  if (started?.payload.userId !== user.id) return refused('expired')
  const { challenge, payload } = started
  if ((payload.clientId ?? null) !== clientId || (payload.login ?? null) !== login) return refused('expired')
  const connection = await databaseAt(payload.connectionId, deps)
  const verified = connection !== null && needsVerification(connection)
  const created = await readCreation(response, { challenge, origins, rpId: relyingPartyIdOf(deps), verified })
  if ('refused' in created) return refused('invalid')
  if (connection === null || !offersPasskeys(connection, deps)) return refused('conflict')
  if (!isAllowedModel(created, connection)) return refused('model')
  const { connectionId, providerUserId, handle } = payload
  const made = await passkeyOf(created, { handle, userAgent }, deps)
  const passkey = { ...made, connectionId, providerUserId }
  const mail = await composeSignInMail(user, { what: 'added', ways: ['passkey'] }, deps)
  if (!(await deps.passkeys.insert(passkey, user, mail))) return refused('conflict')
  deps.mailer.wake()
  deps.trail.record('factor_enrolled', { user, factor: 'passkey' })
  return { outcome: 'added', passkey }
}

async function databaseAt(id: string, { connections }: PasskeyDeps): Promise<DatabaseConnection | null> {
  const found = (await connections.all()).find((connection) => connection.id === id)
  return isDatabase(found) ? found : null
}

const refused = (reason: AddRefusal): Added => ({ outcome: 'refused', reason })

export async function readCreation(
  response: unknown,
  expected: ExpectedPasskeyAnswer,
): Promise<Created | { refused: string }> {
  const read = creationResponse.safeParse(response)
  if (!read.success) return { refused: 'not a response of a browser' }
  return verifyCreation(read.data satisfies CreationResponse, expected)
}

/** A model that says nothing of itself is on no list. */
export const isAllowedModel = ({ aaguid }: Created, { settings }: DatabaseConnection): boolean =>
  settings.options.passkey_options.allowed_aaguids?.includes(aaguid) ?? true

type Maker = { handle: string; userAgent: string | undefined }

export async function passkeyOf(
  { userVerified: _, ...created }: Created,
  { handle, userAgent }: Maker,
  { random, clock }: Pick<PasskeyDeps, 'random' | 'clock'>,
): Promise<UnownedPasskey> {
  return {
    ...created,
    userHandle: Buffer.from(handle, 'base64url'),
    id: newPasskeyId(random),
    name: await modelName(created.aaguid),
    userAgent: storedUserAgent(userAgent),
    createdAt: clock.now(),
    lastUsedAt: null,
  }
}

/** As it is stored; null if it is empty or too long. */
export function passkeyName(typed: string): string | null {
  const name = typed.trim().toWellFormed().replaceAll('\0', '')
  return name === '' || name.length > NAME_LENGTH ? null : name
}

/** False if the user has no such passkey. */
export async function renamePasskey(user: User, id: string, name: string, { passkeys }: PasskeyDeps): Promise<boolean> {
  const wanted = passkeyName(name)
  if (wanted === null) throw nameWrong()
  return passkeys.rename(user.id, id, wanted)
}

const nameWrong = (): DomainError => invalidRequest(`A name has 1 to ${NAME_LENGTH} characters`)

/** Null if the user has no such passkey. */
export async function removePasskey(user: User, id: string, deps: PasskeyDeps): Promise<Passkey | null> {
  const mail = await composeSignInMail(user, { what: 'removed', ways: ['passkey'] }, deps)
  const [removed = null] = await deps.passkeys.remove(user.id, [id], mail)
  if (!removed) return null
  deps.mailer.wake()
  deps.trail.record('factor_removed', { factor: 'passkey' })
  return removed
}
