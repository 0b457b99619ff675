// The answer of a user-info endpoint (OIDC Core 5.3.2, 5.3.4): JSON or a signed JWT, whatever the metadata announces.
// - It counts only for the subject of the ID token. One of another subject is refused.
// - A signed one is verified: a key that the provider publishes, an asymmetric algorithm, issuer, audience, times.
// - An encrypted one is refused by name.

import { readUnverified } from '../../crypto/keys/client-jwt'
import type { UpstreamClaims } from '../../data/connections/upstream/claims'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import { addSeconds, epochSeconds, PROVIDER_SKEW_SECONDS } from '../../kernel/clock'
import type { JsonObject } from '../../kernel/json'
import { objectOf, refuseEncrypted } from './token-answer'
import { checkSignature } from './upstream-keys'
import type { Server } from './upstream-server'

/** `missed`: why the answer brings nothing. */
export async function userInfoOf(
  text: string,
  subject: string,
  server: Pick<Server, 'configuration' | 'keys' | 'clock'>,
): Promise<{ claims: UpstreamClaims } | { missed: string }> {
  const claims = await claimsIn(text.trim(), server)
  if (!claims) return { missed: 'the user-info answer is neither JSON nor a JWT' }
  if (claims.sub === undefined) return { missed: 'the user-info answer names no subject' }
  if (claims.sub !== subject) throw new UpstreamError('forged', 'the user-info answer is about another subject')
  return { claims }
}

const COMPACT = /^[\w-]+(?:\.[\w-]*){2,4}$/

async function claimsIn(
  text: string,
  server: Pick<Server, 'configuration' | 'keys' | 'clock'>,
): Promise<JsonObject | null> {
  if (!COMPACT.test(text)) return objectOf(text)
  refuseEncrypted(text, 'the user-info answer')
  await checkSignature(text, server.keys)
  const claims = readUnverified(text)?.claims as JsonObject | undefined
  if (!claims) return null
  checkClaims(claims, server)
  return claims
}

/** The members may be absent (OIDC Core 5.3.2), but not of another provider, for another client, or out of date. */
function checkClaims(
  { iss, aud, exp, nbf }: JsonObject,
  { configuration, clock }: Pick<Server, 'configuration' | 'clock'>,
): void {
  const { client_id: client } = configuration.clientMetadata()
  if (iss !== undefined && iss !== configuration.serverMetadata().issuer)
    throw new UpstreamError('forged', 'the user-info answer is of another issuer')
  if (aud !== undefined && ![aud].flat().includes(client))
    throw new UpstreamError('forged', 'the user-info answer is for another audience')
  const now = clock.now()
  const isOver = exp !== undefined && !(Number(exp) > epochSeconds(addSeconds(now, -PROVIDER_SKEW_SECONDS)))
  const isEarly = nbf !== undefined && !(Number(nbf) <= epochSeconds(addSeconds(now, PROVIDER_SKEW_SECONDS)))
  if (isOver || isEarly) throw new UpstreamError('forged', 'the user-info answer is not valid now')
}
