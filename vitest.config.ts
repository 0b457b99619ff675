import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './lib/testing/longest-first.mjs'

/** By their times in `npm test`, which lists the slowest at its end. */
const SLOW = [
  'lib/server/endpoints/robustness.test.ts',
  'lib/adapters/embedded-postgres/embedded.test.ts',
  'lib/server/endpoints/action-examples.test.ts',
  'lib/identity/tenant-code/sandbox/escape.test.ts',
  'lib/identity/tenant-code/packages/esbuild.test.ts',
  'lib/identity/tenant-code/packages/bundle.test.ts',
  'lib/adapters/store/prisma/tenant-file.test.ts',
  'lib/identity/tenant-code/platform/net.test.ts',
  'lib/identity/tenant-code/packages/databases.test.ts',
  'lib/adapters/store/plans.test.ts',
  'lib/server/endpoints/large-tenant.test.ts',
  'lib/server/endpoints/management/jobs.test.ts',
  'lib/adapters/store/redis/client.test.ts',
  'lib/server/endpoints/oauth/conformance.test.ts',
  'lib/data/clients/registration.test.ts',
  'lib/server/runtime/silent-database.test.ts',
  'lib/identity/tenant-code/sandbox/packages.test.ts',
  'lib/adapters/store/rate-limits.test.ts',
]

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}', 'app/**/*.test.ts'],
    globalSetup: ['lib/testing/global-setup.ts'],
    setupFiles: ['lib/testing/real-date.ts', 'lib/testing/async-local-storage.ts', 'lib/testing/warnings.ts'],
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
