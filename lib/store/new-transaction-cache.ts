// The logins that this process has just begun, as they were stored, for the first page and what is sent from it (docs/adr/0024).
// - Only a copy of how a login began: whatever this process does to it, whatever becomes of that, ends the copy. What another
//   process does is not seen here, so nothing may be decided by a copy that the database does not decide again.
// - Told to one page and to one form, then not any more: one that was overtaken shows one page that is out of date.
// - Bounded, for all tenants together: oldest out, and what is large is not kept.
import type { LoginTransaction, RecalledFor } from '../login/transaction'

const MAX = 4_000
/** Characters of a login's request. Those of applications are a few hundred to a thousand. */
const MAX_SIZE = 4_096

/** As the statement that stores it has them. */
export type Written = { origin: string; wants: string; decisions: string }

type Kept = Written & Pick<LoginTransaction, 'browserDigest' | 'createdAt' | 'expiresAt'> & { shown: boolean }

export type NewTransactionCache = ReturnType<typeof createNewTransactionCache>

/** Those of a process; each tenant sees its own. */
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
      // A copy: a digest is a piece of a larger buffer, all of which would be held with it.
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

/** Read from its text each time, as from the database: nobody shares an object with anybody. */
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
