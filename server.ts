// The server's entry, built into dist/server.js: `npm start` and the container run it.
import { fileURLToPath } from 'node:url'
import { config } from 'zod'

const dev = process.argv.includes('--dev')
// Read by packages when they are loaded, hence before anything of ours is.
Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production' })

// Before there are schemas: to compile them to functions takes longer than what they are given here to read.
config({ jitless: true })

const { boot } = await import('./lib/node/boot')
await boot({ root: fileURLToPath(new URL('..', import.meta.url)), source: process.env, dev })
