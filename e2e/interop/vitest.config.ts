// Real processes and real sockets against the production build. Run by `npm test` after the build.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../lib/testing/longest-first.mjs'

/** By their times in `npm test`, which lists the slowest at its end. */
const SLOW = [
  'e2e/interop/deploy-cli.test.ts',
  'e2e/interop/image.test.ts',
  'e2e/interop/next-pages.test.ts',
  'e2e/interop/chaos.test.ts',
  'e2e/interop/shutdown.test.ts',
  'e2e/interop/migration.test.ts',
  'e2e/interop/output.test.ts',
  'e2e/interop/workers.test.ts',
  'e2e/interop/next-adapter.test.ts',
  'e2e/interop/management.test.ts',
  'e2e/interop/crash.test.ts',
  'e2e/interop/two-instances.test.ts',
  'e2e/interop/rollback.test.ts',
  'e2e/interop/jobs.test.ts',
  'e2e/interop/upgrade.test.ts',
  'e2e/interop/own-tenant.test.ts',
]

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['e2e/interop/**/*.test.ts'],
    globalSetup: ['e2e/interop/support/served-data.ts'],
    // A file mostly waits for its servers.
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(SLOW) },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 30_000,
    env: { TZ: 'UTC' },
  },
})
