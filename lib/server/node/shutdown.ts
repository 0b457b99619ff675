// Shutdown: closes everything that was opened, in reverse order, exactly once.
// - A signal during the start takes effect as soon as the current step ends, so that nothing keeps running.
// - npm and the terminal both forward Ctrl-C, so a second signal forces the exit only after a delay.
import { type Clock, secondsBetween } from '../../kernel/clock'

export type Shutdown = {
  /** Registers a resource to close. Throws Interrupted if the shutdown has started. */
  onStop(name: string, close: () => Promise<void> | void): void
  /** The start is complete: from now on a signal stops at once. Throws Interrupted if a signal came before. */
  startIsOver(): void
  stop(): Promise<void>
}

/** Not a failure: a signal interrupted the start. */
export class Interrupted extends Error {}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const IMPATIENT_AFTER_SECONDS = 2

type Deps = { clock: Clock; onError(name: string, error: unknown): void; exit(code: number): void }

export function createShutdown({ clock, onError, exit }: Deps): Shutdown {
  const closers: { name: string; close: () => Promise<void> | void }[] = []
  let stopRequestedAt: Date | undefined
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
    if (stopRequestedAt) throw new Interrupted('stopped while starting')
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopRequestedAt && secondsBetween(stopRequestedAt, clock.now()) > IMPATIENT_AFTER_SECONDS) exit(1)
      stopRequestedAt ??= clock.now()
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
