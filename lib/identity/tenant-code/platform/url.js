import { iteratesPairs } from './pairs.js'

const encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /%20|[!'()~]/g,
    (found) => ({ '%20': '+', '!': '%21', "'": '%27', '(': '%28', ')': '%29', '~': '%7E' })[found],
  )

export function url(sys, { TextDecoder }) {
  const decode = (text) => {
    const plain = text.replace(/\+/g, ' ')
    if (!plain.includes('%')) return plain
    try {
      return decodeURIComponent(plain)
    } catch {
      return plain.replace(/(?:%[\da-f]{2})+/gi, (run) =>
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)),
        ),
      )
    }
  }

  const parse = (text) =>
    text
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.indexOf('=')
        return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
      })

  /** The parameters of a URL: `changed` is called with their text. */
  let paramsOf
  let read
  class URLSearchParams {
    #list = []
    #changed = () => {}
    constructor(init = '') {
      if (typeof init !== 'object' || init === null) this.#list = parse(String(init).replace(/^\?/, ''))
      else if (typeof init[Symbol.iterator] === 'function')
        this.#list = Array.from(init, (pair) => {
          const both = [...pair]
          if (both.length !== 2) throw new TypeError('Each query pair must be an iterable [name, value] tuple')
          return [String(both[0]).toWellFormed(), String(both[1]).toWellFormed()]
        })
      else
        this.#list = Reflect.ownKeys(init)
          .filter((key) => typeof key === 'string' && Object.getOwnPropertyDescriptor(init, key)?.enumerable)
          .map((key) => [key.toWellFormed(), String(init[key]).toWellFormed()])
    }
    get size() {
      return this.#list.length
    }
    append(name, value) {
      this.#list.push([String(name).toWellFormed(), String(value).toWellFormed()])
      this.#changed()
    }
    delete(name, value) {
      this.#list = this.#list.filter(
        ([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)),
      )
      this.#changed()
    }
    get(name) {
      return this.#list.find(([key]) => key === String(name))?.[1] ?? null
    }
    getAll(name) {
      return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value)
    }
    has(name, value) {
      return this.#list.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)))
    }
    set(name, value) {
      const first = this.#list.findIndex(([key]) => key === String(name))
      const pair = [String(name).toWellFormed(), String(value).toWellFormed()]
      if (first < 0) this.#list.push(pair)
      else {
        this.#list[first] = pair
        this.#list = this.#list.filter(([key], at) => at <= first || key !== String(name))
      }
      this.#changed()
    }
    sort() {
      this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      this.#changed()
    }
    *#pairs() {
      for (let at = 0; at < this.#list.length; at += 1) yield [...this.#list[at]]
    }
    static {
      iteratesPairs(URLSearchParams, (one) => one.#pairs())
    }
    toString() {
      return this.#list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    }
    get [Symbol.toStringTag]() {
      return 'URLSearchParams'
    }
    static {
      paramsOf = (text, changed) => {
        const params = new URLSearchParams(text)
        params.#changed = () => changed(params.toString())
        return params
      }
      read = (params, text) => {
        params.#list = parse(text.replace(/^\?/, ''))
      }
    }
  }

  const parts = (href, base) =>
    sys.call('url.parse', { href: String(href), ...(base === undefined ? {} : { base: String(base) }) })

  let part
  let change
  class URL {
    #parts
    #params
    constructor(href, base) {
      if (href === undefined) throw new TypeError('The "url" argument must be specified')
      try {
        this.#parts = parts(href, base)
      } catch (error) {
        if (error.code !== 'ERR_INVALID_URL') throw error
        throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(href) })
      }
    }
    static canParse(href, base) {
      return URL.parse(href, base) !== null
    }
    static parse(href, base) {
      try {
        return new URL(href, base)
      } catch {
        return null
      }
    }
    get origin() {
      return this.#parts.origin
    }
    get searchParams() {
      this.#params ??= paramsOf(this.#parts.search, (text) => {
        const { href, hash } = this.#parts
        const search = text === '' ? '' : `?${text}`
        this.#parts = { ...this.#parts, search, href: `${href.replace(/[?#].*$/s, '')}${search}${hash}` }
      })
      return this.#params
    }
    toString() {
      return this.#parts.href
    }
    toJSON() {
      return this.#parts.href
    }
    get [Symbol.toStringTag]() {
      return 'URL'
    }
    static {
      part = (url, name) => url.#parts[name]
      change = (url, name, value) => {
        url.#parts = sys.call('url.set', { href: url.#parts.href, name, value: String(value) })
        if (url.#params && (name === 'search' || name === 'href')) read(url.#params, url.#parts.search)
      }
    }
  }
  const NAMES = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']
  for (const name of NAMES)
    Object.defineProperty(URL.prototype, name, {
      ...{ configurable: true, enumerable: true },
      get() {
        return part(this, name)
      },
      set(value) {
        change(this, name, value)
      },
    })
  return { URL, URLSearchParams }
}
