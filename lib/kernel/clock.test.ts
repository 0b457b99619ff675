import { describe, expect, it, vi } from 'vitest'
import { steppableMachine } from '../testing/machine'
import {
  addSeconds,
  type ClockStep,
  createSystemClock,
  epochSeconds,
  fixedClock,
  secondsBetween,
  systemClock,
} from './clock'

const HOUR = 3600

describe('the system clock', () => {
  function started() {
    const machine = steppableMachine('2027-01-15T08:00:00.000Z')
    const steps: ClockStep[] = []
    const clock = createSystemClock({ sources: machine, onStep: (step) => steps.push(step) })
    return { machine, steps, clock }
  }

  it('is the wall clock of the machine, and never goes back when that is stepped', () => {
    const before = systemClock.now()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2001-01-01') })
    try {
      expect(secondsBetween(before, systemClock.now())).toBeGreaterThanOrEqual(0)
    } finally {
      vi.useRealTimers()
    }
    expect(secondsBetween(systemClock.now(), new Date())).toBeGreaterThanOrEqual(-0.001)
  })

  it('runs with the wall clock while that runs with the timer, and reports nothing', () => {
    const { machine, steps, clock } = started()
    for (let day = 1; day <= 60; day++) {
      machine.run(24 * HOUR)
      expect(clock.now().toISOString()).toBe(machine.wallTime().toISOString())
    }
    expect(steps).toEqual([])
  })

  it('is right at once after eight hours of suspend, in which the timer stood still', () => {
    const { machine, steps, clock } = started()
    machine.step(8 * HOUR)
    expect(clock.now()).toEqual(machine.wallTime())
    machine.run(10)
    expect(clock.now()).toEqual(machine.wallTime())
    expect(steps).toEqual([{ seconds: 8 * HOUR, aheadSeconds: 0 }])
  })

  it('reports no step where the timer ran on during a suspend', () => {
    const { machine, steps, clock } = started()
    machine.run(8 * HOUR)
    expect(clock.now()).toEqual(machine.wallTime())
    expect(steps).toEqual([])
  })

  it('stays ahead when the wall clock is stepped back, never repeats a moment, and lets the wall clock catch up', () => {
    const { machine, steps, clock } = started()
    machine.step(8 * HOUR)
    let last = clock.now()
    machine.step(-2 * HOUR)
    for (let second = 0; second < 20 * HOUR; second += 60) {
      const now = clock.now()
      expect(now.getTime()).toBeGreaterThanOrEqual(last.getTime())
      expect(now.getTime()).toBeGreaterThan(machine.wallTime().getTime())
      last = now
      machine.run(60)
    }
    expect(clock.now()).toEqual(machine.wallTime())
    expect(steps).toEqual([
      { seconds: 8 * HOUR, aheadSeconds: 0 },
      { seconds: -2 * HOUR, aheadSeconds: 2 * HOUR },
    ])
  })

  it('continues while it is ahead, so that waiting times still end', () => {
    const { machine, clock } = started()
    machine.step(-HOUR)
    const before = clock.now()
    machine.run(100)
    expect(secondsBetween(before, clock.now())).toBeCloseTo(90, 2)
  })

  it('ignores a forward step that still leaves the wall clock behind, and says by how much', () => {
    const { machine, steps, clock } = started()
    machine.step(-2 * HOUR)
    const before = clock.now()
    machine.step(HOUR)
    expect(clock.now()).toEqual(before)
    expect(steps.at(-1)).toEqual({ seconds: HOUR, aheadSeconds: HOUR })
  })

  it.each([500e-6, -500e-6])('does not drift away over weeks from a wall clock that NTP slews by %f', (slew) => {
    const { machine, steps, clock } = started()
    const apart: number[] = []
    for (let minute = 0; minute < 28 * 24 * 60; minute++) {
      machine.run(60)
      machine.step(60 * slew)
      apart.push(Math.abs(secondsBetween(machine.wallTime(), clock.now())))
    }
    expect(Math.max(...apart)).toBeLessThan(0.1)
    expect(steps).toEqual([])
  })
})

it('stands still until it is advanced, then moves by exactly that much', () => {
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
