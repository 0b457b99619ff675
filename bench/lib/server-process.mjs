// A server under test as a child process: started, awaited, timed, stopped. Its output goes to a file in the run's folder and
// is shown if it crashes.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { treeMicroseconds } from './proc.mjs'

const POLL_MS = 4
const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 10_000

const answers = (url) =>
  fetch(url).then(
    (response) => response.arrayBuffer().then(() => response.ok),
    () => false,
  )

/** Starts `node ...args`, waits for the first successful response from `url`, and returns the duration. */
export async function startServer({ args, env, cwd, url, log }) {
  const output = openSync(log, 'a')
  const started = performance.now()
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', output, output] })
  closeSync(output)
  let running = true
  const exited = new Promise((resolve) => {
    child.once('exit', () => {
      running = false
      resolve()
    })
  })

  async function stop() {
    if (!running) return
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await exited
    clearTimeout(limit)
  }

  while (!(await answers(url))) {
    const late = performance.now() - started > START_LIMIT_MS
    if (running && !late) {
      await sleep(POLL_MS)
      continue
    }
    await stop()
    throw new Error(
      `${args.join(' ')} ${late ? 'did not answer' : 'ended'}:\n${readFileSync(log, 'utf8').slice(-3000)}`,
    )
  }
  return { pid: child.pid, milliseconds: performance.now() - started, stop }
}

/** Waits until the process is idle: background preparation must not be measured. */
export async function settle(pid, limitMs = 20_000) {
  const until = performance.now() + limitMs
  while (performance.now() < until) {
    const before = treeMicroseconds(pid)
    await sleep(500)
    if (treeMicroseconds(pid) - before < 10_000) return
  }
}
