// Which key signs, which keys verify, which are published. A key is next (published, unused), then current, then previous (still
// published and verifying), then removed. Revocation ends it at any time at once.
// - The next key is in the JWKS before it signs, so rotation fails no request (TK3).
// - A previous key verifies until every token it signed has expired.
// - Private keys are unsealed once per process and key, not per signature.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { addSeconds, type Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { makeSigningKey, type PublicJwk, SEALED_FOR, type SigningKeyRecord } from './key'

/** The longest lifetime of a token, and so of a previous key: 30 days. */
export const MAX_TOKEN_SECONDS = 30 * 86400

export type SigningKeyPort = {
  list(): Promise<SigningKeyRecord[]>
  /** One transaction that other rotations wait for: `decide` gets the stored keys and returns the changes. */
  change(decide: (keys: SigningKeyRecord[]) => KeyChange[]): Promise<void>
}

export type KeyChange =
  | { add: SigningKeyRecord }
  | { kid: string; set: Partial<Pick<SigningKeyRecord, 'activatedAt' | 'retiredAt' | 'revokedAt'>> }

export type KeyState = 'next' | 'current' | 'previous' | 'expired' | 'revoked'

export function stateOf(key: SigningKeyRecord, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  if (!key.activatedAt) return 'next'
  if (!key.retiredAt) return 'current'
  return addSeconds(key.retiredAt, MAX_TOKEN_SECONDS) > now ? 'previous' : 'expired'
}

/** The database was initialized with another LATCHKEY_SECRET: nothing sealed in it can be opened. */
export class OtherSecretError extends Error {
  constructor() {
    super(
      'This database was set up with another LATCHKEY_SECRET: start with that one, or use an empty database. Nothing was changed.',
    )
  }
}

/** An immutable snapshot for requests, replaced as a whole when the stored keys change. */
export type Keyring = {
  current: { kid: string; privateKey: KeyObject; certificate: string }
  /** Private keys of the current and previous keys: partners may encrypt to a certificate they read earlier. */
  decrypting: readonly KeyObject[]
  /** Certificates (base64 DER) of the current and the next key. */
  certificates: string[]
  verifying: ReadonlyMap<string, CryptoKey>
  jwks: { keys: PublicJwk[] }
}

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const ORDER: KeyState[] = ['current', 'next', 'previous']

export async function openKeyring(records: SigningKeyRecord[], now: Date, vault: Vault): Promise<Keyring> {
  const published = records
    .filter((key) => ORDER.includes(stateOf(key, now)))
    .sort((a, b) => ORDER.indexOf(stateOf(a, now)) - ORDER.indexOf(stateOf(b, now)))
  const current = published[0]
  if (!current || stateOf(current, now) !== 'current') throw new Error('the tenant has no current signing key')
  const privateKey = openPrivate(current, vault)
  const before = published.filter((key) => key.retiredAt).map((key) => openPrivate(key, vault))
  return {
    current: { kid: current.kid, privateKey, certificate: certificateOf(current) },
    decrypting: [privateKey, ...before],
    certificates: published.filter((key) => !key.retiredAt).map(certificateOf),
    verifying: new Map(await Promise.all(published.map(async (key) => [key.kid, await importPublic(key)] as const))),
    jwks: { keys: published.map((key) => key.publicJwk) },
  }
}

const certificateOf = (key: SigningKeyRecord): string => key.publicJwk.x5c[0]

function openPrivate(key: SigningKeyRecord, vault: Vault): KeyObject {
  const pkcs8 = vault.open(SEALED_FOR, key.sealedPrivate)
  if (!pkcs8) throw new OtherSecretError()
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
}

const importPublic = (key: SigningKeyRecord): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { ...key.publicJwk, x5c: undefined } as JsonWebKey, ALGORITHM, false, ['verify'])

type MakingDeps = { clock: Clock; random: Random; vault: Vault; host: string }

/** Creates a missing current or next key, before the transaction: it must not wait for prime numbers. */
export async function ensureKeys(port: SigningKeyPort, deps: MakingDeps): Promise<void> {
  const now = deps.clock.now()
  const missingFrom = (keys: SigningKeyRecord[]) =>
    (['current', 'next'] as const).filter((state) => !keys.some((key) => stateOf(key, now) === state))
  const missing = missingFrom(await port.list())
  if (missing.length === 0) return
  const made = await Promise.all(
    missing.map(async (state) => {
      const key = await makeSigningKey(deps.host, deps)
      return [state, state === 'current' ? { ...key, activatedAt: now } : key] as const
    }),
  )
  await port.change((keys) => {
    const still = missingFrom(keys)
    return made.filter(([state]) => still.includes(state)).map(([, key]) => ({ add: key }))
  })
}

/** Rotates: next becomes current, current becomes previous, and a new next key is created. */
export async function rotateKeys(port: SigningKeyPort, deps: MakingDeps): Promise<void> {
  const fresh = await makeSigningKey(deps.host, deps)
  await port.change((keys) => promote(keys, deps.clock.now(), fresh))
}

function promote(keys: SigningKeyRecord[], now: Date, fresh: SigningKeyRecord): KeyChange[] {
  const next = keys.find((key) => stateOf(key, now) === 'next')
  if (!next) return [{ add: fresh }]
  const current = keys.find((key) => stateOf(key, now) === 'current')
  return [
    ...(current ? [{ kid: current.kid, set: { retiredAt: now } }] : []),
    { kid: next.kid, set: { activatedAt: now } },
    { add: fresh },
  ]
}

/** Revokes one key at once: its tokens stop verifying. Revoking the current key promotes the next. */
export async function revokeKey(port: SigningKeyPort, kid: string, deps: MakingDeps): Promise<void> {
  const fresh = await makeSigningKey(deps.host, deps)
  await port.change((keys) => {
    const now = deps.clock.now()
    const key = keys.find((candidate) => candidate.kid === kid)
    if (!key) throw new Error(`no signing key has the id ${kid}`)
    const state = stateOf(key, now)
    const revoked: KeyChange = { kid, set: { revokedAt: now } }
    if (state === 'next') return [revoked, { add: fresh }]
    if (state !== 'current') return [revoked]
    return [...promote(keys, now, fresh), revoked]
  })
}
