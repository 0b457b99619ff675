// Reads a DPoP proof (RFC 9449 4.2): a JWT that its sender signed with the key in its own header. It proves possession of that
// key and nothing else: the key is trusted for nothing before a token is bound to its thumbprint.
// - Asymmetric algorithms only, and a public key only. RSA keys have 2048 to 8192 bits.
// - lib/protocols/oauth/dpop.ts checks what the proof says: the request, its age, the nonce and the replay.
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, type JWTHeaderParameters, jwtVerify } from 'jose'
import { DPOP_ALGORITHMS, LARGEST_MODULUS } from './algorithms'

export type DpopProof = {
  alg: string
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  jkt: string
  jti: string
  /** Method and address of the request. */
  htm: string
  htu: string
  /** Epoch seconds. */
  iat: number
  nonce?: string | undefined
  /** The hash of the access token that is sent beside the proof. */
  ath?: string | undefined
}

const MAX_PROOF_LENGTH = 8192
const MAX_JTI_LENGTH = 255
/** In base64url, which has six bits in a character. */
const MAX_MODULUS_LENGTH = Math.ceil(LARGEST_MODULUS / 6)

/** The proof, or what is wrong with it. `nbf` and `exp` are binding where they are present (RFC 7519 4.1), within the tolerance. */
export async function readDpopProof(
  proof: string,
  { now, toleranceSeconds }: { now: Date; toleranceSeconds: number },
): Promise<DpopProof | { problem: string }> {
  if (proof.length > MAX_PROOF_LENGTH) return { problem: 'too long' }
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, boundedKey, {
      algorithms: [...DPOP_ALGORITHMS],
      typ: 'dpop+jwt',
      currentDate: now,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    })
    const { jti, htm, htu, iat, nonce, ath } = payload
    const jwk = protectedHeader.jwk as JWK
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH) return { problem: 'jti' }
    if (typeof htm !== 'string') return { problem: 'htm' }
    if (typeof htu !== 'string') return { problem: 'htu' }
    if (typeof iat !== 'number') return { problem: 'iat' }
    if (nonce !== undefined && typeof nonce !== 'string') return { problem: 'nonce' }
    if (ath !== undefined && typeof ath !== 'string') return { problem: 'ath' }
    return {
      alg: protectedHeader.alg,
      jkt: await calculateJwkThumbprint(jwk, 'sha256'),
      jti,
      htm,
      htu,
      iat,
      nonce,
      ath,
    }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return { problem: error.message }
    // A key that cannot be imported is a DOMException of the Web Crypto API.
    if (error instanceof DOMException) return { problem: 'the key' }
    throw error
  }
}

/** The key in the header. Its size is checked before it verifies anything. */
async function boundedKey(header: JWTHeaderParameters, token: Parameters<typeof EmbeddedJWK>[1]) {
  if ((header.jwk?.n?.length ?? 0) > MAX_MODULUS_LENGTH) throw new errors.JWSInvalid('the key is too large')
  return EmbeddedJWK(header, token)
}
