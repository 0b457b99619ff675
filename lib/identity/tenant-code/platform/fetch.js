import { bufferOf } from './bytes.js'
import { Headers } from './headers.js'

const NORMAL = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
const FORBIDDEN = new Set(['CONNECT', 'TRACE', 'TRACK'])
const NO_CONTENT = new Set([101, 204, 205, 304])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

function methodOf(given) {
  const method = String(given)
  const upper = method.toUpperCase()
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`)
  if (FORBIDDEN.has(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`)
  return NORMAL.has(upper) ? upper : method
}

export function fetching(sys, { AbortController, AbortSignal, URL, bodies }) {
  const { Body, given, keep, contentIn, has: hasBody, move, split } = bodies

  function urlOf(input) {
    const url = URL.parse(input)
    if (!url) throw new TypeError(`Failed to parse URL from ${input}`)
    if (url.username !== '' || url.password !== '')
      throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`)
    return url.href
  }

  let shownOf
  class Request extends Body {
    #url
    #method
    #headers
    #redirect
    #signal
    #shown
    constructor(input, init = {}) {
      super()
      const from = input instanceof Request ? input : null
      this.#url = from ? from.url : urlOf(input)
      this.#method = methodOf(init.method ?? from?.method ?? 'GET')
      this.#headers = new Headers(init.headers ?? from?.headers)
      this.#redirect = String(init.redirect ?? from?.redirect ?? 'follow')
      if (!['follow', 'error', 'manual'].includes(this.#redirect))
        throw new TypeError(`Request: ${this.#redirect} is not an accepted type of redirect.`)
      const signal = init.signal === undefined ? from?.signal : init.signal
      if (signal && !(signal instanceof AbortSignal))
        throw new TypeError('Request: Expected signal to be an instance of AbortSignal.')
      this.#signal = signal ? AbortSignal.any([signal]) : new AbortController().signal
      const { mode, credentials, cache, integrity, keepalive, referrer } = { ...(from ? shownOf(from) : {}), ...init }
      this.#shown = { mode, credentials, cache, integrity, keepalive, referrer }
      const isNew = init.body !== undefined && init.body !== null
      if ((isNew || (from && init.body === undefined && hasBody(from))) && ['GET', 'HEAD'].includes(this.#method))
        throw new TypeError('Request with GET/HEAD method cannot have body.')
      if (isNew) {
        const body = given(init.body)
        if (body.stream && (init.duplex ?? null) === null)
          throw new TypeError('RequestInit: duplex option is required when sending a body.')
        keep(this, body)
        if (body.type !== null && !this.#headers.has('content-type')) this.#headers.set('content-type', body.type)
      } else if (from && init.body === undefined) {
        if (from.bodyUsed)
          throw new TypeError('Cannot construct a Request with a Request object that has already been used.')
        move(from, this)
      }
    }
    get url() {
      return this.#url
    }
    get method() {
      return this.#method
    }
    get headers() {
      return this.#headers
    }
    get redirect() {
      return this.#redirect
    }
    get signal() {
      return this.#signal
    }
    get mode() {
      return this.#shown.mode ?? 'cors'
    }
    get credentials() {
      return this.#shown.credentials ?? 'same-origin'
    }
    get cache() {
      return this.#shown.cache ?? 'default'
    }
    get integrity() {
      return this.#shown.integrity ?? ''
    }
    get keepalive() {
      return this.#shown.keepalive ?? false
    }
    get referrer() {
      return this.#shown.referrer ?? 'about:client'
    }
    get referrerPolicy() {
      return ''
    }
    get destination() {
      return ''
    }
    get duplex() {
      return 'half'
    }
    clone() {
      const { url, method, headers, redirect, signal } = this
      const copy = new Request(url, { method, headers, redirect, signal, ...this.#shown })
      keep(copy, split(this))
      return copy
    }
    get [Symbol.toStringTag]() {
      return 'Request'
    }
    static {
      shownOf = (request) => request.#shown
    }
  }

  let settle
  class Response extends Body {
    #status
    #statusText
    #headers
    #url = ''
    #redirected = false
    #type = 'default'
    constructor(body = null, { status = 200, statusText = '', headers } = {}) {
      super()
      if (!Number.isInteger(status) || status < 200 || status > 599)
        throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.')
      this.#status = status
      this.#statusText = String(statusText)
      this.#headers = new Headers(headers)
      if (body === null || body === undefined) return
      if (NO_CONTENT.has(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`)
      const held = given(body)
      keep(this, held)
      if (held.type !== null && !this.#headers.has('content-type')) this.#headers.set('content-type', held.type)
    }
    static json(data, init = {}) {
      const text = JSON.stringify(data)
      if (text === undefined) throw new TypeError('The value is not JSON serializable')
      const headers = new Headers(init.headers)
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      return new Response(text, { ...init, headers })
    }
    static error() {
      const response = new Response()
      settle(response, { status: 0, type: 'error' })
      return response
    }
    static redirect(url, status = 302) {
      if (!REDIRECTS.has(status)) throw new RangeError(`Invalid status code ${status}`)
      return new Response(null, { status, headers: { location: new URL(url).href } })
    }
    get status() {
      return this.#status
    }
    get ok() {
      return this.#status >= 200 && this.#status < 300
    }
    get statusText() {
      return this.#statusText
    }
    get headers() {
      return this.#headers
    }
    get url() {
      return this.#url
    }
    get redirected() {
      return this.#redirected
    }
    get type() {
      return this.#type
    }
    clone() {
      const body = split(this)
      const copy = new Response(null, { statusText: this.#statusText, headers: this.#headers })
      settle(copy, { status: this.#status, url: this.#url, redirected: this.#redirected, type: this.#type })
      keep(copy, body)
      return copy
    }
    get [Symbol.toStringTag]() {
      return 'Response'
    }
    static {
      settle = (response, { status, url = '', redirected = false, type }) => {
        response.#status = status
        response.#url = url
        response.#redirected = redirected
        response.#type = type
      }
    }
  }

  const failed = (message, cause) => new TypeError(message, { cause })

  /** Waits for an operation of the host until the signal aborts. */
  function until(signal, { id, done }, whenAborted = () => {}) {
    if (!signal) return done
    return new Promise((resolve, reject) => {
      const stop = () => {
        sys.cancel(id)
        whenAborted()
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      const settled = (settle) => (value) => {
        signal.removeEventListener('abort', stop)
        settle(value)
      }
      done.then(settled(resolve), settled(reject))
    })
  }

  /** The body of an answer: parts of it are fetched when they are read. */
  function answered(resource, signal) {
    const close = () => void sys.begin('fetch.close', { resource })
    let over = false
    return {
      async read(whole = false) {
        if (over) return null
        signal.throwIfAborted()
        try {
          const { value, bytes } = await until(signal, sys.begin('fetch.read', { resource, whole }), close)
          over = value.done
          return bytes !== null && bytes.length > 0 ? bytes : over ? null : this.read(whole)
        } catch (error) {
          over = true
          throw signal.aborted ? signal.reason : failed('terminated', error)
        }
      },
      cancel() {
        if (!over) close()
        over = true
      },
    }
  }

  async function fetch(input, init) {
    const request = new Request(input, init)
    const { url, method, redirect, signal } = request
    signal.throwIfAborted()
    const body = hasBody(request) ? await contentIn(request) : null
    signal.throwIfAborted()
    const args = { url, method, redirect, headers: [...request.headers] }
    let head
    try {
      const exchange = sys.begin('fetch', args, body ? bufferOf(body) : undefined)
      head = (await until(signal, exchange)).value
    } catch (error) {
      throw signal.aborted ? signal.reason : failed('fetch failed', error)
    }
    const response = new Response(null, { statusText: head.statusText, headers: head.headers })
    settle(response, { status: head.status, url: head.url, redirected: head.redirected, type: 'basic' })
    if (head.resource !== null) keep(response, { source: answered(head.resource, signal) })
    return response
  }
  return { Headers, Request, Response, fetch }
}
