// Each tenant has its own interpreter: memory that served one tenant never serves another (threat-model.md AC5, BF14).
import type { QuickJSContext, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { describe, expect, it } from 'vitest'
import { createInstances } from './instances.mjs'

type Prepared = { runtime: QuickJSRuntime; context: QuickJSContext }
type Instance = { quickjs: QuickJSWASMModule; prepared: Prepared; isExceeded(): boolean }

const prepare = (quickjs: QuickJSWASMModule): Prepared => {
  const runtime = quickjs.newRuntime()
  return { runtime, context: runtime.newContext() }
}
const leave = ({ runtime, context }: Prepared): void => {
  context.dispose()
  runtime.dispose()
}

const instancesOf = (max?: number) =>
  createInstances<Prepared>({ prepare, leave, ...(max === undefined ? {} : { max }) })

const secretOf = (tenant: string): string => ['secret', 'of', tenant, 'x'.repeat(40)].join('-')

const memoryOf = ({ quickjs }: Instance): Buffer => Buffer.from(quickjs.getWasmMemory().buffer)

/** One run that holds a secret, as an action does, with enough copies that the next context does not overwrite all of them. */
async function run(instances: ReturnType<typeof instancesOf>, tenant: string): Promise<Instance> {
  const instance: Instance = await instances.of(tenant)
  const { context } = instance.prepared
  context.newString(secretOf(tenant)).consume((handle) => context.setProp(context.global, 'secret', handle))
  context
    .unwrapResult(context.evalCode('globalThis.kept = Array.from({ length: 20000 }, (_, i) => secret + i)'))
    .dispose()
  await instances.renew(tenant)
  return instance
}

describe('the interpreters of a thread', () => {
  it('are one per tenant, the same in every run', async () => {
    const instances = instancesOf()
    const [a, b] = [await run(instances, 'a'), await run(instances, 'b')]
    expect(a.quickjs.getWasmMemory()).not.toBe(b.quickjs.getWasmMemory())
    expect((await instances.of('a')).quickjs).toBe(a.quickjs)
    expect((await instances.of('b')).quickjs).toBe(b.quickjs)
  })

  it('hold no secret of another tenant, though runs leave theirs in memory', async () => {
    const instances = instancesOf()
    await instances.fill()
    const [a, b] = [await run(instances, 'a'), await run(instances, 'b')]
    expect(memoryOf(a).includes(secretOf('a'))).toBe(true)
    expect(memoryOf(b).includes(secretOf('b'))).toBe(true)
    expect(memoryOf(b).includes(secretOf('a'))).toBe(false)
    expect(memoryOf(a).includes(secretOf('b'))).toBe(false)
  })

  it('are bounded, and the one that was used least recently is overwritten before it goes', async () => {
    const instances = instancesOf(3)
    const [a, b] = [await run(instances, 'a'), await run(instances, 'b')]
    await run(instances, 'c')
    await run(instances, 'a')
    expect(memoryOf(b).includes(secretOf('b'))).toBe(true)
    await run(instances, 'd')
    expect(instances.tenants()).toEqual(['c', 'a', 'd'])
    expect(memoryOf(b).every((byte) => byte === 0)).toBe(true)
    expect(memoryOf(a).includes(secretOf('a'))).toBe(true)
    for (let i = 0; i < 10; i++) await run(instances, `tenant-${i}`)
    expect(instances.tenants()).toEqual(['tenant-7', 'tenant-8', 'tenant-9'])
  })

  it('are bounded in size, and one that reached its bound is overwritten and replaced', async () => {
    const instances = instancesOf()
    const before = await run(instances, 'a')
    const size = memoryOf(before).length
    const { context } = before.prepared
    context.unwrapResult(context.evalCode('const all = []; try { for (;;) all.push({}) } catch {}')).dispose()
    expect(before.isExceeded()).toBe(true)
    expect(memoryOf(before).length).toBeLessThanOrEqual(30 * 2 ** 20)
    await instances.renew('a')
    expect(memoryOf(before).every((byte) => byte === 0)).toBe(true)
    const after: Instance = await instances.of('a')
    expect(after.isExceeded()).toBe(false)
    expect(memoryOf(after).length).toBe(size)
  })

  it('begin anew for a tenant that comes back', async () => {
    const instances = instancesOf(1)
    const before = await run(instances, 'a')
    await run(instances, 'b')
    const after: Instance = await instances.of('a')
    expect(after.quickjs).not.toBe(before.quickjs)
    expect(memoryOf(after).includes(secretOf('a'))).toBe(false)
    expect(memoryOf(after).includes(secretOf('b'))).toBe(false)
  })
})
