// The thread that runs actions: QuickJS in WebAssembly, one instance per tenant (instances.mjs), and in it a fresh runtime and
// context per run. Only texts cross the boundary.
// - A run ends by itself, by its deadline (an interrupt of the interpreter), or with this thread: the pool terminates the thread
//   if no answer comes, because not every loop of the interpreter checks the clock.
// - After a fault of the interpreter this thread is not trusted: `broken` requests its replacement.
// - The next context is prepared while the thread is idle. (docs/adr/0022-actions-in-quickjs.md, threat-model.md AC1 to AC5)
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { hear, LIMITS, nothingHeard } from './host.mjs'
import { createInstances } from './instances.mjs'

const MEMORY_BYTES = 16 * 1024 * 1024
const STACK_BYTES = 256 * 1024
const JOBS_AT_ONCE = 1000
/** Removed globals that an action does not need: shared memory, weak references, a high-resolution clock. */
const WITHOUT = `for (const name of ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'performance'])
  delete globalThis[name]`

const guest = readFileSync(new URL('guest.js', import.meta.url), 'utf8')

function prepare(quickjs) {
  const state = { run: null, deadline: Number.POSITIVE_INFINITY, late: false }
  const runtime = quickjs.newRuntime({ memoryLimitBytes: MEMORY_BYTES, maxStackSizeBytes: STACK_BYTES })
  runtime.setInterruptHandler(() => {
    state.late ||= performance.now() > state.deadline
    return state.late
  })
  const context = runtime.newContext()
  context.unwrapResult(context.evalCode(WITHOUT)).dispose()
  const host = context.newFunction('host', (name, text) => {
    const given = context.typeof(text) === 'string' ? context.getString(text) : null
    const answer = hear(state.run, context.getString(name), given)
    return answer === undefined ? context.undefined : context.newString(answer)
  })
  const enter = context.unwrapResult(context.evalCode(guest, 'guest.js'))
  const longest = context.newNumber(LIMITS.text)
  const start = context.unwrapResult(context.callFunction(enter, context.undefined, host, longest))
  for (const handle of [host, enter, longest]) handle.dispose()
  return { state, runtime, context, start }
}

function run({ state, runtime, context, start }, job) {
  const began = performance.now()
  const heard = nothingHeard()
  state.run = { heard, job, printed: 0 }
  state.deadline = began + job.milliseconds
  const factory = context.evalCode(`(function (exports, module, require, console) {${job.code}\n})`, job.file)
  if (factory.error) heard.end = syntaxError(factory.error.consume((error) => context.dump(error)))
  else call(context, start, factory.value, job)
  while (heard.end === null && !state.late && runtime.hasPendingJob())
    runtime.executePendingJobs(JOBS_AT_ONCE).dispose()
  return { ...report(heard, state.late), milliseconds: performance.now() - began }
}

/** The event is JSON already and is passed unchanged. */
function call(context, start, factory, { handler, optional, methods, event }) {
  const head = JSON.stringify({ handler, optional, methods })
  const task = context.newString(`${head.slice(0, -1)},"event":${event}}`)
  context.callFunction(start, context.undefined, factory, task).dispose()
  task.dispose()
  factory.dispose()
}

const nothingReported = { outcome: 'broken', calls: [], lines: [], droppedLines: 0, milliseconds: 0 }

const syntaxError = ({ name, message, stack }) => [String(name), String(message), String(stack)]

function report({ calls, lines, droppedLines, tooMuch, end }, late) {
  const error = Array.isArray(end) ? { name: end[0], message: end[1], stack: end[2] } : null
  return { outcome: outcomeOf(end, error, late, tooMuch), error, calls, lines, droppedLines }
}

function outcomeOf(end, error, late, tooMuch) {
  if (late) return 'timeout'
  if (tooMuch) return 'output'
  if (error) return error.message === 'out of memory' ? 'memory' : 'threw'
  return end === 'end' ? 'ok' : 'unsettled'
}

function leave({ runtime, context, start }) {
  start.dispose()
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
