import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './lib/testing/longest-first.mjs'

/** By their times in `npm test`, which lists the slowest at its end. */
const SLOW = [
  'lib/embedded-postgres/embedded.test.ts',
  'lib/endpoints/robustness.test.ts',
  'lib/store/plans.test.ts',
  'lib/endpoints/large-tenant.test.ts',
  'lib/rules/sandbox/escape.test.ts',
  'lib/rules/packages/bundle.test.ts',
  'lib/rules/packages/esbuild.test.ts',
  'lib/endpoints/action-examples.test.ts',
  'lib/store/audit.test.ts',
  'lib/store/redis/client.test.ts',
  'lib/runtime/silent-database.test.ts',
  'lib/store/rate-limits.test.ts',
  'lib/store/migrate.test.ts',
  'lib/endpoints/oauth/conformance.test.ts',
]

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}', 'app/**/*.test.ts'],
    globalSetup: ['lib/testing/global-setup.ts'],
    setupFiles: ['lib/testing/real-date.ts', 'lib/testing/async-local-storage.ts'],
    sequence: { sequencer: longestFirst(SLOW) },
    // The slowest files wait more than they compute: on two cores one worker takes nearly twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Importing the server takes longer than most files' tests, so the files of a worker share their modules. Nothing in them is
    // kept between two runtimes.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes; how soon is the machine's affair.
    expect: { poll: { timeout: 30_000 } },
    env: { TZ: 'UTC' },
  },
  oxc: { jsx: { runtime: 'automatic' } },
})
