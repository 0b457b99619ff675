// The user's own record in the contract's /api/v2/users/{id}, and the changes allowed there.
// - The operator's data about a user (`app_metadata`, roles, blocks) is neither shown nor accepted here (threat-model.md TK6).
import type { JsonObject } from '../../kernel/json'
import type { ProofStanding } from './first-proof'
import type { User } from './user'

/** An account by which the user signs in; the first one is named by the user's id. */
export type LinkedIdentity = {
  connection: string
  provider: string
  providerUserId: string
  isSocial: boolean
  /** The profile at the time of linking. */
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

/** A change of `user_metadata`: properties of the first level to set and remove, or `clear` to remove all. */
export type MetadataChange = { set: Readonly<Record<string, unknown>>; remove: readonly string[]; clear: boolean }

type Changed = Pick<User, 'id'> & ProofStanding

export type ProfilePort = {
  /** Sets the language of pages and mails. */
  setLocale(userId: string, locale: string, at: Date): Promise<void>
  find(userId: string): Promise<Profile | null>
  /** False if the object would exceed that many bytes, or the address was verified in the meantime; nothing was written then. */
  changeMetadata(user: Changed, change: MetadataChange, bounds: { bytes: number; at: Date }): Promise<boolean>
}

/** The user id of an account that is not linked to another. */
export const subjectOf = (identity: Pick<LinkedIdentity, 'provider' | 'providerUserId'>): string =>
  `${identity.provider}|${identity.providerUserId}`

/** The only fields shown of a linked identity's profile, never an internal member (BF9). */
export const LINKED_FIELDS: readonly string[] = [
  ...['email', 'email_verified', 'username', 'phone_number', 'phone_verified'],
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'picture', 'preferred_username', 'profile'],
  ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'address'],
]

/** `profileData` of a linked identity; undefined if no field can be shown. */
function shownOfLinked({ profile }: LinkedIdentity): JsonObject | undefined {
  const shown = Object.entries(profile).filter(([name]) => LINKED_FIELDS.includes(name))
  return shown.length === 0 ? undefined : (Object.fromEntries(shown) as JsonObject)
}

/** The user's fields except metadata, under the vendor's names; unknown values are null. */
export const knownOf = (user: Omit<User, 'factorWantedAt' | 'updatedAt' | 'recoveryEpoch'>) => ({
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

/** The vendor's user object, without unknown values. */
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
