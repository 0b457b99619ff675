import { expect, it } from 'vitest'
import { fixedClock } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { tenantSettings } from '../tenants/settings'
import { createLimiter } from './limiter'

const settings = tenantSettings.parse({ tenant: { rate_limits: { userinfo: { burst: 2, per_minute: 1 } } } })

function setUp() {
  const clock = fixedClock()
  const limiter = createLimiter(clock)
  const take = (key: string) => Object.fromEntries(limiter.take('userinfo', key, settings))
  return { clock, take }
}

it('tells the standing in the three headers of the document', () => {
  const { clock, take } = setUp()
  const reset = String(clock.now().getTime() / 1000 + 60)
  expect(take('kim')).toEqual({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset })
})

it('refuses beyond the limit with the document’s sentence and the same headers', () => {
  const { take } = setUp()
  take('kim')
  take('kim')
  try {
    take('kim')
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    expect(error.code).toBe('too_many_requests')
    expect(error.description).toContain('X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset')
    expect(Object.fromEntries(error.headers)).toMatchObject({
      'x-ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^\d+$/),
    })
  }
})

it('counts every key for itself', () => {
  const { take } = setUp()
  take('kim')
  take('kim')
  expect(take('lee')['x-ratelimit-remaining']).toBe('1')
})

it('gives back with time', () => {
  const { clock, take } = setUp()
  take('kim')
  take('kim')
  clock.advance(60)
  expect(take('kim')['x-ratelimit-remaining']).toBe('0')
})
