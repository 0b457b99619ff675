// The interpreters of one thread: one WebAssembly instance, and so one linear memory, per tenant, so that a memory fault of the
// interpreter cannot reach another tenant (threat-model.md AC5, BF14). The code is compiled once per thread.
// - An instance belongs to its first tenant for its whole life.
// - The least recently used instance is evicted; its memory is overwritten first, including secrets.
// - The limit of memory is the size of the linear memory. The interpreter's own limit cannot serve: in WebAssembly it does not know
//   how large an allocation is, and it refuses where only the action sees it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'

/** Per thread. */
export const MAX_INSTANCES = 8

const PAGE = 65_536
const MIB = 1024 * 1024
/** 16 MiB for a run; the interpreter's stack, data and empty context take less than six. Untouched pages are not resident. */
const PAGES = (22 * MIB) / PAGE
/** Lets a run that exceeded its memory end in order. */
const RESERVED_PAGES = (8 * MIB) / PAGE

const { resolve } = createRequire(import.meta.url)
const wasm = await readFile(resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
const wasmModule = await WebAssembly.compile(wasm)
/** The interpreter prints its abort on standard error; the caller gets and logs the failure instead. */
const silent = { print() {}, printErr() {} }

const newInterpreter = (wasmMemory) =>
  newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory, emscriptenModule: silent }))

/** Calls `exceeded` when the allocator asks for more than the initial size, whether or not the reserve can satisfy it. */
function boundedMemory(exceeded) {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES + RESERVED_PAGES })
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    exceeded()
    return grow(pages)
  }
  return memory
}

/**
 * @template Prepared a context prepared for the next run
 * @param {{ prepare(quickjs: any, isExceeded: () => boolean): Prepared, leave(prepared: Prepared): void, max?: number }} how
 * `isExceeded`: whether a run of this instance needed more memory than it may use.
 */
export function createInstances({ prepare, leave, max = MAX_INSTANCES }) {
  /** @type {Map<string, { quickjs: any, prepared: Prepared, isExceeded(): boolean }>} by tenant, the least recently used first */
  const instances = new Map()
  let spare = null

  async function newInstance() {
    let exceeded = false
    const isExceeded = () => exceeded
    const memory = boundedMemory(() => {
      exceeded = true
    })
    const quickjs = await newInterpreter(memory)
    return { quickjs, prepared: prepare(quickjs, isExceeded), isExceeded }
  }

  /** Prepares an instance for the next new tenant. */
  async function fill() {
    spare ??= await newInstance()
  }

  function evict(tenant) {
    const { quickjs } = instances.get(tenant)
    instances.delete(tenant)
    wipe(quickjs)
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
    /**
     * After a run of `tenant`: prepares its next context, and evicts instances over the limit. An instance that exceeded its memory
     * is evicted too, because it has grown.
     */
    async renew(tenant) {
      const instance = instances.get(tenant)
      if (instance.isExceeded()) evict(tenant)
      else {
        leave(instance.prepared)
        instance.prepared = prepare(instance.quickjs, instance.isExceeded)
      }
      for (const oldest of instances.keys()) {
        if (instances.size <= max) break
        evict(oldest)
      }
      await fill()
    },
    tenants: () => [...instances.keys()],
  }
}

const ZEROS = Buffer.alloc(PAGE)

/** The instance never runs again. Pages that were never written are skipped, because writing makes them resident. */
function wipe(quickjs) {
  const memory = Buffer.from(quickjs.getWasmMemory().buffer)
  for (let at = 0; at < memory.length; at += PAGE) {
    const page = memory.subarray(at, at + PAGE)
    if (!page.equals(ZEROS)) page.fill(0)
  }
}
