// One interpreter: QuickJS compiled to WebAssembly, in a linear memory of its own. Between two slices of a run, everything that the run is
// lies in this memory, so it can be saved, and loaded again into this machine or another one. A run that waits holds no machine.
// - An image is a content to begin from. A state is what differs from an image, in blocks. Both are plain bytes.
// - Machines are alike: each is prepared by the same steps, so that the pointers which the host holds are the same in all.
// - The limit of memory is the size of the linear memory. The interpreter's own limit cannot serve: in WebAssembly it does not know
//   how large an allocation is, and it refuses where only the action sees it. (docs/adr/0052-runs-as-memory-images.md)
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { threadId } from 'node:worker_threads'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { addressOf } from './pieces.mjs'

const PAGE = 65_536
const MIB = 1024 * 1024
/** What a run may use beyond its image. Untouched pages are not resident. */
const RUN_BYTES = 16 * MIB
/** Lets a run that exceeded its memory end in order. */
const RESERVED_PAGES = (8 * MIB) / PAGE
/** The unit of comparison, as large as a page of the operating system. */
const BLOCK = 4096

const { resolve } = createRequire(import.meta.url)
const wasm = await readFile(resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
const wasmModule = await WebAssembly.compile(wasm)
/** The interpreter prints its abort on standard error; the caller gets and logs the failure instead. */
const silent = { print() {}, printErr() {} }

/** @param {() => void} [onClock] called each time the interpreter reads the clock */
function newInterpreter(wasmMemory, onClock = () => {}) {
  const instantiateWasm = async (imports, use) => {
    const instance = await WebAssembly.instantiate(wasmModule, reporting(imports, onClock))
    use(instance)
    return instance.exports
  }
  return newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmMemory, emscriptenModule: { ...silent, instantiateWasm } }),
  )
}

/** The names of the imports are no interface of the build, what they do is: two of them read the clock. */
function reporting(imports, onClock) {
  const observed = (member) => {
    if (typeof member !== 'function' || !/\bDate\.now\(\)/.test(String(member))) return member
    return (...args) => {
      onClock()
      return member(...args)
    }
  }
  const membersOf = (space) => Object.fromEntries(Object.entries(space).map(([name, each]) => [name, observed(each)]))
  return Object.fromEntries(Object.entries(imports).map(([name, space]) => [name, membersOf(space)]))
}

/** The interpreter's static data lie below, then its stack, then its heap. */
const DATA_END = 2 * PAGE
const { heapStart: HEAP_START, breakAt: BREAK_AT } = await layout()
/** Deeper than the interpreter's own limit of its stack lets a run come. */
const STACK_START = HEAP_START - 16 * PAGE

/**
 * Where the heap begins, and the address of the word that says where it ends (`sbrk`): of all words that follow two large allocations
 * to behind them, the one with the greatest value.
 */
async function layout() {
  const memory = new WebAssembly.Memory({ initial: 22 * 16, maximum: 22 * 16 })
  const { module } = await newInterpreter(memory)
  const words = () => new Uint32Array(memory.buffer.slice(0, DATA_END))
  const before = words()
  const after = [module._malloc(MIB), module._malloc(MIB)].map((address) => ({ address, words: words() }))
  const [first, last] = after
  let breakAt = -1
  for (let at = 0; at < before.length; at += 1)
    if (before[at] > DATA_END && before[at] < last.address && last.words[at] >= last.address + MIB)
      if (breakAt < 0 || last.words[at] > last.words[breakAt]) breakAt = at
  if (breakAt < 0) throw new Error('the heap of the interpreter was not found')
  const start = Math.min(first.address, before[breakAt])
  return { heapStart: start - (start % BLOCK), breakAt: breakAt * 4 }
}

/** Calls `exceeded` when the allocator asks for more than the initial size, whether or not the reserve can satisfy it. */
function boundedMemory(pages, exceeded) {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages + RESERVED_PAGES })
  const grow = memory.grow.bind(memory)
  memory.grow = (more) => {
    exceeded()
    return grow(more)
  }
  return memory
}

/** @typedef {{ id: string, end: number, bytes: SharedArrayBuffer | ArrayBuffer, pieces?: number[], pointers: string, room?: number }} Image never changed (job.ts) */
/** @typedef {{ end: number, index: Uint32Array, bytes: Uint8Array }} State */

/** Pages of a machine for runs of the image, or for what needs so many bytes beyond it; an empty one for the first. */
export const pagesFor = (image, bytes = RUN_BYTES) =>
  Math.ceil(((image?.end ?? HEAP_START) + (image?.room ?? 0) + bytes) / PAGE)

const ZEROS = Buffer.alloc(PAGE)
const blockAfter = (end) => Math.ceil(end / BLOCK) * BLOCK
/** Where the content of an image has what is at the address. */
const placeIn = (at) => (at < DATA_END ? at : at - HEAP_START + DATA_END)
/** How many images this thread has made. */
let images = 0

/**
 * @template Prepared what the host holds of the interpreter
 * @param {number} pages
 * @param {(quickjs: any, isExceeded: () => boolean) => Prepared & { pointers: string }} prepare
 */
export async function openMachine(pages, prepare) {
  let exceeded = false
  const isExceeded = () => exceeded
  const memory = boundedMemory(pages, () => {
    exceeded = true
  })
  let clockReads = 0
  const quickjs = await newInterpreter(memory, () => {
    clockReads += 1
  })
  const prepared = prepare(quickjs, isExceeded)
  const content = () => Buffer.from(memory.buffer)
  let touched = 0

  /** A fault of the interpreter may have overwritten the word. */
  function endOf(all) {
    const end = all.readUInt32LE(BREAK_AT)
    if (end < HEAP_START || end > all.length) throw new Error('the heap of the interpreter has no end')
    touched = Math.max(touched, end)
    return end
  }

  /** The blocks that differ from the image; behind it, those that are not zero. Most large pieces do not differ at all. */
  function differing(all, end, image) {
    const base = Buffer.from(image.bytes)
    const [covered, last] = [Math.min(blockAfter(end), blockAfter(image.end)), blockAfter(end)]
    const found = []
    const look = (at, until, size, other, from) => {
      for (let start = at; start < until; start += size) {
        const length = Math.min(size, until - start)
        const place = from + start - at
        const same = other === ZEROS ? 0 : addressOf(image, place)
        if (all.compare(other, same, same + length, start, start + length) === 0) continue
        if (size === BLOCK) found.push(start / BLOCK)
        else look(start, start + length, BLOCK, other, place)
      }
    }
    look(0, DATA_END, PAGE, base, 0)
    look(HEAP_START, covered, PAGE, base, DATA_END)
    look(covered, last, PAGE, ZEROS, 0)
    return found
  }

  /** What `save` has found to differ, of which image. True until the next run, which begins with `load`. */
  let known = { id: '', index: [] }

  return {
    pages,
    prepared,
    isExceeded,
    memory: () => memory,
    /** The end of the heap, as an address. */
    end: () => endOf(content()),
    /** How often the interpreter has read the clock. */
    clockReads: () => clockReads,
    /** Bytes that were written at any time: they stay resident. Most of the stack never is. */
    touched() {
      endOf(content())
      return touched - STACK_START + DATA_END
    },
    /** The content as an image for later runs. @param {typeof SharedArrayBuffer | typeof ArrayBuffer} [Memory] @returns {Image} */
    take(Memory = ArrayBuffer) {
      const all = content()
      const end = endOf(all)
      const bytes = new Memory(DATA_END + blockAfter(end) - HEAP_START)
      const into = Buffer.from(bytes)
      all.copy(into, 0, 0, DATA_END)
      all.copy(into, DATA_END, HEAP_START, blockAfter(end))
      images += 1
      return { id: `${threadId} ${images}`, end, bytes, pointers: prepared.pointers }
    },
    /** What differs from the image. The stack is empty between two slices. @param {Image} image @returns {State} */
    save(image) {
      const all = content()
      const end = endOf(all)
      const index = differing(all, end, image)
      // Of its own, so that it can be moved.
      const bytes = Buffer.allocUnsafeSlow(index.length * BLOCK)
      index.forEach((block, place) => void all.copy(bytes, place * BLOCK, block * BLOCK, (block + 1) * BLOCK))
      known = { id: image.id, index }
      return { end, index: Uint32Array.from(index), bytes }
    },
    /** Makes the content that of the image, and of the state upon it. @param {Image} image @param {State | null} state */
    load(image, state = null) {
      if (image.pointers !== prepared.pointers) throw new Error('the image is of another machine')
      const all = content()
      const base = Buffer.from(image.bytes)
      const isKnown = known.id === image.id
      const index = isKnown ? known.index : differing(all, Math.max(endOf(all), image.end), image)
      known = { id: '', index: [] }
      all.fill(0, STACK_START, HEAP_START)
      touched = Math.max(touched, state?.end ?? image.end)
      for (const block of index) {
        const at = block * BLOCK
        if (at >= blockAfter(image.end)) all.fill(0, at, at + BLOCK)
        else {
          const from = addressOf(image, placeIn(at))
          base.copy(all, at, from, from + BLOCK)
        }
      }
      const bytes = state && Buffer.from(state.bytes.buffer, state.bytes.byteOffset, state.bytes.byteLength)
      state?.index.forEach((block, place) => {
        bytes.copy(all, block * BLOCK, place * BLOCK, (place + 1) * BLOCK)
      })
    },
    /** The machine never runs again. Pages that were never written are skipped, because writing makes them resident. */
    wipe() {
      const all = content()
      for (let at = 0; at < all.length; at += PAGE) {
        const page = all.subarray(at, at + PAGE)
        if (!page.equals(ZEROS)) page.fill(0)
      }
    },
  }
}
