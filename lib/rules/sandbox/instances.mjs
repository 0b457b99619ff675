// The interpreters of one thread: one WebAssembly instance, and so one linear memory, per tenant, so that a memory fault of the
// interpreter cannot reach another tenant (threat-model.md AC5, BF14). The code is compiled once per thread.
// - An instance belongs to its first tenant for its whole life.
// - The least recently used instance is evicted; its memory is overwritten first, including secrets.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'

/** Per thread. Each has 16 MiB of address space, of which about one is resident between runs. */
export const MAX_INSTANCES = 8

const { resolve } = createRequire(import.meta.url)
const wasm = await readFile(resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
const wasmModule = await WebAssembly.compile(wasm)
/** The interpreter prints its abort on standard error; the caller gets and logs the failure instead. */
const silent = { print() {}, printErr() {} }

const newInterpreter = () =>
  newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, emscriptenModule: silent }))

/**
 * @template Prepared a context prepared for the next run
 * @param {{ prepare(quickjs: any): Prepared, leave(prepared: Prepared): void, max?: number }} how
 */
export function createInstances({ prepare, leave, max = MAX_INSTANCES }) {
  /** @type {Map<string, { quickjs: any, prepared: Prepared }>} by tenant, the least recently used first */
  const instances = new Map()
  let spare = null

  async function newInstance() {
    const quickjs = await newInterpreter()
    return { quickjs, prepared: prepare(quickjs) }
  }

  /** Prepares an instance for the next new tenant. */
  async function fill() {
    spare ??= await newInstance()
  }

  return {
    fill,
    /** @param {string} tenant */
    async of(tenant) {
      const instance = instances.get(tenant) ?? spare ?? (await newInstance())
      if (instance === spare) spare = null
      instances.delete(tenant)
      instances.set(tenant, instance)
      return instance
    },
    /** After a run of `tenant`: prepares its next context, and evicts instances over the limit. */
    async renew(tenant) {
      const instance = instances.get(tenant)
      leave(instance.prepared)
      instance.prepared = prepare(instance.quickjs)
      for (const [oldest, { quickjs }] of instances) {
        if (instances.size <= max) break
        instances.delete(oldest)
        wipe(quickjs)
      }
      await fill()
    },
    tenants: () => [...instances.keys()],
  }
}

const PAGE = 65_536
const ZEROS = Buffer.alloc(PAGE)

/** The instance never runs again. Pages that were never written are skipped, because writing makes them resident. */
function wipe(quickjs) {
  const memory = Buffer.from(quickjs.getWasmMemory().buffer)
  for (let at = 0; at < memory.length; at += PAGE) {
    const page = memory.subarray(at, at + PAGE)
    if (!page.equals(ZEROS)) page.fill(0)
  }
}
