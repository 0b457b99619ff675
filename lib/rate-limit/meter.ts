// Counts one request to one endpoint (the contract's "Limits").
// - What the network alone decides is counted before anything is done. What a proven user or client decides, the endpoint
//   counts as soon as it knows; what never got so far is counted to the network afterwards, in `unproven`.
// - Whatever was counted last is what the answer tells.
import { networkOf } from '../kernel/network'
import type { Headers, Limiter, Outcome } from './limiter'
import { LIMITS, type LimitName } from './limits'

/** `who` is proven, or null while nobody is; an address where that is the limit's. Throws `too_many_requests`. */
export type Count = (who: string | null) => void | Promise<void>

export type Meter = {
  /** Whether the request is counted before the endpoint sees it. */
  readonly early: boolean
  readonly counted: boolean
  readonly headers: Headers
  count: Count
}

export function openMeter(name: LimitName, ip: string, limiter: Limiter): Meter {
  const { by } = LIMITS[name]
  const settle = (outcome: Outcome | undefined): void => {
    if (!outcome) return
    meter.headers = outcome.headers
    if (outcome.refusal) throw outcome.refusal
  }
  const outcomeFor = (who: string | null): ReturnType<Limiter['take']> => {
    if (by === 'network') return limiter.take(name, networkOf(ip))
    if (who === null) return limiter.take('unproven', networkOf(ip))
    if (by === 'network told') return limiter.take(name, networkOf(who))
    return limiter.take(name, by === 'network and account' ? accountAt(ip, who) : who)
  }
  // Plain members: an object with getters is made by V8's slow path, and read by it.
  const meter = {
    early: by === 'network',
    counted: false,
    headers: [] as Headers,
    count(who: string | null) {
      meter.counted = true
      const outcome = outcomeFor(who)
      return outcome instanceof Promise ? outcome.then(settle) : settle(outcome)
    },
  }
  return meter
}

/** Whose bucket an account named at a network has. */
export const accountAt = (ip: string, account: string): string => JSON.stringify([networkOf(ip), account])
