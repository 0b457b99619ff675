// The logout token (OIDC Back-Channel Logout 1.0, 2.4). It has its own type and no nonce, so it cannot pass for an ID token. It is signed
// when it is sent, so a retry is not expired.
import type { JWTPayload } from 'jose'
import { epochSeconds } from '../kernel/clock'

const LIFETIME_SECONDS = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export type LogoutTokenSubject = { id: string; clientId: string; sub: string; sid: string }

export function logoutTokenClaims(
  { id, clientId, sub, sid }: LogoutTokenSubject,
  { issuer, now }: { issuer: string; now: Date },
): JWTPayload {
  const iat = epochSeconds(now)
  return { iss: issuer, aud: clientId, sub, sid, iat, exp: iat + LIFETIME_SECONDS, jti: id, events: { [EVENT]: {} } }
}
