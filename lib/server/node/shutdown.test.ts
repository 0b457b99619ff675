import { afterEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { createShutdown, Interrupted } from './shutdown'

/** Signals are emitted, never sent: the test's own process must survive. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]))

afterEach(() => {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener)
    }
  }
})

function setup() {
  const clock = fixedClock()
  const closed: string[] = []
  const exits: number[] = []
  const errors: string[] = []
  const shutdown = createShutdown({ clock, exit: (code) => exits.push(code), onError: (name) => errors.push(name) })
  const open = (name: string): void =>
    shutdown.onStop(name, () => {
      closed.push(name)
    })
  return { clock, closed, exits, errors, shutdown, open }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('stopping', () => {
  it.each(SIGNALS)('closes what was opened in reverse order at %s, and leaves with success', async (signal) => {
    const { closed, exits, shutdown, open } = setup()
    open('database')
    open('server')
    shutdown.startIsOver()
    process.emit(signal)
    await settled()
    expect(closed).toEqual(['server', 'database'])
    expect(exits).toEqual([0])
  })

  it('takes the same Ctrl-C arriving twice for one, and a later one for impatience', async () => {
    const { clock, closed, exits, shutdown, open } = setup()
    open('server')
    shutdown.startIsOver()
    process.emit('SIGINT')
    process.emit('SIGINT')
    await settled()
    expect(closed).toEqual(['server'])
    expect(exits).not.toContain(1)
    clock.advance(3)
    process.emit('SIGINT')
    expect(exits).toContain(1)
  })

  it('is honoured by a start that is still under way, at its next step', () => {
    const { exits, shutdown, open } = setup()
    open('database')
    process.emit('SIGTERM')
    expect(exits).toEqual([])
    expect(() => open('server')).toThrow(Interrupted)
    expect(() => shutdown.startIsOver()).toThrow(Interrupted)
  })

  it('continues when something does not close, and names it', async () => {
    const { closed, errors, shutdown, open } = setup()
    open('database')
    shutdown.onStop('outbox', () => Promise.reject(new Error('away')))
    shutdown.onStop('pages', () => {
      throw new Error('at once')
    })
    await shutdown.stop()
    expect(closed).toEqual(['database'])
    expect(errors).toEqual(['pages', 'outbox'])
  })
})
