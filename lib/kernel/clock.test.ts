import { expect, it, vi } from 'vitest'
import { addSeconds, epochSeconds, fixedClock, secondsBetween, systemClock } from './clock'

it('keeps the system clock going when the wall clock of the machine is stepped', () => {
  const before = systemClock.now()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2001-01-01') })
  try {
    expect(secondsBetween(before, systemClock.now())).toBeGreaterThanOrEqual(0)
    expect(secondsBetween(before, systemClock.now())).toBeLessThan(60)
  } finally {
    vi.useRealTimers()
  }
})

it('stands still until told, then moves by exactly that much', () => {
  const clock = fixedClock('2027-01-15T08:00:00.000Z')
  expect(clock.now()).toEqual(clock.now())
  clock.advance(90)
  expect(clock.now().toISOString()).toBe('2027-01-15T08:01:30.000Z')
})

it('counts time claims in whole seconds, rounded down', () => {
  expect(epochSeconds(new Date('2027-01-15T08:00:00.999Z'))).toBe(1800000000)
})

it('adds and subtracts seconds', () => {
  const time = new Date('2027-01-15T08:00:00.000Z')
  expect(secondsBetween(time, addSeconds(time, 61.5))).toBe(61.5)
})
