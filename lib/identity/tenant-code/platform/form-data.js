import { joined } from './bytes.js'
import { iteratesPairs } from './pairs.js'

export function formData({ Blob, File, TextEncoder, contentOf }) {
  const entryOf = (value, name) => {
    if (!(value instanceof Blob)) return String(value).toWellFormed()
    if (name === undefined && value instanceof File) return value
    return new File([value], name ?? (value instanceof File ? value.name : 'blob'), { type: value.type })
  }

  class FormData {
    #list = []
    constructor(form) {
      if (form !== undefined) throw new TypeError('FormData takes no form here')
    }
    append(name, value, filename) {
      this.#list.push([String(name).toWellFormed(), entryOf(value, filename)])
    }
    delete(name) {
      this.#list = this.#list.filter(([key]) => key !== String(name))
    }
    get(name) {
      return this.#list.find(([key]) => key === String(name))?.[1] ?? null
    }
    getAll(name) {
      return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value)
    }
    has(name) {
      return this.#list.some(([key]) => key === String(name))
    }
    set(name, value, filename) {
      const first = this.#list.findIndex(([key]) => key === String(name))
      if (first < 0) return void this.#list.push([String(name).toWellFormed(), entryOf(value, filename)])
      this.#list[first] = [String(name), entryOf(value, filename)]
      this.#list = this.#list.filter(([key], at) => at <= first || key !== String(name))
    }
    *#pairs() {
      for (let at = 0; at < this.#list.length; at += 1) yield [...this.#list[at]]
    }
    static {
      iteratesPairs(FormData, (one) => one.#pairs())
    }
    get [Symbol.toStringTag]() {
      return 'FormData'
    }
  }

  const quoted = (text) => text.replace(/\r?\n|\r/g, '%0D%0A').replace(/"/g, '%22')

  /** The form as multipart/form-data (RFC 7578). */
  function multipart(form) {
    const digits = () => Math.random().toString(36).slice(2, 12)
    const boundary = `----formdata-${digits()}${digits()}`
    const encoder = new TextEncoder()
    const parts = []
    for (const [name, value] of form) {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`
      if (typeof value === 'string')
        parts.push(encoder.encode(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`))
      else {
        const type = value.type || 'application/octet-stream'
        parts.push(encoder.encode(`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`))
        parts.push(contentOf(value), encoder.encode('\r\n'))
      }
    }
    parts.push(encoder.encode(`--${boundary}--\r\n`))
    return { bytes: joined(parts), type: `multipart/form-data; boundary=${boundary}` }
  }
  return { FormData, multipart }
}
