// The public keys registered for an application, and the selection of the keys that may have signed a token.
// - RSA keys of 2048 bits or more with a safe exponent, for an algorithm of the contract. A private key is always refused.
// - Credentials have the vendor's shape (PEM or certificate, for operators) or are a JWK Set (RFC 7517, for applications that
//   register themselves). An expired credential, or one without a key, is ignored.
// - A token selects by `kid`. Without one all credentials are tried, because the vendor's SDK sends none. A JWK Set must then
//   have exactly one suitable key: OIDC Core 10.1 requires a `kid` otherwise.
import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as z from 'zod'
import { CLIENT_JWT_ALGORITHMS, LARGEST_MODULUS } from '../../crypto/keys/algorithms'
import { orPath } from '../../kernel/file-path'
import type { ClientSettings } from './client'

const SMALLEST_MODULUS = 2048

const word = z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 characters of ASCII')
const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,4096}$/, 'must be base64url')

/** Of a registered key that names none. */
export const DEFAULT_KEY_ALGORITHM = 'RS256'

/**
 * The vendor's export contains credential ids without keys. Such a credential is kept, so that the client does not fall back to
 * another method.
 */
const credential = z.object({
  /** Names a registered key (`credentials` of the client), which is then used instead. */
  id: z.string().max(64).optional(),
  name: z.string().max(128).optional(),
  credential_type: z.literal('public_key').optional(),
  kid: word.optional(),
  alg: z.enum(CLIENT_JWT_ALGORITHMS).default(DEFAULT_KEY_ALGORITHM),
  pem: z
    .string()
    .max(16_384)
    .refine((pem) => isStrongKey(() => keyOfPem(pem)), {
      error: orPath('must be a public RSA key or a certificate of 2048 bits or more'),
    })
    .optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  parse_expiry_from_cert: z.boolean().default(false),
})

export const credentials = z.array(credential).max(10)

const secret = z.undefined('must be a public key').optional()

/** The members of a JWK that are used here. */
const jwk = z.object({
  kty: word,
  use: word.optional(),
  alg: word.optional(),
  kid: word.optional(),
  n: base64url.optional(),
  e: base64url.optional(),
  d: secret,
  p: secret,
  q: secret,
  k: secret,
})

/** Keys of other types are ignored; at least one key must be usable. */
export const jwkSet = z
  .object({ keys: z.array(jwk).min(1).max(10) })
  .refine(({ keys }) => keys.some(isUsable), 'must hold an RSA signing key of 2048 bits or more')

type Credential = z.output<typeof credential>
type Jwk = z.output<typeof jwk>
export type Jwks = { keys: readonly Jwk[] }

/** A client's verification keys, and its only allowed algorithm if it has one. */
export type Registered = {
  credentials: readonly Credential[]
  jwks?: Jwks | undefined
  /** Where the client publishes further keys (key-sets.ts). */
  jwksUri?: string | undefined
  only?: string | undefined
}

/** Keys of client assertions. */
export const assertionKeys = (settings: ClientSettings): Registered => ({
  credentials: (settings.client_authentication_methods?.private_key_jwt?.credentials ?? []).map(
    (named) => (named.pem === undefined && settings.credentials.find(({ id }) => id === named.id)) || named,
  ),
  jwks: settings.jwks,
  jwksUri: settings.jwks === undefined ? settings.jwks_uri : undefined,
  only: settings.token_endpoint_auth_signing_alg,
})

/** Keys of request objects: their own if there are any, as at the vendor, else those of the assertions. */
export const requestKeys = (settings: ClientSettings): Registered => ({
  ...(settings.signed_request_object.credentials.length > 0
    ? { credentials: settings.signed_request_object.credentials }
    : assertionKeys(settings)),
  only: settings.request_object_signing_alg,
})

/** The keys that may have signed a token with this header; empty if its algorithm is not allowed. */
export function keysFor(
  { kid, alg }: { kid?: string | undefined; alg?: string | undefined },
  { credentials, jwks, only: allowed }: Registered,
  now: Date,
): KeyObject[] {
  if (allowed !== undefined && allowed !== alg) return []
  const given = credentials.flatMap((each) => {
    const key = each.alg === alg ? openCredential(each, now) : null
    return key && (kid === undefined || kid === (each.kid ?? thumbprintOf(key))) ? [key] : []
  })
  const published = (jwks?.keys ?? []).filter((key) => isUsable(key) && (key.alg ?? alg) === alg)
  const named = kid === undefined ? single(published) : published.filter((key) => key.kid === kid)
  return [...given, ...named.map(keyOfJwk)]
}

const single = <T>(items: readonly T[]): readonly T[] => (items.length === 1 ? items : [])

function openCredential(credential: Credential, now: Date): KeyObject | null {
  if (credential.pem === undefined) return null
  const end = endOf(credential)
  return end !== undefined && new Date(end) <= now ? null : keyOfPem(credential.pem)
}

const endOf = ({ pem = '', expires_at, parse_expiry_from_cert }: Credential): string | undefined =>
  expires_at ?? (parse_expiry_from_cert ? endOfCertificate(pem) : undefined)

/** The `kid` that selects the key, and when it expires. */
export function describeCredential(given: unknown): { kid?: string; expires_at?: string } {
  const { data } = credential.safeParse(given)
  if (data?.pem === undefined) return {}
  const end = endOf(data)
  return {
    kid: data.kid ?? thumbprintOf(keyOfPem(data.pem)),
    ...(end === undefined ? {} : { expires_at: new Date(end).toISOString() }),
  }
}

const endOfCertificate = (pem: string): string | undefined =>
  isCertificate(pem) ? new X509Certificate(pem).validTo : undefined

const isCertificate = (pem: string): boolean => pem.includes('-----BEGIN CERTIFICATE-----')

/** Node would silently convert a private key to its public half. */
function keyOfPem(pem: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) throw new Error('a private key')
  return isCertificate(pem) ? new X509Certificate(pem).publicKey : createPublicKey(pem)
}

const keyOfJwk = ({ kty, n = '', e = '' }: Jwk): KeyObject => createPublicKey({ key: { kty, n, e }, format: 'jwk' })

const isUsable = (key: Jwk): boolean =>
  key.kty === 'RSA' &&
  (key.use ?? 'sig') === 'sig' &&
  (key.alg === undefined || CLIENT_JWT_ALGORITHMS.some((alg) => alg === key.alg)) &&
  isStrongKey(() => keyOfJwk(key))

function isStrongKey(open: () => KeyObject): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = open()
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
    const isSound = publicExponent >= 3n && publicExponent <= 0xffff_ffffn
    return (
      asymmetricKeyType === 'rsa' && isSound && modulusLength >= SMALLEST_MODULUS && modulusLength <= LARGEST_MODULUS
    )
  } catch {
    return false
  }
}

/** RFC 7638: the id of a key without a `kid`. */
function thumbprintOf(key: KeyObject): string {
  const { e, kty, n } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
}
