// Buffer by the package `buffer`, with the encoding base64url, which it lacks.
import * as base from 'buffer/'

export const { Buffer } = base

const isUrl = (encoding) => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
const standard = (encoding) => (isUrl(encoding) ? 'base64' : encoding)

/** Of texts and bytes that are longer, the host makes the conversion. */
const LONG = 200
const NAMES = {
  ...{ utf8: 'utf8', 'utf-8': 'utf8', ucs2: 'utf16le', 'ucs-2': 'utf16le', utf16le: 'utf16le', 'utf-16le': 'utf16le' },
  ...{ latin1: 'latin1', binary: 'latin1', ascii: 'ascii', hex: 'hex', base64: 'base64', base64url: 'base64url' },
}
const nameOf = (encoding) => NAMES[String(encoding ?? 'utf8').toLowerCase()]
let host = null
export const withHost = (sys) => {
  host = sys
}

const { from, isEncoding, byteLength, alloc } = Buffer
Buffer.from = (value, encoding, length) => {
  if (host === null || typeof value !== 'string' || value.length <= LONG || !nameOf(encoding))
    return from.call(Buffer, value, standard(encoding), length)
  return Object.setPrototypeOf(
    host.call('buffer.encode', { text: value, encoding: nameOf(encoding) }),
    Buffer.prototype,
  )
}
Buffer.isEncoding = (encoding) => isUrl(encoding) || isEncoding(encoding)
Buffer.byteLength = (value, encoding) => byteLength(value, standard(encoding))
Buffer.alloc = (size, fill, encoding) => alloc(size, fill, standard(encoding))
Buffer.copyBytesFrom = (view, offset = 0, length = view.length - offset) =>
  Buffer.from(view.slice(offset, offset + length).buffer)

const { toString: textOf, write, fill, indexOf, lastIndexOf, includes } = Buffer.prototype
Buffer.prototype.toString = function (encoding, start, end) {
  if (host !== null && this.length > LONG && nameOf(encoding)) {
    const part = start === undefined && end === undefined ? this : this.subarray(start ?? 0, end ?? this.length)
    const { buffer, byteOffset, byteLength } = part
    if (byteLength > LONG)
      return host.call(
        'buffer.decode',
        { encoding: nameOf(encoding) },
        buffer.slice(byteOffset, byteOffset + byteLength),
      )
  }
  const text = textOf.call(this, standard(encoding), start ?? 0, end ?? this.length)
  return isUrl(encoding) ? text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') : text
}
Buffer.prototype.toLocaleString = Buffer.prototype.toString
for (const [name, method] of Object.entries({ write, fill, indexOf, lastIndexOf, includes }))
  Buffer.prototype[name] = function (...args) {
    return method.apply(this, args.map(standard))
  }

const bytesOf = (value) =>
  ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.from(value)

export const bufferModule = {
  Buffer,
  SlowBuffer: base.SlowBuffer,
  INSPECT_MAX_BYTES: base.INSPECT_MAX_BYTES,
  kMaxLength: base.kMaxLength,
  constants: { MAX_LENGTH: base.kMaxLength, MAX_STRING_LENGTH: 2 ** 29 },
  isAscii: (value) => bytesOf(value).every((byte) => byte < 128),
  isUtf8: (value) => {
    const bytes = bytesOf(value)
    return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)
  },
  transcode: (value, from, to) => Buffer.from(bytesOf(value).toString(from), to),
  atob: (text) => globalThis.atob(text),
  btoa: (text) => globalThis.btoa(text),
}
