// Counts what is done in a tenant against its limits.
// - The one place where a refusal is made: `too_many_requests`, with the limit's name as its detail for the log.
// - Where buckets are kept in this process there is nothing to wait for, and no promise is made.
import { DomainError } from '../kernel/errors'
import type { Limit, Standing } from './bucket'
import type { ProcessBuckets } from './in-process'
import { LIMITS, type LimitName, type LimitRule } from './limits'
import type { BucketStore } from './store'

export type Headers = [name: string, value: string][]

/** `refusal` is undefined while the limit allows it. */
export type Outcome = { headers: Headers; refusal: DomainError | undefined }

export type Limiter = {
  /** Takes one; undefined where the tenant has switched the limit off. */
  take(name: LimitName, who: string): Outcome | undefined | Promise<Outcome>
}

export type Stores = {
  /** Of this process, for limits that guard nothing else. */
  own: ProcessBuckets
  shared: BucketStore
}

const EXCEEDED = 'Too many requests. Check the X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset headers.'

/** A tenant's own bucket for a limit, or that there is none. */
type Configured = Partial<Record<LimitName, Limit | false>>

export const createLimiter = (tenantId: string, configured: Configured, { own, shared }: Stores): Limiter => ({
  take(name, who) {
    const rule: LimitRule = LIMITS[name]
    const limit = configured[name] ?? rule
    if (limit === false) return undefined
    const standing = (rule.own ? own : shared).take(`${tenantId}\n${name}\n${who}`, limit)
    return standing instanceof Promise ? standing.then((result) => outcomeOf(name, result)) : outcomeOf(name, standing)
  },
})

function outcomeOf(name: LimitName, standing: Standing): Outcome {
  const headers = headersOf(standing)
  return { headers, refusal: standing.allowed ? undefined : refuse(name, standing.retryAfter, headers) }
}

const refuse = (name: LimitName, retryAfter: number, headers: Headers): DomainError =>
  new DomainError('too_many_requests', EXCEEDED, { detail: name, retryAfter, headers, redirectable: false })

const headersOf = ({ limit, remaining, reset }: Standing): Headers => [
  ['x-ratelimit-limit', String(limit)],
  ['x-ratelimit-remaining', String(remaining)],
  ['x-ratelimit-reset', String(reset)],
]
