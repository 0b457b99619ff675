// Tests on other hosts than the one of the test suite. Started by run.mjs, which prepares each host.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['e2e/hosts/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    // This includes building an image.
    hookTimeout: 3_600_000,
    expect: { poll: { timeout: 120_000 } },
    env: { TZ: 'UTC' },
    // Firefox needs a WebSocket, which Node.js 20 has behind a flag only.
    execArgv: 'WebSocket' in globalThis ? [] : ['--experimental-websocket'],
  },
})
