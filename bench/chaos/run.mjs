// `npm run chaos`: builds what is older than its sources, then starts the fault injection.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../../lib/server/node/build.mjs'
import { launch } from '../../lib/server/node/launch/step.mjs'
import { chaos } from './chaos.mjs'
import { readOptions } from './options.mjs'

await launch(async () => {
  const options = readOptions(process.argv.slice(2))
  if (!options.built) await ensureBuilt('server', 'commands')
  await chaos({ root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))), options })
})
