// A fresh ID token as proof that whoever brings it has just been signed in to another account (the contract's link_with).
// - Ours, for the very client that brings it: one that another application received proves nothing here
//   (threat-model.md TK6).
// - An access token has the same type, so what only those hold is refused (TK2).
import { addSeconds, type Clock } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { verifyJwt } from '../keys/jwt'
import type { Keyring } from '../keys/keyring'

/** `factorProven`: its login proved a second factor. */
export type AccountProof = { userId: string; issuedAt: Date; factorProven: boolean }

const FRESH_SECONDS = 600

export async function readAccountProof(
  token: string,
  clientId: string,
  { issuer, keyring, clock }: { issuer: string; keyring: Keyring; clock: Clock },
): Promise<AccountProof | null> {
  const now = clock.now()
  const accept = { issuer, types: ['JWT' as const], audience: clientId, now }
  const claims = await verifyJwt(token, accept, keyring).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })
  if (claims?.sub === undefined || claims.iat === undefined || claims.aud !== clientId) return null
  if ('azp' in claims || 'client_id' in claims || 'scope' in claims) return null
  const issuedAt = new Date(claims.iat * 1000)
  if (issuedAt < addSeconds(now, -FRESH_SECONDS)) return null
  return { userId: claims.sub, issuedAt, factorProven: Array.isArray(claims.amr) && claims.amr.includes('mfa') }
}
