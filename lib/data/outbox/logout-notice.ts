// The notice to a client that a session it took part in has ended (OIDC Back-Channel Logout 1.0). The code that ends the session
// writes it to the outbox (lib/adapters/store/sql/logout-notices.ts). It is signed and sent like a message.
export const LOGOUT_CHANNEL = 'backchannel_logout'

/** Why a session ended, named like the vendor's initiators. */
export type LogoutCause = 'rp-logout' | 'idp-logout' | 'password-changed' | 'session-revoked'

export type LogoutNotice = {
  /** The same for all attempts, so that the client can drop duplicates. */
  id: string
  tenantId: string
  clientId: string
  sub: string
  sid: string
  cause: LogoutCause
}

/** Throws a DeliveryError if the notice was not delivered. */
export type LogoutSender = (notice: LogoutNotice) => Promise<void>
