// What the operations of the host expect of the untrusted values that they are given.

const MAX_TEXT = 4 * 1024 * 1024
const MAX_BYTES = 16 * 1024 * 1024

export function textOf(value) {
  if (typeof value !== 'string') throw new TypeError('a text is missing')
  if (value.length > MAX_TEXT) throw new RangeError('a text is too long')
  return value
}

/** @param {Uint8Array | null} bytes */
export function bytesOf(bytes) {
  if (!bytes) throw new TypeError('bytes are missing')
  if (bytes.byteLength > MAX_BYTES) throw new RangeError('these are too many bytes')
  return bytes
}
