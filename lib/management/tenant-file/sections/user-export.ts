// Converts a stored user to an entry of `users`.
import { DATABASE } from '../../../data/connections/database-options'
import { sorted } from '../fields'
import type { Configuration, Json, JsonObject, StoredUser } from '../model'

/** Everything except passwords, seeds and the addresses of second factors. */
export function exportUser({ user, accounts, roles }: StoredUser, stored: Configuration): JsonObject {
  const { connections } = stored
  const connection = connections.find(({ id }) => accounts.some(({ connectionId }) => connectionId === id))
  const fields: Record<string, Json | undefined> = {
    user_id: user.id.slice(DATABASE.length + 1),
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
    ...sorted(user.profile),
    user_metadata: sorted(user.userMetadata),
    app_metadata: sorted(user.appMetadata),
    blocked: user.blocked,
    roles: roles.length === 0 ? undefined : namesOf(roles, stored),
    created_at: user.createdAt?.toISOString(),
  }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined))
}

const namesOf = (ids: readonly string[], { roles }: Configuration): string[] =>
  roles.flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
