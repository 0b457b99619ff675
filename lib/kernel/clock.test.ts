import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { steppableMachine } from '../testing/machine'
import {
  addSeconds,
  advance,
  ageHere,
  ageOf,
  type ClockDecision,
  type ClockReading,
  type ClockStep,
  type ClockVerdict,
  createSystemClock,
  epochSeconds,
  fixedClock,
  isAhead,
  lasts,
  secondsBetween,
  settle,
  startTime,
  systemClock,
  type Witness,
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
    expect(steps).toEqual([{ seconds: 8 * HOUR, aheadSeconds: 0, isConsulted: false }])
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
      { seconds: 8 * HOUR, aheadSeconds: 0, isConsulted: false },
      { seconds: -2 * HOUR, aheadSeconds: 2 * HOUR, isConsulted: false },
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
    expect(steps.at(-1)).toEqual({ seconds: HOUR, aheadSeconds: HOUR, isConsulted: false })
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

/** A machine, the true time, and a second source with a clock of its own. */
class World {
  truth = Date.parse('2027-01-15T08:00:00.000Z')
  timer = 0
  wall = this.truth
  /** Of the second source, in milliseconds. */
  error = 0
  state = startTime(this)
  earlier: Witness | null = { time: this.truth, timer: 0 }

  read(): ClockReading {
    return { wall: this.wall, timer: this.timer }
  }

  /** Both clocks run; the timer stands still while the machine is suspended. */
  pass(seconds: number, { suspended = false } = {}): this {
    this.truth += seconds * 1000
    this.wall += seconds * 1000
    if (!suspended) this.timer += seconds * 1000
    this.state = advance(this.state, this.read())
    return this
  }

  step(seconds: number): this {
    this.wall += seconds * 1000
    this.state = advance(this.state, this.read())
    return this
  }

  putRight(): this {
    return this.step((this.truth - this.wall) / 1000)
  }

  consult(time = this.truth + this.error): ClockDecision {
    const witness = { time, timer: this.timer }
    const { state, verdict } = settle(this.state, witness, this.earlier)
    this.state = state
    this.earlier = witness
    return verdict
  }

  /** How far time is ahead of the truth, in seconds. */
  ahead = (): number => (this.state.time - this.truth) / 1000
}

/** What happens to a machine: [kind, seconds]. */
const events = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom('run', 'sleep'), fc.integer({ min: 1, max: 40 * HOUR })),
    fc.tuple(
      fc.constant('step'),
      fc.integer({ min: -40 * HOUR, max: 40 * HOUR }).filter((seconds) => Math.abs(seconds) > 2),
    ),
    fc.tuple(fc.constant('right'), fc.constant(0)),
  ),
  { maxLength: 12 },
)

function happen(world: World, [kind, seconds]: readonly [string, number]): void {
  if (kind === 'run') world.pass(seconds)
  else if (kind === 'sleep') world.pass(seconds, { suspended: true })
  else if (kind === 'step') world.step(seconds)
  else world.putRight()
}

/** In seconds: what two clocks that are both right may differ by. */
const AGREE = 60

describe('time with a second source, whatever happens to the clock of the machine', () => {
  it('is right after each answer, and the wall clock where that is right', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: -1, max: 1 }), (script, error) => {
        const world = new World()
        world.error = error * 1000
        for (const event of script) {
          happen(world, event)
          expect(world.consult()).not.toBe('unknown')
          expect(Math.abs(world.ahead())).toBeLessThanOrEqual(AGREE + 3)
          if (world.wall === world.truth) expect(world.ahead()).toBe(0)
        }
      }),
    )
  })

  it('is right once the source answers, however much happened before', () => {
    fc.assert(
      fc.property(events, (script) => {
        const world = new World()
        for (const event of script) happen(world, event)
        world.putRight().pass(1)
        expect(world.consult()).not.toBe('unknown')
        expect(Math.abs(world.ahead())).toBeLessThanOrEqual(0.2)
      }),
    )
  })

  it('goes back by an answer alone', () => {
    fc.assert(
      fc.property(events, (script) => {
        const world = new World()
        for (const event of script) {
          const before = world.state.time
          happen(world, event)
          expect(world.state.time).toBeGreaterThanOrEqual(before)
          world.consult()
        }
      }),
    )
  })

  it('ends up the same on two machines with different histories', () => {
    fc.assert(
      fc.property(events, events, (one, other) => {
        const worlds = [one, other].map((script) => {
          const world = new World()
          for (const event of script) {
            happen(world, event)
            world.consult()
          }
          return world
        })
        const [first = 0, second = 0] = worlds.map((world) => world.ahead())
        expect(Math.abs(first - second)).toBeLessThanOrEqual(2 * (AGREE + 3))
      }),
    )
  })

  it('follows the source where it is between the timer and a wall clock that is ahead', () => {
    const world = new World().pass(8 * HOUR, { suspended: true }).step(26 * HOUR)
    expect(world.ahead()).toBe(26 * HOUR)
    expect(world.consult()).toBe('source')
    expect(world.ahead()).toBe(0)
    expect(world.pass(HOUR).ahead()).toBe(0)
    expect(world.pass(8 * HOUR, { suspended: true }).ahead()).toBe(0)
  })

  it.each([-30 * HOUR, 30 * HOUR])('is what it was without a source that contradicts both clocks by %i s', (error) => {
    const world = new World()
    world.error = error * 1000
    world.pass(8 * HOUR, { suspended: true })
    expect(world.consult()).toBe('unknown')
    expect(world.ahead()).toBe(0)
    expect(world.state.doubt).not.toBeNull()
  })

  it('does not go back by a source that went back by itself, and so has the clock of this machine', () => {
    const world = new World().pass(HOUR).step(-2 * HOUR)
    expect(world.consult(world.wall)).toBe('unknown')
    expect(world.ahead()).toBe(0)
  })

  it('goes back where the wall clock, such a source and the timer agree', () => {
    const world = new World().pass(HOUR).step(26 * HOUR)
    expect(world.consult(world.wall)).toBe('wall')
    expect(world.pass(HOUR).ahead()).toBe(26 * HOUR)
    world.putRight()
    expect(world.ahead()).toBe(26 * HOUR)
    expect(world.consult(world.wall)).toBe('wall')
    expect(world.ahead()).toBe(0)
  })
})

describe('the system clock with a second source', () => {
  function started() {
    const machine = steppableMachine('2027-01-15T08:00:00.000Z')
    const source = { ahead: 0, isAway: false, questions: 0 }
    const steps: ClockStep[] = []
    const verdicts: ClockVerdict[] = []
    const clock = createSystemClock({
      sources: machine,
      onStep: (step) => steps.push(step),
      onVerdict: (verdict) => verdicts.push(verdict),
    })
    /** The true time, which the steps of the wall clock do not change. */
    let truth = machine.wallTime()
    clock.consult(async (timer) => {
      source.questions += 1
      if (source.isAway) throw new Error('away')
      return { time: addSeconds(truth, source.ahead).getTime(), timer: timer() }
    })
    const pass = (seconds: number) => {
      machine.run(seconds)
      truth = addSeconds(truth, seconds)
    }
    const sleep = (seconds: number) => {
      machine.step(seconds)
      truth = addSeconds(truth, seconds)
    }
    return { machine, source, steps, verdicts, clock, pass, sleep, answered, truth: () => truth }
  }

  const answered = () => new Promise((resolve) => setImmediate(resolve))

  it('consults it at the start, and never again while no step is seen', async () => {
    const { clock, source, pass, verdicts } = started()
    for (let hour = 0; hour < 100; hour++) {
      pass(HOUR)
      clock.now()
      await answered()
    }
    expect(source.questions).toBe(1)
    expect(verdicts).toEqual([])
  })

  it('takes a wrong step back at once, and is right when the wall clock is', async () => {
    const { machine, clock, truth, pass, verdicts } = started()
    await answered()
    machine.step(26 * HOUR)
    expect(clock.now()).toEqual(machine.wallTime())
    await answered()
    expect(clock.now()).toEqual(truth())
    pass(HOUR)
    expect(clock.now()).toEqual(truth())
    machine.step(-26 * HOUR)
    expect(clock.now()).toEqual(truth())
    await answered()
    pass(HOUR)
    expect(clock.now()).toEqual(truth())
    expect(clock.now()).toEqual(machine.wallTime())
    expect(verdicts).toEqual([
      { verdict: 'source', correctedSeconds: -26 * HOUR, wallAheadSeconds: 26 * HOUR },
      { verdict: 'wall', correctedSeconds: 0, wallAheadSeconds: 0 },
    ])
  })

  it('follows a suspend before the source has answered, and stays there', async () => {
    const { clock, truth, sleep, verdicts } = started()
    await answered()
    sleep(8 * HOUR)
    expect(clock.now()).toEqual(truth())
    await answered()
    expect(clock.now()).toEqual(truth())
    expect(verdicts).toEqual([{ verdict: 'wall', correctedSeconds: 0, wallAheadSeconds: 0 }])
  })

  it('asks again while the source does not answer, and confirms no moment meanwhile', async () => {
    const { machine, source, clock, truth, pass } = started()
    await answered()
    source.isAway = true
    machine.step(26 * HOUR)
    for (let second = 0; second < 20; second++) {
      expect(clock.now()).toEqual(machine.wallTime())
      expect(clock.certain()).toEqual(truth())
      await answered()
      pass(1)
    }
    expect(source.questions).toBeGreaterThan(3)
    expect(source.questions).toBeLessThan(8)
    source.isAway = false
    pass(5)
    clock.now()
    await answered()
    expect(clock.now()).toEqual(truth())
    expect(clock.certain()).toEqual(truth())
  })

  it('takes no answer that another step overtook', async () => {
    const { machine, clock, truth } = started()
    await answered()
    machine.step(26 * HOUR)
    clock.now()
    machine.step(-26 * HOUR)
    clock.now()
    await answered()
    await answered()
    expect(clock.now()).toEqual(truth())
    expect(clock.now()).toEqual(machine.wallTime())
  })

  it('sees a wrong wall clock that is put right slowly, without a step', async () => {
    const { machine, clock, truth, pass } = started()
    await answered()
    machine.step(100)
    clock.now()
    await answered()
    for (let second = 0; second < 2000; second++) {
      pass(1)
      if (second < 1000) machine.step(-0.1)
      clock.now()
      await answered()
    }
    expect(Math.abs(secondsBetween(truth(), clock.now()))).toBeLessThan(0.1)
  })

  it('reports at the start that the two differ, and trusts the wall clock', async () => {
    const machine = steppableMachine('2027-01-15T08:00:00.000Z')
    const verdicts: ClockVerdict[] = []
    const clock = createSystemClock({ sources: machine, onVerdict: (verdict) => verdicts.push(verdict) })
    clock.consult(async (timer) => ({ time: addSeconds(machine.wallTime(), -26 * HOUR).getTime(), timer: timer() }))
    await answered()
    expect(clock.now()).toEqual(machine.wallTime())
    expect(verdicts).toEqual([{ verdict: 'unknown', correctedSeconds: 0, wallAheadSeconds: 26 * HOUR }])
  })

  it('behaves as without one where the source has the clock of this machine', async () => {
    const machine = steppableMachine('2027-01-15T08:00:00.000Z')
    const steps: ClockStep[] = []
    const clock = createSystemClock({ sources: machine, onStep: (step) => steps.push(step) })
    clock.consult(async () => null)
    await answered()
    const before = clock.now()
    machine.step(26 * HOUR)
    expect(clock.now()).toEqual(machine.wallTime())
    expect(clock.certain()).toEqual(before)
    machine.step(-26 * HOUR)
    await answered()
    expect(secondsBetween(before, clock.now())).toBe(26 * HOUR)
    expect(steps.map(({ isConsulted }) => isConsulted)).toEqual([false, false])
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

describe('a moment that was noted earlier', () => {
  const now = new Date('2027-01-15T08:00:00.000Z')
  const at = (seconds: number) => addSeconds(now, seconds)

  it.each([
    [-10, 10, 10],
    [0, 0, 0],
    [60, Number.POSITIVE_INFINITY, -60],
    [61, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('%i seconds ahead has the age %f here, and %f of any instance', (seconds, here, anywhere) => {
    expect(ageHere(at(seconds), now)).toBe(here)
    expect(ageOf(at(seconds), now)).toBe(anywhere)
    expect(isAhead(at(seconds), now)).toBe(seconds > 60)
  })

  it.each([
    [-1, false],
    [0, false],
    [1, true],
    [5, true],
    [5.1, false],
    [26 * HOUR, false],
  ])('ends a wait of five seconds %f seconds from now: it lasts %s', (seconds, expected) => {
    expect(lasts(at(seconds), now, 5)).toBe(expected)
  })
})
