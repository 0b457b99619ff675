import { describe, expect, it } from 'vitest'
import { addSeconds, epochSeconds } from '../kernel/clock'
import { NOW } from '../testing/samples'
import { type Bucket, take } from './bucket'

const limit = { burst: 3, per_minute: 1 }

/** Takes at each of the seconds given; the standings, in order. */
function takeAt(...seconds: number[]) {
  let bucket: Bucket | undefined
  return seconds.map((second) => {
    const taken = take(bucket, limit, addSeconds(NOW, second))
    bucket = taken.bucket
    return taken.standing
  })
}

describe('a bucket (contract "Limits", threat-model.md RL5)', () => {
  it('falls by exactly one with each request and is never negative', () => {
    expect(takeAt(0, 0, 0, 0, 0).map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ])
  })

  it('rises by one per minute passed, and refused requests cost nothing', () => {
    expect(takeAt(0, 0, 0, 0, 59, 60, 61).map(({ allowed }) => allowed)).toEqual([
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
    expect(takeAt(0, 86400).map(({ remaining }) => remaining)).toEqual([2, 2])
  })

  it('tells in epoch seconds when it is full again', () => {
    expect(takeAt(0, 0).map(({ reset }) => reset - epochSeconds(NOW))).toEqual([60, 120])
  })

  it('gains nothing from a clock that runs backwards', () => {
    expect(takeAt(0, 0, 0, -3600).map(({ allowed }) => allowed)).toEqual([true, true, true, false])
  })

  it('tells whole numbers', () => {
    for (const { limit, remaining, reset } of takeAt(0, 0.4, 17.3)) {
      expect([limit, remaining, reset].every(Number.isInteger)).toBe(true)
    }
  })
})
