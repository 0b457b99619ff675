// Secrets: minting, comparing, digesting, sealing.
// - A minted secret leaves in plain text once; only its digest is stored.
// - Sealing is AES-256-GCM with keys derived (HKDF-SHA-256, RFC 5869) from the root secret (lib/adapters/store/root-secret.ts), one per purpose.
//   The purpose is authenticated: a value sealed for one purpose opens for no other.
// - Comparisons take constant time.
import { createCipheriv, createDecipheriv, createHash, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Random } from './random'

/** Through text, as `mac`: a buffer allocated by the digest itself costs more than the digest. */
export const digest = (plain: string | Uint8Array): Buffer => Buffer.from(digestHex(plain), 'hex')

/** The same as text, at half the cost; for places that compute many. */
export const digestHex = (plain: string | Uint8Array): string => hash('sha256', plain, 'hex')

/** Upper-case SHA-1, the format of published breached passwords. Only for that look-up. */
export const sha1Hex = (plain: string): string => createHash('sha1').update(plain).digest('hex').toUpperCase()

/** Stands for a secret that is set, where settings are shown, and for the stored one, where they are sent back. */
export const MASK = '********'

export type Minted = { plain: string; digest: Buffer }

export function mint(random: Random, bytes = 32): Minted {
  const plain = random.token(bytes)
  return { plain, digest: digest(plain) }
}

export function equalsConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Base64url of the left half of SHA-256: `at_hash`, `c_hash` (OIDC Core 3.1.3.6). */
export const leftHalfHash = (value: string): string => digest(value).subarray(0, 16).toString('base64url')

export type Vault = {
  /** Authenticated encryption; `iv | tag | ciphertext`. */
  seal(purpose: string, plain: string | Uint8Array, random: Pick<Random, 'bytes'>): Buffer
  /** The plain bytes; null if this vault did not seal the value for this purpose. */
  open(purpose: string, sealed: Uint8Array): Buffer | null
  /** As `seal`, in base64url: for tokens, links, cookies and hidden fields. */
  sealText(purpose: string, plain: string | Uint8Array, random: Pick<Random, 'bytes'>): string
  /** The plain text of `sealText`; null for any other spelling of it as well, so that a text which is used once has one spelling. */
  openText(purpose: string, sealed: string): string | null
  /** Keyed digest (HMAC-SHA-256). */
  mac(purpose: string, value: string | Uint8Array): Buffer
}

const IV_BYTES = 12
const TAG_BYTES = 16

export function createVault(secret: string | Uint8Array): Vault {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string): Buffer => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'latchkey', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  const vault: Vault = {
    seal(purpose, plain, random) {
      const iv = random.bytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(purpose, sealed) {
      if (sealed.length < IV_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      } catch {
        return null
      }
    },
    sealText: (purpose, plain, random) => vault.seal(purpose, plain, random).toString('base64url'),
    openText(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      return bytes.toString('base64url') === sealed ? (vault.open(purpose, bytes)?.toString() ?? null) : null
    },
    mac: (purpose, value) => Buffer.from(createHmac('sha256', keyFor(purpose)).update(value).digest('hex'), 'hex'),
  }
  return vault
}
