// Reports the progress of a launcher: each step by name, how long it takes, and how it failed.
import { inspect } from 'node:util'
import { outliveReader } from '../../../kernel/closed-reader.mjs'

/** A failure that the user can fix: the message says how, and no stack trace is shown. */
export class LaunchError extends Error {}

let isLog = false

/** Of the launcher of a server: without a terminal its lines have the shape of the server's log. */
export function writeLog() {
  isLog = !process.stdout.isTTY
}

const EVERY_MS = 15_000

/**
 * Runs one step under its name.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const startedAt = performance.now()
  const say = (more) => console.log(isLog ? record('info', label + more) : label + more)
  say(' …')
  const ticker = setInterval(() => say(` … ${Math.round((performance.now() - startedAt) / 1000)} s`), EVERY_MS)
  return work().finally(() => clearInterval(ticker))
}

/** Runs a launcher: a LaunchError prints its sentence, and a failure never exits with code 0. */
export async function launch(main) {
  outliveReader([process.stdout, process.stderr])
  try {
    await main()
  } catch (error) {
    if (isLog) console.error(record('fatal', error instanceof LaunchError ? error.message : inspect(error)))
    else console.error(error instanceof LaunchError ? error.message : error)
    process.exitCode = 1
  }
}

const record = (level, msg) => JSON.stringify({ level, time: new Date().toISOString(), msg })
