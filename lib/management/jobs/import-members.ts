// What an import takes of a user, and the scope that a member needs beside `create:users`: one of those by which another operation
// sets the same (threat-model.md MG56). `POST /users` sets the members without one; the claims and `created_at` are set here alone.
import type { ManagementScope } from '../../data/apis/management-scopes'
import type { UserEntry } from '../tenant-file/sections/user-entry'

/** Of the tenant file alone. */
type NotImported = 'password' | 'connection'

const CREATES: readonly ManagementScope[] = []

export const IMPORT_MEMBERS: Readonly<Record<Exclude<keyof UserEntry, NotImported>, readonly ManagementScope[]>> = {
  email: CREATES,
  email_verified: CREATES,
  username: CREATES,
  phone_number: CREATES,
  phone_verified: CREATES,
  user_id: CREATES,
  name: CREATES,
  given_name: CREATES,
  family_name: CREATES,
  nickname: CREATES,
  picture: CREATES,
  middle_name: CREATES,
  preferred_username: CREATES,
  profile: CREATES,
  website: CREATES,
  gender: CREATES,
  birthdate: CREATES,
  zoneinfo: CREATES,
  locale: CREATES,
  address: CREATES,
  user_metadata: CREATES,
  app_metadata: CREATES,
  blocked: CREATES,
  created_at: CREATES,
  /** In place of the password. */
  password_hash: CREATES,
  custom_password_hash: CREATES,
  roles: ['update:users', 'create:role_members'],
  mfa_factors: ['create:authentication_methods'],
}

/** Undefined for a member that an import does not take. */
export const scopesOfMember = (name: string): readonly ManagementScope[] | undefined =>
  Object.hasOwn(IMPORT_MEMBERS, name) ? IMPORT_MEMBERS[name as keyof typeof IMPORT_MEMBERS] : undefined
