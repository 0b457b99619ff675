// A thread that runs slices of actions: from the beginning, or from the answer to what a run waits for, until it ends or waits. It holds
// no run: what a waiting run is, goes back to the caller (machine.mjs). Only texts and bytes cross the boundary.
// - A slice ends by itself, by its limits of time and memory (an interrupt of the interpreter), or with this thread: the pool
//   terminates the thread if no answer comes, because not every loop of the interpreter checks the limits.
// - A limit once exceeded decides the outcome, whatever the action catches, and wherever the interpreter loses its exception.
// - After a fault of the interpreter this thread is not trusted: `broken` requests its replacement.
// - A run begins in the small image. If it uses a part of the platform that only the large one has, the slice answers `needs`.
//   (docs/adr/0052-runs-as-memory-images.md, threat-model.md AC1 to AC5)
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { hear, LIMITS, nothingHeard } from './host.mjs'
import { pagesFor } from './machine.mjs'
import { createMachines } from './machines.mjs'
import { packagesImage, platformImage } from './packages.mjs'
import { GUEST_FILE, PACKAGES_FILE, traced } from './source-map.mjs'

const STACK_BYTES = 256 * 1024
/** Removed globals that an action does not need: shared memory, weak references, a high-resolution clock. */
const WITHOUT = `for (const name of ['SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'performance'])
  delete globalThis[name]`

const sourceOf = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const guest = sourceOf('guest.js')

function prepare(quickjs, isExceeded) {
  const state = { run: null, deadline: Number.POSITIVE_INFINITY, exceeded: null, clockReads: 0 }
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: STACK_BYTES })
  /** Whether the slice must stop. The first limit that it exceeds stays the reason. */
  const mustStop = () => {
    state.exceeded ??= isExceeded() ? 'memory' : performance.now() > state.deadline ? 'timeout' : null
    return state.exceeded !== null || (state.run?.needs ?? null) !== null
  }
  runtime.setInterruptHandler(mustStop)
  const context = runtime.newContext()
  context.unwrapResult(context.evalCode(WITHOUT)).dispose()
  const host = context.newFunction('host', (name, text, bytes) => {
    if (isExceeded()) return context.undefined
    const given = context.typeof(text) === 'string' ? context.getString(text) : null
    const answer = hear(state.run, context.getString(name), given, bytesIn(context, bytes))
    if (answer === undefined) return context.undefined
    return typeof answer === 'string' ? context.newString(answer) : context.newArrayBuffer(bufferOf(answer))
  })
  const enter = context.unwrapResult(context.evalCode(guest, GUEST_FILE))
  const longest = context.newNumber(LIMITS.text)
  const entered = context.unwrapResult(context.callFunction(enter, context.undefined, host, longest))
  const entrances = ENTRANCES.map((name) => [name, context.getProp(entered, name)])
  for (const handle of [host, enter, longest, entered]) handle.dispose()
  const pointers = [runtime.rt, context.ctx, ...entrances.map(([, handle]) => handle)].map(({ value }) => value)
  return { state, mustStop, runtime, context, ...Object.fromEntries(entrances), pointers: pointers.join(' ') }
}

/** The functions of the guest that the host calls. */
const ENTRANCES = ['start', 'fail', 'deliver', 'install', 'load', 'names', 'evaluate', 'refuse']

/** A copy of the bytes that the guest passes, or null. */
function bytesIn(context, handle) {
  if (handle === undefined || context.typeof(handle) !== 'object') return null
  const bytes = context.getArrayBuffer(handle)
  try {
    return Uint8Array.from(bytes.value)
  } finally {
    bytes.dispose()
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }) => buffer.slice(byteOffset, byteOffset + byteLength)

function slice(machine, job, image) {
  const since = performance.now()
  const { state, mustStop, runtime, context, fail, deliver } = machine.prepared
  const heard = job.heard ?? { ...nothingHeard(), lines: [...(image.lines ?? [])] }
  const started = job.state === null ? [...(image.started ?? [])] : []
  const run = { heard, job, printed: job.printed ?? 0, started, needs: null }
  state.run = run
  state.exceeded = null
  state.deadline = since + job.milliseconds
  /** An exception that nothing inside caught ends the run, also one that a job throws at the interpreter. */
  const settle = (result) => {
    if (result.error && !mustStop()) context.callFunction(fail, context.undefined, result.error).dispose()
    result.dispose()
  }
  const drain = () => {
    while (heard.end === null && !mustStop() && runtime.hasPendingJob()) settle(runtime.executePendingJobs(1))
  }
  if (job.state === null) {
    begin(machine, job, settle)
    drain()
  }
  for (const { id, error, value, bytes } of job.settled) {
    if (heard.end !== null || mustStop()) break
    const text = context.newString(JSON.stringify({ id, error, value }))
    const given = bytes ? context.newArrayBuffer(bufferOf(bytes)) : context.undefined
    settle(context.callFunction(deliver, context.undefined, text, given))
    text.dispose()
    if (bytes) given.dispose()
    drain()
  }
  const milliseconds = performance.now() - since
  if (run.needs !== null && state.exceeded === null) return { ...nothingReported, outcome: 'needs', milliseconds }
  const waits = heard.end === null && !heard.tooMuch && state.exceeded === null && job.pending + added(run.started) > 0
  if (!waits) return { ...report(heard, codesOf(job), state.exceeded), milliseconds }
  const waiting = { state: machine.save(image), image, heard, printed: run.printed, started: run.started }
  return { ...nothingReported, outcome: 'waits', waiting, milliseconds }
}

/** How many more things it waits for. */
const added = (started) => started.reduce((count, { cancel }) => count + (cancel ? -1 : 1), 0)

/** The code of the action, and of what it shares with others. */
const codesOf = ({ code, file, modules = [] }) => [
  { head: HEAD, code, file },
  ...modules.map((each) => ({ ...each, head: MODULE_HEAD })),
]

function begin({ prepared: { context, start } }, job, settle) {
  const codes = codesOf(job)
  const factories = []
  for (const { head, code, file } of codes) {
    const factory = context.evalCode(`${head}${code}\n})`, file)
    if (factory.error) {
      settle(factory)
      break
    }
    factories.push(factory.value)
  }
  if (factories.length === codes.length) settle(call(context, start, factories, job))
  for (const factory of factories) factory.dispose()
}

const HEAD = '(function (exports, module, require, console) {'
/** `actions` has the secrets of the module. An action may have a variable of this name. */
const MODULE_HEAD = '(function (exports, module, require, console, actions) {'

/** The event is JSON already and is passed unchanged. */
function call(context, start, factories, { handler, optional, methods, event, seed, modules = [] }) {
  const shared = modules.map(({ name, secrets }) => ({ name, secrets }))
  const head = JSON.stringify({ handler, optional, methods, seed, shared })
  const task = context.newString(`${head.slice(0, -1)},"event":${event}}`)
  const result = context.callFunction(start, context.undefined, task, ...factories)
  task.dispose()
  return result
}

const nothingReported = { outcome: 'broken', error: null, calls: [], lines: [], droppedLines: 0, milliseconds: 0 }

function report({ calls, lines, droppedLines, tooMuch, end }, codes, exceeded) {
  const error = Array.isArray(end) ? { name: end[0], message: end[1], stack: placed(end[2], codes) } : null
  return { outcome: exceeded ?? outcomeOf(end, error, tooMuch), error, calls, lines, droppedLines }
}

/** The interpreter counts the columns of the first line from zero, and what stands before the code with them. */
const placed = (stack, codes) =>
  stack.replace(/([^\s()]+):1:(\d+)/g, (place, name, column) => {
    const own = codes.find(({ file }) => file === name)
    const before = own ? own.head.length : name === PACKAGES_FILE ? 0 : null
    return before === null ? place : `${name}:1:${Math.max(1, column - before + 1)}`
  })

function outcomeOf(end, error, tooMuch) {
  if (tooMuch) return 'output'
  if (error) return isOutOfMemory(error) ? 'memory' : 'threw'
  return end === 'end' ? 'ok' : 'unsettled'
}

/** An allocation of gigabytes is refused without an attempt to grow the memory. */
const isOutOfMemory = ({ name, message }) => name === 'InternalError' && message === 'out of memory'

/** The interpreter is compiled on use: one warm-up run, so that no action spends its time limit on that. */
const WARMING = {
  ...{ code: 'exports.warm = async (event, api) => console.log(event)', file: 'warm.js', handler: 'warm' },
  ...{ optional: false, methods: [], event: '{}', seed: [1, 2, 3, 4], state: null, settled: [], pending: 0 },
  milliseconds: 10_000,
}

const machines = createMachines({ prepare })
const first = await machines.open(pagesFor(null))
/** The image of a machine that has not run. */
const small = first.take(SharedArrayBuffer)
slice(first, WARMING, small)
await machines.fill()

parentPort.on('message', async (job) => {
  const answered = await answer(job)
  parentPort.postMessage(answered, movedOf(answered))
  try {
    await machines.renew()
  } catch {
    parentPort.postMessage('gone')
  }
})
parentPort.postMessage('ready')

/** Memory that the caller gets without a copy. */
const movedOf = ({ waiting, image }) => [waiting?.state.bytes.buffer, image?.bytes].filter((each) => each !== undefined)

async function answer(job) {
  try {
    if ('source' in job) return { outcome: 'made', ...(await make(job)) }
    if ('map' in job) return { outcome: 'traced', stack: tracedOr(job) }
    const image = job.image ?? small
    const machine = await machines.of(job.tenant, image)
    machine.load(image, job.state)
    return slice(machine, job, image)
  } catch (error) {
    return { ...nothingReported, error: { name: 'Broken', message: String(error), stack: '' } }
  }
}

/** A map that cannot be read is no fault of the thread. */
function tracedOr({ stack, map }) {
  try {
    return traced(stack, map)
  } catch {
    return stack
  }
}

async function make({ tenant, base, source, milliseconds }) {
  if (base !== null) return packagesImage(machines.open, base, source, milliseconds)
  return { image: platformImage(await machines.of(tenant, small), small, source, milliseconds), incomplete: false }
}
