import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOW } from '../../testing/samples'
import { type BucketStanding, type BucketState, type Limit, standingOf, take } from './bucket'

const limit = { burst: 3, per_minute: 1 }
const START = NOW.getTime()

/** Takes one token at each of the given seconds; returns the standings in order. */
function takeAt(of: Limit, ...seconds: number[]): BucketStanding[] {
  let bucket: BucketState | undefined
  return seconds.map((second) => {
    const taken = take(bucket, of, START + second * 1000)
    bucket = taken
    return standingOf(taken, of)
  })
}

describe('a bucket (contract "Limits", threat-model.md RL5)', () => {
  it('falls by exactly one with each request and is never negative', () => {
    expect(takeAt(limit, 0, 0, 0, 0, 0).map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ])
  })

  it('rises by one per minute passed, and refused requests cost nothing', () => {
    expect(takeAt(limit, 0, 0, 0, 0, 59, 60, 61).map(({ allowed }) => allowed)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('never holds more than its size', () => {
    expect(takeAt(limit, 0, 86400).map(({ remaining }) => remaining)).toEqual([2, 2])
  })

  it('reports in epoch seconds when it is full again, and when to retry', () => {
    expect(takeAt(limit, 0, 0).map(({ reset }) => reset - START / 1000)).toEqual([60, 120])
    expect(takeAt(limit, 0, 0, 0, 20).at(-1)?.retryAfter).toBe(40)
  })

  it('gains nothing from a clock that runs backwards by as much as clocks differ', () => {
    expect(takeAt(limit, 0, 0, 0, -60, 0).map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
  })

  it('gives those that ask together what they would get one after the other', () => {
    const together = take(undefined, limit, START, 5)
    expect([0, 1, 2, 3, 4].map((place) => standingOf(together, limit, place))).toEqual(takeAt(limit, 0, 0, 0, 0, 0))
  })

  it('reports whole numbers, allows exactly its capacity, and falls by one, whatever its size and rate', () => {
    const rate = fc.double({ min: 0.01, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), rate, (burst, per_minute) => {
        const standings = takeAt({ burst, per_minute }, ...Array<number>(burst + 2).fill(0.4))
        for (const { limit, remaining, reset, retryAfter } of standings)
          expect([limit, remaining, reset, retryAfter].every(Number.isInteger)).toBe(true)
        expect(standings.map(({ remaining }) => remaining)).toEqual([
          ...Array.from({ length: burst }, (_, i) => burst - 1 - i),
          0,
          0,
        ])
        expect(standings.filter(({ allowed }) => allowed)).toHaveLength(burst)
      }),
      { numRuns: 100 },
    )
  })

  it('refills from now on where it was used by a clock ahead, and gains no token by its return (RE7)', () => {
    const ahead = 26 * 3600
    const standings = takeAt(limit, ahead, ahead, ahead, 0, 59, 60, 61)
    expect(standings.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false, true, false])
    expect((standings[3]?.reset ?? 0) - START / 1000).toBe(180)
  })

  it('holds no more than a limit that was lowered', () => {
    const full = take(undefined, { burst: 100, per_minute: 1 }, START)
    expect(standingOf(take(full, limit, START), limit).remaining).toBe(2)
  })
})
