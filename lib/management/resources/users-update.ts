// PATCH /users/:id. Members of metadata merge at their first level; an address, a name or a password belongs to one account of
// the user, which `connection` names where it is not the one that the user's id names.

import type * as z from 'zod'
import {
  type Connection,
  type ConnectionPort,
  type DatabaseConnection,
  isDatabase,
  isUpstream,
} from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { AccountPort, MailedLinkRow } from '../../data/users/account'
import type { ManagedAccount, ManagedUser, UserChange, UserFields } from '../../data/users/managed-user'
import type { NewPasswordDeps } from '../../data/users/new-password'
import type { Portray } from '../../data/users/picture'
import { type MetadataChange, subjectOf } from '../../data/users/profile'
import type { LinkDeps } from '../../identity/accounts/account-link'
import type { OtherWay } from '../../identity/accounts/account-mail'
import { type AccountTriggerDeps, notifyTriggers } from '../../identity/accounts/account-triggers'
import { composeSignInMailOfAdministrator, type ManagedSignInMailDeps } from '../../identity/accounts/sign-in-mail'
import { invalidRequest } from '../../kernel/errors'
import { objectIn } from '../../kernel/json'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { type Call, type Operation, operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { membersThatDiffer } from '../operations/repeated'
import { presentUser } from './present-user'
import { type ScriptedUserDeps, updateByScript } from './scripted-users'
import {
  addressKey,
  connectionNamed,
  newPassword,
  OPERATION_NOT_SUPPORTED,
  phoneNumberOf,
  readMetadata,
  type UserChangeBody,
  type UserDoor,
  userChangeBody,
  usernameFor,
  verificationLink,
} from './user-body'
import type { ManagedUserStore } from './user-list'
import { presentTokens, TOKENS, type UserTokenDeps } from './user-tokens'

export type UpdateUserDeps = NewPasswordDeps &
  UserDoor &
  ScriptedUserDeps &
  AccountTriggerDeps &
  UserTokenDeps &
  ManagedSignInMailDeps &
  Pick<LinkDeps, 'mailer' | 'clock' | 'random'> & {
    connections: ConnectionPort
    accounts: Pick<AccountPort, 'passwordHistory'>
    managedUsers: ManagedUserStore
    portray: Portray
    wakeDispatcher(): void
  }

type UpdateCall = Call<UpdateUserDeps, unknown, UserChangeBody>

export const updateUser = (shown: z.ZodObject): Operation<UpdateUserDeps> =>
  operationsWith<UpdateUserDeps>()({
    name: 'users.update',
    console: true,
    method: 'PATCH',
    path: '/users/:id',
    summary: 'Change a user',
    secrets: TOKENS,
    scopes: ['update:users', { 'update:users_app_metadata': ['user_id', 'app_metadata'] }],
    target: inPath('users'),
    givesRights: ({ body }) => body.app_metadata !== undefined,
    example: { user_metadata: { colour: 'blue' } },
    body: userChangeBody,
    status: 200,
    tagged: true,
    answer: shown,
    async current({ params, deps }) {
      const stored = await deps.managedUsers.find(params.id ?? '')
      return stored && presentUser(stored, deps)
    },
    async unchanged({ params, body, deps }) {
      const stored = await deps.managedUsers.find(params.id ?? '')
      return stored && asksNothing(body, stored) ? {} : null
    },
    async handle(call) {
      const { body, deps, actor, params, ip } = call
      const stored = await deps.managedUsers.find(params.id ?? '')
      if (!stored) throw inexistent('user')
      const own = needsAccount(body) ? await ownAccount(stored, call) : null
      await checkFollowed(stored, call)
      const change = await changeOf(stored, own, call)
      const ways = changedWays(stored, change)
      const notice = deps.movesIn
        ? null
        : await composeSignInMailOfAdministrator(stored.user, { what: 'changed', ways }, deps)
      if (notice) change.notices = [notice]
      if (own && isDatabase(own.connection) && !deps.movesIn)
        await updateByScript(
          stored,
          { ...own, connection: own.connection },
          change.fields,
          body.password ?? undefined,
          call,
        )
      const { id } = stored.user
      let before = stored
      const done = await deps.managedUsers.change(id, change, deps.clock.now(), async (locked) => {
        before = locked
        if (call.ifMatch !== null)
          checkUnchanged(call.ifMatch, await presentTokens(locked, presentUser(locked, deps), call))
      })
      if (done === null || done === 'spent') throw inexistent('user')
      if (done === 'taken') throw conflict('The specified new email or username already exists', 'auth0_idp_error')
      deps.wakeDispatcher()
      if (change.password && own)
        notifyTriggers('post-change-password', id, own.connection, { clientId: actor.clientId, ip }, deps)
      if (deps.movesIn) return { id }
      const changed = await deps.managedUsers.find(id)
      if (!changed) throw inexistent('user')
      const after = presentUser(changed, deps)
      return {
        body: await presentTokens(changed, after, call),
        before: presentUser(before, deps),
        after: { ...after, ...(change.password ? { password: 'changed' } : {}) },
        id,
      }
    },
  })

/** Whether the members, none of which is shown as it is sent, ask for no change. */
function asksNothing(body: UserChangeBody, { user }: ManagedUser): boolean {
  const {
    connection: _connection,
    client_id: _client,
    user_metadata = user.userMetadata,
    app_metadata = user.appMetadata,
    verify_email = false,
    verify_phone_number = false,
    ...others
  } = body
  const values = [...Object.values(others), verify_email || undefined, verify_phone_number || undefined]
  return (
    values.every((value) => value === undefined) &&
    repeats(readMetadata('user_metadata', user_metadata ?? {}), user.userMetadata) &&
    repeats(readMetadata('app_metadata', app_metadata ?? {}), user.appMetadata)
  )
}

const repeats = ({ set, remove, clear }: MetadataChange, stored: Readonly<Record<string, unknown>>): boolean =>
  (!clear || Object.keys(stored).length === 0) &&
  Object.keys(membersThatDiffer(set, objectIn(stored))).length === 0 &&
  remove.every((name) => !Object.hasOwn(stored, name))

/** What a person signs in with, and the change sets anew. */
function changedWays({ user }: ManagedUser, { fields, password }: UserChange): OtherWay[] {
  const isNew = (name: 'email' | 'phoneNumber' | 'username') => (fields[name] ?? user[name]) !== user[name]
  return [
    ...(password ? (['password'] as const) : []),
    ...(isNew('email') ? (['email-address'] as const) : []),
    ...(isNew('phoneNumber') ? (['phone-number'] as const) : []),
    ...(isNew('username') ? (['username'] as const) : []),
  ]
}

/** Members that belong to one account of the user. */
const OF_ACCOUNT = [
  ...(['email', 'username', 'phone_number', 'password', 'email_verified', 'phone_verified'] as const),
  ...(['verify_email', 'verify_phone_number'] as const),
]

const needsAccount = (body: UserChangeBody): boolean => OF_ACCOUNT.some((name) => body[name] !== undefined)

type OwnAccount = ManagedAccount & { connection: Connection; isPrimary: boolean }

async function ownAccount(stored: ManagedUser, { body, deps }: UpdateCall): Promise<OwnAccount> {
  const accounts = await deps.managedUsers.accounts(stored.user.id)
  const named = body.connection === undefined ? null : await connectionNamed(body.connection, deps.connections)
  const found = named
    ? accounts.find(({ connectionId }) => connectionId === named.id)
    : accounts.find((account) => subjectOf(account) === stored.user.id)
  const connection = named ?? (await deps.connections.all()).find(({ id }) => id === found?.connectionId)
  if (!found || !connection) throw invalidBody('The user has no account at the connection')
  const isPrimary = subjectOf(found) === stored.user.id
  checkSupported(body, connection, isPrimary)
  return { ...found, connection, isPrimary }
}

function checkSupported(body: UserChangeBody, connection: Connection, isPrimary: boolean): void {
  const members = OF_ACCOUNT.filter((each) => body[each] !== undefined)
  const others = members.filter((each) => each !== 'password')
  if (isUpstream(connection) || (others.length > 0 && !isPrimary)) throw unsupported(members, connection.name)
}

/** The connection of a password or username. */
function databaseOf({ connection }: OwnAccount): DatabaseConnection {
  if (isDatabase(connection)) return connection
  throw unsupported(['password', 'username'], connection.name)
}

const unsupported = (members: readonly string[], connection: string) =>
  invalidRequest(
    `The following user attributes cannot be updated: ${members.join(', ')}. The connection (${connection}) must be the user's own database or passwordless connection.`,
    { members: OPERATION_NOT_SUPPORTED },
  )

const NAMES = ['name', 'given_name', 'family_name', 'nickname', 'picture'] as const

/** A provider that the user follows would undo the change with the next login. */
async function checkFollowed({ user }: ManagedUser, { body, deps }: UpdateCall): Promise<void> {
  const members = NAMES.filter((name) => body[name] !== undefined)
  if (members.length === 0) return
  const accounts = await deps.managedUsers.accounts(user.id)
  const primary = accounts.find((account) => subjectOf(account) === user.id)
  const connection = (await deps.connections.all()).find(({ id }) => id === primary?.connectionId)
  if (isUpstream(connection) && connection.settings.options.set_user_root_attributes === 'on_each_login') {
    throw invalidRequest(
      `The following user attributes cannot be updated: ${members.join(', ')}. The connection (${connection.name}) sets them at each login.`,
      { members: OPERATION_NOT_SUPPORTED },
    )
  }
}

async function changeOf(stored: ManagedUser, own: OwnAccount | null, call: UpdateCall): Promise<UserChange> {
  const { body, deps } = call
  const change: UserChange = {
    fields: { ...namesIn(body), ...(own ? await identifiersIn(stored, own, body, deps) : {}) },
  }
  if (body.blocked !== undefined) change.fields.blocked = body.blocked
  if (body.user_metadata !== undefined)
    change.userMetadata = readMetadata('user_metadata', body.user_metadata ?? {}, deps)
  if (body.app_metadata !== undefined) change.appMetadata = readMetadata('app_metadata', body.app_metadata ?? {}, deps)
  if (!own) return change
  const { connectionId, providerUserId } = own
  change.account = { connectionId, providerUserId }
  if (hasKeys(change.fields)) change.keys = keysOf(own, change.fields)
  if (body.password !== undefined) {
    const connection = databaseOf(own)
    if (body.password === null) throw invalidBody('A password cannot be removed')
    const person = { ...stored.user, ...change.fields, metadata: stored.user.userMetadata }
    const history = await deps.accounts.passwordHistory(change.account)
    const terms = { connection, person, stage: 'pre-change-password', history } as const
    const password = await newPassword(body.password, terms, deps)
    change.password = authenticatesByScript(connection) ? { hash: null, keep: 0 } : password
  }
  const link = await linkIn(stored, own, change.fields, call)
  return link ? { ...change, link } : change
}

function namesIn(body: UserChangeBody): Partial<UserFields> {
  const { name, given_name: givenName, family_name: familyName, nickname, picture } = body
  const all = { name, givenName, familyName, nickname, picture }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** A new address or number is unverified unless the manager says otherwise. */
async function identifiersIn(
  { user }: ManagedUser,
  own: OwnAccount,
  body: UserChangeBody,
  door: UserDoor,
): Promise<Partial<UserFields>> {
  const { strategy } = own.connection
  const fields: Partial<UserFields> = {}
  if (body.email !== undefined) {
    fields.email = addressKey(body.email)
    if (fields.email !== addressKey(user.email)) fields.emailVerified = false
  }
  if (body.phone_number !== undefined) {
    fields.phoneNumber = body.phone_number === null ? null : await phoneNumberOf(body.phone_number)
    if (fields.phoneNumber !== user.phoneNumber) fields.phoneVerified = false
  }
  if (body.username !== undefined) fields.username = usernameFor(databaseOf(own), body.username ?? undefined, door)
  if (body.email_verified !== undefined) fields.emailVerified = body.email_verified
  if (body.phone_verified !== undefined) fields.phoneVerified = body.phone_verified
  const left = { ...user, ...fields }
  if (left.email === null && strategy === 'email') throw invalidBody('The user needs an e-mail address')
  if (left.phoneNumber === null && strategy === 'sms') throw invalidBody('The user needs a phone number')
  if (left.email === null && left.username === null && isDatabase(own.connection))
    throw invalidBody('The user needs an e-mail address or a username')
  return fields
}

const hasKeys = ({ email, username, phoneNumber }: Partial<UserFields>): boolean =>
  email !== undefined || username !== undefined || phoneNumber !== undefined

function keysOf(
  { emailKey, usernameKey, connection }: OwnAccount,
  { email = emailKey, username, phoneNumber }: Partial<UserFields>,
): NonNullable<UserChange['keys']> {
  const name = connection.strategy === 'sms' ? phoneNumber : username
  const finds = connection.strategy === 'sms' ? null : email
  return { email: finds, username: name === undefined ? usernameKey : addressKey(name) }
}

function linkIn(
  { user }: ManagedUser,
  { connectionId, providerUserId, connection }: OwnAccount,
  fields: Partial<UserFields>,
  { body, deps, actor, ip }: UpdateCall,
): Promise<MailedLinkRow> | undefined {
  const after = { ...user, ...fields }
  if (body.verify_email !== true || !isDatabase(connection) || after.email === null) return undefined
  const account = { connectionId, providerUserId, userId: user.id, fields: after }
  return verificationLink(account, { clientId: body.client_id ?? actor.clientId, ip }, deps)
}
