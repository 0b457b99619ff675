// `npm test`: unit, endpoint and store tests, then third-party clients, crashes and browsers against a production build.
// The output ends with all failures in one place and the line `N passed, N failed`. The exit code agrees with it.
import './launch/node-version.mjs'
import { mkdir, rm } from 'node:fs/promises'
import { ensureBuilt } from './build.mjs'
import { ensureClient } from './generate.mjs'
import { ensureChromium } from './launch/chromium.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { show } from './launch/run.mjs'
import { launch } from './launch/step.mjs'
import { readOutcome, readPlaywright, readVitest } from './launch/test-outcome.mjs'

const reports = inRoot('test-results', 'reports')
const report = (name) => inRoot('test-results', 'reports', `${name}.json`)

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureClient()
  const chromium = await ensureChromium()
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  const outcomes = [await runVitest('unit')]
  await ensureBuilt('server', 'commands', 'next')
  outcomes.push(await runVitest('interop', '--config=e2e/interop/vitest.config.ts'))
  outcomes.push(await runPlaywright(chromium))
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  for (const failure of failures) console.log(`\nFAILED ${failure}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
  if (failures.length > 0) process.exitCode = 1
})

async function runVitest(name, ...options) {
  const path = report(name)
  const args = [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  ]
  return readOutcome(path, readVitest, await show(process.execPath, args))
}

async function runPlaywright(chromium) {
  const path = report('playwright')
  const args = [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config=e2e/playwright.config.ts',
    '--reporter=list,json',
  ]
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: path }
  return readOutcome(path, readPlaywright, await show(process.execPath, args, env))
}
