// `npm run growth`: what every statement, list and look-up reads of a database with a million users. It takes some minutes and some
// gigabytes. GROWTH_USERS and GROWTH_FAMILIES set other sizes.
import './launch/node-version.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { show } from './launch/run.mjs'
import { launch } from './launch/step.mjs'

const MILLION = '1000000'

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureGenerated()
  const files = ['lib/adapters/store/plans.test.ts', 'lib/server/endpoints/large-tenant.test.ts']
  const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism', ...files]
  const { GROWTH_USERS = MILLION, GROWTH_FAMILIES = MILLION } = process.env
  process.exitCode = await show(process.execPath, vitest, { GROWTH_USERS, GROWTH_FAMILIES })
})
