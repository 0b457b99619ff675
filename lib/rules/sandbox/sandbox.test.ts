// The threads of the sandbox with several tenants: all are served, and one cannot exclude the others (threat-model.md AC7).
import { afterAll, describe, expect, it } from 'vitest'
import { workerIn } from '../../runtime/actions'
import type { Job } from './job'
import { createSandbox } from './sandbox'

const PATIENT_MS = 20_000

const job = (code: string, more: Partial<Job> = {}): Job => ({
  code: `exports.run = async (event, api) => { ${code} }`,
  file: 'tested.js',
  handler: 'run',
  optional: false,
  methods: ['out.tell'],
  event: '{}',
  cache: 'none',
  now: 0,
  milliseconds: PATIENT_MS,
  ...more,
})

const threads = (queueLimit: number, count = 1) =>
  createSandbox({ worker: workerIn(process.cwd()), threads: count, queueLimit })

describe('the sandbox', () => {
  const sandbox = threads(40, 2)
  const narrow = threads(4)
  afterAll(() => {
    sandbox.close()
    narrow.close()
  })

  it('serves more tenants than a thread has interpreters for, again and again', async () => {
    const tenants = Array.from({ length: 12 }, (_, i) => `tenant-${i}`)
    const kept = 'console.log(String(globalThis.kept)); globalThis.kept = event.tenant'
    for (let round = 0; round < 2; round++) {
      const ran = await Promise.all(
        tenants.map((tenant) => sandbox.run(tenant, job(kept, { event: JSON.stringify({ tenant }) }))),
      )
      expect(ran.map(({ outcome, lines }) => [outcome, lines])).toEqual(
        tenants.map(() => ['ok', [['log', 'undefined']]]),
      )
    }
  })

  it('turns away what one tenant asks for beyond its share, and takes what another does', async () => {
    const one = Array.from({ length: 8 }, () => narrow.run('greedy', job('')).catch((error) => error.code))
    const other = narrow.run('modest', job(''))
    expect((await Promise.all(one)).filter((outcome) => outcome === 'temporarily_unavailable')).toHaveLength(5)
    expect((await other).outcome).toBe('ok')
  })
})
