// The tests of Vercel's output, started by run.mjs, which builds it.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['e2e/hosts/vercel/*.trial.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    env: { TZ: 'UTC' },
  },
})
