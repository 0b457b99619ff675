// Refresh tokens: numbered, not stored (docs/adr/0005). A token is family id ‖ generation ‖ HMAC over both: a forged token is refused
// without a look-up, and the family's generation counter is the only state (RFC 9700 4.14.2). A public client's token may also name a key (RFC 9449 5).
// - The current generation rotates once. Within the leeway and while its successor is unused, the previous generation gets the same
//   successor again, so a racing tab or a lost response breaks nothing (RE2).
// - The leeway counts from a token's own rotation. Within it, an older generation is a late request of the same race: it is refused,
//   and the family goes on.
// - After the leeway, any rotated generation is reuse; lib/protocols/oauth/grants/refresh-token.ts revokes the family (RT2).
// - Rotation never extends the absolute expiry (RT1).

import type { Client } from '../data/clients/client'
import { addSeconds, isAhead, secondsBetween, sooner } from '../kernel/clock'
import { equalsConstantTime, type Vault } from '../kernel/secret'
import { isLive, type TokenFamily } from './family'

export type RefreshTokenRef = {
  familyId: string
  generation: number
  /** The thumbprint of the key that must be proven beside it (RFC 9449 5); public clients only. */
  jkt?: string
}

const PURPOSE = 'refresh-token'
const PREFIX = 'v1.'
const BOUND_PREFIX = 'v2.'
const REF_BYTES = 20
const THUMBPRINT_BYTES = 32
const MAC_BYTES = 32

export function writeRefreshToken(ref: RefreshTokenRef, vault: Vault): string {
  const number = Buffer.from(ref.familyId.replaceAll('-', '') + ref.generation.toString(16).padStart(8, '0'), 'hex')
  const body = ref.jkt === undefined ? number : Buffer.concat([number, Buffer.from(ref.jkt, 'base64url')])
  const prefix = ref.jkt === undefined ? PREFIX : BOUND_PREFIX
  return prefix + Buffer.concat([body, vault.mac(PURPOSE, body)]).toString('base64url')
}

/** The family and generation of a token; null if this server did not write it. */
export function readRefreshToken(token: string, vault: Vault): RefreshTokenRef | null {
  const isBound = token.startsWith(BOUND_PREFIX)
  if (!isBound && !token.startsWith(PREFIX)) return null
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  const size = isBound ? REF_BYTES + THUMBPRINT_BYTES : REF_BYTES
  if (bytes.length !== size + MAC_BYTES) return null
  const body = bytes.subarray(0, size)
  if (!equalsConstantTime(bytes.subarray(size), vault.mac(PURPOSE, body))) return null
  const ref = { familyId: uuidOf(body.toString('hex', 0, 16)), generation: body.readUInt32BE(16) }
  return isBound ? { ...ref, jkt: body.toString('base64url', REF_BYTES) } : ref
}

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** When a token of an earlier generation was rotated; null if that is no longer known. */
const rotationOf = ({ generation }: RefreshTokenRef, family: TokenFamily): Date | null => {
  const later = (family.generation ?? 0) - generation
  return later === 1 ? family.rotatedAt : (family.earlierRotations[later - 2] ?? null)
}

/** A rotation that a clock ahead has dated: the leeway begins when that is seen, and the caller stores that time. */
export function isMisdated(ref: RefreshTokenRef, family: TokenFamily, now: Date): boolean {
  const rotatedAt = rotationOf(ref, family)
  return rotatedAt !== null && isAhead(rotatedAt, now)
}

/** `superseded`: refused alone, within its leeway, because its successor was used or the client's tokens no longer rotate. */
export type ReuseVerdict = 'successor' | 'superseded' | 'reuse' | 'dead'

/** What the use of a token that did not rotate is, given its family as it is now. */
export function judgeReuse(ref: RefreshTokenRef, family: TokenFamily, client: Client, now: Date): ReuseVerdict {
  if (!isLive(family, now) || family.generation === null) return 'dead'
  if (family.idleExpiresAt !== null && family.idleExpiresAt <= now) return 'dead'
  if (ref.generation >= family.generation) return 'dead'
  const rotatedAt = rotationOf(ref, family)
  const inLeeway = rotatedAt !== null && Math.max(0, secondsBetween(rotatedAt, now)) < client.refresh.leewaySeconds
  if (!inLeeway) return 'reuse'
  return client.refresh.rotating && ref.generation === family.generation - 1 ? 'successor' : 'superseded'
}

/** `wanted` is an earlier end, in milliseconds. */
export function idleEnd({ refresh }: Client, now: Date, wanted?: number): Date | null {
  if (refresh.idleSeconds !== null) return sooner(addSeconds(now, refresh.idleSeconds), wanted)
  return wanted === undefined ? null : new Date(wanted)
}
