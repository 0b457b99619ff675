// A user's second factors and passkeys, as managers see, add and remove them. A manager cannot add a passkey: its key is made in the
// person's device.

import * as z from 'zod'
import { isMailAddress } from '../../data/outbox/message'
import type { ChangeMail } from '../../data/outbox/outbox'
import type { Passkey, PasskeyPort } from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import type { SignInChange } from '../../identity/accounts/account-mail'
import { composeSignInMailOfAdministrator, type SignInMailDeps } from '../../identity/accounts/sign-in-mail'
import { type Authenticator, type AuthenticatorPort, newAuthenticatorId } from '../../identity/mfa/authenticator'
import { presentEnrollment, REMOVABLE_PROVIDERS } from '../../identity/mfa/enrollment'
import { type FactorName, factorNamed, factorOf, isFallback, isKnown } from '../../identity/mfa/factors/index'
import { SEED_PURPOSE } from '../../identity/mfa/factors/otp'
import { digestOfRecoveryCode, newRecoveryCode, recoveryCode } from '../../identity/mfa/factors/recovery-code'
import type { KnownBrowserPort } from '../../identity/mfa/known-browser'
import { viewOfMethod } from '../../identity/mfa/method-view'
import { activeNames } from '../../identity/mfa/remove'
import { viewOfPasskey } from '../../identity/passkeys/passkey-view'
import { invalidRequest, notFound } from '../../kernel/errors'
import { canonical } from '../../kernel/mail-address'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'
import { inexistent, invalidBody, missing } from '../operations/errors'
import { answerList, pageQuery, windowOf } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { phoneNumberOf, type UserDoor } from './user-body'
import type { ManagedUserStore } from './user-list'

/** A confirmed factor as a manager gives it to a user. */
export type GivenFactor = Pick<Authenticator, 'id' | 'type' | 'channel' | 'name' | 'sealed' | 'phoneNumber' | 'email'>

export type UserFactorStore = {
  /** The user whose authenticator this is. */
  owner(id: string): Promise<string | null>
  /** Puts these confirmed factors in the place of all that the user has. False if there is no such user. */
  replace(userId: string, factors: readonly GivenFactor[], at: Date, mail: ChangeMail | null): Promise<boolean>
}

export type UserFactorDeps = UserDoor & {
  authenticators: AuthenticatorPort
  passkeys: PasskeyPort
  userFactors: UserFactorStore
  knownBrowsers: Pick<KnownBrowserPort, 'forget'>
  managedUsers: Pick<ManagedUserStore, 'find'>
  mailer: SignInMailDeps['mailer']
  undoAddress: SignInMailDeps['undoAddress']
  clock: { now(): Date }
  random: Random
  vault: Vault
}

const operation = operationsWith<UserFactorDeps>()

/** A manager's factor is confirmed when it is given. */
function presentMethod(authenticator: Authenticator) {
  const view = viewOfMethod(authenticator)
  return { ...view, ...(view.confirmed ? { enrolled_at: view.created_at } : {}) }
}

/** Factors and passkeys as they are presented, passkeys last. */
async function methodsOf(userId: string, deps: UserFactorDeps) {
  const [factors, passkeys] = await Promise.all([listOf(userId, deps), deps.passkeys.list(userId)])
  return [...factors.map(presentMethod), ...passkeys.map(viewOfPasskey)]
}

async function methodNamed(userId: string, id: string | undefined, deps: UserFactorDeps) {
  const found = (await methodsOf(userId, deps)).find((each) => each.id === id)
  if (!found) throw inexistent('authentication_method')
  return found
}

async function removePasskeys(user: User, isMeant: (id: string) => boolean, deps: UserFactorDeps) {
  const { passkeys, mailer } = deps
  const ids = (await passkeys.list(user.id)).map(({ id }) => id).filter(isMeant)
  if (ids.length === 0) return []
  const mail = await composeSignInMailOfAdministrator(user, { what: 'removed', ways: ['passkey'] }, deps)
  const removed = await passkeys.remove(user.id, ids, mail)
  mailer.wake()
  return removed.map(({ id }) => id)
}

const methodName = z.string().min(1).max(100)
const preferred = z.enum(['sms', 'voice'])

export const newMethod = z.strictObject({
  type: z.enum(['totp', 'phone', 'email'], 'must be totp, phone or email'),
  name: methodName.optional(),
  totp_secret: z
    .string()
    .overwrite(readCode)
    .regex(/^[A-Z2-7]{16,128}$/, 'must be 16 or more characters of Base32')
    .optional(),
  phone_number: z.string().min(1).max(60).optional(),
  email: z.string().max(400).refine(isMailAddress, 'must be an e-mail address').optional(),
  preferred_authentication_method: preferred.optional(),
})

const changedMethod = z.strictObject({
  name: methodName.optional(),
  preferred_authentication_method: preferred.optional(),
})

/** More than anybody has; a login offers each of them. */
const MAX_METHODS = 20

type Holding = Pick<Authenticator, 'sealed' | 'phoneNumber' | 'email'> & { factor: FactorName }

async function givenFactor(body: z.output<typeof newMethod>, deps: UserFactorDeps): Promise<GivenFactor> {
  const { factor, ...holds } = await holdingOf(body, deps)
  const { idPrefix, authenticatorType: type, channel } = factorNamed(factor).names
  return { id: newAuthenticatorId(idPrefix, deps.random), type, channel, name: body.name ?? null, ...holds }
}

async function holdingOf(body: z.output<typeof newMethod>, { vault, random }: UserFactorDeps): Promise<Holding> {
  const none = { sealed: null, phoneNumber: null, email: null }
  if (body.type === 'totp') {
    if (body.totp_secret === undefined) throw invalidBody(missing('totp_secret'))
    const sealed = vault.seal(SEED_PURPOSE, body.totp_secret, random)
    return { ...none, factor: 'otp', sealed }
  }
  if (body.type === 'phone') {
    if (body.phone_number === undefined) throw invalidBody(missing('phone_number'))
    const factor = body.preferred_authentication_method ?? 'sms'
    return { ...none, factor, phoneNumber: await phoneNumberOf(body.phone_number) }
  }
  if (body.email === undefined) throw invalidBody(missing('email'))
  return { ...none, factor: 'email', email: canonical(body.email) }
}

async function existing(id: string | undefined, { managedUsers }: UserFactorDeps) {
  const found = id === undefined ? null : await managedUsers.find(id)
  if (!found) throw inexistent('user')
  return found.user
}

/** What a mail names. */
const namesOf = (given: readonly GivenFactor[]): FactorName[] => [...new Set(given.map((each) => factorOf(each).id))]

/** Those of a later release are left out. */
const listOf = async (userId: string, { authenticators }: UserFactorDeps): Promise<Authenticator[]> =>
  (await authenticators.list(userId)).filter(isKnown)

/** With the last one, the browsers go that a factor was proven in. */
export async function removeWhere(
  user: User,
  isMeant: (authenticator: Authenticator) => boolean,
  deps: UserFactorDeps,
): Promise<string[]> {
  const { authenticators, knownBrowsers, mailer } = deps
  const meant = (await authenticators.list(user.id)).filter((each) => isKnown(each) && isMeant(each))
  const change = { what: 'removed', ways: activeNames(meant) } as const
  const mail = await composeSignInMailOfAdministrator(user, change, deps)
  const ids = meant.map(({ id }) => id)
  const removed = ids.length === 0 ? [] : await authenticators.remove(user.id, ids, mail)
  mailer.wake()
  if ((await authenticators.list(user.id)).length === 0) await knownBrowsers.forget(user.id)
  return removed
}

const one = async (userId: string, id: string | undefined, deps: UserFactorDeps) => {
  const found = (await listOf(userId, deps)).find((each) => each.id === id)
  if (!found) throw inexistent('authentication_method')
  return found
}

async function renamePasskey(
  userId: string,
  passkey: Passkey,
  { name, preferred_authentication_method: channel }: z.output<typeof changedMethod>,
  deps: UserFactorDeps,
) {
  if (channel !== undefined)
    throw invalidBody({ path: 'preferred_authentication_method', message: 'Only a phone has it' })
  if (name !== undefined && !(await deps.passkeys.rename(userId, passkey.id, name)))
    throw inexistent('authentication_method')
  const shown = await methodNamed(userId, passkey.id, deps)
  return { body: shown, before: viewOfPasskey(passkey), after: shown }
}

/** A factor, or a passkey. */
const method = z
  .object({
    id: z.string(),
    type: z.string(),
    name: z.string().optional(),
    created_at: z.iso.datetime(),
    confirmed: z.boolean().optional(),
    enrolled_at: z.iso.datetime().optional(),
    phone_number: z.string().optional(),
    preferred_authentication_method: z.string().optional(),
    email: z.string().optional(),
    last_auth_at: z.iso.datetime().optional(),
    key_id: z.string().optional(),
    public_key: z.string().optional(),
    credential_device_type: z.enum(['single_device', 'multi_device']).optional(),
    credential_backed_up: z.boolean().optional(),
    identity_user_id: z.string().optional(),
    user_handle: z.string().optional(),
    transports: z.array(z.string()).optional(),
    aaguid: z.string().optional(),
    relying_party_id: z.string().optional(),
    user_agent: z.string().optional(),
  })
  .meta({ id: 'AuthenticationMethod' })

export const shownEnrollment = z
  .object({
    id: z.string(),
    status: z.enum(['confirmed', 'pending']),
    type: z.string(),
    auth_method: z.string(),
    name: z.string().optional(),
    phone_number: z.string().optional(),
    identifier: z.string().optional(),
    enrolled_at: z.iso.datetime(),
  })
  .meta({ id: 'Enrollment' })

const METHOD_ID = 'authentication_method_id'

export const userFactors = {
  enrollmentsList: operation({
    name: 'users.enrollments.list',
    method: 'GET',
    path: '/users/:id/enrollments',
    summary: 'List the enrollments of a user',
    scopes: ['read:users'],
    status: 200,
    answer: z.array(shownEnrollment),
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      const all = await listOf(user.id, deps)
      return { body: all.filter((each) => !isFallback(each)).map(presentEnrollment) }
    },
  }),
  authenticatorsDelete: operation({
    name: 'users.authenticators.delete',
    method: 'DELETE',
    path: '/users/:id/authenticators',
    summary: 'Remove all factors of a user',
    scopes: ['delete:guardian_enrollments'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      return { before: { removed: await removeWhere(user, () => true, deps) } }
    },
  }),
  multifactorDelete: operation({
    name: 'users.multifactor.delete',
    method: 'DELETE',
    path: '/users/:id/multifactor/:provider',
    summary: 'Remove the factors of a provider from a user',
    scopes: ['update:users'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const { provider = '' } = params
      if (!REMOVABLE_PROVIDERS.has(provider))
        throw invalidRequest('Unknown provider', { members: { errorCode: 'invalid_uri' } })
      const user = await existing(params.id, deps)
      const removed = await removeWhere(user, (each) => factorOf(each).names.removedBy === provider, deps)
      return { before: { removed }, id: user.id }
    },
  }),
  multifactorInvalidateRememberBrowser: operation({
    name: 'users.multifactor.invalidate_remember_browser',
    method: 'POST',
    path: '/users/:id/multifactor/actions/invalidate-remember-browser',
    summary: 'Ask for a factor again in every browser of a user',
    scopes: ['update:users'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      await deps.knownBrowsers.forget(user.id)
      return {}
    },
  }),
  recoveryCodeRegenerate: operation({
    name: 'users.recovery_code.regenerate',
    method: 'POST',
    path: '/users/:id/recovery-code-regeneration',
    summary: 'Replace the recovery code of a user',
    scopes: ['update:users'],
    secrets: { recovery_code: { scopes: ['update:users'], otherwise: 'absent' } },
    target: inPath('users'),
    status: 201,
    answer: z.object({ recovery_code: z.string() }),
    async handle({ params, deps }) {
      const { authenticators, mailer, random, vault } = deps
      const user = await existing(params.id, deps)
      const current = (await listOf(user.id, deps)).find((each) => isFallback(each) && each.active)
      const code = newRecoveryCode(random)
      const digest = digestOfRecoveryCode(code, vault)
      const mail = await composeSignInMailOfAdministrator(user, { what: 'renewed', ways: [recoveryCode.id] }, deps)
      const done =
        current?.secretDigest && (await authenticators.replaceRecoveryCode(user.id, current.secretDigest, digest, mail))
      if (!done) throw notFound('The user has no recovery code', { members: { errorCode: 'inexistent_recovery_code' } })
      mailer.wake()
      return { body: { recovery_code: code } }
    },
  }),
  authenticationMethodsList: operation({
    name: 'users.authentication_methods.list',
    method: 'GET',
    path: '/users/:id/authentication-methods',
    summary: 'List the factors and passkeys of a user',
    scopes: ['read:authentication_methods'],
    list: 'authenticators',
    query: z.object(pageQuery),
    status: 200,
    answer: z.array(method),
    async handle({ params, query, deps }) {
      const user = await existing(params.id, deps)
      const all = await methodsOf(user.id, deps)
      const body = await answerList(query, {
        key: 'authenticators',
        load: async (window) => windowOf(all, window, ({ id }) => id),
        present: (method) => method,
        id: ({ id }) => id,
      })
      return { body }
    },
  }),
  authenticationMethodsAdd: operation({
    name: 'users.authentication_methods.add',
    example: { type: 'phone', phone_number: '+4915112349167', name: 'Mobile' },
    method: 'POST',
    path: '/users/:id/authentication-methods',
    summary: 'Give a user a factor that is confirmed already',
    scopes: ['create:authentication_methods'],
    target: inPath('users'),
    body: newMethod,
    status: 201,
    answer: method,
    async handle({ params, body, deps }) {
      const user = await existing(params.id, deps)
      const given = await givenFactor(body, deps)
      const { id } = given
      const at = deps.clock.now()
      const waiting = { userId: user.id, active: false, secretDigest: null, vouched: true, createdAt: at }
      const inserted = await deps.authenticators.insert({ ...given, ...waiting }, user)
      const mail = deps.movesIn
        ? null
        : await composeSignInMailOfAdministrator(user, { what: 'added', ways: namesOf([given]) }, deps)
      const confirmation = { userId: user.id, id, step: null, kinds: [], at, createdAfter: new Date(0), mail }
      if (!inserted || !(await deps.authenticators.confirm(confirmation))) throw inexistent('user')
      deps.mailer.wake()
      const shown = presentMethod(await one(user.id, id, deps))
      return { body: shown, after: shown, id: `${user.id} ${id}` }
    },
  }),
  authenticationMethodsReplace: operation({
    name: 'users.authentication_methods.replace',
    example: [{ type: 'email', email: 'ada@example.com' }],
    method: 'PUT',
    path: '/users/:id/authentication-methods',
    summary: 'Replace all factors of a user by confirmed ones',
    scopes: ['update:authentication_methods'],
    target: inPath('users'),
    body: z.array(newMethod).max(MAX_METHODS),
    status: 200,
    answer: z.array(method),
    async handle({ params, body, deps }) {
      const user = await existing(params.id, deps)
      const replaced = await listOf(user.id, deps)
      const before = replaced.map(presentMethod)
      const given = await mapBounded(body, (each) => givenFactor(each, deps))
      const change: SignInChange =
        given.length > 0 ? { what: 'replaced', ways: namesOf(given) } : { what: 'removed', ways: activeNames(replaced) }
      const mail = await composeSignInMailOfAdministrator(user, change, deps)
      if (!(await deps.userFactors.replace(user.id, given, deps.clock.now(), mail))) throw inexistent('user')
      deps.mailer.wake()
      await deps.knownBrowsers.forget(user.id)
      const shown = (await listOf(user.id, deps)).map(presentMethod)
      return { body: shown, before: { methods: before }, after: { methods: shown } }
    },
  }),
  authenticationMethodsDeleteAll: operation({
    name: 'users.authentication_methods.delete_all',
    method: 'DELETE',
    path: '/users/:id/authentication-methods',
    summary: 'Remove all factors and passkeys of a user',
    scopes: ['delete:authentication_methods'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      const passkeys = await removePasskeys(user, () => true, deps)
      return { before: { removed: [...(await removeWhere(user, () => true, deps)), ...passkeys] } }
    },
  }),
  authenticationMethodsRead: operation({
    name: 'users.authentication_methods.read',
    method: 'GET',
    path: `/users/:id/authentication-methods/:${METHOD_ID}`,
    summary: 'Read a factor or passkey of a user',
    scopes: ['read:authentication_methods'],
    status: 200,
    answer: method,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      return { body: await methodNamed(user.id, params[METHOD_ID], deps) }
    },
  }),
  authenticationMethodsUpdate: operation({
    name: 'users.authentication_methods.update',
    method: 'PATCH',
    path: `/users/:id/authentication-methods/:${METHOD_ID}`,
    summary: 'Change the name of a factor, or whether a phone gets texts or calls',
    scopes: ['update:authentication_methods'],
    target: inPath('users'),
    body: changedMethod,
    status: 200,
    answer: method,
    current: async ({ params, deps }) =>
      (await methodsOf(params.id ?? '', deps)).find(({ id }) => id === params[METHOD_ID]) ?? null,
    async handle({ params, body, deps }) {
      const { id: userId } = await existing(params.id, deps)
      const passkey = (await deps.passkeys.list(userId)).find(({ id }) => id === params[METHOD_ID])
      if (passkey) return renamePasskey(userId, passkey, body, deps)
      const found = await one(userId, params[METHOD_ID], deps)
      const { name, preferred_authentication_method: channel } = body
      if (channel !== undefined && factorOf(found).names.method !== 'phone')
        throw invalidBody({ path: 'preferred_authentication_method', message: 'Only a phone has it' })
      if (!(await deps.authenticators.change(userId, found.id, { name, channel })))
        throw inexistent('authentication_method')
      const shown = presentMethod(await one(userId, found.id, deps))
      return { body: shown, before: presentMethod(found), after: shown }
    },
  }),
  authenticationMethodsDelete: operation({
    name: 'users.authentication_methods.delete',
    console: true,
    danger: true,
    method: 'DELETE',
    path: `/users/:id/authentication-methods/:${METHOD_ID}`,
    summary: 'Remove a factor or passkey of a user',
    scopes: ['delete:authentication_methods'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      const passkeys = await removePasskeys(user, (id) => id === params[METHOD_ID], deps)
      const factors = await removeWhere(user, ({ id }) => id === params[METHOD_ID], deps)
      return { before: { removed: [...factors, ...passkeys] } }
    },
  }),
}
