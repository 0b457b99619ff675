// Bytes between the interpreter and the host, and between the kinds of views.

/** A view of the bytes of an ArrayBuffer or of another view; null for what is neither. */
export function viewOf(given) {
  if (given instanceof Uint8Array) return given
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  return given instanceof ArrayBuffer ? new Uint8Array(given) : null
}

/** A buffer with these bytes only, for the host. */
export const bufferOf = ({ buffer, byteOffset, byteLength }) =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)

export function joined(parts) {
  if (parts.length === 1) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}
