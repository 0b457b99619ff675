// Counts one request to one endpoint (the contract's "Limits").
// - A limit by network is counted before the endpoint runs. A limit by user or client is counted by the endpoint as soon as the
//   user or client is proven. A request without a proven user or client is counted against the network afterwards, in
//   `unproven`.
// - The response headers describe the limit that was counted last.
import { networkOf } from '../kernel/network'
import type { Headers, Limiter, Outcome } from './limiter'
import { LIMITS, type LimitName } from './limits'

/** `who` is a proven user or client, or null; for `reported network` it is an address. Throws `too_many_requests`. */
export type Count = (who: string | null) => void | Promise<void>

export type Meter = {
  /** Whether the request is counted before the endpoint runs. */
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
    if (by === 'reported network') return limiter.take(name, networkOf(who))
    return limiter.take(name, by === 'network and account' ? accountAt(ip, who) : who)
  }
  // Plain members: V8 creates and reads objects with getters on a slow path.
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

/** The bucket key of an account at a network. */
export const accountAt = (ip: string, account: string): string => JSON.stringify([networkOf(ip), account])
