// What guests pass is judged by these. Sizes are in bytes, of texts in characters.

/** The largest thing that the host makes for a guest: the memory of a run is no larger. */
export const LARGEST = 8 * 1024 * 1024
/** The largest thing that the host takes from a guest. */
const LARGEST_GIVEN = 16 * 1024 * 1024

/** @returns {never} */
export function refuse(message, code = 'ERR_OUT_OF_RANGE') {
  throw Object.assign(new RangeError(message), { code })
}

export function text(value, name = 'value') {
  if (typeof value !== 'string')
    throw Object.assign(new TypeError(`The "${name}" argument must be of type string`), {
      code: 'ERR_INVALID_ARG_TYPE',
    })
  if (value.length > LARGEST_GIVEN) refuse(`"${name}" is too long`)
  return value
}

export function whole(value, name, { min = 0, max }) {
  if (!Number.isInteger(value) || value < min || value > max)
    refuse(`The value of "${name}" is out of range. It must be >= ${min} and <= ${max}. Received ${value}`)
  return value
}

/** Bytes inside JSON are base64. */
export const bytesOf = (value, name) => Buffer.from(text(value, name), 'base64')

export const base64 = (bytes) => Buffer.from(bytes).toString('base64')

export function given(bytes) {
  if (bytes && bytes.byteLength > LARGEST_GIVEN) refuse('these are too many bytes')
  return bytes ?? new Uint8Array(0)
}
