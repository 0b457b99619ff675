// Time as a dependency. Everything that decides by time takes a Clock, so tests choose the time.
// The system clock (docs/adr/0048) follows the machine's wall clock forward at once, because the monotonic timer stands still while
// a machine is suspended or frozen, and does not go back by itself, so that a step of the wall clock can neither revive an
// expired secret nor lift a lock-out. It then runs at MIN_RATE until the wall clock has caught up, so every lease still ends.
// A second source of time (the database) is consulted after each step, and its answer corrects the time in both directions.

export type Clock = { now(): Date }

/** What is removed by time asks such a clock. */
export type CertainClock = Clock & {
  /**
   * A moment that has certainly come: the present, or while no second source has confirmed a step, no later than the timer counts
   * from before it.
   */
  certain(): Date
}

export type SystemClock = CertainClock & {
  /** From now on this source is consulted, first at once: what it says before a step shows later whether it stepped too. */
  consult(source: SecondSource): void
}

/** A reading of the machine, in milliseconds: `wall` since 1970, `timer` monotonic since any moment. */
export type ClockReading = { wall: number; timer: number }

export type TimeSources = { wall(): number; timer(): number }

/** What the second source says: its time, in milliseconds since 1970, when the timer read this. */
export type Witness = { time: number; timer: number }

/** Null if it has the clock of this machine, and so is no second source. Rejects if it does not answer. */
export type SecondSource = (timer: () => number) => Promise<Witness | null>

/** A step of the wall clock, positive for forward, and how far time is ahead of the wall clock after it. */
export type ClockStep = { seconds: number; aheadSeconds: number; isConsulted: boolean }

export type ClockDecision =
  /** The wall clock is right, and time follows it. */
  | 'wall'
  /** The wall clock is wrong, and time follows the second source. */
  | 'source'
  /** The sources contradict each other: time stays what it was without the second one. */
  | 'unknown'

/** `correctedSeconds`: how far time moved, positive for forward; `wallAheadSeconds`: of the second source. */
export type ClockVerdict = { verdict: ClockDecision; correctedSeconds: number; wallAheadSeconds: number }

const MACHINE: TimeSources = { wall: () => Date.now(), timer: () => performance.now() }

/** Faster than any slewing of NTP (500 ppm) lets the wall clock fall behind. */
const MIN_RATE = 0.9

/** The difference between wall clock and timer from one reading to the next that is a step, and not their drift. */
const MIN_STEP_MS = 2000

/** The largest difference, in milliseconds, of two clocks that are both right. */
const AGREE_MS = 60_000

/** Of a timer against another machine's clock, per millisecond. */
const DRIFT = 2e-4

/** While the wall clock is wrong or the time unconfirmed, the second source is consulted so often; it may also have been unavailable. */
const AGAIN_MS = 60_000
const RETRY_MS = 5000

export type TimeState = ClockReading & {
  time: number
  /** Added to the wall clock, which is wrong by so much; 0 while it is believed. */
  offset: number
  /** Set by a step, until the second source has confirmed the time: what was added to the timer before it. */
  doubt: number | null
  /** The same of the last step that was confirmed. */
  before: number | null
}

export const startTime = ({ wall, timer }: ClockReading): TimeState => ({
  wall,
  timer,
  time: wall,
  offset: 0,
  doubt: null,
  before: null,
})

/** The size of a step between two readings; 0 for none. */
export function stepBetween(before: ClockReading, { wall, timer }: ClockReading): number {
  const step = wall - before.wall - (timer - before.timer)
  return Math.abs(step) >= MIN_STEP_MS ? step : 0
}

/** Time at the next reading, without a second source. */
export function advance(state: TimeState, reading: ClockReading): TimeState {
  const { wall, timer } = reading
  const { offset, before } = state
  const time = Math.max(wall + offset, state.time + MIN_RATE * (timer - state.timer))
  const doubt = state.doubt ?? (stepBetween(state, reading) === 0 ? null : state.time - state.timer)
  return { wall, timer, time, offset, doubt, before }
}

/**
 * Time after an answer of the second source. `earlier` is its last answer.
 * - Where it agrees with the wall clock, that is right. A wall clock that was wrong and has stepped is right if it is near.
 * - Where it agrees with the timer, or says a time between the two, the wall clock is wrong: the timer alone may be behind, and so
 *   may be the present time, which follows a wall clock that was wrong before.
 * - A source that went back itself may have the clock of this machine. It does not confirm that time goes back, unless the timer
 *   agrees: both went back by as much as they had stepped forward.
 */
export function settle(
  state: TimeState,
  witness: Witness,
  earlier: Witness | null,
): { state: TimeState; verdict: ClockDecision } {
  const { wall, timer, time, doubt, before } = state
  const at = (one: Witness): number => one.time + timer - one.timer
  const witnessed = at(witness)
  const counted = doubt === null ? time : doubt + timer
  const agrees = (anchor: number | null): boolean => anchor !== null && Math.abs(witnessed - anchor - timer) <= AGREE_MS
  const slack = state.offset !== 0 && doubt !== null ? AGREE_MS : MIN_STEP_MS
  const isWall = Math.abs(witnessed - wall) <= Math.min(AGREE_MS, Math.abs(witnessed - counted) + slack)
  const isBetween =
    witnessed >= Math.min(wall, counted, time) - AGREE_MS && witnessed <= Math.max(wall, counted, time) + AGREE_MS
  const wentBack = earlier !== null && witnessed < at(earlier) - AGREE_MS - DRIFT * (timer - earlier.timer)
  const isConfirmed = witnessed >= time - AGREE_MS || !wentBack || agrees(doubt) || agrees(before)
  if (!isBetween || !isConfirmed) return { state, verdict: 'unknown' }
  const next = isWall ? wall : witnessed
  const settled = { ...state, time: next, offset: next - wall, doubt: null, before: doubt ?? before }
  return { state: settled, verdict: isWall ? 'wall' : 'source' }
}

type SystemClockOptions = {
  sources?: TimeSources
  onStep?: (step: ClockStep) => void
  onVerdict?: (verdict: ClockVerdict) => void
}

export function createSystemClock({ sources = MACHINE, onStep, onVerdict }: SystemClockOptions = {}): SystemClock {
  const read = (): ClockReading => ({ wall: sources.wall(), timer: sources.timer() })
  let state = startTime(read())
  let source: SecondSource | undefined
  let earlier: Witness | null = null
  let consultAt = Number.POSITIVE_INFINITY
  let steps = 0
  let reported: ClockDecision = 'wall'

  const look = (): TimeState => {
    const before = state
    state = advance(before, read())
    const step = stepBetween(before, state)
    if (step !== 0) {
      steps += 1
      consultAt = state.timer
      const isConsulted = source !== undefined
      onStep?.({ seconds: step / 1000, aheadSeconds: (state.time - state.wall) / 1000, isConsulted })
    }
    if (source !== undefined && state.timer >= consultAt) void consultNow(source)
    return state
  }

  /** An answer that a step overtook says nothing: the step has consulted the source anew. */
  async function consultNow(from: SecondSource): Promise<void> {
    consultAt = Number.POSITIVE_INFINITY
    const asOf = steps
    const witness = await from(sources.timer).catch(() => undefined)
    if (witness === null) source = undefined
    if (witness === null || steps !== asOf) return
    look()
    if (steps !== asOf) return
    if (witness === undefined) consultAt = state.timer + RETRY_MS
    else accept(witness)
  }

  function accept(witness: Witness): void {
    const from = state
    const { state: settled, verdict } = settle(from, witness, earlier)
    state = settled
    earlier = witness
    if (state.offset !== 0 || state.doubt !== null) consultAt = state.timer + AGAIN_MS
    const corrected = state.time - from.time
    const isSettled = from.doubt !== null && state.doubt === null
    if (verdict === reported && !isSettled && Math.abs(corrected) < MIN_STEP_MS) return
    reported = verdict
    const wallAhead = state.wall - (witness.time + state.timer - witness.timer)
    onVerdict?.({ verdict, correctedSeconds: corrected / 1000, wallAheadSeconds: wallAhead / 1000 })
  }

  return {
    now: () => new Date(look().time),
    certain() {
      const { time, timer, doubt } = look()
      return new Date(doubt === null ? time : Math.min(time, doubt + timer))
    },
    consult(second) {
      source = second
      consultAt = Number.NEGATIVE_INFINITY
      look()
    },
  }
}

/** For what has no log to report a step to. */
export const systemClock: SystemClock = createSystemClock()

/** A clock that moves only by `advance`. */
export type FixedClock = CertainClock & { advance(seconds: number): void }

export function fixedClock(at: string | Date = '2027-01-15T08:00:00.000Z'): FixedClock {
  let time = new Date(at).getTime()
  const now = (): Date => new Date(time)
  return {
    now,
    certain: now,
    advance: (seconds) => {
      time += seconds * 1000
    },
  }
}

/** Whole seconds since 1970, the unit of every JWT time claim. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)

/** `wanted` is in milliseconds. */
export const sooner = (end: Date, wanted: number | undefined): Date =>
  wanted === undefined ? end : new Date(Math.min(end.getTime(), wanted))

export const secondsBetween = (earlier: Date, later: Date): number => (later.getTime() - earlier.getTime()) / 1000

/** Clocks of instances differ by less. A moment that is further ahead was noted by a clock that was wrong. */
export const MAX_SKEW_SECONDS = 60

/** Whether a stored moment of the past was noted by a clock that was wrong. */
export const isAhead = (noted: Date, now: Date): boolean => secondsBetween(now, noted) > MAX_SKEW_SECONDS

/**
 * How far the clock of an identity provider may differ from ours, in both directions, for every time in its answers (RFC 7519 4.1.4;
 * threat-model.md SP4).
 */
export const PROVIDER_SKEW_SECONDS = 180

/** How many seconds ago this process noted a moment: endless where time went back since, so that what waits for it waits no more. */
export function ageHere(noted: Date, now: Date): number {
  const age = secondsBetween(noted, now)
  return age < 0 ? Number.POSITIVE_INFINITY : age
}

/** The same of a moment that any instance noted. */
export const ageOf = (noted: Date, now: Date): number =>
  isAhead(noted, now) ? Number.POSITIVE_INFINITY : secondsBetween(noted, now)

/** Whether a wait that this process began ends later; no wait is longer than `most` seconds, whatever time was when it began. */
export function lasts(until: Date, now: Date, most: number): boolean {
  const left = secondsBetween(now, until)
  return left > 0 && left <= most
}
