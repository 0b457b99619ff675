// `npm run quickstarts`: follows the quickstarts for JavaScript as they are written. `-- auth0-react next-auth` follows these only.
import '../../lib/server/node/launch/node-version.mjs'
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { ensureChromium } from '../../lib/server/node/launch/chromium.mjs'
import { ensureDependencies } from '../../lib/server/node/launch/dependencies.mjs'
import { inRoot, root } from '../../lib/server/node/launch/root.mjs'
import { show } from '../../lib/server/node/launch/run.mjs'
import { launch } from '../../lib/server/node/launch/step.mjs'

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureBuilt('server', 'commands', 'next')
  const { chromium } = await ensureChromium()
  const names = process.argv.slice(2)
  const only = names.length > 0 ? [`--grep=(^| )(${names.join('|')})$`] : []
  const args = [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config=e2e/quickstarts/playwright.config.ts',
    ...only,
  ]
  process.exitCode = await show(process.execPath, args, { CHROMIUM_PATH: chromium })
})
