// Makes the large images, from which runs begin: that of the platform, and upon it those of an action's packages.
// - The image has a package evaluated, so that no run spends time on it, only if the package is the same in all runs: one that asks for
//   randomness or the time while it loads would give all runs the same numbers (threat-model.md BF14). Such a package is evaluated by each
//   run that requires it, and so is one that throws.
// - A package that exceeds a limit throws in each run that requires it.
// - What a package begins or prints while it loads, such as a timer, is part of each run.
import { LIMITS, nothingHeard } from './host.mjs'
import { pagesFor } from './machine.mjs'
import { PACKAGES_FILE, PLATFORM_FILE } from './source-map.mjs'

const MIB = 1024 * 1024
/** Beyond the image of the platform: the source of packages, and what they are evaluated to. */
const LOADING_BYTES = 64 * MIB

/** @typedef {Awaited<ReturnType<import('./machine.mjs').openMachine>>} Machine */
/** @typedef {import('./machine.mjs').Image} Image */
/** @typedef {{ fault: null | 'threw' | 'unread' | 'own' | 'memory' | 'timeout', text: string }} Done `text`: its value, or its error */

/** @param {Machine} machine a small one @param {Image} small @param {number} milliseconds */
export function platformImage(machine, small, source, milliseconds) {
  begin(machine, small, performance.now() + milliseconds)
  const { fault, text } = evaluate(machine, source, PLATFORM_FILE, 'install')
  if (fault !== null) throw new Error(`the platform of actions did not load: ${fault}, ${text}`)
  return machine.take()
}

/**
 * @param {(pages: number) => Promise<Machine>} open
 * @param {Image} base that of the platform
 * @param {string} source an expression (job.ts)
 * @param {number} milliseconds
 */
export async function packagesImage(open, base, source, milliseconds) {
  const until = performance.now() + milliseconds
  const pages = pagesFor(base, LOADING_BYTES)
  const kept = { started: [], lines: [], room: 0 }
  let machine = await open(pages)
  let image = base

  /** Keeps what a step left, or takes it back. @param {() => Done} enter */
  async function step(what, name, enter) {
    begin(machine, image, until)
    const done = judged(enter(), machine.prepared.state.run, kept)
    const why = whyRefused(what, done)
    if (done.fault === null) {
      const { started, heard } = machine.prepared.state.run
      kept.started.push(...started)
      kept.lines.push(...heard.lines)
      image = machine.take()
    } else if (machine.isExceeded()) {
      machine.wipe()
      machine = await open(pages)
    } else kept.room = Math.min(kept.room + machine.end() - image.end, LOADING_BYTES)
    if (why !== null) {
      begin(machine, image, Number.POSITIVE_INFINITY)
      call(machine, 'refuse', name, why)
      image = machine.take()
    }
    return done
  }

  let last = await step(ALL, '', () => evaluate(machine, source, PACKAGES_FILE, 'load'))
  if (last.fault === null) last = await step(ALL, '', () => named(call(machine, 'names')))
  for (const name of last.fault === null ? namesIn(last.text) : []) {
    if (last.fault === 'timeout') break
    last = await step(`the package ${name}`, name, () => call(machine, 'evaluate', name))
  }
  machine.wipe()
  return { image: { ...image, ...kept }, incomplete: last.fault === 'timeout' }
}

const ALL = 'the packages of this action'

/** Of what packages begin and print while they load, as part of each run. Beyond that, each run evaluates the package. */
const MAX_STARTED = 20
const MAX_LINES = 20

/** @param {Done} done @param {import('./host.mjs').Run} run @returns {Done} */
function judged(done, { heard, started, startedBytes = 0 }, kept) {
  const isTooMuch =
    heard.tooMuch ||
    started.some(({ bytes }) => bytes) ||
    startedBytes > LIMITS.callText ||
    kept.started.length + started.length > MAX_STARTED ||
    kept.lines.length + heard.lines.length > MAX_LINES
  return done.fault === null && isTooMuch ? { ...done, fault: 'own' } : done
}

/** The code of the bundle may have changed what makes the text. @param {Done} done @returns {Done} */
const named = (done) =>
  done.fault === null && namesIn(done.text) === null ? { fault: 'unread', text: 'it names no packages' } : done

const MAX_NAMES = 1000

/** @returns {string[] | null} */
function namesIn(text) {
  const names = text === '' || text.length > LIMITS.text ? null : JSON.parse(text)
  const isList = Array.isArray(names) && names.length <= MAX_NAMES && names.every((name) => typeof name === 'string')
  return isList ? names : null
}

/** @param {Done} done */
function whyRefused(what, { fault, text }) {
  if (fault === 'memory') return `${what} took more than ${LOADING_BYTES / MIB} MiB to load`
  if (fault === 'timeout') return `${what} took too long to load`
  return fault === 'unread' ? `${what} cannot be read: ${text}` : null
}

/** @param {Machine} machine @param {Image} image @param {number} until */
function begin(machine, image, until) {
  machine.load(image)
  const { state } = machine.prepared
  state.run = { heard: nothingHeard(), job: { methods: [] }, printed: 0, started: [], needs: null }
  state.deadline = until
  state.exceeded = null
  state.clockReads = machine.clockReads()
}

/** Evaluates a source, and passes its value to a function of the guest. @param {Machine} machine @returns {Done} */
function evaluate(machine, source, file, into) {
  const { context } = machine.prepared
  const read = context.evalCode(source, file)
  if (read.error) return outcome(machine, read, 'unread')
  const { fault, text } = outcome(machine, context.callFunction(machine.prepared[into], context.undefined, read.value))
  read.dispose()
  // What is read only passes a function on.
  return { fault: fault === 'threw' || fault === 'own' ? 'unread' : fault, text }
}

/** Calls a function of the guest with texts. @param {Machine} machine @returns {Done} */
function call(machine, name, ...texts) {
  const { context } = machine.prepared
  const args = texts.map((text) => context.newString(text))
  const done = outcome(machine, context.callFunction(machine.prepared[name], context.undefined, ...args))
  for (const each of args) each.dispose()
  return done
}

/** @param {Machine} machine @returns {Done} */
function outcome(machine, result, threw = 'threw') {
  const { state, mustStop, runtime, context } = machine.prepared
  const text = textOf(context, result)
  const failed = result.error ? threw : null
  result.dispose()
  while (!mustStop() && runtime.hasPendingJob()) runtime.executePendingJobs(1).dispose()
  const own = state.run.own || machine.clockReads() > state.clockReads
  return { fault: state.exceeded ?? failed ?? (own ? 'own' : null), text }
}

function textOf(context, { error, value }) {
  if (!error) return context.typeof(value) === 'string' ? context.getString(value) : ''
  const message = context.getProp(error, 'message')
  const text = context.typeof(message) === 'string' ? context.getString(message).slice(0, 300) : 'unknown'
  message.dispose()
  return text
}
