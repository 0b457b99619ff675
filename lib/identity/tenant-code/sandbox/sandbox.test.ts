// The threads of the sandbox with several tenants: all are served, and one cannot exclude the others (threat-model.md AC7).
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxFiles } from '../../../server/runtime/actions'
import { testServices } from '../../../testing/actions'
import { hear, nothingHeard } from './host.mjs'
import type { SandboxJob } from './job'
import { createSandbox } from './sandbox'

const PATIENT_MS = 20_000

const job = (code: string, more: Partial<SandboxJob> = {}): SandboxJob => ({
  code: `exports.run = async (event, api) => { ${code} }`,
  file: 'tested.js',
  handler: 'run',
  optional: false,
  methods: ['out.tell'],
  event: '{}',
  cache: 'none',
  now: 0,
  seed: [1, 2, 3, 4],
  elapsed: PATIENT_MS,
  milliseconds: PATIENT_MS,
  ...more,
})

const threads = (queueLimit: number, count = 1) =>
  createSandbox({ ...sandboxFiles(process.cwd()), services: testServices(), threads: count, queueLimit })

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

describe('a run that waits', () => {
  const sandbox = threads(40)
  afterAll(() => sandbox.close())

  it('continues where it was, and holds no thread meanwhile', async () => {
    // The queue does not wait for the start of a thread.
    await sandbox.run('waiting', job('setTimeout(() => {})'))
    const wait = 'let n = 1; await new Promise((r) => setTimeout(r, 50)); n += 1; console.log(event.i, n)'
    const ran = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sandbox.run('waiting', job(wait, { event: JSON.stringify({ i }) }))),
    )
    expect(ran.map(({ outcome, lines }) => [outcome, lines])).toEqual(ran.map((_, i) => ['ok', [['log', `${i} 2`]]]))
  })

  it('goes on in another thread when its own is lost', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const patient = createSandbox({
      ...sandboxFiles(process.cwd()),
      services: { timer: () => held.then(() => ({})) },
      threads: 1,
      queueLimit: 40,
    })
    const waiting = patient.run('a', job("await new Promise((r) => setTimeout(r)); console.log('here')"))
    // Its thread runs the next job when it has started to wait; this one ends the thread.
    const deaf = "const s = 'a'.repeat(2e6), t = 'a'.repeat(1e6) + 'b'; for (;;) s.indexOf(t)"
    const hostile = await patient.run('b', job(deaf, { milliseconds: 50 }))
    expect(hostile.outcome).toBe('timeout')
    release()
    expect(await waiting).toMatchObject({ outcome: 'ok', lines: [['log', 'here']] })
    patient.close()
  })

  it('is given up when its time by the clock is over', async () => {
    const { outcome, lines } = await sandbox.run(
      'late',
      job("console.log('before'); await new Promise((r) => setTimeout(r, 60000))", { elapsed: 1 }),
    )
    expect([outcome, lines]).toEqual(['late', [['log', 'before']]])
  })

  it('has one limit of time in the interpreter, however often it waits', async () => {
    const wait = 'for (;;) { for (let i = 0; i < 1e5; i++); await new Promise((r) => setTimeout(r)) }'
    expect((await sandbox.run('busy', job(wait, { milliseconds: 100 }))).outcome).toBe('timeout')
  })

  it('gets timers that repeat and timers that are given up', async () => {
    const code = `let n = 0
      const never = setTimeout(() => console.log('never'), 1)
      clearTimeout(never)
      await new Promise((done) => { const each = setInterval(() => { n += 1; if (n === 3) { clearInterval(each); done() } }, 1) })
      console.log(n)`
    expect(await sandbox.run('timers', job(code))).toMatchObject({ outcome: 'ok', lines: [['log', '3']] })
  })

  it('ends without waiting for the clock where it gave up what it waited for', async () => {
    const code = 'await new Promise((r) => clearTimeout(setTimeout(r, 60000)))'
    expect((await sandbox.run('unsettled', job(code))).outcome).toBe('unsettled')
  })

  it('holds memory up to a limit, of which one tenant has half', async () => {
    let release = (): void => {}
    const open = new Promise<void>((resolve) => {
      release = resolve
    })
    const small = createSandbox({
      ...sandboxFiles(process.cwd()),
      services: { timer: () => open.then(() => ({})) },
      threads: 1,
      queueLimit: 40,
      heldLimit: 8 * 2 ** 20,
    })
    const waits = (bytes: number) =>
      job(`const held = new Uint8Array(${bytes}).fill(7); await new Promise((r) => setTimeout(r))`)
    await expect(small.run('greedy', waits(5 * 2 ** 20))).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    const [one, two] = [small.run('greedy', waits(2 * 2 ** 20)), small.run('modest', waits(2 * 2 ** 20))]
    await expect(small.run('greedy', waits(2 * 2 ** 20))).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    release()
    expect([(await one).outcome, (await two).outcome]).toEqual(['ok', 'ok'])
    expect((await small.run('greedy', waits(3 * 2 ** 20))).outcome).toBe('ok')
    small.close()
  })

  it('starts no more things in a slice than its limit', async () => {
    expect((await sandbox.run('flood', job('for (;;) setTimeout(() => {})'))).outcome).toBe('output')
  })

  it('starts no more bytes in a slice than its limit', () => {
    const run = { heard: nothingHeard(), job: { methods: [] }, printed: 0, started: [], needs: null }
    const begin = () => hear(run, 'begin', '[1,"fetch",{}]', new Uint8Array(9 * 2 ** 20))
    begin()
    expect(begin).toThrow('no more than this')
    expect([run.started.length, run.heard.tooMuch]).toEqual([1, true])
  })

  it('is under way until it ends', async () => {
    let ended = false
    const running = sandbox.run('slow', job('await new Promise((r) => setTimeout(r, 20))')).then(() => {
      ended = true
    })
    await sandbox.settled()
    expect(ended).toBe(true)
    await running
    await sandbox.settled()
  })

  it('reports what a service refuses as an error of the action', async () => {
    const refusing = createSandbox({
      ...sandboxFiles(process.cwd()),
      services: { timer: () => Promise.reject(Object.assign(new TypeError('no clock'), { code: 'ENOCLOCK' })) },
      threads: 1,
      queueLimit: 4,
    })
    expect((await refusing.run('a', job('await new Promise((r) => setTimeout(r))'))).outcome).toBe('unsettled')
    refusing.close()
  })

  it('has random numbers of its own', async () => {
    const [one, two, same] = await Promise.all(
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [1, 2, 3, 4],
      ].map((seed) => sandbox.run('r', job('console.log(Math.random())', { seed }))),
    )
    expect(one?.lines).not.toEqual(two?.lines)
    expect(one?.lines).toEqual(same?.lines)
  })
})
