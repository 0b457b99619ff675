// The client secret that is a token signed with a key of the client's, as Apple wants it (ES256, its own claims).
import { importPKCS8, SignJWT } from 'jose'
import { addSeconds, epochSeconds } from '../kernel/clock'

export type ClientSecretClaims = { keyId: string; issuer: string; subject: string; audience: string; now: Date }

/** Longer than anybody keeps it, much shorter than it may live. */
const LIFETIME_SECONDS = 3600

/** Rejects when `privateKey` is no PKCS#8 key on the curve P-256. */
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
