// Buckets in this process, the least recently used forgotten first: forgetting one only forgives.
import type { Clock } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import type { TenantSettings } from '../tenants/settings'
import { type Bucket, type Standing, take } from './bucket'
import { type LimitName, limitOf } from './limits'

export type Limiter = {
  /** Takes one; the headers that tell so. Throws `too_many_requests`, with the same headers, when none is left. */
  take(name: LimitName, key: string, settings: TenantSettings): [string, string][]
}

const MOST_BUCKETS = 100_000

const EXCEEDED = 'Too many requests. Check the X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset headers.'

export function createLimiter(clock: Clock): Limiter {
  const buckets = new Map<string, Bucket>()
  return {
    take(name, key, settings) {
      const id = `${name}\0${key}`
      const now = clock.now()
      const { bucket, standing } = take(buckets.get(id), limitOf(name, settings), now)
      buckets.delete(id)
      buckets.set(id, bucket)
      if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value as string)
      const headers = headersOf(standing)
      if (standing.allowed) return headers
      throw new DomainError('too_many_requests', EXCEEDED, { headers: [...headers, ['retry-after', '1']] })
    },
  }
}

const headersOf = ({ limit, remaining, reset }: Standing): [string, string][] => [
  ['x-ratelimit-limit', String(limit)],
  ['x-ratelimit-remaining', String(remaining)],
  ['x-ratelimit-reset', String(reset)],
]
