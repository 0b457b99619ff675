// Emitters by the package `events`, with what Node.js has added since.
import EventEmitter from 'events/'

const errorMonitor = Symbol('events.errorMonitor')
const { emit } = EventEmitter.prototype
EventEmitter.prototype.emit = function (name, ...args) {
  if (name === 'error' && this.listenerCount(errorMonitor) > 0) emit.call(this, errorMonitor, ...args)
  return emit.call(this, name, ...args)
}

/** An iterator over events. It ends by `return`, by the signal, or by an error. */
function on(emitter, name, { signal, close = [] } = {}) {
  const events = []
  const waiting = []
  let ended = null
  const heard = (...args) => {
    if (waiting.length > 0) waiting.shift().resolve({ value: args, done: false })
    else events.push(args)
  }
  const end = (error) => {
    ended = { error }
    emitter.removeListener(name, heard)
    emitter.removeListener('error', end)
    for (const one of waiting.splice(0)) error ? one.reject(error) : one.resolve({ value: undefined, done: true })
  }
  emitter.on(name, heard)
  if (name !== 'error') emitter.on('error', end)
  for (const each of close) emitter.once(each, () => end())
  signal?.addEventListener('abort', () => end(signal.reason))
  return {
    next: async () => {
      if (events.length > 0) return { value: events.shift(), done: false }
      if (ended?.error) throw ended.error
      if (ended) return { value: undefined, done: true }
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    return: async () => {
      end()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const isTarget = (value) => typeof value?.addEventListener === 'function' && typeof value.on !== 'function'
Object.assign(EventEmitter, {
  errorMonitor,
  on,
  captureRejections: false,
  captureRejectionSymbol: Symbol.for('nodejs.rejection'),
  getEventListeners: (emitter, name) => (isTarget(emitter) ? [] : emitter.listeners(name)),
  getMaxListeners: (emitter) => (isTarget(emitter) ? 0 : emitter.getMaxListeners()),
  setMaxListeners(count = EventEmitter.defaultMaxListeners, ...emitters) {
    for (const each of emitters) if (!isTarget(each)) each.setMaxListeners(count)
  },
  addAbortListener(signal, listener) {
    signal.addEventListener('abort', listener, { once: true })
    return { [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: () => signal.removeEventListener('abort', listener) }
  },
})
EventEmitter.EventEmitter = EventEmitter

/** Listeners run as if each had its own resource: there is nothing to restore. */
EventEmitter.EventEmitterAsyncResource = class extends EventEmitter {}

export { EventEmitter }
