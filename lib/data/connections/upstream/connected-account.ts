// Connects an account at a provider to the user who is signed in: the user proves it at the provider, and can sign in with it from then on.
// - It is found by the connection and the provider's own id. One that belongs to another user stays there (threat-model.md UP8).
// - One transaction locks the user, checks that the login which asked still stands, and stores the account.
import type { Client } from '../../clients/client'
import type { ChangeMail } from '../../outbox/outbox'
import { type Connection, isEnabledFor, isUpstream, ownerOf, type UpstreamConnection } from '../connection'
import type { UpstreamLogin } from './upstream-account'

/** The login of the user that asked for it. */
export type ConnectingLogin = { sid: string } | { familyId: string }

export type Connect = Pick<
  UpstreamLogin,
  'connectionId' | 'provider' | 'providerUserId' | 'isSocial' | 'person' | 'sealedTokens' | 'at'
> & {
  userId: string
  login: ConnectingLogin
  /** When the user proved who they are in that login. */
  provenAt: Date
  /** To the owner, if the account is a new one. */
  mail: ChangeMail | null
}

/** What the state of the provider's request stands for, until the user is back. */
export type Connecting = {
  userId: string
  /** When the user proved who they are in the login that asked; ISO 8601. */
  provenAt: string
  /** The session of this server that the user returns in, to this path with a notice. */
  sid: string
  path: string
}

export type ConnectRefusal =
  /** The login has ended, or the user is blocked or was signed out everywhere. */
  | 'ended'
  | 'address_unproven'
  | 'too_many'
  /** It belongs to another user. */
  | 'taken'

export type ConnectedAccountPort = {
  /** The time since when it is connected. */
  connect(account: Connect): Promise<ConnectRefusal | Date>
}

/**
 * The connections whose accounts a user may connect: those of the client, but neither one of an organization, which has its own users, nor
 * one that makes no users, because a disconnected account becomes a user of its own.
 */
export const connectable = (
  connections: readonly Connection[],
  client: Pick<Client, 'clientId' | 'settings' | 'isRegistered'>,
): UpstreamConnection[] =>
  connections
    .filter(isUpstream)
    .filter(
      (connection) =>
        isEnabledFor(connection, client) && ownerOf(connection) === null && !connection.settings.options.disable_signup,
    )
