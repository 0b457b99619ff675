// `net` as a client: a socket is one of the host's, which judges, bounds and records it. What arrives is read as the stream asks for it.
import { bufferOf } from '../bytes.js'
import { Buffer } from './buffer.js'
import { failing, refusing } from './failing.js'

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const isIPv4 = (text) => IPV4.test(`${text}`)
/** RFC 4291 2.2, perhaps with a zone. */
function isIPv6(given) {
  const [text, ...zone] = `${given}`.split('%')
  if (zone.length > 1 || zone[0] === '') return false
  const tail = /(?:^|:)(\d+\.[\d.]+)$/.exec(text)
  if (tail && !isIPv4(tail[1])) return false
  const groups = (tail ? `${text.slice(0, -tail[1].length)}0:0` : text).split('::')
  if (groups.length > 2) return false
  const parts = groups.flatMap((group) => (group === '' ? [] : group.split(':')))
  return (
    parts.every((part) => /^[\da-f]{1,4}$/i.test(part)) && (groups.length === 2 ? parts.length < 8 : parts.length === 8)
  )
}
export const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0)

/** `(options, listener)`, `(port, host, listener)`, `(path, listener)`. */
export function connectArguments(args) {
  const listener = args.find((arg) => typeof arg === 'function')
  const [first, second] = args
  if (typeof first === 'object' && first !== null) return { options: first, listener }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { options: { path: first }, listener }
  return { options: { port: first, ...(typeof second === 'string' ? { host: second } : {}) }, listener }
}

/** Of a socket: its number at the host, what waits until it is open, and what is under way. */
const LINK = Symbol('link')
/** For the sockets of `tls`. */
export const RUN = Symbol('run')
export const CONNECTED = Symbol('connected')
export const OPENED = Symbol('opened')
export const HANDED_OVER = Symbol('handed over')

/** Returns the module. */
export function netOf(sys, { Duplex }) {
  class Socket extends Duplex {
    #timer
    #taker = null
    #heir = null
    constructor(options = {}) {
      // As Node.js: it says itself whether it closed with an error.
      super({ allowHalfOpen: options?.allowHalfOpen === true, emitClose: false })
      this[LINK] = { resource: null, isOpen: false, waits: [], operations: new Set() }
      Object.assign(this, { connecting: false, bytesRead: 0, bytesWritten: 0, timeout: 0, remoteAddress: undefined })
      Object.assign(this, { remotePort: undefined, remoteFamily: undefined, localAddress: undefined })
      const { signal } = options ?? {}
      if (signal?.aborted) process.nextTick(() => this.destroy(abortOf(signal)))
      else signal?.addEventListener('abort', () => this.destroy(abortOf(signal)), { once: true })
    }
    get pending() {
      return !this[LINK].isOpen
    }
    get readyState() {
      if (this.connecting) return 'opening'
      if (this.readable && this.writable) return 'open'
      return this.readable ? 'readOnly' : this.writable ? 'writeOnly' : 'closed'
    }
    get bufferSize() {
      return this.writableLength
    }

    connect(...args) {
      const { options, listener } = connectArguments(args)
      const { port, host = 'localhost', path } = options
      if (listener) this.once('connect', listener)
      this.connecting = true
      if (path !== undefined) {
        const message = `connect ENOENT ${path}: actions have no file system`
        process.nextTick(() => this.destroy(failing(message, 'ENOENT')))
        return this
      }
      const number = Number(port)
      if (!Number.isInteger(number) || number < 0 || number > 65_535 || port === '')
        throw failing(`Port should be >= 0 and < 65536. Received ${port}.`, 'ERR_SOCKET_BAD_PORT', RangeError)
      Object.assign(this, { _host: `${host}`, remotePort: number })
      if (isIP(host) !== 0) Object.assign(this, { remoteAddress: `${host}`, remoteFamily: `IPv${isIP(host)}` })
      this[RUN]('socket.connect', { host: `${host}`, port: number }).then(
        ({ value }) => {
          this[LINK].resource = value.resource
          if (this.destroyed) this.#close()
          else this[CONNECTED]()
        },
        ({ message, code }) => {
          const error = failing(`connect ${code} ${host}:${number}: ${message}`, code)
          this.destroy(Object.assign(error, { syscall: 'connect', address: `${host}`, port: number }))
        },
      )
      return this
    }

    /** An operation of the host, given up with the socket. */
    [RUN](name, args, bytes) {
      const { operations } = this[LINK]
      const { id, done } = sys.begin(name, args, bytes)
      operations.add(id)
      const end = () => operations.delete(id)
      done.then(end, end)
      return done
    }
    [CONNECTED]() {
      this[OPENED]()
      this.emit('connect')
      this.emit('ready')
    }
    [OPENED]() {
      const link = this[LINK]
      this.connecting = false
      link.isOpen = true
      this.#touch()
      for (const wait of link.waits.splice(0)) wait()
      if (!this.isPaused()) this.read(0)
    }
    #whenOpen(act) {
      if (this[LINK].isOpen) act()
      else this[LINK].waits.push(act)
    }
    /** Another socket takes the connection when it is open and everything is written: what this one was reading is given up. */
    [HANDED_OVER](taker) {
      // What ends this one before that ends the other one as well.
      this.#heir = taker
      const hand = () => {
        const link = this[LINK]
        const { resource } = link
        for (const id of link.operations) sys.cancel(id)
        Object.assign(link, { resource: null, operations: new Set() })
        this.#taker = taker
        taker[LINK].resource = resource
        taker.once('close', () => this.destroy())
        if (taker.destroyed) taker.#close()
        else taker[CONNECTED]()
      }
      this.#whenOpen(() => (this.writableLength === 0 ? hand() : this.write('', hand)))
    }

    _read() {
      this.#whenOpen(() => {
        const { resource } = this[LINK]
        if (resource === null || this.destroyed) return
        this[RUN]('socket.read', { resource }).then(
          ({ value, bytes }) => {
            if (this.destroyed || this.#taker) return
            if (value.done) {
              this.push(null)
              // Nothing may read on, and then the end would stay unnoticed.
              if (this.readableLength === 0) this.read(0)
              return
            }
            this.bytesRead += bytes.length
            this.#touch()
            this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
          },
          (error) => this.destroy(failing(`read ${error.code}: ${error.message}`, error.code)),
        )
      })
    }
    _write(chunk, encoding, done) {
      this.#send(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, done)
    }
    _writev(chunks, done) {
      this.#send(
        Buffer.concat(
          chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)),
        ),
        done,
      )
    }
    #send(bytes, done) {
      this.#whenOpen(() => {
        const { resource } = this[LINK]
        if (bytes.length === 0) return done()
        if (resource === null) return done(failing('This socket has been ended', 'EPIPE'))
        this.bytesWritten += bytes.length
        this.#touch()
        this[RUN]('socket.write', { resource }, bufferOf(bytes)).then(
          () => done(),
          (error) => done(failing(`write ${error.code}: ${error.message}`, error.code)),
        )
      })
    }
    _final(done) {
      if (this.#taker) {
        this.#taker.end()
        return done()
      }
      if (!this.connecting && !this[LINK].isOpen) return done()
      this.#whenOpen(() => {
        const { resource } = this[LINK]
        if (resource === null) return done()
        this[RUN]('socket.end', { resource }).then(() => done(), done)
      })
    }
    _destroy(error, done) {
      clearTimeout(this.#timer)
      this.connecting = false
      this[LINK].waits = []
      for (const id of this[LINK].operations) sys.cancel(id)
      this.#close()
      this.#heir?.destroy(error ?? undefined)
      done(error)
      process.nextTick(() => this.emit('close', error !== null && error !== undefined))
    }
    #close() {
      const { resource } = this[LINK]
      this[LINK].resource = null
      if (resource !== null) void sys.begin('socket.close', { resource })
    }
    get resource() {
      return this[LINK].resource
    }

    destroySoon() {
      if (this.writable) this.end()
      if (this.writableFinished) this.destroy()
      else this.once('finish', () => this.destroy())
    }
    resetAndDestroy() {
      return this.destroy()
    }
    setTimeout(milliseconds, listener) {
      this.timeout = milliseconds
      if (listener) {
        if (milliseconds === 0) this.removeListener('timeout', listener)
        else this.once('timeout', listener)
      }
      this.#touch()
      return this
    }
    #touch() {
      clearTimeout(this.#timer)
      if (this.timeout > 0 && !this.destroyed) this.#timer = setTimeout(() => this.emit('timeout'), this.timeout)
    }
    address() {
      return {}
    }
    setNoDelay() {
      return this
    }
    setKeepAlive() {
      return this
    }
    ref() {
      return this
    }
    unref() {
      return this
    }
  }

  const abortOf = (signal) =>
    Object.assign(failing('The operation was aborted', 'ABORT_ERR'), { name: 'AbortError', cause: signal.reason })

  function connect(...args) {
    const { options, listener } = connectArguments(args)
    const socket = new Socket(options)
    if (options.timeout) socket.setTimeout(options.timeout)
    return socket.connect(options, listener)
  }

  return {
    ...{ Socket, Stream: Socket, connect, createConnection: connect, isIP, isIPv4, isIPv6 },
    ...{ createServer: refusing('net.createServer'), Server: refusing('net.Server') },
    ...{ getDefaultAutoSelectFamily: () => true, setDefaultAutoSelectFamily() {} },
    ...{ getDefaultAutoSelectFamilyAttemptTimeout: () => 250, setDefaultAutoSelectFamilyAttemptTimeout() {} },
  }
}
