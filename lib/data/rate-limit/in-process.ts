// Buckets in the memory of this process: exact for one instance, without waiting. The least recently used bucket is evicted
// first; an evicted bucket counts as full.
import type { Clock } from '../../kernel/clock'
import { type BucketStanding, type BucketState, type Limit, standingOf, take } from './bucket'

export type ProcessBuckets = { take(key: string, limit: Limit): BucketStanding }

const MAX_BUCKETS = 100_000

export function processBuckets(clock: Clock): ProcessBuckets {
  const buckets = new Map<string, BucketState>()
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
