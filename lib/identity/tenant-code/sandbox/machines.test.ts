// What a run is, is bytes: it can be saved in one machine and continue in another. A machine serves one tenant: memory that served one
// tenant never serves another (threat-model.md AC5, BF14).
import type { QuickJSContext, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { describe, expect, it } from 'vitest'
import { createMachines } from './machines.mjs'

type Prepared = { runtime: QuickJSRuntime; context: QuickJSContext; pointers: string }

const prepare = (quickjs: QuickJSWASMModule): Prepared => {
  const runtime = quickjs.newRuntime()
  return { runtime, context: runtime.newContext(), pointers: 'alike' }
}

const machinesOf = (max?: number) => createMachines({ prepare, ...(max === undefined ? {} : { max }) })
type Machine = Awaited<ReturnType<ReturnType<typeof machinesOf>['of']>>

const secretOf = (tenant: string): string => ['secret', 'of', tenant, 'x'.repeat(40)].join('-')
const memoryOf = (machine: Machine): Buffer => Buffer.from(machine.memory().buffer)

const evaluate = ({ prepared: { context } }: Machine, code: string): unknown => {
  const result = context.unwrapResult(context.evalCode(code))
  const value: unknown = context.dump(result)
  result.dispose()
  return value
}

/** One run that holds a secret, as an action does. */
async function run(machines: ReturnType<typeof machinesOf>, tenant: string): Promise<Machine> {
  const machine = await machines.of(tenant, null)
  evaluate(machine, `globalThis.kept = Array.from({ length: 20000 }, (_, i) => '${secretOf(tenant)}' + i); 0`)
  await machines.renew()
  return machine
}

describe('a machine', () => {
  it('is again what its image is', async () => {
    const machine = await machinesOf().of('a', null)
    const image = machine.take()
    for (let round = 0; round < 3; round++) {
      expect(evaluate(machine, 'const was = typeof globalThis.kept; globalThis.kept = [1]; was')).toBe('undefined')
      machine.load(image)
    }
  })

  it('continues what another one saved', async () => {
    const machines = machinesOf()
    const [one, other] = [await machines.of('a', null), await machines.of('b', null)]
    const image = one.take()
    evaluate(one, 'globalThis.count = { n: 40 }; globalThis.next = () => (count.n += 1); next()')
    const state = one.save(image)
    one.load(image)
    other.load(image, state)
    expect(evaluate(other, 'next()')).toBe(42)
    expect(evaluate(one, 'typeof next')).toBe('undefined')
  })

  it('saves what differs from the image alone', async () => {
    const machine = await machinesOf().of('a', null)
    const image = machine.take()
    expect(machine.save(image).index).toHaveLength(0)
    evaluate(machine, "globalThis.kept = 'x'.repeat(100000)")
    const { index, bytes } = machine.save(image)
    expect(index.length).toBeGreaterThan(24)
    expect(bytes.length).toBeLessThan(1_000_000)
  })

  it('holds its image again after a run was saved or continued, or started in another image', async () => {
    const machine = await machinesOf().of('a', null)
    const image = machine.take()
    evaluate(machine, "globalThis.other = 'x'.repeat(100000); 0")
    const larger = machine.take()
    const run = (code: string): unknown => evaluate(machine, `${code}; [typeof kept, typeof other].join()`)
    machine.load(image)
    expect(run('globalThis.kept = [1]')).toBe('object,undefined')
    const state = machine.save(image)
    machine.load(image)
    expect(run('')).toBe('undefined,undefined')
    machine.load(image, state)
    expect(run("kept.push('y'.repeat(100000))")).toBe('object,undefined')
    machine.load(image)
    expect(run('globalThis.kept = {}')).toBe('object,undefined')
    machine.save(image)
    machine.load(larger)
    expect(run('globalThis.kept = {}')).toBe('object,string')
    machine.save(larger)
    machine.load(image)
    expect(run('')).toBe('undefined,undefined')
    machine.save(image)
    machine.save(image)
    machine.load(image)
    expect(machine.save(image).index).toHaveLength(0)
  })

  it('keeps nothing of a larger run that it ran before', async () => {
    const machine = await machinesOf().of('a', null)
    const image = machine.take()
    evaluate(machine, `globalThis.kept = Array.from({ length: 20000 }, (_, i) => '${secretOf('a')}' + i); 0`)
    expect(memoryOf(machine).includes(secretOf('a'))).toBe(true)
    machine.load(image)
    expect(memoryOf(machine).includes(secretOf('a'))).toBe(false)
  })

  it('takes no image of a machine that was prepared differently', async () => {
    const machine = await machinesOf().of('a', null)
    expect(() => machine.load({ ...machine.take(), pointers: 'other' })).toThrow('another machine')
  })

  it('reports each reading of the clock, and no other use of dates', async () => {
    const machine = await machinesOf().of('a', null)
    const reads = (code: string): number => {
      const before = machine.clockReads()
      evaluate(machine, code)
      return machine.clockReads() - before
    }
    expect(['Date.now()', 'new Date() + 1', 'Date()', '[1, 2].map(Date.now)'].map(reads)).toEqual([1, 1, 1, 2])
    expect(['new Date(2020, 1, 1, 12) + 1', "Date.parse('2020-01-01')", 'const n = Date.now; 0'].map(reads)).toEqual([
      0, 0, 0,
    ])
  })

  it('is bounded in size', async () => {
    const machine = await machinesOf().of('a', null)
    evaluate(machine, 'const all = []; try { for (;;) all.push({}) } catch {}')
    expect(machine.isExceeded()).toBe(true)
    expect(memoryOf(machine).length).toBeLessThanOrEqual(30 * 2 ** 20)
  })
})

describe('the machines of a thread', () => {
  it('are one per tenant, the same in every run', async () => {
    const machines = machinesOf()
    const [a, b] = [await run(machines, 'a'), await run(machines, 'b')]
    expect(a.memory()).not.toBe(b.memory())
    expect(await machines.of('a', null)).toBe(a)
    expect(await machines.of('b', null)).toBe(b)
  })

  it('hold no secret of another tenant, though runs leave theirs in memory', async () => {
    const machines = machinesOf()
    await machines.fill()
    const [a, b] = [await run(machines, 'a'), await run(machines, 'b')]
    expect(memoryOf(a).includes(secretOf('a'))).toBe(true)
    expect(memoryOf(b).includes(secretOf('b'))).toBe(true)
    expect(memoryOf(b).includes(secretOf('a'))).toBe(false)
    expect(memoryOf(a).includes(secretOf('b'))).toBe(false)
  })

  it('are bounded, and the one that was used least recently is overwritten before it goes', async () => {
    const machines = machinesOf(3)
    const [a, b] = [await run(machines, 'a'), await run(machines, 'b')]
    await run(machines, 'c')
    await run(machines, 'a')
    expect(memoryOf(b).includes(secretOf('b'))).toBe(true)
    await run(machines, 'd')
    expect(machines.tenants()).toEqual(['c', 'a', 'd'])
    expect(memoryOf(b).every((byte) => byte === 0)).toBe(true)
    expect(memoryOf(a).includes(secretOf('a'))).toBe(true)
  })

  it.each([
    ['stay below a limit of the memory that they have touched', 100, ['a', 'b']],
    ['are given up beyond it, also if only an earlier run touched it', 10_000_000, ['b']],
  ])('the machines of a thread %s', async (_, bytes, tenants) => {
    const machines = createMachines({ prepare, maxBytes: 12 * 2 ** 20 })
    const a = await machines.of('a', null)
    const image = a.take()
    evaluate(a, `'x'.repeat(${bytes}) + 1; 0`)
    a.load(image)
    await machines.renew()
    expect(machines.tenants()).toEqual(['a'])
    await run(machines, 'b')
    expect(machines.tenants()).toEqual(tenants)
  })

  it('do without one that exceeded its memory, and overwrite it', async () => {
    const machines = machinesOf()
    const before = await run(machines, 'a')
    evaluate(before, 'const all = []; try { for (;;) all.push({}) } catch {}')
    await machines.renew()
    expect(memoryOf(before).every((byte) => byte === 0)).toBe(true)
    const after = await machines.of('a', null)
    expect(after).not.toBe(before)
    expect(after.isExceeded()).toBe(false)
  })
})
