// Buckets in this process: exact for one instance, answered at once. The least recently used is forgotten first, and
// forgetting one only forgives.
import type { Clock } from '../kernel/clock'
import { type Bucket, type Limit, type Standing, standingOf, take } from './bucket'

export type ProcessBuckets = { take(key: string, limit: Limit): Standing }

const MAX_BUCKETS = 100_000

export function processBuckets(clock: Clock): ProcessBuckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, limit) {
      const taken = take(buckets.get(key), limit, clock.now().getTime())
      buckets.delete(key)
      buckets.set(key, taken)
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string)
      return standingOf(taken, limit)
    },
  }
}
