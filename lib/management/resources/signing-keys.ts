// Keys that sign tokens. Rotation publishes a key before it signs, and revocation ends one at once (lib/crypto/keys/keyring.ts).
import * as z from 'zod'
import { DEFAULT_ALGORITHM } from '../../crypto/keys/algorithms'
import type { SigningKeyRecord } from '../../crypto/keys/key'
import { revokeKey, rotateKeys, type SigningKeyPort, stateOf } from '../../crypto/keys/keyring'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { inexistent } from '../operations/errors'
import { operationsWith } from '../operations/operation'

export type SigningKeyDeps = {
  clock: Clock
  random: Random
  vault: Vault
  canonicalUrl: string
  signingKeys: SigningKeyPort
  /** The forms in which the vendor shows a certificate. */
  describeCertificate(base64: string): { cert: string; pkcs7: string; fingerprint: string }
}

const operation = operationsWith<SigningKeyDeps>()

const at = z.iso.datetime().optional()
const brief = z.object({ kid: z.string(), cert: z.string() })
const shown = brief
  .extend({
    alg: z.string().meta({ description: 'Ours: the keys of the vendor all sign by one algorithm' }),
    pkcs7: z.string(),
    fingerprint: z.string(),
    thumbprint: z.string(),
    current: z.boolean(),
    next: z.boolean(),
    previous: z.boolean(),
    current_since: at,
    current_until: at,
    revoked: z.boolean(),
    revoked_at: at,
  })
  .meta({ id: 'SigningKey' })

export const signingKeys = {
  list: operation({
    name: 'signing_keys.list',
    method: 'GET',
    path: '/keys/signing',
    summary: 'List the signing keys',
    scopes: ['read:signing_keys'],
    status: 200,
    answer: z.array(shown),
    async handle({ deps }) {
      const keys = await deps.signingKeys.list()
      return { body: keys.filter((key) => isShown(key, deps)).map((key) => present(key, deps)) }
    },
  }),
  read: operation({
    name: 'signing_keys.read',
    method: 'GET',
    path: '/keys/signing/:kid',
    summary: 'Read a signing key',
    scopes: ['read:signing_keys'],
    status: 200,
    answer: shown,
    handle: async ({ params, deps }) => ({ body: present(await existing(params.kid, deps), deps) }),
  }),
  rotate: operation({
    name: 'signing_keys.rotate',
    console: true,
    danger: true,
    method: 'POST',
    path: '/keys/signing/rotate',
    summary: 'Rotate: the next key signs from now on',
    scopes: ['create:signing_keys', 'update:signing_keys'],
    target: 'tenant',
    status: 201,
    answer: brief,
    async handle({ deps }) {
      await rotateKeys(deps.signingKeys, makingDeps(deps))
      const current = (await deps.signingKeys.list()).find(
        (key) => key.algorithm === DEFAULT_ALGORITHM && stateOf(key, deps.clock.now()) === 'current',
      )
      if (!current) throw inexistent('signing_key')
      return { body: presentBrief(current, deps), after: { current: current.kid }, id: current.kid }
    },
  }),
  revoke: operation({
    name: 'signing_keys.revoke',
    console: true,
    danger: true,
    method: 'PUT',
    path: '/keys/signing/:kid/revoke',
    summary: 'Revoke a signing key that signs no more, at once',
    scopes: ['update:signing_keys'],
    target: 'tenant',
    status: 200,
    answer: brief,
    async handle({ params, deps }) {
      const key = await existing(params.kid, deps)
      if (!key.revokedAt) await revokeKey(deps.signingKeys, key.kid, makingDeps(deps), { unlessCurrent: true })
      return { body: presentBrief(key, deps), before: { revoked: key.revokedAt !== null }, after: { revoked: true } }
    },
  }),
}

const makingDeps = ({ clock, random, vault, canonicalUrl }: SigningKeyDeps) => ({
  clock,
  random,
  vault,
  host: new URL(canonicalUrl).host,
})

const isShown = (key: SigningKeyRecord, { clock }: SigningKeyDeps): boolean => stateOf(key, clock.now()) !== 'expired'

async function existing(kid: string | undefined, deps: SigningKeyDeps): Promise<SigningKeyRecord> {
  const key = (await deps.signingKeys.list()).find((each) => each.kid === kid)
  if (!key) throw inexistent('signing_key')
  return key
}

const presentBrief = (key: SigningKeyRecord, { describeCertificate }: SigningKeyDeps) => ({
  kid: key.kid,
  cert: describeCertificate(key.publicJwk.x5c[0]).cert,
})

function present(key: SigningKeyRecord, { describeCertificate, clock }: SigningKeyDeps) {
  const state = stateOf(key, clock.now())
  const { cert, pkcs7, fingerprint } = describeCertificate(key.publicJwk.x5c[0])
  return {
    kid: key.kid,
    alg: key.algorithm,
    cert,
    pkcs7,
    fingerprint,
    thumbprint: fingerprint.replaceAll(':', ''),
    current: state === 'current',
    next: state === 'next',
    previous: state === 'previous',
    ...(key.activatedAt ? { current_since: key.activatedAt.toISOString() } : {}),
    ...(key.retiredAt ? { current_until: key.retiredAt.toISOString() } : {}),
    revoked: state === 'revoked',
    ...(key.revokedAt ? { revoked_at: key.revokedAt.toISOString() } : {}),
  }
}
