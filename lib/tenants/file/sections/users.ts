// `users` (ours): accounts of a database connection, in the bulk-import shape.
// - An account is the one of its `user_id`, or of its canonical e-mail or username at the connection; else it is new.
// - Given fields replace what is stored, others stay. What a user changed and the file does not mention is theirs.
// - A password or hash counts once: a keyed digest of it is kept beside the account, so a later run of the same file
//   neither hashes again nor undoes a password that was changed since.

import { DATABASE } from '../../../connections/connection'
import { canonical } from '../../../users/user'
import { type Item, itemsOf, type PlanContext, readFields, type Section } from '../context'
import { chooseDatabase } from '../databases'
import { differences, same } from '../fields'
import type { AccountRow, ConnectionRow, Credential, Json, JsonObject, StoredUser, UserRow, UserWrite } from '../model'
import type { UserLookup } from '../port'
import { isJsonObject } from '../read'
import { credentialOf, profileOf, type UserEntry, userEntry } from './user-entry'
import { missingFactors } from './user-factors'

const PREFIX = `${DATABASE}|`
const CREDENTIAL = 'tenant_file_credential'

export const users: Section = {
  name: 'users',
  plan(given, context) {
    const seen = new Set<string>()
    for (const item of itemsOf(given, 'users', 'email', context)) planUser(item, seen, context)
  },
  export: (stored, all) => (all.length === 0 ? undefined : all.map((user) => exported(user, stored.connections))),
}

/** Whom the section speaks of, before anything in it was checked. */
export function lookupOf(given: Json | undefined): UserLookup {
  const entries = Array.isArray(given) ? given.filter(isJsonObject) : []
  const texts = (name: string) => entries.flatMap((entry) => (typeof entry[name] === 'string' ? [entry[name]] : []))
  return {
    ids: texts('user_id').map(subjectOf),
    emailKeys: texts('email').map(canonical),
    usernameKeys: texts('username').map(canonical),
  }
}

const subjectOf = (userId: string): string => (userId.startsWith(PREFIX) ? userId : PREFIX + userId)

function planUser({ value, path, index }: Item, seen: Set<string>, context: PlanContext): void {
  const read = readFields(userEntry, value, path, context)
  if (!read) return
  const entry = read.parsed
  const planned = placeUser(entry, profileOf(read.known), seen, context)
  if (typeof planned === 'string') context.problems.push({ path, reason: planned })
  else putUser(planned, credentialOf(entry), index, context)
}

type Planned = { stored: StoredUser | undefined; write: UserWrite }

/** The account that the entry is about, or why it can be none. */
function placeUser(entry: UserEntry, profile: JsonObject, seen: Set<string>, context: PlanContext): Planned | string {
  const connection = chooseDatabase(entry.connection, context.stored)
  if (!connection) return `there is no database connection ${entry.connection ?? 'yet; add one under databases'}`
  const [stored, ...others] = findUsers(entry, connection.id, context.users)
  if (others.length > 0) return 'its user_id, email and username belong to different users'
  const write = written(entry, profile, connection.id, stored, context)
  const keys = [write.user.id, ...keysOf(write.account)]
  if (keys.some((key) => seen.has(key))) return 'shares its user_id, email or username with another entry of the file'
  for (const key of keys) seen.add(key)
  return { stored, write }
}

const keysOf = ({ connectionId, emailKey, usernameKey }: AccountRow): string[] => [
  ...(emailKey === null ? [] : [`${connectionId} email ${emailKey}`]),
  ...(usernameKey === null ? [] : [`${connectionId} username ${usernameKey}`]),
]

function findUsers(entry: UserEntry, connectionId: string, known: readonly StoredUser[]): StoredUser[] {
  const id = entry.user_id && subjectOf(entry.user_id)
  const [emailKey, usernameKey] = [entry.email && canonical(entry.email), entry.username && canonical(entry.username)]
  return known.filter(
    ({ user, accounts }) =>
      user.id === id ||
      accounts.some(
        (account) =>
          account.connectionId === connectionId &&
          ((emailKey !== undefined && account.emailKey === emailKey) ||
            (usernameKey !== undefined && account.usernameKey === usernameKey)),
      ),
  )
}

function written(
  entry: UserEntry,
  profile: JsonObject,
  connectionId: string,
  stored: StoredUser | undefined,
  context: PlanContext,
): UserWrite {
  const id = stored?.user.id ?? (entry.user_id ? subjectOf(entry.user_id) : PREFIX + context.random.hex(24))
  const account = stored?.accounts.find((each) => each.connectionId === connectionId)
  const before = stored?.user ?? nobody(id)
  return {
    user: {
      ...before,
      email: entry.email ? canonical(entry.email) : before.email,
      emailVerified: entry.email_verified ?? before.emailVerified,
      username: entry.username ?? before.username,
      phoneNumber: entry.phone_number ?? before.phoneNumber,
      phoneVerified: entry.phone_verified ?? before.phoneVerified,
      name: entry.name ?? before.name,
      givenName: entry.given_name ?? before.givenName,
      familyName: entry.family_name ?? before.familyName,
      nickname: entry.nickname ?? before.nickname,
      picture: entry.picture ?? before.picture,
      profile: { ...before.profile, ...profile },
      userMetadata: entry.user_metadata ?? before.userMetadata,
      appMetadata: entry.app_metadata ?? before.appMetadata,
      blocked: entry.blocked ?? before.blocked,
      createdAt: before.createdAt ?? (entry.created_at ? new Date(entry.created_at) : null),
    },
    account: {
      connectionId,
      providerUserId: account?.providerUserId ?? id.slice(PREFIX.length),
      emailKey: entry.email ? canonical(entry.email) : (account?.emailKey ?? null),
      usernameKey: entry.username ? canonical(entry.username) : (account?.usernameKey ?? null),
      profile: account?.profile ?? {},
    },
    factors: missingFactors(entry.mfa_factors ?? [], stored, context),
  }
}

function putUser(
  { stored, write }: Planned,
  credential: Credential | undefined,
  entry: number,
  context: PlanContext,
): void {
  const account = stored?.accounts.find((each) => each.connectionId === write.account.connectionId)
  const mark = credential && credentialMark(credential, context)
  const fresh = mark !== undefined && account?.profile[CREDENTIAL] !== mark
  const row = fresh
    ? { ...write, account: { ...write.account, profile: { ...write.account.profile, [CREDENTIAL]: mark } } }
    : write
  const details = changedFields(stored, row)
  if (fresh) details.push('password')
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'users',
    action: stored ? 'update' : 'create',
    name: write.user.email ?? write.user.username ?? write.user.id,
    details: stored ? details : [],
    write: { table: 'user', row },
    ...(fresh && credential ? { credential: { entry, ...credential } } : {}),
  })
}

/** Keyed, so the mark says nothing without LATCHKEY_SECRET. */
const credentialMark = (credential: Credential, { vault }: PlanContext): string =>
  vault.mac('tenant-file-credential', JSON.stringify(credential)).toString('base64url')

/** Names only: what a person's record holds is not for a terminal or a log. */
function changedFields(stored: StoredUser | undefined, { user, account, factors }: UserWrite): string[] {
  if (!stored) return []
  const before: Record<string, unknown> = stored.user
  const fields = Object.entries(user).flatMap(([name, value]) => (same(before[name], value) ? [] : [name]))
  const known = stored.accounts.find((each) => each.connectionId === account.connectionId)
  const keys = differences(
    { emailKey: known?.emailKey ?? null, usernameKey: known?.usernameKey ?? null },
    { emailKey: account.emailKey, usernameKey: account.usernameKey },
  )
  return [
    ...fields,
    ...(keys.length > 0 ? ['account'] : []),
    ...factors.map(({ id }) => `mfa_factors: ${id.split('|')[0]}`),
  ]
}

const nobody = (id: string): UserRow => ({
  id,
  email: null,
  emailVerified: false,
  username: null,
  phoneNumber: null,
  phoneVerified: false,
  name: null,
  givenName: null,
  familyName: null,
  nickname: null,
  picture: null,
  profile: {},
  userMetadata: {},
  appMetadata: {},
  blocked: false,
  createdAt: null,
})

/** Everything but passwords, seeds and the addresses of second factors. */
function exported({ user, accounts }: StoredUser, connections: readonly ConnectionRow[]): JsonObject {
  const connection = connections.find(({ id }) => accounts.some(({ connectionId }) => connectionId === id))
  const fields: Record<string, Json | undefined> = {
    user_id: user.id.slice(PREFIX.length),
    connection: connection?.name,
    email: user.email ?? undefined,
    email_verified: user.emailVerified,
    username: user.username ?? undefined,
    phone_number: user.phoneNumber ?? undefined,
    phone_verified: user.phoneNumber === null ? undefined : user.phoneVerified,
    name: user.name ?? undefined,
    given_name: user.givenName ?? undefined,
    family_name: user.familyName ?? undefined,
    nickname: user.nickname ?? undefined,
    picture: user.picture ?? undefined,
    ...user.profile,
    user_metadata: user.userMetadata,
    app_metadata: user.appMetadata,
    blocked: user.blocked,
    created_at: user.createdAt?.toISOString(),
  }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined))
}
