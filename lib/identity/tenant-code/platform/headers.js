import { iteratesPairs } from './pairs.js'

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const FORBIDDEN = /[\0\r\n\u0100-\uffff]/

function nameOf(name) {
  const text = String(name)
  if (!NAME.test(text)) throw new TypeError(`Headers: ${text} is an invalid header name.`)
  return text.toLowerCase()
}

function valueIn(value) {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
  if (FORBIDDEN.test(text)) throw new TypeError('Headers: the value of a header has a character that it may not have.')
  return text
}

export class Headers {
  /** By name; of set-cookie, each value. */
  #map = new Map()
  constructor(init) {
    if (init === undefined) return
    if (typeof init !== 'object' || init === null) throw new TypeError('Headers: the init must be an object')
    if (typeof init[Symbol.iterator] === 'function')
      for (const pair of init) {
        const both = [...pair]
        if (both.length !== 2) throw new TypeError('Headers: a pair must have a name and a value')
        this.append(both[0], both[1])
      }
    else for (const key of Object.keys(init)) this.append(key, init[key])
  }
  append(name, value) {
    const key = nameOf(name)
    this.#map.set(key, [...(this.#map.get(key) ?? []), valueIn(value)])
  }
  delete(name) {
    this.#map.delete(nameOf(name))
  }
  get(name) {
    const key = nameOf(name)
    return this.#map.get(key)?.join(key === 'cookie' ? '; ' : ', ') ?? null
  }
  getSetCookie() {
    return [...(this.#map.get('set-cookie') ?? [])]
  }
  has(name) {
    return this.#map.has(nameOf(name))
  }
  set(name, value) {
    this.#map.set(nameOf(name), [valueIn(value)])
  }
  *#pairs() {
    for (const name of [...this.#map.keys()].sort()) {
      const values = this.#map.get(name)
      if (name === 'set-cookie') for (const value of values) yield [name, value]
      else yield [name, values.join(name === 'cookie' ? '; ' : ', ')]
    }
  }
  static {
    iteratesPairs(Headers, (one) => one.#pairs())
  }
  get [Symbol.toStringTag]() {
    return 'Headers'
  }
}
