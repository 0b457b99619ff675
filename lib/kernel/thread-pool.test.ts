import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './thread-pool'

type Job = { do: 'answer' | 'hang' | 'leave' | 'leave-once' | 'throw' | 'break'; mark?: Int32Array }
type Answer = { thread: number; broken: boolean }

/** Answers with its thread's number, or does what the job says. `leave-once` uses a mark that all threads share. */
const FILE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (job) => {
      if (job.do === 'hang') for (;;);
      if (job.do === 'throw') throw new Error('a fault of the thread')
      if (job.do === 'leave') process.exit(1)
      if (job.do === 'leave-once' && Atomics.add(job.mark, 0, 1) === 0) process.exit(1)
      parentPort.postMessage({ thread: threadId, broken: job.do === 'break' })
    })
    parentPort.postMessage('ready')
  `)}`,
)

const PATIENT = 20_000
const SOON = 50

const open: ThreadPool<Job, Answer>[] = []
afterEach(() => {
  for (const pool of open.splice(0)) pool.close()
})

function poolWith(more: Partial<ThreadPoolOptions<Answer>> = {}): ThreadPool<Job, Answer> {
  const pool = createThreadPool<Job, Answer>({
    file: FILE,
    name: 'tested',
    resources: {},
    isFatal: ({ broken }) => broken,
    threads: 1,
    queueLimit: 4,
    whenFull: 'busy',
    ...more,
  })
  open.push(pool)
  return pool
}

const by = (owner: string, milliseconds = PATIENT) => ({ owner, milliseconds })

async function threadOf(pool: ThreadPool<Job, Answer>, owner = 'one', job: Job = { do: 'answer' }): Promise<number> {
  const ended = await pool.run(job, by(owner))
  if (ended.kind !== 'answered') throw new Error(`it was ${ended.kind}`)
  return ended.answer.thread
}

describe('a job', () => {
  it('is answered by a thread that is kept for the next one', async () => {
    const pool = poolWith()
    expect(await threadOf(pool)).toBe(await threadOf(pool))
  })

  it('goes to the thread that served its owner last', async () => {
    const pool = poolWith({ threads: 2 })
    const [one, two] = await Promise.all([threadOf(pool, 'one'), threadOf(pool, 'two')])
    expect(one).not.toBe(two)
    expect([await threadOf(pool, 'one'), await threadOf(pool, 'two'), await threadOf(pool, 'one')]).toEqual([
      one,
      two,
      one,
    ])
  })

  it('over its time limit ends its thread, and the next one gets another', async () => {
    const pool = poolWith()
    const before = await threadOf(pool)
    expect(await pool.run({ do: 'hang' }, by('one', SOON))).toEqual({ kind: 'overrun' })
    expect(await threadOf(pool)).not.toBe(before)
  })

  it('whose thread ends meanwhile is given to another thread, once', async () => {
    const pool = poolWith()
    const before = await threadOf(pool)
    const mark = new Int32Array(new SharedArrayBuffer(4))
    expect(await threadOf(pool, 'one', { do: 'leave-once', mark })).not.toBe(before)
    expect(Atomics.load(mark, 0)).toBe(2)
    expect(await pool.run({ do: 'leave' }, by('one'))).toEqual({ kind: 'lost', cause: undefined })
  })

  it('is lost with the reason where its thread throws', async () => {
    const ended = await poolWith().run({ do: 'throw' }, by('one'))
    expect(ended).toMatchObject({ kind: 'lost', cause: { message: 'a fault of the thread' } })
  })

  it('is lost where the file of the thread is missing', async () => {
    const ended = await poolWith({ file: '/nowhere/thread.mjs' }).run({ do: 'answer' }, by('one'))
    expect(ended).toMatchObject({ kind: 'lost', cause: { message: expect.stringContaining('/nowhere/thread.mjs') } })
  })

  it('with a fatal answer ends its thread', async () => {
    const pool = poolWith()
    const broken = await threadOf(pool, 'one', { do: 'break' })
    expect(await threadOf(pool)).not.toBe(broken)
  })
})

describe('the queue', () => {
  const outcomeOf = (run: Promise<{ kind: string }>): Promise<string> =>
    run.then(
      ({ kind }) => kind,
      ({ code }) => code,
    )

  it('turns away with 503 what is beyond its bound', async () => {
    const pool = poolWith({ queueLimit: 2 })
    const runs = ['a', 'b', 'c', 'd', 'e'].map((owner) => outcomeOf(pool.run({ do: 'answer' }, by(owner))))
    expect(await Promise.all(runs)).toEqual([
      'answered',
      'answered',
      'answered',
      'temporarily_unavailable',
      'temporarily_unavailable',
    ])
  })

  it("keeps half of itself from one owner's jobs", async () => {
    const pool = poolWith()
    const greedy = Array.from({ length: 5 }, () => outcomeOf(pool.run({ do: 'answer' }, by('greedy'))))
    expect(await outcomeOf(pool.run({ do: 'answer' }, by('modest')))).toBe('answered')
    expect((await Promise.all(greedy)).filter((outcome) => outcome === 'answered')).toHaveLength(3)
  })
})

describe('the end', () => {
  it('of the pool ends the threads, also one that is still at work', async () => {
    const pool = poolWith()
    const before = await threadOf(pool)
    const running = threadOf(pool)
    await new Promise(setImmediate)
    pool.close()
    expect(await running).toBe(before)
    expect(await threadOf(pool)).not.toBe(before)
  })

  it('of the process does not wait for idle threads', async () => {
    const script = `
      import { createThreadPool } from './lib/kernel/thread-pool.ts'
      const pool = createThreadPool({ file: new URL(${JSON.stringify(FILE.href)}), name: 'tested', resources: {},
        threads: 1, queueLimit: 1, whenFull: 'busy' })
      const ended = await pool.run({ do: 'answer' }, { owner: 'one', milliseconds: ${PATIENT} })
      console.log(ended.kind)`
    const { buildSync } = await import('esbuild')
    const { outputFiles } = buildSync({
      stdin: { contents: script, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
    })
    const code = outputFiles[0]?.text ?? ''
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    expect(stdout.trim()).toBe('answered')
  })
})
