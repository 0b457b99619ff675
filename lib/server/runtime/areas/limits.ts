// The limits of requests and of guesses.
import { createLimiter } from '../../../data/rate-limit/limiter'
import { openMeter } from '../../../data/rate-limit/meter'
import { createAttemptGuard } from '../../../data/users/attempts'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

export function openLimits({ tenant, stores, shared }: Opening) {
  const { settings } = tenant
  const limiter = createLimiter(tenant.id, settings.tenant.rate_limits, shared.buckets)
  return {
    meter: (limit, ip) => openMeter(limit, ip, limiter),
    attempts: createAttemptGuard(stores.attemptCounters, settings.attackProtection, limiter, shared.clock),
  } satisfies Partial<Runtime>
}
