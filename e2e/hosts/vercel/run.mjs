// The part of `npm run hosts` that tries Vercel: builds its real output and walks through it with functions that run alone,
// read-only, and frozen between requests. Writes test-results/hosts/vercel.json; exit code 1 when something failed.
//   --output FOLDER   a project that `vercel build` has built already, such as by the trial before
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { inRoot } from '../../../lib/server/node/launch/root.mjs'
import { show } from '../../../lib/server/node/launch/run.mjs'
import { launch } from '../../../lib/server/node/launch/step.mjs'
import { buildProject, CLI_VERSION } from './build.mjs'

const RESULTS = inRoot('test-results', 'hosts')
const REPORT = inRoot('test-results', 'hosts', 'vercel-tests.report')
const FIGURES = inRoot('test-results', 'hosts', 'vercel-figures.report')

await launch(async () => {
  const { output } = parseArgs({ options: { output: { type: 'string' } } }).values
  await mkdir(RESULTS, { recursive: true })
  const project = output ?? (await buildProject())
  await Promise.all([REPORT, FIGURES].map((file) => rm(file, { force: true })))
  const code = await show(
    process.execPath,
    [
      inRoot('node_modules/vitest/vitest.mjs'),
      'run',
      '--config=e2e/hosts/vercel/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
    ],
    { HOSTS_VERCEL_PROJECT: project, HOSTS_VERCEL_FIGURES: FIGURES },
  )
  const tests = JSON.parse(await readFile(REPORT, 'utf8')).testResults.flatMap((file) => file.assertionResults)
  const named = (status) => tests.filter((test) => test.status === status).map((test) => test.fullName)
  const result = {
    host: 'Vercel (`vercel build`, isolated functions)',
    version: `vercel ${CLI_VERSION}, Node.js ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    passed: named('passed'),
    failed: named('failed'),
    ...(await readFile(FIGURES, 'utf8').then(JSON.parse, () => ({}))),
  }
  await writeFile(inRoot('test-results', 'hosts', 'vercel.json'), JSON.stringify(result, null, 2))
  if (code !== 0) process.exitCode = 1
})
