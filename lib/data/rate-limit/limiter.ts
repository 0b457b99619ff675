// Counts requests to a tenant against the tenant's limits.
// - This is the only place that refuses: `too_many_requests`, with the limit's name as its detail for the log.
// - Counting in this process is synchronous and creates no promise.
import { DomainError } from '../../kernel/errors'
import type { BucketStanding, Limit } from './bucket'
import type { ProcessBuckets } from './in-process'
import { LIMITS, type LimitName, type LimitRule } from './limits'
import type { BucketStore } from './store'

export type HeaderPairs = [name: string, value: string][]

/** `refusal` is undefined while the limit allows the request. */
export type LimitOutcome = { headers: HeaderPairs; refusal: DomainError | undefined }

export type Limiter = {
  /** Takes one token, of a bucket that is `share` times as large as the limit; undefined where the tenant has disabled it. */
  take(name: LimitName, who: string, share?: number): LimitOutcome | undefined | Promise<LimitOutcome>
}

export type Stores = {
  /** The buckets of this process, for limits that protect only this process. */
  own: ProcessBuckets
  shared: BucketStore
}

const EXCEEDED = 'Too many requests. Check the X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset headers.'

/** The tenant's own capacity and rate for a limit, or false for no limit. */
type Configured = Partial<Record<LimitName, Limit | false>>

export const createLimiter = (tenantId: string, configured: Configured, { own, shared }: Stores): Limiter => ({
  take(name, who, share = 1) {
    const rule: LimitRule = LIMITS[name]
    const limit = configured[name] ?? rule
    if (limit === false) return undefined
    const standing = (rule.own ? own : shared).take(`${tenantId}\n${name}\n${who}`, times(limit, share))
    return standing instanceof Promise ? standing.then((result) => outcomeOf(name, result)) : outcomeOf(name, standing)
  },
})

const times = (limit: Limit, share: number): Limit =>
  share === 1 ? limit : { burst: limit.burst * share, per_minute: limit.per_minute * share }

function outcomeOf(name: LimitName, standing: BucketStanding): LimitOutcome {
  const headers = headersOf(standing)
  return { headers, refusal: standing.allowed ? undefined : refuse(name, standing.retryAfter, headers) }
}

const refuse = (name: LimitName, retryAfter: number, headers: HeaderPairs): DomainError =>
  new DomainError('too_many_requests', EXCEEDED, { detail: name, retryAfter, headers, redirectable: false })

const headersOf = ({ limit, remaining, reset }: BucketStanding): HeaderPairs => [
  ['x-ratelimit-limit', String(limit)],
  ['x-ratelimit-remaining', String(remaining)],
  ['x-ratelimit-reset', String(reset)],
]
