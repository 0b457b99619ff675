// Bytes for the host: an ArrayBuffer of their own beside JSON, or base64 inside it.
import { Buffer } from './buffer.js'

const invalid = (name, expected) =>
  Object.assign(new TypeError(`The "${name}" argument must be ${expected}`), { code: 'ERR_INVALID_ARG_TYPE' })

/** A Buffer of a text or of any view. */
export function bufferFrom(value, encoding, name = 'data') {
  if (typeof value === 'string') return Buffer.from(value, encoding === 'buffer' ? 'utf8' : encoding)
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  throw invalid(name, 'of type string or an instance of Buffer, TypedArray, or DataView')
}

/** Undefined if there are none. */
export const raw = (buffer) =>
  buffer.byteLength === 0 ? undefined : buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength)

export const base64 = (value, name) => bufferFrom(value, 'utf8', name).toString('base64')

/** The bytes that the host made. */
export const received = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const encoded = (buffer, encoding) => (encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer)

/** Does at once what Node.js does in another thread, and calls back later. */
export const callingBack = (sync) =>
  function (...args) {
    const callback = args.pop()
    if (typeof callback !== 'function') throw invalid('callback', 'of type function')
    let outcome
    try {
      outcome = [null, sync.apply(this, args)]
    } catch (error) {
      outcome = [error]
    }
    void Promise.resolve().then(() => callback(...outcome))
  }
