// `tls` as a client: the host speaks it, over a socket of its own. It judges the certificate, unless the action says otherwise.
import { Buffer } from './buffer.js'
import { failing, refusing } from './failing.js'
import { CONNECTED, connectArguments, HANDED_OVER, isIP, OPENED, RUN } from './net.js'

const [MIN_VERSION, MAX_VERSION] = ['TLSv1.2', 'TLSv1.3']
/** Older ones that packages name are raised to the oldest of the host. */
const versionOf = (version, other) => (version === MAX_VERSION || version === MIN_VERSION ? version : other)

const texts = (given) =>
  [given]
    .flat()
    .filter((each) => each !== undefined && each !== null && each !== false)
    .map(String)

/** Returns the module. */
export function tlsOf(sys, { Socket }) {
  function checkServerIdentity(host, certificate) {
    const { subject, subjectaltname } = certificate ?? {}
    const found = sys.call('tls.identity', { host: `${host}`, subject, subjectaltname })
    if (found === null) return undefined
    return Object.assign(failing(found.message, 'ERR_TLS_CERT_ALTNAME_INVALID'), {
      reason: found.reason,
      host,
      cert: certificate,
    })
  }

  class TLSSocket extends Socket {
    #options
    #peer = {}
    encrypted = true
    authorized = false
    authorizationError = null
    alpnProtocol = null
    constructor(socket, options = {}) {
      super(options)
      this.#options = options
      this._host = options.host ?? socket?._host
      if (!socket) return
      if (!(socket instanceof Socket))
        throw failing('tls: a socket of actions is one of net', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
      this.connecting = true
      socket[HANDED_OVER](this)
    }
    /** The connection is there. TLS comes before anything is written or read. */
    [CONNECTED]() {
      if (!this.#options.socket) this.emit('connect')
      const { secureContext, servername, rejectUnauthorized, checkServerIdentity: check, ALPNProtocols } = this.#options
      const { ca, cert, key, pfx, passphrase, minVersion, maxVersion } = { ...this.#options, ...secureContext?.context }
      const name = `${servername || this._host || 'localhost'}`
      const own = check && check !== checkServerIdentity ? check : null
      if (pfx !== undefined || passphrase !== undefined) {
        this.destroy(
          failing('tls: keys of actions are PEM without a passphrase', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM'),
        )
        return
      }
      const { resource } = this
      const args = { resource, name, rejectUnauthorized: rejectUnauthorized !== false, checkName: own === null }
      if (texts(ca).length > 0) args.ca = texts(ca)
      if (texts(cert).length > 0) args.cert = texts(cert).join('\n')
      if (texts(key).length > 0) args.key = texts(key).join('\n')
      if (minVersion) args.minVersion = versionOf(minVersion, MIN_VERSION)
      if (maxVersion) args.maxVersion = versionOf(maxVersion, MAX_VERSION)
      if (ALPNProtocols) args.protocols = texts(ALPNProtocols)
      this[RUN]('socket.secure', args).then(
        ({ value, bytes }) => {
          this.#peer = value
          if (bytes?.length > 0)
            this.#peer.certificate.raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
          const fault = own?.(name, this.getPeerCertificate())
          Object.assign(this, {
            alpnProtocol: value.alpnProtocol,
            authorized: value.authorized && !fault,
            servername: name,
          })
          this.authorizationError = fault ? (fault.code ?? fault.message) : value.authorizationError
          if (fault && args.rejectUnauthorized) {
            this.destroy(fault)
            return
          }
          this[OPENED]()
          this.emit('secure')
          this.emit('secureConnect')
        },
        ({ message, code }) => this.destroy(failing(message, code)),
      )
    }
    getPeerCertificate() {
      return this.#peer.certificate ?? {}
    }
    getProtocol() {
      return this.#peer.protocol ?? null
    }
    getCipher() {
      return this.#peer.cipher ?? {}
    }
    getSession() {
      return undefined
    }
    isSessionReused() {
      return false
    }
    getFinished() {
      return undefined
    }
    getPeerFinished() {
      return undefined
    }
    setServername(name) {
      this.#options = { ...this.#options, servername: name }
    }
    setMaxSendFragment() {
      return true
    }
    disableRenegotiation() {}
    enableTrace() {}
  }

  /** `(options, listener)`, `(port, host, options, listener)`. */
  function connect(...args) {
    const { options: first, listener } = connectArguments(args)
    const more = args.slice(1).find((arg) => typeof arg === 'object' && arg !== null)
    const options = { ...first, ...more }
    const socket = new TLSSocket(options.socket, options)
    if (listener) socket.once('secureConnect', listener)
    if (options.timeout) socket.setTimeout(options.timeout)
    if (!options.socket) socket.connect(options)
    return socket
  }

  class SecureContext {
    constructor(options) {
      this.context = options
    }
  }

  return {
    ...{ connect, TLSSocket, checkServerIdentity, SecureContext, rootCertificates: [] },
    createSecureContext: ({ ca, cert, key, pfx, passphrase, minVersion, maxVersion } = {}) =>
      new SecureContext({ ca, cert, key, pfx, passphrase, minVersion, maxVersion }),
    ...{
      DEFAULT_MIN_VERSION: MIN_VERSION,
      DEFAULT_MAX_VERSION: MAX_VERSION,
      DEFAULT_ECDH_CURVE: 'auto',
      DEFAULT_CIPHERS: '',
    },
    ...{ getCiphers: () => [], CLIENT_RENEG_LIMIT: 3, CLIENT_RENEG_WINDOW: 600 },
    ...{ createServer: refusing('tls.createServer'), Server: refusing('tls.Server') },
    isIP,
  }
}
