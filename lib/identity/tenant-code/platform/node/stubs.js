// Small modules of Node.js whose meaning inside a run is plain.
export const os = {
  EOL: '\n',
  devNull: '/dev/null',
  constants: { signals: {}, errno: {}, priority: {} },
  arch: () => 'x64',
  platform: () => 'linux',
  type: () => 'Linux',
  release: () => '',
  version: () => '',
  machine: () => 'x86_64',
  hostname: () => 'localhost',
  homedir: () => '/',
  tmpdir: () => '/tmp',
  endianness: () => 'LE',
  uptime: () => 0,
  loadavg: () => [0, 0, 0],
  totalmem: () => 0,
  freemem: () => 0,
  cpus: () => [],
  availableParallelism: () => 1,
  networkInterfaces: () => ({}),
  userInfo: () => ({ uid: -1, gid: -1, username: 'action', homedir: '/', shell: null }),
}

export const tty = { isatty: () => false, ReadStream: class {}, WriteStream: class {} }

const later =
  (name) =>
  (...args) =>
    globalThis[name](...args)
export const timersModule = {
  ...Object.fromEntries(
    ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'].map((name) => [
      name,
      later(name),
    ]),
  ),
}

const aborted = (signal) =>
  Object.assign(new Error('The operation was aborted'), {
    name: 'AbortError',
    code: 'ABORT_ERR',
    cause: signal?.reason,
  })
function waitFor(begin, stop, signal, value) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const timer = begin(() => resolve(value))
    signal?.addEventListener('abort', () => {
      stop(timer)
      reject(aborted(signal))
    })
  })
}
const { setTimeout, clearTimeout, setImmediate, clearImmediate } = timersModule
export const timersPromises = {
  setTimeout: (delay, value, { signal } = {}) =>
    waitFor((done) => setTimeout(done, delay), clearTimeout, signal, value),
  setImmediate: (value, { signal } = {}) => waitFor(setImmediate, clearImmediate, signal, value),
  async *setInterval(delay, value, { signal } = {}) {
    for (;;) yield await timersPromises.setTimeout(delay, value, { signal })
  },
}
timersPromises.scheduler = {
  wait: (delay, options) => timersPromises.setTimeout(delay, undefined, options),
  yield: () => timersPromises.setImmediate(),
}
timersModule.promises = timersPromises

/**
 * A store lasts as long as what `run` calls, and as long as the promise that it returns. There is one flow: two that `run` begins side
 * by side see the store of the later one.
 */
class AsyncLocalStorage {
  #store
  run(store, callback, ...args) {
    const before = this.#store
    const restore = () => {
      this.#store = before
    }
    this.#store = store
    let result
    try {
      result = callback(...args)
    } catch (error) {
      restore()
      throw error
    }
    if (typeof result?.then !== 'function') restore()
    else Promise.resolve(result).then(restore, restore)
    return result
  }
  exit(callback, ...args) {
    return this.run(undefined, callback, ...args)
  }
  getStore() {
    return this.#store
  }
  enterWith(store) {
    this.#store = store
  }
  disable() {
    this.#store = undefined
  }
  static bind(callback) {
    return callback
  }
  static snapshot() {
    return (callback, ...args) => callback(...args)
  }
}

class AsyncResource {
  constructor(type) {
    this.type = type
  }
  runInAsyncScope(callback, self, ...args) {
    return callback.apply(self, args)
  }
  bind(callback) {
    return callback.bind(this)
  }
  emitDestroy() {
    return this
  }
  asyncId() {
    return 1
  }
  triggerAsyncId() {
    return 0
  }
  static bind(callback) {
    return callback
  }
}
export const asyncHooks = {
  AsyncLocalStorage,
  AsyncResource,
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
  createHook: () => ({ enable() {}, disable() {} }),
}

class Channel {
  constructor(name) {
    this.name = name
    this.listeners = []
  }
  get hasSubscribers() {
    return this.listeners.length > 0
  }
  subscribe(listener) {
    this.listeners = [...this.listeners, listener]
  }
  unsubscribe(listener) {
    const had = this.listeners.includes(listener)
    this.listeners = this.listeners.filter((each) => each !== listener)
    return had
  }
  publish(message) {
    for (const listener of this.listeners) listener(message, this.name)
  }
  bindStore() {}
  unbindStore() {}
  runStores(message, callback, self, ...args) {
    this.publish(message)
    return callback.apply(self, args)
  }
}
export function diagnosticsOf() {
  const channels = new Map()
  const channel = (name) => {
    if (!channels.has(name)) channels.set(name, new Channel(name))
    return channels.get(name)
  }
  const KINDS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
  return {
    Channel,
    channel,
    hasSubscribers: (name) => channel(name).hasSubscribers,
    subscribe: (name, listener) => channel(name).subscribe(listener),
    unsubscribe: (name, listener) => channel(name).unsubscribe(listener),
    tracingChannel: (name) => ({
      ...Object.fromEntries(KINDS.map((kind) => [kind, channel(`tracing:${name}:${kind}`)])),
      hasSubscribers: false,
      subscribe() {},
      unsubscribe() {},
      traceSync: (callback, _context, self, ...args) => callback.apply(self, args),
      tracePromise: (callback, _context, self, ...args) => callback.apply(self, args),
      traceCallback: (callback, _position, _context, self, ...args) => callback.apply(self, args),
    }),
  }
}

/** There is no clock finer than milliseconds. */
const performanceHere = {
  timeOrigin: 0,
  now: () => Date.now(),
  mark: (name) => ({ name, entryType: 'mark', startTime: Date.now(), duration: 0 }),
  measure: (name) => ({ name, entryType: 'measure', startTime: Date.now(), duration: 0 }),
  clearMarks() {},
  clearMeasures() {},
  getEntries: () => [],
  getEntriesByName: () => [],
  getEntriesByType: () => [],
  toJSON: () => ({}),
}
class PerformanceObserver {
  observe() {}
  disconnect() {}
  takeRecords() {
    return []
  }
  static supportedEntryTypes = []
}
export const perfHooks = {
  get performance() {
    return globalThis.performance ?? performanceHere
  },
  PerformanceObserver,
  constants: {},
}
