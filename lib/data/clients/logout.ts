// Which applications are notified of the end of a session, and how: OIDC Back-Channel and Front-Channel Logout 1.0, WS-Federation
// 1.2.
import { ACTION } from '../../crypto/saml/ws-federation'
import type { Client } from './client'
import { firstCallback } from './registered-urls'

/** A list of causes applies if there is one; without it, the application is notified of every logout. */
export function wantsLogoutOf({ settings }: Client, cause: string): boolean {
  const initiators = settings.oidc_logout.backchannel_logout_initiators
  return initiators?.mode !== 'custom' || initiators.selected_initiators.includes(cause)
}

/** The URL that the logout page frames to sign the browser out of the application; null if there is none. */
export function frontChannelLogoutUrl(client: Client, { issuer, sid }: { issuer: string; sid: string }): string | null {
  const { settings } = client
  if (settings.frontchannel_logout_uri === undefined) return cleanUpUrl(client)
  const url = new URL(settings.frontchannel_logout_uri)
  if (settings.frontchannel_logout_session_required) {
    url.searchParams.set('iss', issuer)
    url.searchParams.set('sid', sid)
  }
  return url.href
}

/** Relying parties clean up at the URL where they receive tokens (WS-Federation 1.2, 13.2.4). A client with the add-on is one. */
function cleanUpUrl(client: Client): string | null {
  const reply = client.settings.addons.wsfed && firstCallback(client)
  if (!reply || !/^https?:/i.test(reply)) return null
  const url = new URL(reply)
  url.searchParams.set('wa', ACTION.cleanUp)
  return url.href
}
