// What a launcher tells the person who waits: each step by name, its progress after a second, and how it ended.

/** Something the person can put right; the message says how, and no stack is shown. */
export class LaunchError extends Error {}

const TICK_MS = 1000
/** Where lines cannot be rewritten (a log), a sign of life this often. */
const LOG_EVERY_SECONDS = 15

/**
 * Runs one step under its name.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const ticker = setInterval(() => showProgress(label, seconds()), TICK_MS)
  if (!process.stdout.isTTY) console.log(`${label} …`)
  else process.stdout.write(`${label} …`)
  try {
    const result = await work()
    if (process.stdout.isTTY) rewrite(`${label}: done in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    if (process.stdout.isTTY) process.stdout.write('\n')
    throw error
  } finally {
    clearInterval(ticker)
  }
}

/** Runs a launcher to its end: a LaunchError becomes its sentence, and the exit code is never 0 after a failure. */
export async function launch(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error)
    process.exitCode = 1
  }
}

function showProgress(label, seconds) {
  if (process.stdout.isTTY) rewrite(`${label} … ${seconds} s`)
  else if (seconds % LOG_EVERY_SECONDS === 0) console.log(`${label} … ${seconds} s`)
}

function rewrite(text) {
  process.stdout.write(`\r\u001b[K${text}`)
}
