// The keys that applications publish at their `jwks_uri` (OIDC Core 10.1.1). Threat-model.md AZ8, CO4.
// - The address is https and registered; a request never names one. `callOut` refuses private addresses and follows no redirect.
// - A set is kept for ten minutes. A key that it lacks has it fetched again, at most every thirty seconds.
// - Requests that wait for the same set share one fetch. While the address fails, the last set stays valid, for a day at most.
import type { CallOut } from '../../kernel/call-out'
import { ageHere, type Clock } from '../../kernel/clock'
import { type Jwks, jwkSet, keysFor, type Registered } from './credentials'

export type ClientKeySets = {
  /** The set at the address, fetched anew if it does not satisfy; null while there is none. */
  find(uri: string, satisfies: (set: Jwks) => boolean): Promise<Jwks | null>
}

const KEPT_SECONDS = 600
const COOL_DOWN_SECONDS = 30
const LAST_SECONDS = 86_400
const MAX_BYTES = 65_536
/** Requests wait for it. */
const FETCH_SECONDS = 5
const MAX_SETS = 1000

type Entry = { set: Jwks | null; fetchedAt: Date; triedAt: Date; pending: Promise<void> | null }

export function createClientKeySets({ callOut, clock }: { callOut: CallOut; clock: Clock }): ClientKeySets {
  const entries = new Map<string, Entry>()

  function renew(uri: string, known: Entry | undefined): Entry {
    const now = clock.now()
    const entry = known ?? { set: null, fetchedAt: now, triedAt: now, pending: null }
    entry.triedAt = now
    entry.pending = fetchSet(uri, callOut).then((set) => {
      entry.pending = null
      if (set) Object.assign(entry, { set, fetchedAt: clock.now() })
    })
    entries.set(uri, entry)
    const [oldest] = entries.keys()
    if (entries.size > MAX_SETS && oldest !== undefined) entries.delete(oldest)
    return entry
  }

  return {
    async find(uri, satisfies) {
      const known = entries.get(uri)
      const age = (since: Date): number => ageHere(since, clock.now())
      if (known?.set && age(known.fetchedAt) < KEPT_SECONDS && satisfies(known.set)) return known.set
      const mayAsk = !known || (known.pending === null && age(known.triedAt) >= COOL_DOWN_SECONDS)
      const entry = mayAsk ? renew(uri, known) : known
      await entry.pending
      return age(entry.fetchedAt) < LAST_SECONDS ? entry.set : null
    },
  }
}

/** Null if the address does not answer with keys. */
async function fetchSet(uri: string, callOut: CallOut): Promise<Jwks | null> {
  const headers = { accept: 'application/jwk-set+json, application/json' }
  try {
    const { status, body } = await callOut(uri, { method: 'GET', headers, seconds: FETCH_SECONDS })
    if (status !== 200 || body.length > MAX_BYTES) return null
    return jwkSet.safeParse(JSON.parse(Buffer.from(body).toString())).data ?? null
  } catch {
    return null
  }
}

type Header = { kid?: string | undefined; alg?: string | undefined }

/**
 * The keys with those that the client publishes, if none of the stored ones fits. Without a `kid` a key that has been replaced
 * cannot be distinguished from its successor, so the set must be as new as the cool-down allows.
 */
export async function withPublished(
  header: Header,
  registered: Registered,
  { keySets, clock }: { keySets: ClientKeySets; clock: Clock },
): Promise<Registered> {
  const { jwksUri, only } = registered
  const now = clock.now()
  if (jwksUri === undefined || keysFor(header, registered, now).length > 0) return registered
  const satisfies = (jwks: Jwks): boolean =>
    header.kid !== undefined && keysFor(header, { credentials: [], jwks, only }, now).length > 0
  return { ...registered, jwks: (await keySets.find(jwksUri, satisfies)) ?? undefined }
}
