// `npm test`: unit, endpoint and store tests, then third-party clients, crashes and browsers against a production build.
// `-- --check` also runs the checks of `npm run check`; all of them together count as one failure.
// The output ends with the slowest files, all failures in one place and the line `N passed, N failed`. The exit code agrees with it.
// One stage after the other: two stages on two processors would slow each other down until a limit of time is reached.
// The checks come before the build: Next writes types while it builds, and the compiler would read half of them.
import './launch/node-version.mjs'
import { mkdir, rm } from 'node:fs/promises'
import { ensureBuilt } from './build.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureChromium } from './launch/chromium.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { capture, show } from './launch/run.mjs'
import { playwrightSeconds, readSeconds, slowestFiles } from './launch/slowest-files.mjs'
import { launch } from './launch/step.mjs'
import { failure, readOutcome, readPlaywright, readVitest } from './launch/test-outcome.mjs'

const SLOWEST = 10

const reports = inRoot('test-results', 'reports')
const report = (name) => inRoot('test-results', 'reports', `${name}.json`)
const secondsOf = (name) => report(`${name}-seconds`)

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureGenerated()
  const browsers = await ensureChromium()
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  const outcomes = await checkAndBuild()
  const isBuilt = outcomes.every(({ broken }) => !broken)
  outcomes.push(await runVitest('unit'))
  if (isBuilt) {
    outcomes.push(await runVitest('interop', '--config=e2e/interop/vitest.config.ts'))
    outcomes.push(await runPlaywright(browsers))
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  console.log(`\nThe slowest files:\n${(await slowest()).join('\n')}`)
  for (const failed of failures) console.log(`\nFAILED ${failed}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  if (failures.length > 0) process.exitCode = 1
})

/** The checks if they are asked for, and the build. */
async function checkAndBuild() {
  const checked = process.argv.includes('--check') ? [await runChecks()] : []
  try {
    await ensureBuilt('server', 'commands', 'next')
  } catch (error) {
    return [...checked, { passed: 0, failures: [failure('npm run build', 'the build', [error.message])], broken: true }]
  }
  return checked
}

async function runChecks() {
  const { code, output } = await capture(process.execPath, [inRoot('lib', 'server', 'node', 'check.mjs')])
  console.log(output.trim())
  return { passed: 0, failures: code === 0 ? [] : [failure('npm run check', 'the checks', [output])] }
}

async function runVitest(name, ...options) {
  const path = report(name)
  const args = [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--reporter=${inRoot('lib', 'server', 'node', 'launch', 'durations-reporter.mjs')}`,
    `--outputFile.json=${path}`,
  ]
  const env = { DURATIONS_FILE: secondsOf(name) }
  return readOutcome(path, readVitest, await show(process.execPath, args, env))
}

async function runPlaywright({ chromium, shell }) {
  const path = report('playwright')
  const args = [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config=e2e/playwright.config.ts',
    '--reporter=list,json',
  ]
  const env = { CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: shell, PLAYWRIGHT_JSON_OUTPUT_NAME: path }
  return readOutcome(path, readPlaywright, await show(process.execPath, args, env))
}

async function slowest() {
  const [unit, interop, browser] = await Promise.all([
    readSeconds(secondsOf('unit')),
    readSeconds(secondsOf('interop')),
    readSeconds(report('playwright'), playwrightSeconds),
  ])
  return slowestFiles({ ...unit, ...interop, ...browser }, SLOWEST)
}
