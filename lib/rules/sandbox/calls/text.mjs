// Text to bytes and back, as Node.js does it (lib/rules/platform/encoding.js).
import { bytesOf, textOf } from './given.mjs'

export const text = {
  'text.encode': ({ text }) => Buffer.from(textOf(text), 'utf8'),
  'text.decode': ({ encoding, fatal, ignoreBOM }, bytes) =>
    new TextDecoder(textOf(encoding), { fatal: fatal === true, ignoreBOM: ignoreBOM === true }).decode(bytesOf(bytes)),
  /** The name of the encoding, or a RangeError. */
  'text.encoding': ({ encoding }) => new TextDecoder(textOf(encoding)).encoding,
  'text.latin1': (_args, bytes) => Buffer.from(bytesOf(bytes)).toString('latin1'),
  'text.from-latin1': ({ text }) => Buffer.from(textOf(text), 'latin1'),
  'text.atob': ({ text }) => atob(textOf(text)),
  'text.btoa': ({ text }) => btoa(textOf(text)),
}
