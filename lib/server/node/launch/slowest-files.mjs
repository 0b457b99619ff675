// The slowest test files of a run, for its last lines.
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** @typedef {Record<string, number>} Seconds by file */

/** The seconds that durations-reporter.mjs or a report of Playwright has; none if there is no report. */
export async function readSeconds(path, read = (seconds) => seconds) {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? {} : read(JSON.parse(text))
}

/** The tests of a file may run side by side: the sum of their durations. @returns {Seconds} */
export function playwrightSeconds({ config, suites }) {
  const seconds = {}
  for (const { file, tests } of specsOf(suites)) {
    const name = relative('', join(config.rootDir, file))
    const results = tests.flatMap((test) => test.results)
    seconds[name] = (seconds[name] ?? 0) + results.reduce((sum, { duration }) => sum + duration, 0) / 1000
  }
  return seconds
}

export const specsOf = (suites = []) => suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites)])

/** @param {Seconds} seconds @param {number} count @returns {string[]} */
export const slowestFiles = (seconds, count) =>
  Object.entries(seconds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, taken]) => `${taken.toFixed(1).padStart(7)} s  ${file}`)
