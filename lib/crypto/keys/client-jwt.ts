// Verifies a JWT that a client signed (RFC 7519, RFC 8725): a client assertion or a request object.
// - Only registered keys and listed algorithms count; key references in the header are ignored.
// - `exp`, `nbf` and `iat` are checked with ten seconds of clock skew. Callers check all other claims.

import type { KeyObject } from 'node:crypto'
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose'
import { addSeconds, epochSeconds } from '../../kernel/clock'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { CLIENT_JWT_ALGORITHMS } from './algorithms'

export type Unverified = { header: ProtectedHeaderParameters; claims: JWTPayload }

export const SKEW_SECONDS = 10

/** The unverified claims, for choosing the client whose keys to try; null if it is no JWT. Decide nothing else by them. */
export function readUnverified(token: string): Unverified | null {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return null
  }
}

/** The claims, or what is wrong in one word. Every key is tried, whichever matches. */
export async function verifyClientJwt(
  token: string,
  keys: readonly KeyObject[],
  now: Date,
): Promise<{ claims: JWTPayload } | { problem: string }> {
  const results = await mapBounded(keys, (key) => verifyBy(key, token, now))
  return results.find((result) => 'claims' in result) ?? results[0] ?? { problem: 'no key of the client fits' }
}

async function verifyBy(key: KeyObject, token: string, now: Date) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...CLIENT_JWT_ALGORITHMS],
      currentDate: now,
      clockTolerance: SKEW_SECONDS,
    })
    const problem = problemOfTimes(payload, now)
    return problem === null ? { claims: payload } : { problem }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return { problem: error.message }
    throw error
  }
}

/** Skew is allowed for clocks that run ahead, not for expiry. */
function problemOfTimes({ exp, iat }: JWTPayload, now: Date): string | null {
  if (exp !== undefined && exp <= epochSeconds(now)) return 'over'
  if (iat !== undefined && iat > epochSeconds(addSeconds(now, SKEW_SECONDS))) return 'issued in the future'
  return null
}
