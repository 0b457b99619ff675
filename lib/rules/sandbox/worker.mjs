// The thread that runs actions: QuickJS in WebAssembly, one instance per tenant (instances.mjs), and in it a fresh runtime and
// context per run. Only texts cross the boundary.
// - A run ends by itself, by its limits of time and memory (an interrupt of the interpreter), or with this thread: the pool
//   terminates the thread if no answer comes, because not every loop of the interpreter checks the limits.
// - A limit once exceeded decides the outcome, whatever the action catches, and wherever the interpreter loses its exception.
// - After a fault of the interpreter this thread is not trusted: `broken` requests its replacement.
// - The next context is prepared while the thread is idle. (docs/adr/0022-actions-in-quickjs.md, threat-model.md AC1 to AC5)
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { hear, LIMITS, nothingHeard } from './host.mjs'
import { createInstances } from './instances.mjs'

const STACK_BYTES = 256 * 1024
/** Removed globals that an action does not need: shared memory, weak references, a high-resolution clock. */
const WITHOUT = `for (const name of ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'performance'])
  delete globalThis[name]`

const guest = readFileSync(new URL('guest.js', import.meta.url), 'utf8')

function prepare(quickjs, isExceeded) {
  const state = { run: null, deadline: Number.POSITIVE_INFINITY, exceeded: null }
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: STACK_BYTES })
  /** Whether the run must stop. The first limit that it exceeds stays the reason. */
  const mustStop = () => {
    state.exceeded ??= isExceeded() ? 'memory' : performance.now() > state.deadline ? 'timeout' : null
    return state.exceeded !== null
  }
  runtime.setInterruptHandler(mustStop)
  const context = runtime.newContext()
  context.unwrapResult(context.evalCode(WITHOUT)).dispose()
  const host = context.newFunction('host', (name, text) => {
    if (isExceeded()) return context.undefined
    const given = context.typeof(text) === 'string' ? context.getString(text) : null
    const answer = hear(state.run, context.getString(name), given)
    return answer === undefined ? context.undefined : context.newString(answer)
  })
  const enter = context.unwrapResult(context.evalCode(guest, 'guest.js'))
  const longest = context.newNumber(LIMITS.text)
  const entered = context.unwrapResult(context.callFunction(enter, context.undefined, host, longest))
  const [start, fail] = ['start', 'fail'].map((name) => context.getProp(entered, name))
  for (const handle of [host, enter, longest, entered]) handle.dispose()
  return { state, mustStop, runtime, context, start, fail }
}

function run({ state, mustStop, runtime, context, start, fail }, job) {
  const began = performance.now()
  const heard = nothingHeard()
  state.run = { heard, job, printed: 0 }
  state.deadline = began + job.milliseconds
  /** An exception that nothing inside caught ends the run, also one that a job throws at the interpreter. */
  const settle = (result) => {
    if (result.error && !mustStop()) context.callFunction(fail, context.undefined, result.error).dispose()
    result.dispose()
  }
  const factory = context.evalCode(`(function (exports, module, require, console) {${job.code}\n})`, job.file)
  if (factory.error) settle(factory)
  else settle(call(context, start, factory.value, job))
  while (heard.end === null && !mustStop() && runtime.hasPendingJob()) settle(runtime.executePendingJobs(1))
  return { ...report(heard, state.exceeded), milliseconds: performance.now() - began }
}

/** The event is JSON already and is passed unchanged. */
function call(context, start, factory, { handler, optional, methods, event }) {
  const head = JSON.stringify({ handler, optional, methods })
  const task = context.newString(`${head.slice(0, -1)},"event":${event}}`)
  const result = context.callFunction(start, context.undefined, factory, task)
  task.dispose()
  factory.dispose()
  return result
}

const nothingReported = { outcome: 'broken', calls: [], lines: [], droppedLines: 0, milliseconds: 0 }

function report({ calls, lines, droppedLines, tooMuch, end }, exceeded) {
  const error = Array.isArray(end) ? { name: end[0], message: end[1], stack: end[2] } : null
  return { outcome: exceeded ?? outcomeOf(end, error, tooMuch), error, calls, lines, droppedLines }
}

function outcomeOf(end, error, tooMuch) {
  if (tooMuch) return 'output'
  if (error) return isOutOfMemory(error) ? 'memory' : 'threw'
  return end === 'end' ? 'ok' : 'unsettled'
}

/** An allocation of gigabytes is refused without an attempt to grow the memory. */
const isOutOfMemory = ({ name, message }) => name === 'InternalError' && message === 'out of memory'

function leave({ runtime, context, start, fail }) {
  start.dispose()
  fail.dispose()
  context.dispose()
  runtime.dispose()
}

/** The interpreter is compiled on use: one warm-up run, so that no action spends its time limit on that. */
const WARMING = {
  code: 'exports.warm = async (event, api) => console.log(event)',
  file: 'warm.js',
  handler: 'warm',
  optional: false,
  methods: [],
  event: '{}',
  milliseconds: 10_000,
}

const warming = createInstances({ prepare, leave })
run((await warming.of('warming')).prepared, WARMING)

const instances = createInstances({ prepare, leave })
await instances.fill()
parentPort.on('message', async (job) => {
  await answer(job)
  try {
    await instances.renew(job.tenant)
  } catch {
    parentPort.postMessage('gone')
  }
})
parentPort.postMessage('ready')

async function answer(job) {
  try {
    const { prepared } = await instances.of(job.tenant)
    parentPort.postMessage(run(prepared, job))
  } catch (error) {
    parentPort.postMessage({ ...nothingReported, error: { name: 'Broken', message: String(error), stack: '' } })
  }
}
