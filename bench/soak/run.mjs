// `npm run soak`: builds what is older than its sources, then starts the leak detection.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { LaunchError, launch } from '../../lib/server/node/launch/step.mjs'
import { readOptions } from './options.mjs'
import { soak } from './soak.mjs'

await launch(async () => {
  const options = readOptions(process.argv.slice(2))
  if (process.platform !== 'linux')
    throw new LaunchError('File descriptors are counted in /proc, which only Linux has.')
  if (!options.built) await ensureBuilt('server', 'commands')
  await soak({ root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))), options })
})
