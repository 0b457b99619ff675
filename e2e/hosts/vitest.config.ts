// Trials on other hosts than the one that the tests run on. Started by run.mjs, which prepares what each needs.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['e2e/hosts/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    // An image is built within it.
    hookTimeout: 3_600_000,
    expect: { poll: { timeout: 120_000 } },
    env: { TZ: 'UTC' },
    // Firefox is spoken to over a WebSocket, which Node.js 20 has only when asked for it.
    execArgv: 'WebSocket' in globalThis ? [] : ['--experimental-websocket'],
  },
})
