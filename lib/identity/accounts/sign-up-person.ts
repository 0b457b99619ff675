// The profile that an unauthenticated person may submit at sign-up, in its stored form. Only members listed here reach the
// account: no ids, roles, blocks, hashes or app_metadata (threat-model.md DB2).
import type { DatabaseConnection } from '../../data/connections/connection'
import { isMailAddress } from '../../data/outbox/message'
import type { NewAccount, NewProfile } from '../../data/users/account'
import type { UnownedPasskey } from '../../data/users/passkey'
import { METADATA_LIMITS, readUserMetadata } from '../../data/users/sign-up-fields'
import { canonical } from '../../data/users/user'
import { readUsername } from '../../data/users/username'
import { parseUrl } from '../../kernel/url'

export type SignUpInput = {
  email: string
  /** Null for an account with a passkey and no password. */
  password: string | null
  passkey?: UnownedPasskey
  username?: string | undefined
  name?: string | undefined
  given_name?: string | undefined
  family_name?: string | undefined
  nickname?: string | undefined
  picture?: string | undefined
  /** Not validated yet. */
  user_metadata?: unknown
}

export type NewPerson = Pick<NewAccount, 'email' | 'username' | 'appMetadata'> & {
  userMetadata: Readonly<Record<string, string>>
  profile: NewProfile
}

export type InvalidInput = { field: keyof SignUpInput; problem: string }

export function readPerson(connection: DatabaseConnection, input: SignUpInput): NewPerson | InvalidInput {
  const email = canonical(input.email)
  if (!isAddress(email)) return { field: 'email', problem: 'The e-mail address is not valid' }
  const username = usernameOf(connection, input.username)
  if (typeof username === 'object' && username !== null) return username
  const userMetadata = readUserMetadata(input.user_metadata)
  if (!userMetadata) return { field: 'user_metadata', problem: METADATA_PROBLEM }
  const profile = readProfile(input)
  return 'problem' in profile ? profile : { email, username, userMetadata, profile }
}

const METADATA_PROBLEM = `user_metadata must be an object of at most ${METADATA_LIMITS.properties} texts, with names of at most ${METADATA_LIMITS.name} and values of at most ${METADATA_LIMITS.value} characters`

/** A deliverable address, with a dot and no empty part in its host name. */
const isAddress = (email: string): boolean =>
  isMailAddress(email) && /^[^@.]+(\.[^@.]+)*@[^@.]+(\.[^@.]+)+$/.test(email)

function usernameOf({ name, settings }: DatabaseConnection, given: string | undefined): string | null | InvalidInput {
  const { requires_username, validation } = settings.options
  if (!requires_username) {
    return given === undefined
      ? null
      : { field: 'username', problem: `username is valid only where the connection requires one; ${name} does not` }
  }
  if (given === undefined) {
    return { field: 'username', problem: `missing username for ${name} connection with requires_username enabled` }
  }
  const username = readUsername(given, validation.username)
  return username ?? { field: 'username', problem: `The username must have ${rangeOf(validation.username)}` }
}

const rangeOf = ({ min, max }: { min: number; max: number }): string =>
  `${min} to ${max} characters: letters, digits or one of _+-.!#^'$~@\`, and must not be an e-mail address`

const MAX_NAME_LENGTH = 300
const MAX_PICTURE_LENGTH = 2048

function readProfile({ name, given_name, family_name, nickname, picture }: SignUpInput): NewProfile | InvalidInput {
  const names = { name, given_name, family_name, nickname }
  const long = Object.entries(names).find(([, value]) => value !== undefined && value.length > MAX_NAME_LENGTH)
  if (long)
    return { field: long[0] as keyof typeof names, problem: `${long[0]} has at most ${MAX_NAME_LENGTH} characters` }
  if (picture !== undefined && !isPicture(picture)) {
    return { field: 'picture', problem: 'picture must be an http or https URL' }
  }
  return {
    name: name ?? null,
    givenName: given_name ?? null,
    familyName: family_name ?? null,
    nickname: nickname ?? null,
    picture: picture ?? null,
  }
}

const isPicture = (value: string): boolean =>
  value.length <= MAX_PICTURE_LENGTH && /^https?:$/.test(parseUrl(value)?.protocol ?? '')
