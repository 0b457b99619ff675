// A store for buckets. The limiter decides the meaning of a key; a store treats it as opaque text and stores no more of it than
// necessary.
import type { BucketStanding, Limit } from './bucket'

export type BucketStore = {
  /**
   * Takes one token, atomically across all processes that share the store, and returns the standing. It must not reject because
   * the store is unavailable where another store can replace it (fallback.ts).
   */
  take(key: string, limit: Limit): BucketStanding | Promise<BucketStanding>
}
