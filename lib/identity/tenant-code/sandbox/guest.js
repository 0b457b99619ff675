// Our only script inside the sandbox: it passes `event`, `api`, `console` and `require` to an action, runs its handler and
// reports the outcome to the host. It is evaluated in a fresh context, before the action's code.
// - It is no security boundary: whatever the action changes in its context, only the host decides what a call means.
// - The host is one function that takes a name, a text and bytes, and returns a text, bytes or nothing.
// - The interfaces of the web and of Node.js are in the large image only (platform.js). Here their names tell the host that the
//   run needs it; the run then begins again there.
;(host, longest) => {
  const { parse, stringify } = JSON
  const need = (name) => {
    host('need', name)
    throw new Error(`${name} is not here`)
  }

  const send = (name, text) => host(name, typeof text === 'string' && text.length <= longest ? text : null)

  const withoutTail = (args) => {
    while (args.length > 0 && args[args.length - 1] === undefined) args.length -= 1
    return args
  }

  const apiOf = (methods) => {
    const api = {}
    for (const name of methods) {
      const [space, method] = name.split('.')
      api[space] ??= {}
      api[space][method] = (...args) => {
        const answer = send(name, stringify(withoutTail(args)))
        return answer === undefined ? api : (parse(answer) ?? undefined)
      }
    }
    return api
  }

  const shown = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    return stringify(value) ?? String(value)
  }

  const consoleOf = () => {
    const out = {}
    for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
      out[level] = (...values) => {
        let line = ''
        for (let i = 0; i < values.length; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i])
        send(`console.${level}`, line.length > longest ? line.slice(0, longest) : line)
      }
    }
    return out
  }

  let require = () => need('require')

  const PLATFORM = [
    ...[
      'AbortController',
      'AbortSignal',
      'Blob',
      'Buffer',
      'CompressionStream',
      'Crypto',
      'CryptoKey',
      'CustomEvent',
      'DOMException',
    ],
    ...[
      'DecompressionStream',
      'Event',
      'EventTarget',
      'File',
      'FormData',
      'Headers',
      'Intl',
      'MessageChannel',
      'ReadableStream',
    ],
    ...[
      'Request',
      'Response',
      'SubtleCrypto',
      'TextDecoder',
      'TextEncoder',
      'TransformStream',
      'URL',
      'URLSearchParams',
    ],
    ...[
      'WritableStream',
      'atob',
      'btoa',
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'crypto',
      'fetch',
      'global',
      'performance',
    ],
    ...['process', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout', 'structuredClone'],
  ]
  const define = (name, descriptor) =>
    Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, ...descriptor })
  const provide = (name, value) => define(name, { value, writable: true })
  for (const name of PLATFORM) define(name, { get: () => need(name), set: (value) => provide(name, value) })

  /** Methods of the language that the interpreter has without the data of languages. */
  const localized = [
    [Date.prototype, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']],
    [Number.prototype, ['toLocaleString']],
    [BigInt.prototype, ['toLocaleString']],
    [String.prototype, ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']],
  ]
  for (const [prototype, names] of localized)
    for (const name of names)
      Object.defineProperty(prototype, name, { configurable: true, writable: true, value: () => need(name) })

  // Operations of the host that the platform uses: some answer at once, the others when they are done.
  const sys = {
    /** Returns a value, or bytes. Throws what the host refuses. */
    call(name, args, bytes) {
      return result(host('call', stringify([name, args]), bytes))
    },
    /** Returns the id and a promise of `{ value, bytes }`. */
    begin(name, args, bytes) {
      started += 1
      const id = started
      const done = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      host('begin', stringify([id, name, args]), bytes)
      return { id, done }
    },
    /** The host gives the operation up; its promise stays open. */
    cancel(id) {
      if (waiting.delete(id)) host('cancel', `${id}`)
    },
    print: (level, line) => send(`console.${level}`, line.length > longest ? line.slice(0, longest) : line),
  }
  let started = 0
  const waiting = new Map()

  const errorOf = ({ name, message, code }) => {
    const Kind = { TypeError, RangeError, SyntaxError }[name] ?? Error
    const error = new Kind(message)
    if (error.name !== name && name)
      Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
    if (code !== undefined) error.code = code
    return error
  }
  const result = (answer) => {
    if (typeof answer !== 'string') return answer === undefined ? undefined : new Uint8Array(answer)
    const { error, value } = parse(answer)
    if (error) throw errorOf(error)
    return value
  }

  const deliver = (text, bytes) => {
    const { id, error, value } = parse(text)
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    if (error) one.reject(errorOf(error))
    else one.resolve({ value, bytes: bytes === undefined ? null : new Uint8Array(bytes) })
  }

  /** Makes this the large image. */
  const install = (platform) => {
    for (const name of PLATFORM) delete globalThis[name]
    const { globals, require: requireModule, ...rest } = platform(sys)
    for (const name of Object.keys(globals)) provide(name, globals[name])
    require = requireModule
    packages = rest
  }
  // The packages of an image, one at a time: lib/identity/tenant-code/sandbox/packages.mjs.
  let packages = null
  const load = (bundle) => packages.load(bundle)
  const names = () => stringify(packages.names())
  const evaluate = (name) => void packages.evaluate(name)
  const refuse = (name, why) => packages.refuse(name, why)

  // Math.random of a context begins at the same place in each run of an image. Code of an image may keep the function, so that each run
  // seeds the same one.
  let [a, b, c, d] = [1, 2, 3, 4]
  let seeded = false
  Math.random = () => {
    if (!seeded) host('random', '')
    const t = b << 9
    let r = a * 5
    r = ((r << 7) | (r >>> 25)) * 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return (r >>> 0) / 4294967296
  }
  const seedRandom = (words) => {
    ;[a, b, c, d] = words
    seeded = true
  }

  const described = (error) => {
    try {
      const { name, message, stack } = error instanceof Error ? error : { name: 'Thrown', message: shown(error) }
      return stringify([`${name}`.slice(0, 100), `${message}`.slice(0, 1000), `${stack ?? ''}`.slice(0, 2000)])
    } catch {
      return '["Thrown","something that cannot be shown",""]'
    }
  }

  const fail = (error) => send('fail', described(error))

  const evaluated = (factory, requireModule, actions) => {
    const module = { exports: {} }
    factory(module.exports, module, requireModule, consoleOf(), actions)
    return module
  }

  /** `require` of an action with modules; each is evaluated once, when it is required first. */
  const requireShared = (shared, factories) => {
    const known = new Map(shared.map(({ name, secrets }, i) => [`actions:${name}`, { factory: factories[i], secrets }]))
    return (name) => {
      const one = known.get(name)
      if (!one) return require(name)
      one.module ??= evaluated(one.factory, require, { secrets: one.secrets })
      return one.module.exports
    }
  }

  const start = async (task, factory, ...factories) => {
    try {
      const { handler, optional, methods, event, seed, shared } = parse(task)
      seedRandom(seed)
      const api = apiOf(methods)
      const module = evaluated(factory, factories.length > 0 ? requireShared(shared, factories) : require)
      const handle = module.exports[handler]
      if (typeof handle === 'function') await handle(event, api)
      else if (!optional) throw new TypeError(`exports.${handler} is no function`)
      send('end', '')
    } catch (error) {
      fail(error)
    }
  }

  return { start, fail, deliver, install, load, names, evaluate, refuse }
}
