// `npm run pictures`: takes the pictures of the documentation from a demo server: docs/images/console-*.png.
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
  const { shell } = await ensureChromium()
  const args = [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config=e2e/pictures/playwright.config.ts',
    ...process.argv.slice(2),
  ]
  process.exitCode = await show(process.execPath, args, { HEADLESS_SHELL_PATH: shell })
})
