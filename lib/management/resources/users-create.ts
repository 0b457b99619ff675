// POST /users: an account at a database or passwordless connection.

import type * as z from 'zod'
import {
  type Connection,
  type ConnectionPort,
  type DatabaseConnection,
  isDatabase,
} from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import { DATABASE } from '../../data/connections/database-options'
import type { NewManagedUser, UserFields } from '../../data/users/managed-user'
import type { NewPasswordDeps } from '../../data/users/new-password'
import type { Portray } from '../../data/users/picture'
import type { LinkDeps } from '../../identity/accounts/account-link'
import { type AccountTriggerDeps, notifyTriggers } from '../../identity/accounts/account-triggers'
import { invalidRequest } from '../../kernel/errors'
import { conflict, inexistent, invalidBody, missing } from '../operations/errors'
import { type Call, type Operation, operationsWith } from '../operations/operation'
import { presentUser } from './present-user'
import { createByScript, refuseKnown, type ScriptedUserDeps } from './scripted-users'
import {
  addressKey,
  connectionNamed,
  type NewUserBody,
  newPassword,
  newUserBody,
  OPERATION_NOT_SUPPORTED,
  phoneNumberOf,
  readMetadata,
  type UserDoor,
  usernameFor,
  verificationLink,
  welcomeTo,
} from './user-body'
import type { ManagedUserStore } from './user-list'

export type CreateUserDeps = NewPasswordDeps &
  UserDoor &
  ScriptedUserDeps &
  AccountTriggerDeps &
  Pick<LinkDeps, 'mailer' | 'clock' | 'random'> & {
    connections: ConnectionPort
    managedUsers: ManagedUserStore
    portray: Portray
  }

export const createUser = (shown: z.ZodObject): Operation<CreateUserDeps> =>
  operationsWith<CreateUserDeps>()({
    name: 'users.create',
    console: true,
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    scopes: ['create:users'],
    target: 'tenant',
    example: {
      connection: 'Users',
      email: 'jane@example.com',
      password: 'a quiet harbour in winter',
      verify_email: false,
    },
    body: newUserBody,
    status: 201,
    answer: shown,
    async handle(call) {
      const { body, deps, actor, ip } = call
      const connection = await connectionNamed(body.connection, deps.connections)
      const userId =
        isDatabase(connection) && authenticatesByScript(connection) && !deps.movesIn
          ? await insertByScript(connection, call)
          : await insert(connection, call)
      notifyTriggers('post-user-registration', userId, connection, { clientId: actor.clientId, ip }, deps)
      if (deps.movesIn) return { id: userId }
      const stored = await deps.managedUsers.find(userId)
      if (!stored) throw inexistent('user')
      const made = presentUser(stored, deps)
      return { body: made, before: {}, after: made, id: userId }
    },
  })

type CreateCall = Call<CreateUserDeps, unknown, NewUserBody>

async function insert(connection: Connection, call: CreateCall): Promise<string> {
  const { deps } = call
  const user = await newUser(connection, call)
  if (isDatabase(connection) && !deps.movesIn) await refuseKnown(connection, user.fields, call)
  if ((await deps.managedUsers.insert(user, deps.clock.now())) === 'taken')
    throw conflict('The user already exists.', 'auth0_idp_error')
  if (user.link || user.welcome) deps.mailer.wake()
  return user.userId
}

/** The scripts make the person and its id; what they do not know of is set here afterwards. */
async function insertByScript(connection: DatabaseConnection, call: CreateCall): Promise<string> {
  const { body, deps, actor, ip } = call
  const { fields } = await identifiersOf(connection, body, deps)
  await passwordHash(connection, body, fields, deps)
  const { email, emailVerified, username, phoneNumber, phoneVerified, ...profile } = fields
  const newcomer = {
    ...{ email, emailVerified, username, phoneNumber, phoneVerified, profile },
    userMetadata: readMetadata('user_metadata', body.user_metadata ?? {}).set,
    appMetadata: readMetadata('app_metadata', body.app_metadata ?? {}).set,
  }
  const userId = await createByScript(connection, newcomer, body.password, call)
  const made = await deps.managedUsers.find(userId)
  const account = (await deps.managedUsers.accounts(userId)).find(({ connectionId }) => connectionId === connection.id)
  if (!made || !account) return userId
  const isMailed = made.user.email !== null && (body.verify_email ?? !made.user.emailVerified)
  const owner = { ...account, userId, fields: made.user }
  const link = isMailed ? await verificationLink(owner, { clientId: actor.clientId, ip }, deps) : undefined
  if (!link && !fields.blocked) return userId
  const change = { fields: { blocked: fields.blocked }, ...(link && { link }) }
  await deps.managedUsers.change(userId, change, deps.clock.now(), () => {})
  if (link) deps.mailer.wake()
  return userId
}

async function newUser(connection: Connection, { body, deps, actor, ip }: CreateCall): Promise<NewManagedUser> {
  const { fields, keys } = await identifiersOf(connection, body, deps)
  const providerUserId = body.user_id ?? deps.random.hex(24)
  const { strategy: provider } = connection
  const userId = `${provider}|${providerUserId}`
  const account = { connectionId: connection.id, providerUserId, userId, fields }
  const isMailed = fields.email !== null && (body.verify_email ?? !fields.emailVerified)
  const link =
    provider === DATABASE && isMailed ? await verificationLink(account, { clientId: actor.clientId, ip }, deps) : null
  const isReady = provider === DATABASE && fields.emailVerified && !link && !deps.movesIn
  return {
    connectionId: connection.id,
    providerUserId,
    userId,
    fields,
    provider,
    keys,
    passwordHash: await passwordHash(connection, body, fields, deps),
    userMetadata: readMetadata('user_metadata', body.user_metadata ?? {}, deps).set,
    appMetadata: readMetadata('app_metadata', body.app_metadata ?? {}, deps).set,
    link,
    welcome: isReady ? await welcomeTo(account, { clientId: actor.clientId, ip }, deps) : null,
  }
}

type Identifiers = { fields: UserFields; keys: NewManagedUser['keys'] }

/** What finds the account: an address, a user name or a phone number, as the connection has them. */
async function identifiersOf(connection: Connection, body: NewUserBody, door: UserDoor): Promise<Identifiers> {
  const fields: UserFields = {
    email: addressKey(body.email ?? null),
    emailVerified: body.email_verified ?? false,
    username: null,
    phoneNumber: body.phone_number === undefined ? null : await phoneNumberOf(body.phone_number),
    phoneVerified: body.phone_verified ?? false,
    name: body.name ?? null,
    givenName: body.given_name ?? null,
    familyName: body.family_name ?? null,
    nickname: body.nickname ?? null,
    picture: body.picture ?? null,
    blocked: body.blocked ?? false,
  }
  switch (connection.strategy) {
    case DATABASE: {
      const username = usernameFor(connection, body.username, door)
      if (fields.email === null && username === null) throw invalidBody(missing('email'))
      fields.username = username
      return { fields, keys: { email: fields.email, username: addressKey(username) } }
    }
    case 'email':
      if (fields.email === null) throw invalidBody(missing('email'))
      return { fields, keys: { email: fields.email, username: null } }
    case 'sms': {
      const { phoneNumber } = fields
      if (phoneNumber === null) throw invalidBody(missing('phone_number'))
      return { fields: { ...fields, name: fields.name ?? phoneNumber }, keys: { email: null, username: phoneNumber } }
    }
    default:
      throw invalidRequest('Users of this connection are created by their first login', {
        members: OPERATION_NOT_SUPPORTED,
      })
  }
}

async function passwordHash(
  connection: Connection,
  { password, user_metadata = {} }: NewUserBody,
  fields: UserFields,
  deps: CreateUserDeps,
): Promise<string | null> {
  if (password === undefined) return null
  if (!isDatabase(connection))
    throw invalidRequest('A passwordless connection has no passwords', { members: OPERATION_NOT_SUPPORTED })
  const person = { ...fields, metadata: user_metadata }
  const terms = { connection, person, stage: 'pre-user-registration', history: [] } as const
  return (await newPassword(password, terms, deps)).hash
}
