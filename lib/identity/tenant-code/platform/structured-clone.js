import { DOMException } from './dom-exception.js'

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }

export function structuredClone(value, { transfer = [] } = {}) {
  const known = new Map()
  for (const buffer of transfer) {
    if (!(buffer instanceof ArrayBuffer)) throw refused(buffer)
    known.set(buffer, buffer.transfer ? buffer.transfer() : buffer.slice(0))
  }
  return cloned(value, known)
}

function cloned(value, known) {
  if (typeof value === 'function' || typeof value === 'symbol') throw refused(value)
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before) return before
  const keep = (copy) => {
    known.set(value, copy)
    return copy
  }
  if (value instanceof Date) return keep(new Date(value.getTime()))
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags))
  if (value instanceof Boolean || value instanceof Number || value instanceof String)
    return keep(Object(value.valueOf()))
  if (value instanceof ArrayBuffer) return keep(value.slice(0))
  if (ArrayBuffer.isView(value)) {
    const Kind = value.constructor
    const buffer = cloned(value.buffer, known)
    return keep(new Kind(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : value.length))
  }
  if (value?.[Symbol.toStringTag] === 'Blob' || value?.[Symbol.toStringTag] === 'File') return value
  if (value instanceof Map) {
    const copy = keep(new Map())
    for (const [key, each] of [...value]) copy.set(cloned(key, known), cloned(each, known))
    return copy
  }
  if (value instanceof Set) {
    const copy = keep(new Set())
    for (const each of [...value]) copy.add(cloned(each, known))
    return copy
  }
  if (value instanceof Error) return keep(errorOf(value, known))
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw refused(value)
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {})
  for (const key of Object.keys(value)) copy[key] = cloned(value[key], known)
  return copy
}

function errorOf(error, known) {
  const Kind = Object.hasOwn(ERRORS, error.name) ? ERRORS[error.name] : Error
  const copy = new Kind(String(error.message))
  const define = (name, value) =>
    Object.defineProperty(copy, name, { value, writable: true, configurable: true, enumerable: false })
  define('stack', String(error.stack))
  if (Object.hasOwn(error, 'cause')) define('cause', cloned(error.cause, known))
  return copy
}

function refused(value) {
  const shown = typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
  return new DOMException(`${shown} could not be cloned.`, 'DataCloneError')
}
