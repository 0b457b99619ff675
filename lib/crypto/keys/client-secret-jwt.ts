// A client secret in the form of a JWT that the client signs, as Apple requires (ES256, own claims).
import { importPKCS8, SignJWT } from 'jose'
import { addSeconds, epochSeconds } from '../../kernel/clock'

export type ClientSecretClaims = { keyId: string; issuer: string; subject: string; audience: string; now: Date }

/** Longer than it is cached, much shorter than Apple's maximum. */
const LIFETIME_SECONDS = 3600

/** Rejects if `privateKey` is not a PKCS#8 key on the curve P-256. */
export async function signClientSecret(
  privateKey: string,
  { keyId, issuer, subject, audience, now }: ClientSecretClaims,
): Promise<string> {
  const key = await importPKCS8(privateKey, 'ES256')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt(epochSeconds(now))
    .setExpirationTime(epochSeconds(addSeconds(now, LIFETIME_SECONDS)))
    .sign(key)
}
