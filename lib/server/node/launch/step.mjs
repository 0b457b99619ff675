// Reports the progress of a launcher: each step by name, its progress after a second, and its result.
import { inspect } from 'node:util'
import { outliveReader } from '../../../kernel/closed-reader.mjs'

/** A failure that the user can fix: the message says how, and no stack trace is shown. */
export class LaunchError extends Error {}

let isLog = false

/** Of the launcher of a server: without a terminal its lines have the shape of the server's log. */
export function writeLog() {
  isLog = !process.stdout.isTTY
}

const TICK_MS = 1000
/** The interval of progress lines if lines cannot be rewritten (a log). */
const LOG_EVERY_SECONDS = 15

/**
 * Runs one step under its name.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const ticker = setInterval(() => showProgress(label, seconds()), TICK_MS)
  if (!process.stdout.isTTY) say(`${label} …`)
  else process.stdout.write(`${label} …`)
  try {
    const result = await work()
    if (process.stdout.isTTY) rewrite(`${label}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    if (process.stdout.isTTY) process.stdout.write('\n')
    throw error
  } finally {
    clearInterval(ticker)
  }
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

function showProgress(label, seconds) {
  if (process.stdout.isTTY) rewrite(`${label} … ${seconds} s`)
  else if (seconds % LOG_EVERY_SECONDS === 0) say(`${label} … ${seconds} s`)
}

function say(msg) {
  console.log(isLog ? record('info', msg) : msg)
}

const record = (level, msg) => JSON.stringify({ level, time: new Date().toISOString(), msg })

function rewrite(text) {
  process.stdout.write(`\r\u001b[K${text}`)
}
