// Stopping: what was opened is closed in reverse order, once, however often it is asked for.
// - A signal that comes while the server is still starting is honoured as soon as the step under way ends, so nothing
//   that was started is left running.
// - npm and the terminal both pass Ctrl-C on, so a second signal counts as impatience only after a while.
import { type Clock, secondsBetween } from '../kernel/clock'

export type Shutdown = {
  /** Registers what must be closed; throws Interrupted when stopping has begun. */
  onStop(name: string, close: () => Promise<void> | void): void
  /** The start is over: from now on a signal stops at once. Throws Interrupted when one came before. */
  startIsOver(): void
  stop(): Promise<void>
}

/** Not a failure: somebody asked the start to stop. */
export class Interrupted extends Error {}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const IMPATIENT_AFTER_SECONDS = 2

type Deps = { clock: Clock; onError(name: string, error: unknown): void; exit(code: number): void }

export function createShutdown({ clock, onError, exit }: Deps): Shutdown {
  const closers: { name: string; close: () => Promise<void> | void }[] = []
  let askedAt: Date | undefined
  let started = false
  let stopping: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    for (const { name, close } of closers.reverse()) {
      await Promise.resolve()
        .then(close)
        .catch((error: unknown) => onError(name, error))
    }
  }

  const stop = (): Promise<void> => {
    stopping ??= closeAll()
    return stopping
  }

  const checkpoint = (): void => {
    if (askedAt) throw new Interrupted('stopped while starting')
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (askedAt && secondsBetween(askedAt, clock.now()) > IMPATIENT_AFTER_SECONDS) exit(1)
      askedAt ??= clock.now()
      if (started) void stop().then(() => exit(0))
    })
  }

  return {
    onStop(name, close) {
      closers.push({ name, close })
      checkpoint()
    },
    startIsOver() {
      checkpoint()
      started = true
    },
    stop,
  }
}
