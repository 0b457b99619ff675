// Counts the passed tests and lists the failed ones with reasons and the skipped ones, from the reports of vitest and Playwright. A file that
// could not be loaded contains no failed test, but must not look like success: it counts as one failure.
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { specsOf } from './slowest-files.mjs'

/** @typedef {{ passed: number, failures: string[], skipped: string[] }} Outcome each failure with its file, its name and its reason */

const RAN = ['passed', 'failed']

/** @returns {Outcome} */
export function readVitest(report) {
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (failed.length > 0) return failed.map((test) => failure(file.name, test.fullName, test.failureMessages))
    return file.status === 'failed' ? [failure(file.name, 'the whole file', [file.message])] : []
  })
  const skipped = report.testResults.flatMap((file) =>
    file.assertionResults.filter(({ status }) => !RAN.includes(status)).map((test) => titled(file.name, test.fullName)),
  )
  return outcome(report.numPassedTests, failures, skipped)
}

/** @returns {Outcome} */
export function readPlaywright(report) {
  const unexpected = specsOf(report.suites).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => failure(spec.file, spec.title, reasons(test))),
  )
  const outside = report.errors.map((error) => failure('Playwright', 'outside any test', [error.message]))
  const skipped = specsOf(report.suites).flatMap((spec) =>
    spec.tests.filter((test) => test.status === 'skipped').map(() => titled(spec.file, spec.title)),
  )
  return outcome(report.stats.expected + report.stats.flaky, [...unexpected, ...outside], skipped)
}

/** A failure may leave other tests without a result: they were not skipped. @returns {Outcome} */
const outcome = (passed, failures, skipped) => ({ passed, failures, skipped: failures.length > 0 ? [] : skipped })

/**
 * Reads one report. A runner that failed without saying which test did counts as one failure.
 * @param {string} path
 * @param {(report: object) => Outcome} read
 * @param {number} exitCode
 * @returns {Promise<Outcome>}
 */
export async function readOutcome(path, read, exitCode) {
  const result = await readFile(path, 'utf8').then(
    (text) => read(JSON.parse(text)),
    () => ({ passed: 0, failures: [], skipped: [] }),
  )
  if (exitCode === 0 || result.failures.length > 0) return result
  return { ...result, failures: [failure(path, `its runner ended with ${exitCode}`, ['No test failed, see above.'])] }
}

const reasons = (test) => test.results.flatMap((result) => result.errors.map((error) => error.stack ?? error.message))

export function failure(file, name, messages = []) {
  const text = stripVTControlCharacters(messages.filter(Boolean).join('\n'))
  return [titled(file, name), ...text.split('\n').slice(0, 30)].join('\n    ')
}

const titled = (file, name) => `${relative('', file)} › ${name}`
