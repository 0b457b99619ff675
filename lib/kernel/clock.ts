// Time as a dependency. Everything that decides by time takes a Clock, so tests choose the time.
// The system clock counts from process start on the monotonic timer: stepping the machine's
// wall clock can neither revive an expired secret nor lift a lock-out.

export type Clock = { now(): Date }

export const systemClock: Clock = {
  now: () => new Date(performance.timeOrigin + performance.now()),
}

/** For processes that are frozen between requests, where the monotonic timer may stand still meanwhile. */
export const wallClock: Clock = { now: () => new Date() }

/** A clock that stands still until told to advance. */
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
