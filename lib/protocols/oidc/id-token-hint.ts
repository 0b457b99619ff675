// The id_token_hint of /authorize and /oidc/logout (OIDC Core 3.1.2.1, RP-Initiated Logout 2): an ID token issued by this
// server, expired or not. The caller checks its audience. A token that does not verify gives null, which the caller must handle.

import { verifyJwt } from '../../crypto/keys/jwt'
import type { Keyring } from '../../crypto/keys/keyring'
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'

export type IdTokenHint = { sub: string; aud: string; sid: string | null }

export async function readIdTokenHint(
  token: string,
  { issuer, keyring, clock }: { issuer: string; keyring: Keyring; clock: Clock },
): Promise<IdTokenHint | null> {
  const accept = { issuer, types: ['JWT' as const], now: clock.now(), ignoreExpiry: true }
  const claims = await verifyJwt(token, accept, keyring).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })
  if (typeof claims?.sub !== 'string' || typeof claims.aud !== 'string') return null
  return { sub: claims.sub, aud: claims.aud, sid: typeof claims.sid === 'string' ? claims.sid : null }
}
