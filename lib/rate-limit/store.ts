// Where buckets live. What a key stands for is the limiter's; a store sees a text and keeps no more of it than it must.
import type { Limit, Standing } from './bucket'

export type BucketStore = {
  /**
   * Takes one from the bucket, atomically over everybody who shares the store, and tells how it stands. Never rejects
   * because the store is away where another can stand in for it (fallback.ts).
   */
  take(key: string, limit: Limit): Standing | Promise<Standing>
}
