import { describe, expect, it } from 'vitest'
import { addSeconds, fixedClock, secondsBetween } from '../../kernel/clock'
import { inWords } from '../../kernel/network-failure'
import { seededRandom } from '../../kernel/random'
import { DeliveryError } from './message'
import { afterFailure, MAX_AGE_SECONDS, waitBefore } from './retry'

const now = fixedClock().now()
const error = new DeliveryError('ECONNECTION', false)
const failed = { error, attempt: 1, createdAt: now, now, certain: now, keepContent: false }

describe('waitBefore', () => {
  it('doubles from five seconds to an hour, less up to half', () => {
    const random = seededRandom()
    for (let attempt = 1; attempt <= 14; attempt++) {
      const full = Math.min(5 * 2 ** (attempt - 1), 3600)
      const wait = waitBefore(attempt, random)
      expect(wait).toBeGreaterThan(full / 2)
      expect(wait).toBeLessThanOrEqual(full)
    }
  })

  it('differs between messages that failed together', () => {
    const random = seededRandom()
    expect(new Set(Array.from({ length: 20 }, () => waitBefore(3, random))).size).toBe(20)
  })
})

describe('afterFailure', () => {
  it('tries again later, with the reason', () => {
    const next = afterFailure(failed, seededRandom())
    if (next.kind !== 'retry') throw new Error(next.kind)
    expect(secondsBetween(now, next.at)).toBeGreaterThan(2.5)
    expect(next.reason).toBe(inWords('ECONNECTION'))
  })

  it('waits as long as the provider asks for, at most an hour, and never less than it would', () => {
    const waitFor = (retryAfter: string, attempt = 1) => {
      const refused = new DeliveryError('HTTP 429', false, undefined, false, retryAfter)
      const next = afterFailure({ ...failed, error: refused, attempt }, seededRandom())
      if (next.kind !== 'retry') throw new Error(next.kind)
      return secondsBetween(now, next.at)
    }
    expect(waitFor('900')).toBe(900)
    expect(waitFor(addSeconds(now, 900).toUTCString())).toBeCloseTo(900, -1)
    expect(waitFor('86400')).toBe(3600)
    expect(waitFor('1', 10)).toBeGreaterThan(1000)
    expect(waitFor('soon')).toBeLessThanOrEqual(5)
  })

  it('gives up where the wait ends after the day', () => {
    const error = new DeliveryError('HTTP 429', false, undefined, false, '3600')
    const late = { ...failed, error, createdAt: addSeconds(now, 1800 - MAX_AGE_SECONDS) }
    expect(afterFailure(late, seededRandom())).toMatchObject({ kind: 'failed' })
  })

  it('continues, however often it was tried, until the day is over', () => {
    const late = { ...failed, attempt: 40, createdAt: addSeconds(now, -MAX_AGE_SECONDS / 2) }
    expect(afterFailure(late, seededRandom())).toMatchObject({ kind: 'retry' })
  })

  it.each([
    ['a final refusal', { error: new DeliveryError('EENVELOPE 550', true) }],
    ['a day of age', { createdAt: addSeconds(now, -MAX_AGE_SECONDS) }],
  ])('gives up after %s', (_, change) => {
    expect(afterFailure({ ...failed, ...change }, seededRandom())).toMatchObject({ kind: 'failed', at: now })
  })
})
