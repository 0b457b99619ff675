// The memory of runs that wait (threat-model.md AC7). One tenant holds half of it at most, so that a slow service of one tenant, or an author
// who makes runs large, stops no action of the others.
import { temporarilyUnavailable } from '../../../kernel/errors'

export type Held = {
  /** Throws 503 if there is no room. Returns what gives the room back. */
  hold(tenant: string, bytes: number): () => void
}

const BUSY = 'Too many rules wait for other services, try again shortly'

export function createHeld(limit: number): Held {
  const ofTenants = new Map<string, number>()
  let all = 0
  const add = (tenant: string, bytes: number): void => {
    const own = (ofTenants.get(tenant) ?? 0) + bytes
    all += bytes
    if (own > 0) ofTenants.set(tenant, own)
    else ofTenants.delete(tenant)
  }
  return {
    hold(tenant, bytes) {
      if (all + bytes > limit || (ofTenants.get(tenant) ?? 0) + bytes > limit / 2)
        throw temporarilyUnavailable(BUSY, { retryAfter: 1, detail: `runs that wait hold ${all} bytes` })
      add(tenant, bytes)
      return () => add(tenant, -bytes)
    },
  }
}
