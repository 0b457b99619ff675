// How many tests passed and failed, from the reports of vitest and Playwright. A file that could not even be loaded
// holds no test that failed, yet must never look like success: it counts as one.
import { readFile } from 'node:fs/promises'

/** @typedef {{ passed: number, failed: number }} Counts */

/** @returns {Counts} */
export function countVitest(report) {
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable.length }
}

/** @returns {Counts} */
export function countPlaywright(report) {
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed: report.stats.unexpected + report.errors.length,
  }
}

/**
 * Reads one report. A runner that failed without saying which test did counts as one failure.
 * @param {string} path
 * @param {(report: object) => Counts} count
 * @param {number} exitCode
 * @returns {Promise<Counts>}
 */
export async function readCounts(path, count, exitCode) {
  const counts = await readFile(path, 'utf8').then(
    (text) => count(JSON.parse(text)),
    () => ({ passed: 0, failed: 0 }),
  )
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
