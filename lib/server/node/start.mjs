// `npm start`: from a fresh clone to a running server. Installs and builds whatever is missing or outdated, then runs
// the server in this process.
import './launch/node-version.mjs'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, isBuilt } from './build.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { loadEnvFile } from './launch/env-file.mjs'
import { inRoot, root } from './launch/root.mjs'
import { show } from './launch/run.mjs'
import { launch, writeLog } from './launch/step.mjs'

writeLog()
await launch(async () => {
  process.chdir(root)
  loadEnvFile()
  await ensureDependencies({ development: false })
  await ensureBuilt('server')
  // Building the pages takes minutes: settings that cannot be used are named before.
  if (!(await isBuilt('next'))) await checkSettings()
  await ensureBuilt('next')
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(inRoot('dist', 'server.js')).href)
})

async function checkSettings() {
  const code = await show(process.execPath, [inRoot('dist', 'server.js'), '--check-settings'])
  if (code !== 0) process.exit(code)
}
