// Whom a subject token is about, as a custom token exchange finds and makes that person: by the id, or by the account at a connection. An
// account that is another connection's is never found, and none is ever joined to an existing user.
import type { DatabaseConnection } from '../data/connections/connection'
import type { User } from '../data/users/user'
import type { ExchangedAttributes } from '../identity/tenant-code/exchanged-attributes'

export type TokenExchangeProfile = { id: string; name: string; actionName: string }

export type TokenExchangePort = {
  /** The profile of a `subject_token_type`. */
  profileOf(subjectTokenType: string): Promise<TokenExchangeProfile | null>
  findAccount(connectionId: string, providerUserId: string): Promise<User | null>
}

export type ExchangedUserPort = {
  /** Refused if an attribute is invalid, or another account has the address, the name or the id. */
  create(
    connection: DatabaseConnection,
    attributes: ExchangedAttributes,
    from: { clientId: string; ip: string },
  ): Promise<User | { refused: string }>
  /** Replaces names and picture; never what signs the person in. */
  update(user: User, attributes: ExchangedAttributes): Promise<User | null>
  /** Whether the person holds rights over the tenant: a role of an administrator, or scopes of the Management API. */
  holdsRights(userId: string): Promise<boolean>
}
