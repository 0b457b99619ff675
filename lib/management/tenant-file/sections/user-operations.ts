// The operations that make a user what an entry of `users` says. Second factors are added and never removed: the file contains those of
// the import, not those that the user added since.
import { DATABASE } from '../../../data/connections/database-options'
import { knownOf } from '../../../data/users/profile'
import { canonical } from '../../../data/users/user'
import { email } from '../../../identity/mfa/factors/email'
import { otp, SEED_PURPOSE } from '../../../identity/mfa/factors/otp'
import { sms } from '../../../identity/mfa/factors/phone'
import { isJsonObject, objectIn } from '../../../kernel/json'
import type { Operation } from '../../operations/operation'
import type { ConnectionResourceRow } from '../../resources/connections'
import { MAX_ROLES, userAccess } from '../../resources/user-access'
import { userFactors } from '../../resources/user-factors'
import { users as resource } from '../../resources/users'
import type { PlanContext } from '../context'
import type { CopiedUser } from '../copied-user'
import { same } from '../fields'
import type { FactorRow, Json, JsonObject, StoredUser } from '../model'
import { operateOn } from '../working-copy'
import { isSwitchedOn } from './guardian'
import { findRole } from './roles'
import type { FactorEntry, UserEntry } from './user-entry'

const PREFIX = `${DATABASE}|`

/** The id of a `user_id`, which has no provider prefix in the vendor's schema. */
export const idOf = (userId: string): string => (userId.startsWith(PREFIX) ? userId : PREFIX + userId)

/** Where an entry is planned. */
export type Place = { connection: ConnectionResourceRow; path: string; context: PlanContext }

/** Makes or changes the copy; throws a DomainError where the entry is invalid. */
export async function operateUser(entry: UserEntry, copy: CopiedUser, place: Place): Promise<void> {
  const { connection, context } = place
  const { user: before } = copy
  const run = (operation: Operation<CopiedUser['deps']>, body: Json, id = '') =>
    operateOn(copy.deps, operation, { body, params: { id } }, null)
  if (!before) await run(resource.create, newUserOf(entry, connection))
  else {
    const body = changeOf(entry, before, place)
    if (Object.keys(body).length > 0) await run(resource.update, body, before.user.id)
  }
  if (!copy.user) return
  const { id } = copy.user.user
  for (const each of entry.mfa_factors ?? [])
    if (!before?.factors.some((row) => isSame(row, each, context)))
      await run(userFactors.authenticationMethodsAdd, methodOf(each), id)
  if (!entry.roles) return
  const wanted = entry.roles.flatMap((name) => findRole(name, context.stored)?.id ?? [])
  const given = wanted.filter((role) => !before?.roles.includes(role))
  const taken = before?.roles.filter((role) => !wanted.includes(role)) ?? []
  for (const roles of partsOf(given)) await run(userAccess.rolesAdd, { roles }, id)
  for (const roles of partsOf(taken)) await run(userAccess.rolesRemove, { roles }, id)
}

/** As many as one request of the API takes. */
const partsOf = (roles: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(roles.length / MAX_ROLES) }, (_, part) =>
    roles.slice(part * MAX_ROLES, (part + 1) * MAX_ROLES),
  )

/** The members that the operations have by the same names. */
const MEMBERS = [
  ...(['username', 'phone_number', 'name', 'given_name', 'family_name', 'nickname', 'picture'] as const),
  ...(['email_verified', 'phone_verified', 'blocked', 'user_metadata', 'app_metadata'] as const),
]

function membersOf(entry: UserEntry): JsonObject {
  const members: JsonObject = entry.email === undefined ? {} : { email: canonical(entry.email) }
  for (const name of MEMBERS) {
    const value = entry[name]
    if (value !== undefined) members[name] = value
  }
  return members
}

const newUserOf = (entry: UserEntry, { name: connection }: ConnectionResourceRow): JsonObject => ({
  connection,
  verify_email: false,
  ...(entry.user_id && { user_id: idOf(entry.user_id).slice(PREFIX.length) }),
  ...membersOf(entry),
})

/** What belongs to the account that names the user. */
const OF_ACCOUNT = ['email', 'username', 'phone_number', 'email_verified', 'phone_verified']

/** Said again of an address or number that changes, which is unverified otherwise. */
const PROVES: Readonly<Record<string, string>> = { email_verified: 'email', phone_verified: 'phone_number' }

/** What of the entry differs. Metadata replaces the stored, where the API merges. */
function changeOf(entry: UserEntry, { user, accounts }: StoredUser, { connection, path, context }: Place): JsonObject {
  const { userMetadata: user_metadata, appMetadata: app_metadata, blocked } = user
  const account = accounts.find(({ connectionId }) => connectionId === connection.id)
  const isOwn = account !== undefined && idOf(account.providerUserId) === user.id
  const names = isOwn ? {} : { email: account?.emailKey ?? null, username: account?.usernameKey ?? null }
  const shown: JsonObject = { ...knownOf(user), ...names, user_metadata, app_metadata, blocked }
  const change: JsonObject = {}
  for (const [name, value] of Object.entries(membersOf(entry))) {
    if (same(value, shown[name]) && !Object.hasOwn(change, PROVES[name] ?? '')) continue
    if (isOwn || !OF_ACCOUNT.includes(name)) change[name] = replacing(value, shown[name])
    else context.notApplied.push(`${path}.${name}: belongs to another account of the user`)
  }
  return change
}

/** Null takes a member of metadata away, and an empty object all. */
function replacing(value: Json, stored: Json | undefined): Json {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return value
  const gone = Object.keys(objectIn(stored)).filter((name) => !Object.hasOwn(value, name))
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...value }
}

const methodOf = ({ totp, phone, email: mail }: FactorEntry): JsonObject =>
  totp
    ? { type: 'totp', totp_secret: totp.secret }
    : phone
      ? { type: 'phone', phone_number: phone.value }
      : { type: 'email', email: mail?.value ?? '' }

function isSame(row: FactorRow, { totp, phone, email: mail }: FactorEntry, { vault }: PlanContext): boolean {
  if (phone) return row.channel === sms.names.channel && row.phoneNumber === phone.value
  if (mail) return row.channel === email.names.channel && row.email === canonical(mail.value)
  const sealed = row.type === otp.names.authenticatorType ? row.sealed : null
  return sealed !== null && vault.open(SEED_PURPOSE, sealed)?.toString() === totp?.secret
}

/** Factors that are stored but not used, because the tenant has disabled them. */
export const dormantFactors = (entries: readonly FactorEntry[], path: string, context: PlanContext): string[] =>
  [...new Set(entries.map(({ phone, email: mail }) => (phone ? sms : mail ? email : otp).names.record))]
    .filter((name) => !isSwitchedOn(name, context))
    .map((name) => `${path}.mfa_factors: kept, but guardianFactors has ${name} switched off`)
