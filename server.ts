// The entry point of the server, built into dist/server.js; `npm start` and the container run it. With LATCHKEY_WORKERS it is the
// parent of the processes that serve, each of which runs this file again. With --check-settings it only names settings that cannot be used.
import { fileURLToPath } from 'node:url'
import { config } from 'zod'
import { boundHeap } from './lib/server/node/heap'

const dev = process.argv.includes('--dev')
const check = process.argv.includes('--check-settings')
// Packages read NODE_ENV when they are loaded, so it is set before the server's own modules are imported.
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production' })

// Must precede every schema: compiling schemas to functions takes longer than the validation that it saves.
config({ jitless: true })

const root = fileURLToPath(new URL('..', import.meta.url))
const { startWorkers } = await import('./lib/server/node/start-workers')
if (dev || check || !(await startWorkers(process.env))) {
  const { boot } = await import('./lib/server/node/boot')
  await boot({ root, source: process.env, dev, check })
  // While the server starts, everything lives: collections would find nothing.
  boundHeap()
}
