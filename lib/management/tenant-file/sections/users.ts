// `users` (ours): accounts of a database connection, in the bulk-import shape.
// - An entry is the account of its `user_id`, or of its canonical e-mail or username at the connection; else a new one.
// - Given fields replace the stored ones, others stay. Changes by the user to fields that the file does not contain are kept.
// - A password or hash is applied once. A keyed digest of it, salted with the user's id, is stored with the account, so a later
//   run of the same file neither hashes again nor reverts a password that was changed since.

import { canonical } from '../../../data/users/user'
import { isJsonObject } from '../../../kernel/json'
import { type Item, itemsOf, type PlanContext, readFields, type Section } from '../context'
import { chooseDatabase } from '../databases'
import { differences, same } from '../fields'
import type { AccountRow, Credential, Json, JsonObject, StoredUser, UserWrite } from '../model'
import type { UserLookup } from '../port'
import { findRole } from './roles'
import { credentialOf, profileOf, type UserEntry, userEntry } from './user-entry'
import { exportUser } from './user-export'
import { dormantFactors } from './user-factors'
import { findUsers, subjectOf, writtenUser } from './user-rows'

export const users: Section = {
  name: 'users',
  plan(given, context) {
    const seen = new Set<string>()
    for (const item of itemsOf(given, 'users', 'email', context)) planUser(item, seen, context)
  },
  export: (stored, all) => (all.length === 0 ? undefined : all.map((user) => exportUser(user, stored))),
}

/** The users that the section refers to, before its validation. */
export function lookupOf(given: Json | undefined): UserLookup {
  const entries = Array.isArray(given) ? given.filter(isJsonObject) : []
  const texts = (name: string) => entries.flatMap((entry) => (typeof entry[name] === 'string' ? [entry[name]] : []))
  return {
    ids: texts('user_id').map(subjectOf),
    emailKeys: texts('email').map(canonical),
    usernameKeys: texts('username').map(canonical),
  }
}

function planUser({ value, path, index }: Item, seen: Set<string>, context: PlanContext): void {
  const read = readFields(userEntry, value, path, context)
  if (!read) return
  const entry = read.parsed
  context.notApplied.push(...dormantFactors(entry.mfa_factors ?? [], path, context))
  for (const name of entry.roles ?? []) {
    if (!findRole(name, context.stored))
      context.problems.push({ path: `${path}.roles`, reason: `there is no role ${name}` })
  }
  const planned = placeUser(entry, profileOf(read.known), seen, context)
  if (typeof planned === 'string') context.problems.push({ path, reason: planned })
  else putUser(planned, credentialOf(entry), index, context)
}

type Planned = { stored: StoredUser | undefined; write: UserWrite }

/** The account of the entry, or the reason why it cannot have one. */
function placeUser(entry: UserEntry, profile: JsonObject, seen: Set<string>, context: PlanContext): Planned | string {
  const connection = chooseDatabase(entry.connection, context.stored)
  if (!connection) return `there is no database connection ${entry.connection ?? 'yet; add one under databases'}`
  const [stored, ...others] = findUsers(entry, connection.id, context.users)
  if (others.length > 0) return 'its user_id, email and username belong to different users'
  const write = writtenUser(entry, profile, connection.id, stored, context)
  const keys = [write.user.id, ...keysOf(write.account)]
  if (keys.some((key) => seen.has(key))) return 'shares its user_id, email or username with another entry of the file'
  for (const key of keys) seen.add(key)
  return { stored, write }
}

const keysOf = ({ connectionId, emailKey, usernameKey }: AccountRow): string[] => [
  ...(emailKey === null ? [] : [`${connectionId} email ${emailKey}`]),
  ...(usernameKey === null ? [] : [`${connectionId} username ${usernameKey}`]),
]

function putUser(
  { stored, write }: Planned,
  credential: Credential | undefined,
  entry: number,
  context: PlanContext,
): void {
  const account = stored?.accounts.find((each) => each.connectionId === write.account.connectionId)
  const kept = account?.fileCredential ?? null
  const mark = credential && credentialMark(credential, write.user.id, context)
  const fresh = credential !== undefined && !isMarkOf(kept, credential, write.user.id, context)
  const row = { ...write, account: { ...write.account, fileCredential: mark ?? kept } }
  const details = changedFields(stored, row)
  if (fresh) details.push('password')
  else if (mark && kept && !mark.equals(kept)) details.push('password digest')
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'users',
    action: stored ? 'update' : 'create',
    name: write.user.email ?? write.user.username ?? write.user.id,
    details: stored ? details : [],
    writes: [{ table: 'user', row }],
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
  const known = stored.accounts.find((each) => each.connectionId === account.connectionId)
  const keys = differences(
    { emailKey: known?.emailKey ?? null, usernameKey: known?.usernameKey ?? null },
    { emailKey: account.emailKey, usernameKey: account.usernameKey },
  )
  return [
    ...fields,
    ...(keys.length > 0 ? ['account'] : []),
    ...(roles === undefined || same(stored.roles, roles) ? [] : ['roles']),
    ...factors.map(({ id }) => `mfa_factors: ${id.split('|')[0]}`),
  ]
}
