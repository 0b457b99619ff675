// `npm run actions-templates -- PATH`: runs the action templates of the vendor, from a copy of its repository at PATH. `-- PATH NAME…`
// runs these only.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import '../../lib/server/node/launch/node-version.mjs'
import { ensureDependencies } from '../../lib/server/node/launch/dependencies.mjs'
import { inRoot, root } from '../../lib/server/node/launch/root.mjs'
import { show } from '../../lib/server/node/launch/run.mjs'
import { launch } from '../../lib/server/node/launch/step.mjs'

await launch(async () => {
  const [path, ...names] = process.argv.slice(2)
  const templates = resolve(path ?? '', 'templates')
  if (path === undefined || !existsSync(templates)) {
    console.error(
      'Usage: npm run actions-templates -- PATH, where PATH is a copy of https://github.com/auth0/opensource-marketplace',
    )
    process.exitCode = 2
    return
  }
  process.chdir(root)
  await ensureDependencies({ development: true })
  const only = names.length > 0 ? [`--testNamePattern=${names.join('|')}`] : []
  const args = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--config=e2e/templates/vitest.config.ts', ...only]
  process.exitCode = await show(process.execPath, args, { TEMPLATES: join(templates) })
})
