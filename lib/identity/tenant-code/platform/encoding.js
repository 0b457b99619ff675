import { bufferOf, joined, viewOf } from './bytes.js'
import { DOMException } from './dom-exception.js'

const NONE = new Uint8Array(0)
const UTF8 = new Set(['utf-8', 'utf8', 'unicode-1-1-utf-8', 'x-unicode20utf8'])
/** The host does longer texts faster. */
const SHORT = 64

export function encoding(sys) {
  function utf8(text) {
    if (text.length <= SHORT) {
      const bytes = new Uint8Array(text.length)
      let at = 0
      for (; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code > 127) break
        bytes[at] = code
      }
      if (at === text.length) return bytes
    }
    return sys.call('buffer.encode', { text, encoding: 'utf8' })
  }

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(text = '') {
      return utf8(String(text))
    }
    encodeInto(text, into) {
      let [read, written] = [0, 0]
      for (const character of String(text)) {
        const bytes = utf8(character)
        if (written + bytes.length > into.length) break
        into.set(bytes, written)
        written += bytes.length
        read += character.length
      }
      return { read, written }
    }
    get [Symbol.toStringTag]() {
      return 'TextEncoder'
    }
  }

  class TextDecoder {
    #encoding
    #fatal
    #ignoreBOM
    #rest = NONE
    #started = false
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.#encoding = nameOf(String(label).trim().toLowerCase())
      this.#fatal = Boolean(fatal)
      this.#ignoreBOM = Boolean(ignoreBOM)
    }
    get encoding() {
      return this.#encoding
    }
    get fatal() {
      return this.#fatal
    }
    get ignoreBOM() {
      return this.#ignoreBOM
    }
    decode(given = NONE, { stream = false } = {}) {
      const view = viewOf(given)
      if (!view)
        throw new TypeError(
          'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView',
        )
      const all = this.#rest.length === 0 ? view : joined([this.#rest, view])
      const end = stream ? completeIn(all, this.#encoding) : all.length
      this.#rest = all.slice(end)
      const ignoreBOM = this.#ignoreBOM || this.#started
      this.#started = stream && (this.#started || end > 0)
      return end === 0 ? '' : decoded(all.subarray(0, end), this.#encoding, this.#fatal, ignoreBOM)
    }
    get [Symbol.toStringTag]() {
      return 'TextDecoder'
    }
  }

  function nameOf(label) {
    if (UTF8.has(label)) return 'utf-8'
    try {
      return sys.call('text.encoding', { encoding: label })
    } catch {
      throw Object.assign(new RangeError(`The "${label}" encoding is not supported`), {
        code: 'ERR_ENCODING_NOT_SUPPORTED',
      })
    }
  }

  function decoded(bytes, encoding, fatal, ignoreBOM) {
    if (bytes.length <= SHORT && encoding === 'utf-8' && bytes.every((byte) => byte < 128))
      return String.fromCharCode(...bytes)
    try {
      return sys.call('text.decode', { encoding, fatal, ignoreBOM }, bufferOf(bytes))
    } catch (error) {
      if (error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
      throw Object.assign(new TypeError(`The encoded data was not valid for encoding ${encoding}`), {
        code: error.code,
      })
    }
  }

  const binary = (name, text) => {
    try {
      return sys.call(name, { text: String(text) })
    } catch (error) {
      if (error.name !== 'InvalidCharacterError') throw error
      throw new DOMException(error.message, 'InvalidCharacterError')
    }
  }
  return {
    TextDecoder,
    TextEncoder,
    atob: (text) => binary('text.atob', text),
    btoa: (text) => binary('text.btoa', text),
  }
}

/** How many of the bytes are whole characters. Of an encoding that is not Unicode or latin1, none are until the end. */
function completeIn(bytes, encoding) {
  const { length } = bytes
  if (encoding === 'utf-8') {
    for (let back = 1; back <= Math.min(3, length); back += 1) {
      const byte = bytes[length - back]
      if ((byte & 0xc0) === 0x80) continue
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
      return needs > back ? length - back : length
    }
    return length
  }
  if (encoding === 'utf-16le') {
    const even = length - (length % 2)
    const isHalf = even > 0 && (bytes[even - 1] & 0xfc) === 0xd8
    return isHalf ? even - 2 : even
  }
  return encoding === 'windows-1252' || encoding === 'latin1' ? length : 0
}
