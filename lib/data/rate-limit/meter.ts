// Counts one request to one endpoint (the contract's "Limits").
// - A limit by network is counted before the endpoint runs. A limit by user or client is counted by the endpoint as soon as the
//   user or client is proven. A request without a proven user or client is counted against the network afterwards, in
//   `unproven`.
// - The response headers describe the limit that was counted last.
import { NETWORK_SHARES, networkOf, networksOf } from '../../kernel/network'
import type { RequestMeter } from '../../kernel/request-meter'
import type { HeaderPairs, Limiter, LimitOutcome } from './limiter'
import { LIMITS, type LimitName } from './limits'

export function openMeter(name: LimitName, ip: string, limiter: Limiter): RequestMeter {
  const { by } = LIMITS[name]
  const settle = (outcome: LimitOutcome | undefined): void => {
    if (!outcome) return
    meter.headers = outcome.headers
    if (outcome.refusal) throw outcome.refusal
  }
  const outcomeFor = (who: string | null): ReturnType<Limiter['take']> => {
    if (by === 'network') return limiter.take(name, networkOf(ip))
    if (by === 'networks') return takeNetworks(name, ip, limiter)
    if (who === null) return limiter.take('unproven', networkOf(ip))
    if (by === 'reported networks') return takeNetworks(name, who, limiter)
    return limiter.take(name, by === 'network and account' ? accountAt(ip, who) : who)
  }
  // Plain members: V8 creates and reads objects with getters on a slow path.
  const meter = {
    early: by === 'network' || by === 'networks',
    counted: false,
    headers: [] as HeaderPairs,
    count(who: string | null) {
      meter.counted = true
      const outcome = outcomeFor(who)
      return outcome instanceof Promise ? outcome.then(settle) : settle(outcome)
    },
  }
  return meter
}

/**
 * From the smallest network to the largest: a request that a smaller one refuses is not counted on a larger one, which other
 * parties share. The headers are those of the smallest network unless a larger one refuses.
 */
function takeNetworks(name: LimitName, address: string, limiter: Limiter): ReturnType<Limiter['take']> {
  const [own, ...larger] = networksOf(address)
  const outcome = limiter.take(name, own)
  return larger.length === 0 || outcome === undefined ? outcome : takeLarger(outcome, name, larger, limiter)
}

async function takeLarger(
  first: LimitOutcome | Promise<LimitOutcome>,
  name: LimitName,
  larger: readonly string[],
  limiter: Limiter,
): Promise<LimitOutcome> {
  const own = await first
  if (own.refusal) return own
  for (const [place, network] of larger.entries()) {
    const outcome = await limiter.take(name, network, NETWORK_SHARES[place + 1])
    if (outcome?.refusal) return outcome
  }
  return own
}

/** The bucket key of an account at a network. */
export const accountAt = (ip: string, account: string): string => JSON.stringify([networkOf(ip), account])
