// Texts as bytes and back, where they are long: the interpreter takes a microsecond for each byte.
import { given, refuse, text } from './bounds.mjs'

const ENCODINGS = ['utf8', 'utf16le', 'latin1', 'ascii', 'hex', 'base64', 'base64url']

function known(encoding) {
  return ENCODINGS.includes(encoding) ? encoding : refuse(`there is no encoding ${encoding}`)
}

export const encodings = {
  'buffer.encode': ({ text: value, encoding }) => new Uint8Array(Buffer.from(text(value, 'text'), known(encoding))),
  'buffer.decode': ({ encoding }, bytes) => Buffer.from(given(bytes)).toString(known(encoding)),
}
