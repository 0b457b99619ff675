// The worker of background jobs, for tests that run jobs at a time of their own.
import { expect } from 'vitest'
import { jobStore } from '../adapters/store/prisma/jobs'
import { createPasswordHasher } from '../data/users/password'
import type { JobRunnerDeps } from '../management/jobs/runner'
import { composeImportMail } from '../server/runtime/mailer'
import type { TestServer } from './server'

type Parts = Pick<TestServer, 'db' | 'vault' | 'random' | 'clock' | 'runtime'>

export const jobWorker = ({ db, vault, random, clock, runtime }: Parts): JobRunnerDeps => ({
  store: jobStore(db),
  vault,
  random,
  clock,
  hasher: createPasswordHasher({
    concurrency: 1,
    queueLimit: 10,
    cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
  }),
  completionMail: {
    compose: async (job, to) => {
      const { sender } = await runtime()
      return composeImportMail(job, to, sender, { vault, random, clock })
    },
    wake: () => {},
  },
  log: { warn: (fields) => expect.fail(String(fields.err)), error: (fields) => expect.fail(String(fields.err)) },
})
