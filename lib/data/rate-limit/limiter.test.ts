import { expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { inProcess } from '../../testing/server'
import { createLimiter, type LimitOutcome } from './limiter'
import type { LimitName } from './limits'

function setUp(configured: Parameters<typeof createLimiter>[1] = { userinfo: { burst: 2, per_minute: 1 } }) {
  const clock = fixedClock()
  const stores = inProcess(clock)
  const limiter = createLimiter('here', configured, stores)
  const take = (key: string, name: LimitName = 'userinfo', from = limiter) => {
    const outcome = from.take(name, key) as LimitOutcome | undefined
    const expected: Record<string, string> = Object.fromEntries(outcome?.headers ?? [])
    return outcome && { ...expected, refusal: outcome.refusal }
  }
  return { clock, stores, take }
}

it('reports the state in the three documented headers', () => {
  const { clock, take } = setUp()
  const reset = String(clock.now().getTime() / 1000 + 60)
  expect(take('kim')).toEqual({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset })
})

it('refuses beyond the limit with the document’s sentence, the same headers, when to come back, and its name for the log', () => {
  const { clock, take } = setUp()
  take('kim')
  take('kim')
  clock.advance(25)
  const taken = take('kim')
  expect(taken).toMatchObject({ 'x-ratelimit-remaining': '0' })
  expect(taken?.refusal).toMatchObject({ code: 'too_many_requests', retryAfter: 35, detail: 'userinfo' })
  expect(taken?.refusal?.description).toContain('X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset')
  expect(Object.fromEntries(taken?.refusal?.headers ?? [])).toMatchObject({ 'x-ratelimit-remaining': '0' })
})

it('counts every key, every limit and every tenant for itself', () => {
  const { stores, take } = setUp()
  take('kim')
  take('kim')
  expect(take('lee')).toMatchObject({ 'x-ratelimit-remaining': '1' })
  expect(take('kim', 'mfa')).toMatchObject({ 'x-ratelimit-remaining': '29' })
  const elsewhere = createLimiter('there', { userinfo: { burst: 2, per_minute: 1 } }, stores)
  expect(take('kim', 'userinfo', elsewhere)).toMatchObject({ 'x-ratelimit-remaining': '1' })
})

it('gives back with time', () => {
  const { clock, take } = setUp()
  take('kim')
  take('kim')
  clock.advance(60)
  expect(take('kim')).toMatchObject({ 'x-ratelimit-remaining': '0' })
})

it('counts nothing that the tenant has switched off', () => {
  const { take } = setUp({ userinfo: false })
  for (let i = 0; i < 1000; i++) expect(take('kim')).toBeUndefined()
})
