// `users` (ours): accounts of a database connection, in the bulk-import shape.
// - An entry is the account of its `user_id`, or of its canonical e-mail or username at the connection; else a new one.
// - Given fields replace the stored ones, others stay. Changes by the user to fields that the file does not contain are kept.
// - A password or hash is applied once. A keyed digest of it, salted with the user's id, is stored with the account, so a later
//   run of the same file neither hashes again nor reverts a password that was changed since.

import { canonical } from '../../../data/users/user'
import { DomainError } from '../../../kernel/errors'
import { isJsonObject, type JsonObject } from '../../../kernel/json'
import { type Item, itemsOf, type PlanContext, readFields, type Section } from '../context'
import { copyOf } from '../copied-user'
import { chooseDatabase } from '../databases'
import { same } from '../fields'
import type { AccountRow, Credential, Json, StoredUser, UserWrite } from '../model'
import type { UserLookup } from '../port'
import { reasonOf } from './objects'
import { findRole } from './roles'
import { credentialOf, profileOf, type UserEntry, userEntry } from './user-entry'
import { exportUser } from './user-export'
import { dormantFactors, idOf, operateUser } from './user-operations'

export const users: Section = {
  name: 'users',
  async plan(given, context) {
    const seen = new Set<string>()
    for (const item of itemsOf(given, 'users', 'email', context)) await planUser(item, seen, context)
  },
  export: (stored, all) => (all.length === 0 ? undefined : all.map((user) => exportUser(user, stored))),
}

/** The users that the section refers to, before its validation. */
export function lookupOf(given: Json | undefined): UserLookup {
  const entries = Array.isArray(given) ? given.filter(isJsonObject) : []
  const texts = (name: string) => entries.flatMap((entry) => (typeof entry[name] === 'string' ? [entry[name]] : []))
  return {
    ids: texts('user_id').map(idOf),
    emailKeys: texts('email').map(canonical),
    usernameKeys: texts('username').map(canonical),
  }
}

type Read = { parsed: UserEntry; known: JsonObject }

async function planUser({ value, path, index }: Item, seen: Set<string>, context: PlanContext): Promise<void> {
  const read = readFields(userEntry, value, path, context)
  if (!read) return
  const { parsed: entry } = read
  const { problems, notApplied, stored } = context
  const refuse = (reason: string, place = path): void => void problems.push({ path: place, reason })
  notApplied.push(...dormantFactors(entry.mfa_factors ?? [], path, context))
  for (const name of entry.roles ?? []) if (!findRole(name, stored)) refuse(`there is no role ${name}`, `${path}.roles`)
  const connection = chooseDatabase(entry.connection, stored)
  if (!connection)
    return refuse(`there is no database connection ${entry.connection ?? 'yet; add one under databases'}`)
  const [before, ...others] = findUsers(entry, connection.id, context.users)
  if (others.length > 0) return refuse('its user_id, email and username belong to different users')
  if (before && !accountAt(before, connection)) return refuse(`the user has no account at ${connection.name}`)
  const copy = copyOf(before, connection, context)
  try {
    await operateUser(entry, copy, { connection, path, context })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refuse(reasonOf(error), error.problem?.path ? `${path}.${error.problem.path}` : path)
  }
  const account = copy.user && accountAt(copy.user, connection)
  if (!copy.user || !account) return
  const keys = [copy.user.user.id, ...keysOf(account)]
  if (keys.some((key) => seen.has(key)))
    return refuse('shares its user_id, email or username with another entry of the file')
  for (const key of keys) seen.add(key)
  putUser(before, writeOf(account, copy.user, before, read), credentialOf(entry), index, context)
}

function findUsers(entry: UserEntry, connectionId: string, known: readonly StoredUser[]): StoredUser[] {
  const id = entry.user_id && idOf(entry.user_id)
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

const accountAt = ({ accounts }: StoredUser, { id }: { id: string }): AccountRow | undefined =>
  accounts.find(({ connectionId }) => connectionId === id)

const keysOf = ({ connectionId, emailKey, usernameKey }: AccountRow): string[] => [
  ...(emailKey === null ? [] : [`${connectionId} email ${emailKey}`]),
  ...(usernameKey === null ? [] : [`${connectionId} username ${usernameKey}`]),
]

/** With what no operation takes: less common claims, and when the user was made. */
function writeOf(
  account: AccountRow,
  { user, factors, roles }: StoredUser,
  before: StoredUser | undefined,
  { parsed: { roles: given, created_at }, known }: Read,
): UserWrite {
  const { tenant_file_credential: _moved, ...profile } = account.profile
  return {
    isNew: before === undefined,
    user: Object.assign({}, user, {
      profile: { ...user.profile, ...profileOf(known) },
      createdAt: user.createdAt ?? (created_at ? new Date(created_at) : null),
    }),
    account: Object.assign({}, account, { profile }),
    factors: factors.filter((factor) => !before?.factors.includes(factor)),
    ...(given === undefined ? {} : { roles }),
  }
}

function putUser(
  stored: StoredUser | undefined,
  write: UserWrite,
  credential: Credential | undefined,
  entry: number,
  context: PlanContext,
): void {
  const kept = write.account.fileCredential
  const mark = credential && credentialMark(credential, write.user.id, context)
  const fresh = credential !== undefined && !isMarkOf(kept, credential, write.user.id, context)
  write.account.fileCredential = mark ?? kept
  const details = changedFields(stored, write)
  if (fresh) details.push('password')
  else if (mark && kept && !mark.equals(kept)) details.push('password digest')
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'users',
    action: stored ? 'update' : 'create',
    name: write.user.email ?? write.user.username ?? write.user.id,
    details: stored ? details : [],
    writes: [{ table: 'user', row: write }],
    records: [],
    ...(fresh && credential ? { credential: { entry, ...credential } } : {}),
  })
}

const PURPOSE = 'tenant-file-credential'

/** Keyed, so the mark reveals nothing without LATCHKEY_SECRET; salted, so equal passwords have different marks. */
const credentialMark = (credential: Credential, userId: string, { vault }: PlanContext): Buffer =>
  vault.mac(PURPOSE, JSON.stringify([userId, credential]))

/** Marks of earlier releases have no salt; the next run replaces them. */
function isMarkOf(kept: Uint8Array | null, credential: Credential, userId: string, context: PlanContext): boolean {
  if (kept === null) return false
  const unsalted = context.vault.mac(PURPOSE, JSON.stringify(credential))
  return [credentialMark(credential, userId, context), unsalted].some((mark) => mark.equals(kept))
}

/** Field names only: personal data must not reach a terminal or a log. */
function changedFields(stored: StoredUser | undefined, { user, account, factors, roles }: UserWrite): string[] {
  if (!stored) return []
  const before: Record<string, unknown> = stored.user
  const fields = Object.entries(user).flatMap(([name, value]) => (same(before[name], value) ? [] : [name]))
  const known = accountAt(stored, { id: account.connectionId })
  const hasOtherKeys = known?.emailKey !== account.emailKey || known.usernameKey !== account.usernameKey
  return [
    ...fields,
    ...(hasOtherKeys ? ['account'] : []),
    ...(roles === undefined || same(stored.roles, roles) ? [] : ['roles']),
    ...factors.map(({ id }) => `mfa_factors: ${id.split('|')[0]}`),
  ]
}
