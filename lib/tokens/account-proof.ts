// A fresh ID token as proof that its sender has just signed in to another account (the contract's link_with).
// - Judged by when the person authenticated for this application, not by when it was issued (threat-model.md BF3, BF22): of a login in a
//   browser, that is kept with the session, which must not have ended; any other login authenticates when its ID token is issued. One
//   that came from a refresh, or from a session that another application started, proves nothing.
// - Ours, for the very client that brings it: one that another application received proves nothing here
//   (threat-model.md TK6).
// - An access token has the same type, so what only those hold is refused (TK2).

import { verifyJwt } from '../crypto/keys/jwt'
import type { Keyring } from '../crypto/keys/keyring'
import type { SessionPort } from '../data/sessions/session'
import { addSeconds, type Clock } from '../kernel/clock'
import { DomainError } from '../kernel/errors'

/** `factorProven`: its login proved a second factor. */
export type AccountProof = { userId: string; provenAt: Date; factorProven: boolean }

const FRESH_SECONDS = 600

type Deps = { issuer: string; keyring: Keyring; clock: Clock; sessions: Pick<SessionPort, 'authenticatedFor'> }

export async function readAccountProof(
  token: string,
  clientId: string,
  { issuer, keyring, clock, sessions }: Deps,
): Promise<AccountProof | null> {
  const now = clock.now()
  const accept = { issuer, types: ['JWT' as const], audience: clientId, now }
  const claims = await verifyJwt(token, accept, keyring).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })
  if (claims?.sub === undefined || claims.iat === undefined || claims.aud !== clientId) return null
  if (['azp', 'client_id', 'scope', 'gty'].some((name) => name in claims)) return null
  const issuedAt = new Date(claims.iat * 1000)
  const provenAt =
    typeof claims.sid === 'string' ? await sessions.authenticatedFor(clientId, claims.sid, claims.sub, now) : issuedAt
  const since = addSeconds(now, -FRESH_SECONDS)
  if (!provenAt || provenAt < since || issuedAt < since) return null
  return { userId: claims.sub, provenAt, factorProven: Array.isArray(claims.amr) && claims.amr.includes('mfa') }
}
