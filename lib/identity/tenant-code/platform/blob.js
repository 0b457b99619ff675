import { joined, viewOf } from './bytes.js'

export function blob({ TextDecoder, TextEncoder, ReadableStream }) {
  const bytesOf = (part) => {
    if (part instanceof Blob) return contentOf(part)
    return viewOf(part)?.slice() ?? new TextEncoder().encode(String(part))
  }
  let contentOf

  class Blob {
    #bytes
    #type
    constructor(parts = [], { type = '' } = {}) {
      if (typeof parts !== 'object' || typeof parts?.[Symbol.iterator] !== 'function')
        throw new TypeError('The "sources" argument must be an instance of Iterable')
      const all = Array.from(parts, bytesOf)
      this.#bytes = all.length === 0 ? new Uint8Array(0) : joined(all)
      this.#type = /[^\x20-\x7e]/.test(type) ? '' : String(type).toLowerCase()
    }
    get size() {
      return this.#bytes.length
    }
    get type() {
      return this.#type
    }
    slice(start, end, type = '') {
      return new Blob([this.#bytes.slice(start, end)], { type })
    }
    async bytes() {
      return this.#bytes.slice()
    }
    async arrayBuffer() {
      return this.#bytes.slice().buffer
    }
    async text() {
      return new TextDecoder().decode(this.#bytes)
    }
    stream() {
      const bytes = this.#bytes
      return new ReadableStream({
        start(controller) {
          if (bytes.length > 0) controller.enqueue(bytes.slice())
          controller.close()
        },
      })
    }
    get [Symbol.toStringTag]() {
      return 'Blob'
    }
    static {
      contentOf = (blob) => blob.#bytes
    }
  }

  class File extends Blob {
    #name
    #lastModified
    constructor(parts, name, options = {}) {
      if (name === undefined) throw new TypeError('The "fileBits" and "fileName" arguments must be specified')
      super(parts, options)
      this.#name = String(name)
      this.#lastModified = Number(options.lastModified ?? Date.now())
    }
    get name() {
      return this.#name
    }
    get lastModified() {
      return this.#lastModified
    }
    get [Symbol.toStringTag]() {
      return 'File'
    }
  }

  return { globals: { Blob, File }, contentOf }
}
