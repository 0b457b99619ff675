// Texts as bytes and back, as Node.js has them (lib/identity/tenant-code/platform/encoding.js, node/buffer.js).
import { given, refuse, text as textOf } from './bounds.mjs'

const ENCODINGS = ['utf8', 'utf16le', 'latin1', 'ascii', 'hex', 'base64', 'base64url']

const known = (encoding) => (ENCODINGS.includes(encoding) ? encoding : refuse(`there is no encoding ${encoding}`))

export const text = {
  'text.decode': ({ encoding, fatal, ignoreBOM }, bytes) =>
    new TextDecoder(textOf(encoding, 'encoding'), { fatal: fatal === true, ignoreBOM: ignoreBOM === true }).decode(
      given(bytes),
    ),
  /** The name of the encoding, or a RangeError. */
  'text.encoding': ({ encoding }) => new TextDecoder(textOf(encoding, 'encoding')).encoding,
  'text.atob': ({ text }) => atob(textOf(text, 'text')),
  'text.btoa': ({ text }) => btoa(textOf(text, 'text')),
  'buffer.encode': ({ text, encoding }) => new Uint8Array(Buffer.from(textOf(text, 'text'), known(encoding))),
  'buffer.decode': ({ encoding }, bytes) => Buffer.from(given(bytes)).toString(known(encoding)),
}
