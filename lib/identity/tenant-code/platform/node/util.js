// https://nodejs.org/docs/latest-v22.x/api/util.html
import { isDeepStrictEqual } from './equal.js'
import { format, formatWithOptions, inspect } from './inspect.js'
import { nextTick } from './process.js'
import { types } from './types.js'

const customPromisify = Symbol.for('nodejs.util.promisify.custom')

function promisify(original) {
  if (typeof original !== 'function')
    throw Object.assign(new TypeError('The "original" argument must be of type function'), {
      code: 'ERR_INVALID_ARG_TYPE',
    })
  if (original[customPromisify]) return original[customPromisify]
  function promised(...args) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value)))
    })
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original))
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original))
}
promisify.custom = customPromisify

const callbackify = (original) =>
  function (...args) {
    const callback = args.pop()
    Promise.resolve(original.apply(this, args)).then(
      (value) => nextTick(callback, null, value),
      (error) => nextTick(callback, error ?? new Error('Promise was rejected with a falsy value')),
    )
  }

function inherits(child, parent) {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true })
  Object.setPrototypeOf(child.prototype, parent.prototype)
}

/** Control sequences of terminals (ECMA-48): colours, and titles that end with BEL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const ANSI = /[\u001b\u009b](?:\][^\u0007]*\u0007|[[()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g

export function utilOf(sys) {
  const warned = new Set()
  function deprecate(original, message, code) {
    const warn = () => {
      if (!warned.has(code ?? message)) sys.print('warn', `DeprecationWarning: ${message}`)
      warned.add(code ?? message)
    }
    function deprecated(...args) {
      warn()
      return new.target ? Reflect.construct(original, args, new.target) : original.apply(this, args)
    }
    Object.setPrototypeOf(deprecated, original)
    if (original.prototype) deprecated.prototype = original.prototype
    return deprecated
  }
  const debuglog = () => Object.assign(() => {}, { enabled: false })
  return {
    promisify,
    callbackify,
    inherits,
    deprecate,
    inspect,
    format,
    formatWithOptions,
    types,
    isDeepStrictEqual,
    debuglog,
    debug: debuglog,
    stripVTControlCharacters: (text) => String(text).replace(ANSI, ''),
    styleText: (_style, text) => text,
    toUSVString: (text) => String(text).toWellFormed(),
    aborted: (signal) =>
      signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve)),
    isArray: Array.isArray,
    isBoolean: (value) => typeof value === 'boolean',
    isBuffer: (value) => globalThis.Buffer.isBuffer(value),
    isDate: types.isDate,
    isError: (value) => value instanceof Error,
    isFunction: (value) => typeof value === 'function',
    isNull: (value) => value === null,
    isNullOrUndefined: (value) => value === null || value === undefined,
    isNumber: (value) => typeof value === 'number',
    isObject: (value) => value !== null && typeof value === 'object',
    isPrimitive: (value) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
    isRegExp: types.isRegExp,
    isString: (value) => typeof value === 'string',
    isSymbol: (value) => typeof value === 'symbol',
    isUndefined: (value) => value === undefined,
    _extend: (target, source) => Object.assign(target, source),
    get TextEncoder() {
      return globalThis.TextEncoder
    },
    get TextDecoder() {
      return globalThis.TextDecoder
    },
  }
}
