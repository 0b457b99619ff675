// Members of a user that managers send, and what is stored of them.
import * as z from 'zod'
import type { Connection, ConnectionPort, DatabaseConnection } from '../../data/connections/connection'
import { isMailAddress } from '../../data/outbox/message'
import type { OutboxRow } from '../../data/outbox/outbox'
import type { MailedLinkRow } from '../../data/users/account'
import type { UserFields } from '../../data/users/managed-user'
import { metadataChange, readMetadataChange } from '../../data/users/metadata-change'
import { type NewPasswordDeps, passwordError, refusalOfPassword, wasUsed } from '../../data/users/new-password'
import { type PersonalData, policyOf } from '../../data/users/password-policy'
import { readPhoneNumber } from '../../data/users/phone-number'
import type { MetadataChange } from '../../data/users/profile'
import { canonical } from '../../data/users/user'
import { readUsername } from '../../data/users/username'
import { type LinkDeps, linkFor } from '../../identity/accounts/account-link'
import { mailableAddress } from '../../identity/accounts/account-mail'
import { VERIFY } from '../../identity/accounts/verify-email'
import { welcomeMail } from '../../identity/accounts/welcome'
import { type DomainError, invalidRequest } from '../../kernel/errors'
import { withoutEffect } from '../../kernel/schema'
import { parseUrl } from '../../kernel/url'
import { invalidBody } from '../operations/errors'

const isPicture = (value: string): boolean => /^https?:$/.test(parseUrl(value)?.protocol ?? '')

const text = z.string().min(1).max(300)
const names = {
  name: text.meta({ title: 'Name', group: 'profile', order: 11 }),
  given_name: text.meta({ title: 'Given name', group: 'profile', order: 12 }),
  family_name: text.meta({ title: 'Family name', group: 'profile', order: 13 }),
  nickname: text.meta({ title: 'Nickname', group: 'profile', order: 14 }),
  picture: z
    .string()
    .max(2048)
    .refine(isPicture, 'must be an http or https URL')
    .meta({ title: 'Picture', help: 'The address of an image.' }),
}

const flags = {
  email_verified: z.boolean().optional().meta({ title: 'The address is verified', group: 'profile', order: 16 }),
  phone_verified: z.boolean().optional(),
  blocked: z
    .boolean()
    .optional()
    .meta({ title: 'Blocked', help: 'A blocked user cannot sign in, and present sessions end.' }),
  verify_email: z.boolean().optional(),
}

const metadata = z.record(z.string(), z.unknown())
const userMetadata = metadata.meta({
  title: 'User metadata',
  merges: true,
  help: 'JSON that the user may see and change.',
  group: 'metadata',
  order: 21,
})
const appMetadata = metadata.meta({
  title: 'App metadata',
  merges: true,
  help: 'JSON of operators; users cannot change it.',
  group: 'metadata',
  order: 22,
})
const connection = z.string().min(1).max(200).meta({ title: 'Connection' })
const username = z.string().min(1).max(200).meta({ title: 'Username', group: 'profile', order: 17 })
const phoneNumber = z.string().min(1).max(60).meta({ title: 'Phone number' })
const email = z
  .string()
  .max(400)
  .refine(isMailAddress, 'must be an e-mail address')
  .meta({ title: 'E-mail address', group: 'profile', order: 15 })
/** Longer ones are refused as the connection's policy says, with the vendor's error. */
const password = z.string().min(1).max(4096).meta({ title: 'Password', secret: true })

export const newUserBody = z.strictObject({
  connection,
  email: email.optional(),
  username: username.optional(),
  phone_number: phoneNumber.optional(),
  password: password.optional(),
  user_id: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^|\s]+$/, 'must not contain | or blanks')
    .optional(),
  user_metadata: userMetadata.optional(),
  app_metadata: appMetadata.optional(),
  ...flags,
  name: names.name.optional(),
  given_name: names.given_name.optional(),
  family_name: names.family_name.optional(),
  nickname: names.nickname.optional(),
  picture: names.picture.optional(),
})

export const userChangeBody = z.strictObject({
  connection: connection.optional(),
  client_id: z.string().max(300).optional(),
  email: email.nullish(),
  username: username.nullish(),
  phone_number: phoneNumber.nullish(),
  password: password.nullish(),
  user_metadata: userMetadata.nullish(),
  app_metadata: appMetadata.nullish(),
  ...flags,
  /** No message asks for the number to be verified. */
  verify_phone_number: withoutEffect(z.boolean(), (value) => value === true).optional(),
  name: names.name.nullish(),
  given_name: names.given_name.nullish(),
  family_name: names.family_name.nullish(),
  nickname: names.nickname.nullish(),
  picture: names.picture.nullish(),
})

export type NewUserBody = z.output<typeof newUserBody>
export type UserChangeBody = z.output<typeof userChangeBody>

/** The metadata of a body as a change; an empty object removes all. */
export function readMetadata(
  name: string,
  value: Readonly<Record<string, unknown>>,
  { movesIn }: UserDoor = {},
): MetadataChange {
  if (movesIn) return metadataChange(value)
  const change = readMetadataChange(value)
  const bytes = change ? Buffer.byteLength(JSON.stringify(change.set)) : 0
  if (!change || bytes > MAX_METADATA)
    throw invalidBody(`${name} is nested too deeply, too large or has an invalid name`)
  return change
}

/** Bytes that one request may set. */
const MAX_METADATA = 64 * 1024

export const OPERATION_NOT_SUPPORTED = { errorCode: 'operation_not_supported' }

export async function connectionNamed(name: string, connections: ConnectionPort): Promise<Connection> {
  const connection = (await connections.all()).find((each) => each.name === name)
  if (!connection)
    throw invalidRequest('The connection does not exist', { members: { errorCode: 'inexistent_connection' } })
  return connection
}

/** What a tenant file and an import say of a user, and the API does not. */
export type UserDoor = {
  /**
   * The user was one before: a username and metadata are taken as they were, no script is asked, no mail is sent, and the answer has no
   * body.
   */
  movesIn?: true
}

export function usernameFor(
  { name, settings }: DatabaseConnection,
  given: string | undefined,
  { movesIn }: UserDoor = {},
): string | null {
  if (movesIn) return given ?? null
  const { requires_username, validation } = settings.options
  if (given === undefined) {
    if (requires_username) throw invalidBody(`Missing username for ${name} connection with requires_username enabled`)
    return null
  }
  if (!requires_username) throw invalidBody(`Cannot set username for connection without requires_username`)
  const username = readUsername(given, validation.username)
  if (username === null) throw invalidBody('The username has a wrong length or characters that are not allowed')
  return username
}

export async function phoneNumberOf(given: string): Promise<string> {
  const number = await readPhoneNumber(given)
  if (number === null) throw invalidBody({ path: 'phone_number', message: 'Invalid value' })
  return number
}

export const addressKey = (email: string | null): string | null => (email === null ? null : canonical(email))

export type PasswordTerms = {
  connection: DatabaseConnection
  person: PersonalData
  stage: 'pre-user-registration' | 'pre-change-password'
  /** Hashes of earlier passwords, newest first. */
  history: readonly string[]
}

/** The hash of a password that the connection's policy allows, and how many earlier ones are remembered. */
export async function newPassword(
  password: string,
  { connection, person, stage, history }: PasswordTerms,
  deps: NewPasswordDeps,
): Promise<{ hash: string; keep: number }> {
  const policy = policyOf(connection.settings.options)
  const refusal = await refusalOfPassword(password, { policy, person, stage }, deps)
  if (refusal) throw asManaged(passwordError(refusal))
  if (policy.history > 0 && (await wasUsed(password, history, policy.history, deps)))
    throw asManaged(passwordError({ kind: 'history', size: policy.history }))
  return { hash: await deps.passwords.hash(password), keep: Math.max(policy.history - 1, 0) }
}

/** `detail`: the rules of a password that is too weak, else what is wrong with it. */
const asManaged = ({ members }: DomainError): DomainError =>
  invalidRequest(`${String(members.name)}: ${String(members.message)}`, {
    members: { errorCode: 'invalid_body' },
    detail: String(members.policy ?? members.description),
  })

type Mailed = {
  connectionId: string
  providerUserId: string
  userId: string
  fields: Pick<UserFields, 'email' | 'emailVerified' | 'name' | 'givenName'>
}

/** The mail that welcomes the user. */
export async function welcomeTo(
  { connectionId, userId: id, fields }: Mailed,
  { clientId, ip }: { clientId: string | null; ip: string },
  deps: Pick<LinkDeps, 'mailer'>,
): Promise<OutboxRow | null> {
  const to = mailableAddress(fields)
  const { name, givenName, emailVerified } = fields
  const user = { id, name, givenName, emailVerified, profile: {} }
  return to === null ? null : welcomeMail({ to, user, clientId, connectionId, ip, locale: undefined }, deps)
}

/** The link that verifies the user's address. */
export const verificationLink = (
  { connectionId, providerUserId, userId, fields }: Mailed,
  { clientId, ip }: { clientId: string | null; ip: string },
  deps: Pick<LinkDeps, 'mailer' | 'clock' | 'random'>,
): Promise<MailedLinkRow> =>
  linkFor(
    VERIFY,
    {
      connectionId,
      providerUserId,
      email: fields.email,
      user: { id: userId, name: fields.name, givenName: fields.givenName, profile: {} },
    },
    { clientId, ip, locale: undefined },
    deps,
  )
