// `npm run tenant|keys|migrate -- …`: builds the commands if the sources are newer, then runs one.
import './launch/node-version.mjs'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { loadEnvFile } from './launch/env-file.mjs'
import { inRoot } from './launch/root.mjs'
import { launch } from './launch/step.mjs'

await launch(async () => {
  loadEnvFile()
  await ensureDependencies({ development: false })
  await ensureBuilt('commands')
  await import(pathToFileURL(inRoot('dist', 'cli.js')).href)
})
