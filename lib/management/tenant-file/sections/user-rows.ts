// Finds the stored user of an entry of `users`, and builds its rows: given fields replace, others stay.
import { DATABASE } from '../../../data/connections/database-options'
import { BLANK_PERSON, canonical } from '../../../data/users/user'
import type { PlanContext } from '../context'
import type { JsonObject, StoredUser, UserRow, UserWrite } from '../model'
import { findRole } from './roles'
import type { UserEntry } from './user-entry'
import { missingFactors } from './user-factors'

const PREFIX = `${DATABASE}|`

/** The subject of a `user_id`, which has no provider prefix in the vendor's schema. */
export const subjectOf = (userId: string): string => (userId.startsWith(PREFIX) ? userId : PREFIX + userId)

export function findUsers(entry: UserEntry, connectionId: string, known: readonly StoredUser[]): StoredUser[] {
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

export function writtenUser(
  entry: UserEntry,
  profile: JsonObject,
  connectionId: string,
  stored: StoredUser | undefined,
  context: PlanContext,
): UserWrite {
  const id = stored?.user.id ?? (entry.user_id ? subjectOf(entry.user_id) : PREFIX + context.random.hex(24))
  const account = stored?.accounts.find((each) => each.connectionId === connectionId)
  const before = stored?.user ?? blankUser(id)
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
      fileCredential: account?.fileCredential ?? null,
      profile: withoutOldMark(account?.profile ?? {}),
    },
    ...(entry.roles === undefined ? {} : { roles: roleIds(entry.roles, context) }),
    factors: missingFactors(entry.mfa_factors ?? [], stored, context),
  }
}

/** Earlier releases stored `fileCredential` here. */
const withoutOldMark = ({ tenant_file_credential: _moved, ...profile }: JsonObject): JsonObject => profile

/** users.ts has already reported unknown names. */
const roleIds = (names: readonly string[], { stored }: PlanContext): string[] =>
  [...new Set(names.flatMap((name) => findRole(name, stored)?.id ?? []))].sort()

const blankUser = (id: string): UserRow => ({ id, ...BLANK_PERSON, createdAt: null })
