// Caches the login transactions that this process has just created, for the first page and its form (docs/adr/0024).
// - An entry is a copy of a new transaction. Every change to the transaction by this process removes the entry, whether or not the
//   change succeeds. Changes by other processes are not visible, so the database must decide again whatever an entry suggests.
// - Each entry serves at most two cache hits (one page, one form post). A stale entry shows one outdated page at most.
// - The size is bounded for all tenants together: the oldest entry is evicted, and large transactions are not cached.
import type { LoginTransaction, RecalledFor } from '../../login/transaction'

const MAX = 4_000
/** In characters of a login's request. Typical requests have a few hundred to a thousand. */
const MAX_SIZE = 4_096

/** The JSON texts that the INSERT stores. */
export type Written = { origin: string; wants: string; decisions: string }

type Kept = Written & Pick<LoginTransaction, 'browserDigest' | 'createdAt' | 'expiresAt'> & { shown: boolean }

export type NewTransactionCache = ReturnType<typeof createNewTransactionCache>

/** The cache of a process; each tenant has its own view. */
export function createNewTransactionCache() {
  const kept = new Map<string, Kept>()
  return (tenantId: string) => loginsOf(tenantId, kept)
}

function loginsOf(tenantId: string, kept: Map<string, Kept>) {
  const nameOf = (digest: Uint8Array): string => tenantId + String.fromCharCode(...digest)
  return {
    keep(
      newTransactions: Pick<LoginTransaction, 'handleDigest' | 'browserDigest' | 'createdAt' | 'expiresAt'>,
      written: Written,
    ) {
      const { handleDigest, browserDigest, createdAt, expiresAt } = newTransactions
      if (written.origin.length + written.wants.length + written.decisions.length > MAX_SIZE) return
      if (kept.size >= MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break
      // A copy: the digest is a slice of a larger buffer, which the entry would otherwise keep alive.
      const digest = Uint8Array.from(browserDigest)
      kept.set(nameOf(handleDigest), { browserDigest: digest, createdAt, expiresAt, shown: false, ...written })
    },
    recall(handleDigest: Uint8Array, purpose: RecalledFor): LoginTransaction | null {
      const name = nameOf(handleDigest)
      const found = kept.get(name)
      if (!found || (purpose === 'page' && found.shown)) return null
      if (purpose === 'form') kept.delete(name)
      found.shown = true
      return asItBegan(handleDigest, found)
    },
    forget(handleDigest: Uint8Array) {
      kept.delete(nameOf(handleDigest))
    },
  }
}

/** Parsed anew for each hit, as from the database, so that callers do not share objects. */
const asItBegan = (
  handleDigest: Uint8Array,
  { origin, wants, decisions, browserDigest, createdAt, expiresAt }: Kept,
): LoginTransaction => ({
  handleDigest,
  origin: JSON.parse(origin),
  wants: JSON.parse(wants),
  browserDigest,
  userId: null,
  evidence: [],
  decisions: JSON.parse(decisions),
  revision: 0,
  createdAt,
  expiresAt,
  consumedAt: null,
})
