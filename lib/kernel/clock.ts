// Time as a dependency. Everything that decides by time takes a Clock, so tests choose the time.
// The system clock (docs/adr/0026) never goes back, so a step of the machine's wall clock can neither revive an expired
// secret nor lift a lock-out:
// - A forward step is followed at once: the monotonic timer stands still while a machine is suspended or frozen.
// - A backward step is not followed. Time then runs at MIN_RATE until the wall clock has caught up; it never stops, so
//   every lease and lock-out still ends.

export type Clock = { now(): Date }

/** A step of the wall clock, positive for forward, and how far time is ahead of the wall clock after it. */
export type ClockStep = { seconds: number; aheadSeconds: number }

/** What the system clock reads, in milliseconds: `wall` since 1970, `timer` monotonic since any moment. */
export type TimeSources = { wall(): number; timer(): number }

type SystemClockOptions = { sources?: TimeSources; onStep?: (step: ClockStep) => void }

const MACHINE: TimeSources = { wall: () => Date.now(), timer: () => performance.now() }

/** Faster than any slewing of NTP (500 ppm) lets the wall clock fall behind. */
const MIN_RATE = 0.9

/** The difference between wall clock and timer from one reading to the next that is a step, and not their drift. */
const MIN_STEP_MS = 2000

export function createSystemClock({ sources = MACHINE, onStep }: SystemClockOptions = {}): Clock {
  let lastWall = sources.wall()
  let lastTimer = sources.timer()
  let time = lastWall
  return {
    now() {
      const wall = sources.wall()
      const timer = sources.timer()
      const elapsed = timer - lastTimer
      const step = wall - lastWall - elapsed
      lastWall = wall
      lastTimer = timer
      time = Math.max(wall, time + MIN_RATE * elapsed)
      if (onStep && Math.abs(step) >= MIN_STEP_MS) onStep({ seconds: step / 1000, aheadSeconds: (time - wall) / 1000 })
      return new Date(time)
    },
  }
}

/** For what has no log to report a step to. */
export const systemClock: Clock = createSystemClock()

/** A clock that moves only by `advance`. */
export type FixedClock = Clock & { advance(seconds: number): void }

export function fixedClock(at: string | Date = '2027-01-15T08:00:00.000Z'): FixedClock {
  let time = new Date(at).getTime()
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000
    },
  }
}

/** Whole seconds since 1970, the unit of every JWT time claim. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)

export const secondsBetween = (earlier: Date, later: Date): number => (later.getTime() - earlier.getTime()) / 1000
