// The keys that an identity provider publishes, and the choice of the one that signed a token (RFC 7517 4.2 to 4.5, RFC 7515 4.1.4).
// - `kid` is a hint that says which key to try first. Every key that fits by type, algorithm, use and operations is tried, because
//   a token may have no `kid`, or one that the set lacks.
// - If none of them signed it, the set is read again, once and at most every thirty seconds: the provider may have changed its keys.
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JWK } from 'jose'
import { ageHere, type Clock } from '../../kernel/clock'

export type PublishedKeys = {
  /** Whether one of the keys signed the token, by an asymmetric algorithm; what the token says is not checked. */
  haveSigned(token: string): Promise<boolean>
}

const COOL_DOWN_SECONDS = 30
/** Each costs the import of a key. */
const MAX_TRIES = 100

type Keys = readonly JWK[]

export function createPublishedKeys(read: () => Promise<Keys>, clock: Clock): PublishedKeys {
  let kept: Promise<Keys> | null = null
  let renewedAt: Date | null = null

  /** After a failure the last set stays. */
  function readAnew(): Promise<Keys> {
    const before = kept
    const reading = read()
    kept = reading
    reading.catch(() => {
      if (kept === reading) kept = before
    })
    return reading
  }

  function renew(): Promise<Keys> | null {
    const now = clock.now()
    if (renewedAt !== null && ageHere(renewedAt, now) < COOL_DOWN_SECONDS) return null
    renewedAt = now
    return readAnew()
  }

  return {
    async haveSigned(token) {
      const tried = kept ?? readAnew()
      if (await isSignedByOne(token, await tried)) return true
      const newer = kept === tried ? renew() : kept
      return newer !== null && isSignedByOne(token, await newer)
    },
  }
}

async function isSignedByOne(token: string, keys: Keys): Promise<boolean> {
  const { alg = '', kid } = headerOf(token)
  const [named, others] = [keys.filter((key) => key.kid === kid), keys.filter((key) => key.kid !== kid)]
  for (const key of [...named, ...others].slice(0, MAX_TRIES)) {
    if (await isSignedBy(key, token, alg)) return true
  }
  return false
}

function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return {}
  }
}

/** False for a key that does not fit or is malformed, and for every symmetric algorithm, too. */
async function isSignedBy(jwk: JWK, token: string, alg: string): Promise<boolean> {
  try {
    const key = await createLocalJWKSet({ keys: [jwk] })({ alg })
    await compactVerify(token, key, { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}
