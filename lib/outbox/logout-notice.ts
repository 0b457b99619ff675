// What an application is told when a session that it took part in is over (OIDC Back-Channel Logout 1.0): written to the
// outbox by whatever ends the session (lib/store/prisma/logout-notices.ts), signed and sent like a message.
export const LOGOUT_CHANNEL = 'backchannel_logout'

/** Why a session ended, in the vendor's names of initiators. */
export type LogoutCause = 'rp-logout' | 'idp-logout' | 'password-changed' | 'session-revoked'

export type LogoutNotice = {
  /** The same over all attempts, so that the application can drop a repeated one. */
  id: string
  tenantId: string
  clientId: string
  sub: string
  sid: string
  cause: LogoutCause
}

/** Throws a DeliveryError when the application could not be told. */
export type LogoutSender = (notice: LogoutNotice) => Promise<void>
