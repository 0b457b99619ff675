// Proof Key for Code Exchange (RFC 7636), S256 only (threat-model.md D2, D3, CO3).
// - A public client must send a challenge.
// - A challenge needs its verifier, and a verifier without a challenge is refused: no downgrade in either direction.
import { invalidGrant, invalidRequest } from '../../kernel/errors'
import { digest, equalsConstantTime } from '../../kernel/secret'

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const MALFORMED = { reason: 'pkce_malformed' } as const

export function parseChallenge(
  challenge: string | undefined,
  method: string | undefined,
  isPublic: boolean,
): string | null {
  if (challenge === undefined) {
    if (method !== undefined) throw invalidRequest('code_challenge_method needs a code_challenge', MALFORMED)
    if (isPublic) throw invalidRequest('A public client must send a code_challenge (PKCE)', { reason: 'pkce_required' })
    return null
  }
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256', MALFORMED)
  if (!CHALLENGE.test(challenge)) throw invalidRequest('The code_challenge is malformed', MALFORMED)
  return challenge
}

export function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier !== undefined)
      throw invalidGrant('Failed to verify code verifier', {
        reason: 'pkce_unexpected',
        detail: 'no challenge was sent',
      })
    return
  }
  const answer = verifier !== undefined && VERIFIER.test(verifier) ? digest(verifier) : Buffer.alloc(0)
  if (!equalsConstantTime(answer, Buffer.from(challenge, 'base64url'))) {
    throw invalidGrant('Failed to verify code verifier', {
      reason: 'pkce_mismatch',
      detail: verifier === undefined ? 'no code_verifier was sent' : 'the code_verifier is another one',
    })
  }
}
