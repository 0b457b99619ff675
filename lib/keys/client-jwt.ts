// Verifying what an application signed itself (RFC 7519, RFC 8725): an assertion of who it is, a request object.
// - The keys are those it is registered with and the algorithms a list: what the token's header says of keys is not read.
// - `exp`, `nbf` and `iat` are times that hold, with ten seconds for a clock that is off; what else must be said is the
//   caller's to check.
import type { KeyObject } from 'node:crypto'
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose'
import { CLIENT_JWT_ALGORITHMS } from '../clients/credentials'
import { addSeconds, epochSeconds } from '../kernel/clock'

export type Unverified = { header: ProtectedHeaderParameters; claims: JWTPayload }

export const SKEW_SECONDS = 10

/** What it says, by which nothing may be decided but whose keys to try; null when it is no JWT. */
export function readUnverified(token: string): Unverified | null {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return null
  }
}

/** The claims, or in a word what is wrong. Every key is tried, however early one fits. */
export async function verifyClientJwt(
  token: string,
  keys: readonly KeyObject[],
  now: Date,
): Promise<{ claims: JWTPayload } | { problem: string }> {
  const results = await Promise.all(keys.map((key) => verifyBy(key, token, now)))
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

/** The skew is for clocks that run ahead: what is over is over. */
function problemOfTimes({ exp, iat }: JWTPayload, now: Date): string | null {
  if (exp !== undefined && exp <= epochSeconds(now)) return 'over'
  if (iat !== undefined && iat > epochSeconds(addSeconds(now, SKEW_SECONDS))) return 'issued in the future'
  return null
}
