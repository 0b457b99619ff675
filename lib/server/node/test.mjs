// `npm test`: unit, endpoint and store tests, then third-party clients, crashes and browsers against a production build.
// `-- --check` also runs the checks of `npm run check`, which count as one failure together, and fails for each test that was skipped because
// the machine lacks a tool.
// The output ends with the slowest files, all failures in one place and the line `N passed, N failed`. The exit code agrees with it.
// docs/adr/0063-stages-of-the-gate-side-by-side.md says which stages run side by side, and why.
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
const INTEROP = '--config=e2e/interop/vitest.config.ts'

const reports = inRoot('test-results', 'reports')
const report = (name) => inRoot('test-results', 'reports', `${name}.json`)
const secondsOf = (name) => report(`${name}-seconds`)

const isGate = process.argv.includes('--check')

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureGenerated()
  const browsers = await ensureChromium()
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  const outcomes = await runStages(browsers)
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const skipped = outcomes.flatMap((outcome) => outcome.skipped)
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  if (isGate) failures.push(...skipped.map((test) => `${test}\n    It was skipped: this machine lacks its tool.`))
  console.log(`\nThe slowest files:\n${(await slowest()).join('\n')}`)
  console.log(`\nTests skipped because this machine lacks a tool: ${skipped.length}`)
  for (const failed of failures) console.log(`\nFAILED ${failed}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  if (failures.length > 0) process.exitCode = 1
})

/** Unit tests need no build. Browsers come last, alone: a page that another stage slows down would run into a limit of time. */
async function runStages(browsers) {
  const [unit, [isBuilt, ...outcomes]] = await Promise.all([runVitest('unit', show), buildAndInterop()])
  if (isBuilt) outcomes.push(await runPlaywright(browsers))
  return [unit, ...outcomes]
}

/** The checks come after the build, because Next writes types while it builds, and the compiler would read half of them. */
async function buildAndInterop() {
  try {
    await ensureBuilt('server', 'commands', 'next')
  } catch (error) {
    return [false, fault('npm run build', 'the build', error.message), ...(isGate ? [await runChecks()] : [])]
  }
  return [true, ...(await Promise.all([runVitest('interop', showWhole, INTEROP), ...(isGate ? [runChecks()] : [])]))]
}

async function runChecks() {
  const { code, output } = await capture(process.execPath, [inRoot('lib', 'server', 'node', 'check.mjs')])
  console.log(output.trim())
  return code === 0 ? { passed: 0, failures: [], skipped: [] } : fault('npm run check', 'the checks', output)
}

function fault(program, name, message) {
  return { passed: 0, failures: [failure(program, name, [message])], skipped: [] }
}

/** @param {typeof show} run @returns {Promise<import('./launch/test-outcome.mjs').Outcome>} */
async function runVitest(name, run, ...options) {
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
  return readOutcome(path, readVitest, await run(process.execPath, args, env))
}

/** Shows the output at the end, so that it does not mix with that of another stage. @type {typeof show} */
async function showWhole(program, args, env) {
  const { code, output } = await capture(program, args, env)
  console.log(output.trim())
  return code
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
