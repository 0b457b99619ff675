// The two clocks of a machine, moved by a test: `run` lets time pass, `step` changes the wall clock only, like a resumed laptop
// or a correction.
import type { TimeSources } from '../kernel/clock'

export type SteppableMachine = TimeSources & {
  run(seconds: number): void
  step(seconds: number): void
  wallTime(): Date
}

export function steppableMachine(at: string | Date): SteppableMachine {
  let wall = new Date(at).getTime()
  let timer = 0
  return {
    wall: () => wall,
    timer: () => timer,
    run(seconds) {
      wall += seconds * 1000
      timer += seconds * 1000
    },
    step(seconds) {
      wall += seconds * 1000
    },
    wallTime: () => new Date(wall),
  }
}
