// Which keys sign, which verify, which are published. Each algorithm in use has a series of its own. A key of it is next (published,
// unused), then current, then previous (still published and verifying), then removed. Revocation ends it at any time at once.
// - The next key is in the JWKS before it signs, so rotation fails no request (TK3).
// - A previous key verifies until every token it signed has expired.
// - Private keys are unsealed once per process and key, not per signature.
// - Every tenant has a series of RS256. Others begin when a client or an API is configured for them.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { addSeconds, type Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { ALGORITHMS, DEFAULT_ALGORITHM, SIGNING_ALGORITHMS, type SigningAlgorithm } from './algorithms'
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

/** `certificate`: base64 DER. */
export type SigningKey = { algorithm: SigningAlgorithm; kid: string; privateKey: KeyObject; certificate: string }

/** A snapshot for requests, replaced as a whole when the stored keys change. */
export type Keyring = {
  /** The one of RS256, also for SAML and WS-Federation. */
  current: SigningKey
  /** The current key of each series. */
  signing: Readonly<Partial<Record<SigningAlgorithm, SigningKey>>>
  /** Makes the missing keys of these series, for a client or an API that is configured for them. */
  prepare(algorithms: readonly SigningAlgorithm[]): Promise<void>
  /** The same without a preparation. The key signs when every instance publishes it. */
  begin(algorithm: SigningAlgorithm): Promise<SigningKey>
  /** Private RSA keys of the current and previous keys: partners may encrypt to a certificate they read earlier. */
  decrypting: readonly KeyObject[]
  /** Certificates (base64 DER) of the current and the next RSA key. */
  certificates: string[]
  verifying: ReadonlyMap<string, CryptoKey>
  jwks: { keys: PublicJwk[] }
}

const ORDER: KeyState[] = ['current', 'next', 'previous']

/** In milliseconds: how long it takes until every instance has read a change. */
const SEEN_EVERYWHERE = 1100

export type KeyMaking = { clock: Clock; random: Random; vault: Vault; host: string }

export async function openKeyring(
  records: readonly SigningKeyRecord[],
  port: SigningKeyPort,
  deps: KeyMaking,
): Promise<Keyring> {
  const { clock, vault } = deps
  const now = clock.now()
  const rank = (key: SigningKeyRecord): number =>
    SIGNING_ALGORITHMS.indexOf(key.algorithm) * ORDER.length + ORDER.indexOf(stateOf(key, now))
  const published = records
    .filter((key) => ORDER.includes(stateOf(key, now)))
    .sort((first, second) => rank(first) - rank(second))
  const signing = Object.fromEntries(
    published.filter((key) => stateOf(key, now) === 'current').map((key) => [key.algorithm, openSigning(key, vault)]),
  ) as Partial<Record<SigningAlgorithm, SigningKey>>
  const current = signing[DEFAULT_ALGORITHM]
  if (!current) throw new Error('the tenant has no current signing key')
  const ofDefault = published.filter((key) => key.algorithm === DEFAULT_ALGORITHM)
  const before = ofDefault.filter((key) => key.retiredAt).map((key) => openPrivate(key, vault))
  const started = new Map<SigningAlgorithm, Promise<SigningKey>>()
  return {
    current,
    signing,
    async prepare(algorithms) {
      if (algorithms.some((algorithm) => !signing[algorithm])) await ensureKeys(port, deps, algorithms)
    },
    begin(algorithm) {
      const known = started.get(algorithm)
      if (known !== undefined) return known
      const making = beginSeries(port, algorithm, deps)
      started.set(algorithm, making)
      making.catch(() => started.delete(algorithm))
      return making
    },
    decrypting: [current.privateKey, ...before],
    certificates: ofDefault.filter((key) => !key.retiredAt).map(certificateOf),
    verifying: new Map(await Promise.all(published.map(async (key) => [key.kid, await importPublic(key)] as const))),
    jwks: { keys: published.map((key) => key.publicJwk) },
  }
}

async function beginSeries(port: SigningKeyPort, algorithm: SigningAlgorithm, deps: KeyMaking): Promise<SigningKey> {
  await ensureKeys(port, deps, [algorithm])
  await wait(SEEN_EVERYWHERE)
  const now = deps.clock.now()
  const made = (await port.list()).find((key) => key.algorithm === algorithm && stateOf(key, now) === 'current')
  if (!made) throw new Error(`the tenant has no current signing key of ${algorithm}`)
  return openSigning(made, deps.vault)
}

const openSigning = (key: SigningKeyRecord, vault: Vault): SigningKey => ({
  algorithm: key.algorithm,
  kid: key.kid,
  privateKey: openPrivate(key, vault),
  certificate: certificateOf(key),
})

const certificateOf = (key: SigningKeyRecord): string => key.publicJwk.x5c[0]

function openPrivate(key: SigningKeyRecord, vault: Vault): KeyObject {
  const pkcs8 = vault.open(SEALED_FOR, key.sealedPrivate)
  if (!pkcs8) throw new OtherSecretError()
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
}

const importPublic = (key: SigningKeyRecord): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'jwk',
    { ...key.publicJwk, x5c: undefined } as unknown as JsonWebKey,
    ALGORITHMS[key.algorithm].verifying,
    false,
    ['verify'],
  )

/**
 * Creates missing current and next keys of the series that exist, and of these. Before the transaction, which must not wait for prime
 * numbers.
 */
export async function ensureKeys(
  port: SigningKeyPort,
  deps: KeyMaking,
  algorithms: readonly SigningAlgorithm[] = [],
): Promise<void> {
  const now = deps.clock.now()
  const stored = await port.list()
  const wanted = [...new Set([...seriesOf(stored), ...algorithms])].flatMap((algorithm) =>
    (['current', 'next'] as const).map((state) => ({ algorithm, state })),
  )
  const missingFrom = (keys: SigningKeyRecord[]) =>
    wanted.filter(
      ({ algorithm, state }) => !keys.some((key) => key.algorithm === algorithm && stateOf(key, now) === state),
    )
  const missing = missingFrom(stored)
  if (missing.length === 0) return
  const made = await Promise.all(
    missing.map(async (place) => {
      const key = await makeSigningKey(deps.host, place.algorithm, deps)
      return { place, key: place.state === 'current' ? { ...key, activatedAt: now } : key }
    }),
  )
  await port.change((keys) => {
    const still = missingFrom(keys)
    return made.filter(({ place }) => still.includes(place)).map(({ key }) => ({ add: key }))
  })
}

/** The algorithms that have keys, and the one that every tenant has. */
const seriesOf = (keys: readonly SigningKeyRecord[]): SigningAlgorithm[] =>
  SIGNING_ALGORITHMS.filter((each) => each === DEFAULT_ALGORITHM || keys.some(({ algorithm }) => algorithm === each))

/** Rotates every series: next becomes current, current becomes previous, and a new next key is created. */
export async function rotateKeys(port: SigningKeyPort, deps: KeyMaking): Promise<void> {
  const series = seriesOf(await port.list())
  const fresh = await Promise.all(series.map((algorithm) => makeSigningKey(deps.host, algorithm, deps)))
  await port.change((keys) => fresh.flatMap((key) => promote(keys, deps.clock.now(), key)))
}

/** `fresh` becomes the next key of its series. */
function promote(keys: SigningKeyRecord[], now: Date, fresh: SigningKeyRecord): KeyChange[] {
  const find = (state: KeyState) => keys.find((key) => key.algorithm === fresh.algorithm && stateOf(key, now) === state)
  const next = find('next')
  if (!next) return [{ add: fresh }]
  const current = find('current')
  return [
    ...(current ? [{ kid: current.kid, set: { retiredAt: now } }] : []),
    { kid: next.kid, set: { activatedAt: now } },
    { add: fresh },
  ]
}

/**
 * Revokes one key at once: its tokens stop verifying. Revoking the current key promotes the next of its series, or is refused with
 * `unlessCurrent`.
 */
export async function revokeKey(
  port: SigningKeyPort,
  kid: string,
  deps: KeyMaking,
  { unlessCurrent = false }: { unlessCurrent?: boolean } = {},
): Promise<void> {
  const now = deps.clock.now()
  const find = (keys: SigningKeyRecord[]): SigningKeyRecord => {
    const key = keys.find((candidate) => candidate.kid === kid)
    if (!key) throw new Error(`no signing key has the id ${kid}`)
    if (unlessCurrent && stateOf(key, now) === 'current') throw signsNow()
    return key
  }
  const fresh = await makeSigningKey(deps.host, find(await port.list()).algorithm, deps)
  await port.change((keys) => {
    const state = stateOf(find(keys), now)
    const revoked: KeyChange = { kid, set: { revokedAt: now } }
    if (state === 'next') return [revoked, { add: fresh }]
    if (state !== 'current') return [revoked]
    return [...promote(keys, now, fresh), revoked]
  })
}

const signsNow = (): DomainError =>
  new DomainError('conflict', 'This key signs. Rotate the keys first, then revoke it.', {
    members: { errorCode: 'signing_key_in_use' },
  })
