// A person's own record as the contract's /api/v2/users/{id} shows it, and what may be changed of it there.
// - What operators keep about a person (`app_metadata`, roles, blocks) is not in it: it is neither shown nor taken here
//   (threat-model.md TK6).
import type { JsonObject } from '../kernel/json'
import type { ProofStanding } from './first-proof'
import type { User } from './user'

/** One account that signs its owner in; the first is the one that the user's id names. */
export type LinkedIdentity = {
  connection: string
  provider: string
  providerUserId: string
  isSocial: boolean
  /** What was known of its owner when it was linked. */
  profile: Readonly<Record<string, unknown>>
}

export type Profile = {
  user: User
  identities: readonly LinkedIdentity[]
  createdAt: Date
  lastLoginAt: Date | null
  lastIp: string | null
  loginsCount: number
}

/** What becomes of `user_metadata`: properties set and removed at its first level, or everything dropped. */
export type MetadataChange = { set: Readonly<Record<string, unknown>>; remove: readonly string[]; clear: boolean }

type Changed = Pick<User, 'id'> & ProofStanding

export type ProfilePort = {
  find(userId: string): Promise<Profile | null>
  /** False when the whole would grow beyond that many bytes, or the address was proven meanwhile; nothing was written then. */
  changeMetadata(user: Changed, change: MetadataChange, bounds: { bytes: number; at: Date }): Promise<boolean>
}

/** The id of the user whom an account names, while it is not linked to another. */
export const subjectOf = (identity: Pick<LinkedIdentity, 'provider' | 'providerUserId'>): string =>
  `${identity.provider}|${identity.providerUserId}`

/** Of what a provider said, or was known of a person before linking, this alone is shown: never an internal member (BF9). */
const LINKED_FIELDS: readonly string[] = [
  ...['email', 'email_verified', 'username', 'phone_number', 'phone_verified'],
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'picture', 'preferred_username', 'profile'],
  ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'address'],
]

/** `profileData` of a linked identity; undefined where there is nothing to show. */
function shownOfLinked({ profile }: LinkedIdentity): JsonObject | undefined {
  const shown = Object.entries(profile).filter(([name]) => LINKED_FIELDS.includes(name))
  return shown.length === 0 ? undefined : (Object.fromEntries(shown) as JsonObject)
}

/** What is known of a person but their metadata, under the vendor's names; what is not known is null. */
export const knownOf = (user: User) => ({
  email: user.email,
  email_verified: user.email === null ? null : user.emailVerified,
  username: user.username,
  phone_number: user.phoneNumber,
  phone_verified: user.phoneNumber === null ? null : user.phoneVerified,
  name: user.name,
  given_name: user.givenName,
  family_name: user.familyName,
  nickname: user.nickname,
  picture: user.picture,
})

/** The vendor's user object; what is not known is left out. */
export function presentProfile({ user, identities, ...record }: Profile): Record<string, unknown> {
  const all = {
    ...user.profile,
    user_id: user.id,
    ...knownOf(user),
    identities: presentIdentities(identities),
    user_metadata: user.userMetadata,
    created_at: record.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login: record.lastLoginAt?.toISOString() ?? null,
    last_ip: record.lastIp,
    logins_count: record.loginsCount,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

export type PresentedIdentity = {
  connection: string
  provider: string
  user_id: string
  isSocial: boolean
  profileData?: JsonObject
}

export const presentIdentities = (identities: readonly LinkedIdentity[]): PresentedIdentity[] =>
  identities.map((identity) => {
    const { connection, provider, providerUserId, isSocial } = identity
    const profileData = shownOfLinked(identity)
    return {
      connection,
      provider,
      user_id: providerUserId,
      isSocial,
      ...(profileData === undefined ? {} : { profileData }),
    }
  })
