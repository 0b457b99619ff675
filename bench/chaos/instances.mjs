// The two instances: started, stopped by a signal, restarted on the same ports. An instance that exits without a signal is a
// broken guarantee.
import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Only detects an instance that never becomes ready; the duration of a start is not judged. */
const START_LIMIT_MS = 240_000
const POLL_MS = 20
/** For the faults of the clock. */
const STEPPABLE = ['--require', join(import.meta.dirname, 'step-clock.cjs')]

/** `preload`: Node arguments before the server. With `onMessage` the process may send messages. */
export function createInstance({ root, folder, name, port, env, journal, preload = STEPPABLE, onMessage }) {
  const clock = join(folder, `${name}.clock`)
  let child
  let expected = false

  async function start(added = {}, output = join(folder, `${name}.log`)) {
    const file = openSync(output, 'a')
    expected = false
    child = spawn(process.execPath, [...preload, join(root, 'dist/server.js')], {
      cwd: root,
      env: { ...env, PORT: String(port), CHAOS_CLOCK: clock, ...added },
      stdio: ['ignore', file, file, ...(onMessage ? ['ipc'] : [])],
    })
    closeSync(file)
    if (onMessage) child.on('message', onMessage)
    child.once('exit', (code, signal) => {
      if (!expected) journal.breach(`instance ${name} ended by itself (${signal ?? code})`)
    })
    await untilReady()
  }

  async function untilReady() {
    const until = performance.now() + START_LIMIT_MS
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    while (!(await ready())) {
      if (isGone()) throw new Error(`instance ${name} ended while it started`)
      if (performance.now() > until) throw new Error(`instance ${name} was not ready in time`)
      await sleep(POLL_MS)
    }
  }

  const isGone = () => child === undefined || child.exitCode !== null || child.signalCode !== null

  return {
    name,
    port,
    start,
    pid: () => child.pid,
    /** Sets the instance's wall clock ahead of the machine's, or back. */
    stepClock(aheadSeconds) {
      writeFileSync(clock, String(aheadSeconds))
      child.kill('SIGUSR2')
    },
    send: (message) => child.send(message),
    async end(which) {
      if (isGone()) return
      expected = true
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(which)
      await ended
    },
  }
}
