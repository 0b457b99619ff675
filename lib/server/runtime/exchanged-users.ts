// The people of custom token exchanges, by the rules and stores of the Management API's users. Loaded with the first exchange.

import type { DatabaseConnection } from '../../data/connections/connection'
import type { UserFields } from '../../data/users/managed-user'
import { notifyTriggers } from '../../identity/accounts/account-triggers'
import type { ExchangedAttributes } from '../../identity/tenant-code/exchanged-attributes'
import { DomainError } from '../../kernel/errors'
import type { ExchangedUserPort } from '../../login/exchanged-user'
import { addressKey, phoneNumberOf, usernameFor, verificationLink } from '../../management/resources/user-body'
import type { Runtime } from './runtime'

export function createExchangedUsers(runtime: Runtime): ExchangedUserPort {
  const { clock, users } = runtime
  return {
    async create(connection, attributes, { clientId, ip }) {
      const { managedUsers } = await runtime.management()
      const fields = await fieldsOf(connection, attributes).catch(refusalOf)
      if ('refused' in fields) return fields
      const { user_id: providerUserId, verify_email = false } = attributes
      const userId = `${connection.strategy}|${providerUserId}`
      const account = { connectionId: connection.id, providerUserId, userId, fields }
      const isMailed = fields.email !== null && verify_email
      const link = isMailed ? await verificationLink(account, { clientId, ip }, runtime) : null
      const keys = { email: fields.email, username: fields.username }
      const made = { passwordHash: null, userMetadata: {}, appMetadata: {}, link, welcome: null }
      const user = { ...account, ...made, provider: connection.strategy, keys }
      if ((await managedUsers.insert(user, clock.now())) === 'taken')
        return { refused: 'Another account has the address, the name or the id' }
      if (link) runtime.mailer.wake()
      notifyTriggers('post-user-registration', userId, connection, { clientId, ip }, runtime)
      return (await users.find(userId)) ?? { refused: 'The account was deleted meanwhile' }
    },
    async update({ id }, attributes) {
      const { managedUsers } = await runtime.management()
      await managedUsers.change(id, { fields: namesOf(attributes) }, clock.now(), () => {})
      return users.find(id)
    },
    async holdsRights(userId) {
      const { rank } = await runtime.management()
      return (await rank.holdingsOf('users', [userId])).has(userId)
    },
  }
}

const namesOf = ({ name, given_name, family_name, nickname, picture }: ExchangedAttributes): Partial<UserFields> =>
  Object.fromEntries(
    Object.entries({ name, givenName: given_name, familyName: family_name, nickname, picture }).filter(
      ([, value]) => value !== undefined,
    ),
  )

function refusalOf(error: unknown): { refused: string } {
  if (error instanceof DomainError) return { refused: error.description }
  throw error
}

async function fieldsOf(connection: DatabaseConnection, attributes: ExchangedAttributes): Promise<UserFields> {
  const { email, email_verified, username, phone_number, phone_verified } = attributes
  return {
    email: addressKey(email ?? null),
    emailVerified: email_verified ?? false,
    // A connection without user names ignores one, as at the vendor.
    username: usernameFor(connection, connection.settings.options.requires_username ? username : undefined),
    phoneNumber: phone_number === undefined ? null : await phoneNumberOf(phone_number),
    phoneVerified: phone_verified ?? false,
    ...{ name: null, givenName: null, familyName: null, nickname: null, picture: null },
    ...namesOf(attributes),
    blocked: false,
  }
}
