// `http` and `https` as clients, over the requests of the host that `fetch` uses as well: it judges, bounds and records each. A request is sent when it
// is ended, with its body in one piece; an answer is read in parts. There are no connections to see: a socket is an event emitter that does
// nothing.
import { bufferOf } from '../bytes.js'
import { Buffer } from './buffer.js'
import { EventEmitter } from './events.js'
import { failing, refusing } from './failing.js'

const METHODS = [
  ...['ACL', 'BIND', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE'],
  ...['MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH'],
  ...['PURGE', 'PUT', 'QUERY', 'REBIND', 'REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'TRACE', 'UNBIND', 'UNLINK'],
  ...['UNLOCK', 'UNSUBSCRIBE'],
]

/** RFC 9110 15, and those that Node.js has beside. */
const STATUS_CODES = {
  ...{ 100: 'Continue', 101: 'Switching Protocols', 102: 'Processing', 103: 'Early Hints', 200: 'OK', 201: 'Created' },
  ...{ 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content' },
  ...{ 206: 'Partial Content', 207: 'Multi-Status', 208: 'Already Reported', 226: 'IM Used', 300: 'Multiple Choices' },
  ...{ 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified', 305: 'Use Proxy' },
  ...{ 307: 'Temporary Redirect', 308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized' },
  ...{ 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable' },
  ...{ 407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone' },
  ...{ 411: 'Length Required', 412: 'Precondition Failed', 413: 'Payload Too Large', 414: 'URI Too Long' },
  ...{ 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable', 417: 'Expectation Failed', 418: "I'm a Teapot" },
  ...{ 421: 'Misdirected Request', 422: 'Unprocessable Entity', 423: 'Locked', 424: 'Failed Dependency' },
  ...{ 425: 'Too Early', 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests' },
  ...{ 431: 'Request Header Fields Too Large', 451: 'Unavailable For Legal Reasons', 500: 'Internal Server Error' },
  ...{ 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout' },
  ...{ 505: 'HTTP Version Not Supported', 506: 'Variant Also Negotiates', 507: 'Insufficient Storage' },
  ...{
    508: 'Loop Detected',
    509: 'Bandwidth Limit Exceeded',
    510: 'Not Extended',
    511: 'Network Authentication Required',
  },
}

/** Headers of which Node.js keeps the first alone. */
const SINGLE = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since'],
  ...['if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer'],
  ...['retry-after', 'server', 'user-agent'],
])

const validateHeaderName = (name) => {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw failing(`Header name must be a valid HTTP token ["${name}"]`, 'ERR_INVALID_HTTP_TOKEN', TypeError)
}
const validateHeaderValue = (name, value) => {
  if (value === undefined)
    throw failing(`Invalid value "${value}" for header "${name}"`, 'ERR_HTTP_INVALID_HEADER_VALUE', TypeError)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(`${value}`))
    throw failing(`Invalid character in header content ["${name}"]`, 'ERR_INVALID_CHAR', TypeError)
}

/** What packages set of a connection. */
class Socket extends EventEmitter {
  constructor(encrypted) {
    super()
    Object.assign(this, { encrypted, authorized: encrypted, connecting: false, destroyed: false, readable: true })
    Object.assign(this, { writable: true, remoteAddress: undefined, remotePort: undefined, bytesWritten: 0 })
  }
  setKeepAlive() {
    return this
  }
  setNoDelay() {
    return this
  }
  setTimeout() {
    return this
  }
  ref() {
    return this
  }
  unref() {
    return this
  }
  address() {
    return {}
  }
  getPeerCertificate() {
    return {}
  }
  destroy() {
    this.destroyed = true
    return this
  }
  end() {
    return this
  }
}

/** Returns the modules `http` and `https`. */
export function httpOf(sys, stream) {
  const { Readable, Writable } = stream

  class IncomingMessage extends Readable {
    #resource
    #socket
    constructor({ status, statusText, headers, resource }, socket) {
      super()
      this.#resource = resource
      this.#socket = socket
      Object.assign(this, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, url: '', method: null })
      Object.assign(this, {
        statusCode: status,
        statusMessage: statusText || (STATUS_CODES[status] ?? ''),
        trailers: {},
      })
      Object.assign(this, { rawTrailers: [], complete: false, aborted: false, rawHeaders: headers.flat(), headers: {} })
      for (const [given, value] of headers) {
        const name = given.toLowerCase()
        const before = this.headers[name]
        if (name === 'set-cookie') this.headers[name] = [...(before ?? []), value]
        else if (before === undefined) this.headers[name] = value
        else if (!SINGLE.has(name)) this.headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`
      }
    }
    get socket() {
      return this.#socket
    }
    get connection() {
      return this.#socket
    }
    get headersDistinct() {
      const all = {}
      for (let at = 0; at < this.rawHeaders.length; at += 2) {
        const name = this.rawHeaders[at].toLowerCase()
        all[name] = [...(all[name] ?? []), this.rawHeaders[at + 1]]
      }
      return all
    }
    setTimeout() {
      return this
    }
    _read() {
      if (this.#resource === null) {
        this.complete = true
        this.push(null)
        return
      }
      sys.begin('fetch.read', { resource: this.#resource, whole: false }).done.then(
        ({ value, bytes }) => {
          if (this.destroyed) return
          if (value.done) {
            this.#resource = null
            this.complete = true
          }
          if (bytes !== null && bytes.length > 0) this.push(Buffer.from(bytes))
          else if (!value.done) this._read()
          if (value.done) this.push(null)
        },
        (error) => {
          this.#resource = null
          this.destroy(failing(error.message === '' ? 'aborted' : error.message, error.code ?? 'ECONNRESET'))
        },
      )
    }
    _destroy(error, done) {
      if (this.#resource !== null) void sys.begin('fetch.close', { resource: this.#resource })
      this.#resource = null
      if (!this.complete) {
        this.aborted = true
        this.emit('aborted')
      }
      done(error)
    }
  }

  /** Holds the settings that packages read; there are no connections to keep. */
  class Agent extends EventEmitter {
    constructor(options = {}) {
      super()
      this.options = { ...options }
      Object.assign(this, { keepAlive: options.keepAlive ?? false, maxSockets: options.maxSockets ?? Infinity })
      Object.assign(this, { maxFreeSockets: options.maxFreeSockets ?? 256, maxTotalSockets: Infinity, sockets: {} })
      Object.assign(this, { freeSockets: {}, requests: {}, defaultPort: 80, protocol: 'http:' })
    }
    getName() {
      return ''
    }
    createConnection() {
      throw failing('actions have no connections of their own', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
    }
    destroy() {}
  }
  class SecureAgent extends Agent {
    constructor(options) {
      super(options)
      Object.assign(this, { defaultPort: 443, protocol: 'https:' })
    }
  }

  class OutgoingMessage extends Writable {
    #headers = new Map()
    headersSent = false
    constructor() {
      // A request that was sent waits for its answer.
      super({ autoDestroy: false })
    }
    setHeader(name, value) {
      if (this.headersSent)
        throw failing('Cannot set headers after they are sent to the client', 'ERR_HTTP_HEADERS_SENT')
      validateHeaderName(name)
      validateHeaderValue(name, value)
      this.#headers.set(name.toLowerCase(), [name, value])
      return this
    }
    setHeaders(headers) {
      for (const [name, value] of headers) this.setHeader(name, value)
      return this
    }
    appendHeader(name, value) {
      const before = this.getHeader(name)
      return this.setHeader(name, before === undefined ? value : [before, value].flat())
    }
    getHeader(name) {
      return this.#headers.get(`${name}`.toLowerCase())?.[1]
    }
    getHeaders() {
      return Object.fromEntries([...this.#headers].map(([key, [, value]]) => [key, value]))
    }
    getHeaderNames() {
      return [...this.#headers.keys()]
    }
    getRawHeaderNames() {
      return [...this.#headers.values()].map(([name]) => name)
    }
    hasHeader(name) {
      return this.#headers.has(`${name}`.toLowerCase())
    }
    removeHeader(name) {
      this.#headers.delete(`${name}`.toLowerCase())
    }
    get sent() {
      return [...this.#headers.values()].flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((each) => [name, `${each}`]) : [[name, `${value}`]],
      )
    }
  }

  class ClientRequest extends OutgoingMessage {
    #chunks = []
    #exchange = null
    #timer = null
    #url
    constructor(url, options, listener) {
      super()
      this.#url = url
      const isSecure = url.protocol === 'https:'
      Object.assign(this, { method: `${options.method ?? 'GET'}`.toUpperCase(), path: `${url.pathname}${url.search}` })
      Object.assign(this, { host: url.hostname, protocol: url.protocol, agent: options.agent, reusedSocket: false })
      Object.assign(this, { aborted: false, res: null, finished: false, timeout: 0, socket: new Socket(isSecure) })
      for (const [name, value] of headersIn(options.headers)) if (value !== undefined) this.setHeader(name, value)
      if (!this.hasHeader('host')) this.setHeader('Host', url.host)
      const { auth } = options
      if (auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(`${auth}`).toString('base64')}`)
      if (listener) this.once('response', listener)
      if (options.timeout) this.setTimeout(options.timeout)
      const { signal } = options
      if (signal?.aborted) process.nextTick(() => this.destroy(abortOf(signal)))
      else signal?.addEventListener('abort', () => this.destroy(abortOf(signal)), { once: true })
      process.nextTick(() => {
        if (this.destroyed) return
        this.emit('socket', this.socket)
        for (const event of isSecure ? ['connect', 'secureConnect'] : ['connect']) this.socket.emit(event)
      })
    }
    get connection() {
      return this.socket
    }
    setTimeout(milliseconds, listener) {
      this.timeout = milliseconds
      if (listener) this.once('timeout', listener)
      clearTimeout(this.#timer)
      if (milliseconds > 0) this.#timer = setTimeout(() => this.emit('timeout'), milliseconds)
      return this
    }
    setNoDelay() {}
    setSocketKeepAlive() {}
    flushHeaders() {}
    abort() {
      if (this.aborted) return
      this.aborted = true
      process.nextTick(() => this.emit('abort'))
      this.destroy()
    }
    end(...args) {
      this.finished = true
      return super.end(...args)
    }
    _write(chunk, encoding, done) {
      this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
      done()
    }
    _final(done) {
      this.headersSent = true
      const body = this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : null
      const args = { url: this.#url.href, method: this.method, redirect: 'manual', raw: true, headers: this.sent }
      try {
        this.#exchange = sys.begin('fetch', args, body ? bufferOf(body) : undefined)
      } catch (error) {
        done(error)
        return
      }
      this.#exchange.done.then(
        ({ value }) => this.#answered(value),
        (error) => this.destroy(failing(error.message, error.code)),
      )
      done()
    }
    #answered(head) {
      this.#exchange = null
      clearTimeout(this.#timer)
      const response = new IncomingMessage(head, this.socket)
      response.req = this
      this.res = response
      if (this.destroyed) {
        response.destroy()
        return
      }
      response.once('close', () => this.emit('close'))
      if (!this.emit('response', response)) response.resume()
    }
    _destroy(error, done) {
      clearTimeout(this.#timer)
      if (this.#exchange) sys.cancel(this.#exchange.id)
      this.#exchange = null
      this.res?.destroy(error ?? undefined)
      this.socket.destroyed = true
      // As Node.js: a request that is given up before its answer fails.
      done(error ?? (this.res === null ? failing('socket hang up', 'ECONNRESET') : null))
    }
  }

  const abortOf = (signal) =>
    Object.assign(failing('The operation was aborted', 'ABORT_ERR'), { name: 'AbortError', cause: signal.reason })

  function headersIn(headers = {}) {
    if (!Array.isArray(headers)) return Object.entries(headers)
    if (Array.isArray(headers[0])) return headers
    return Array.from({ length: headers.length / 2 }, (_, at) => [headers[2 * at], headers[2 * at + 1]])
  }

  function moduleOf(protocol, Own, createServer) {
    const globalAgent = new Own({ keepAlive: true, timeout: 5000 })
    /** `request(url, options, listener)`, `request(options, listener)`. */
    function request(first, ...rest) {
      const isAddress = typeof first === 'string' || first instanceof URL
      const [given, listener] = [...(isAddress ? [] : [first]), ...rest]
      const options = typeof given === 'function' || !given ? {} : given
      const called = typeof given === 'function' ? given : listener
      const url = isAddress ? new URL(first) : new URL(addressOf(options))
      if (isAddress && Object.keys(options).some((name) => PARTS.includes(name)))
        return new ClientRequest(new URL(addressOf({ ...partsOf(url), ...options })), options, called)
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw failing(
          `Protocol "${url.protocol}" not supported. Expected "${protocol}"`,
          'ERR_INVALID_PROTOCOL',
          TypeError,
        )
      const auth =
        url.username === '' ? {} : { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }
      return new ClientRequest(url, { agent: globalAgent, ...auth, ...options }, called)
    }
    const partsOf = ({ protocol, hostname, port, pathname, search }) => ({
      ...{ protocol, hostname, path: `${pathname}${search}` },
      ...(port === '' ? {} : { port }),
    })
    function addressOf({ protocol: own, hostname, host, port, path = '/', agent, defaultPort }) {
      const scheme = own ?? agent?.protocol ?? protocol
      if (scheme !== 'http:' && scheme !== 'https:')
        throw failing(`Protocol "${scheme}" not supported. Expected "${protocol}"`, 'ERR_INVALID_PROTOCOL', TypeError)
      if (/[^\x21-\xff]/.test(path))
        throw failing('Request path contains unescaped characters', 'ERR_UNESCAPED_CHARACTERS', TypeError)
      const name = `${hostname ?? host ?? 'localhost'}`
      const bare = name.includes(':') && !name.startsWith('[') && name.split(':').length > 2 ? `[${name}]` : name
      const at = port ?? defaultPort
      return `${scheme}//${bare.replace(/:\d+$/, at ? '' : '$&')}${at ? `:${at}` : ''}${path.startsWith('/') || path.startsWith('?') ? '' : '/'}${path}`
    }
    const get = (...args) => {
      const sent = request(...args)
      sent.end()
      return sent
    }
    const refused = refusing(createServer)
    return {
      ...{ request, get, Agent: Own, globalAgent, METHODS, STATUS_CODES, ClientRequest, IncomingMessage },
      ...{ OutgoingMessage, validateHeaderName, validateHeaderValue, maxHeaderSize: 16_384 },
      ...{ createServer: refused, Server: refused, ServerResponse: refused },
      setMaxIdleHTTPParsers() {},
    }
  }
  const PARTS = ['protocol', 'hostname', 'host', 'port', 'path']

  return {
    http: moduleOf('http:', Agent, 'http.createServer'),
    https: moduleOf('https:', SecureAgent, 'https.createServer'),
  }
}
