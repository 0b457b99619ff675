// Keys (https://nodejs.org/docs/latest-v22.x/api/crypto.html#class-keyobject). A key lies here, as bytes, and goes to the host with each
// operation.

import { Buffer } from './buffer.js'
import { base64, bufferFrom, callingBack, received } from './bytes.js'

const OWN = Symbol('own')

const isKeyLike = (value) => typeof value === 'string' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer

export function keysOf(sys) {
  class KeyObject {
    #kept
    constructor(own, kept) {
      if (own !== OWN) throw new TypeError('Illegal constructor')
      this.#kept = kept
    }
    /** What the host gets. */
    static passed(key) {
      const { type, secret, der } = key.#kept
      return type === 'secret' ? { secret } : { der, from: type }
    }
    static from(key) {
      return key[CRYPTO_KEY]
    }
    get type() {
      return this.#kept.type
    }
    get [Symbol.toStringTag]() {
      return 'KeyObject'
    }
    get symmetricKeySize() {
      return this.type === 'secret' ? Buffer.from(this.#kept.secret, 'base64').length : undefined
    }
    get asymmetricKeyType() {
      return this.#kept.asymmetricKeyType
    }
    get asymmetricKeyDetails() {
      if (this.type === 'secret') return undefined
      const { publicExponent, ...details } = this.#kept.details
      return publicExponent === undefined ? details : { ...details, publicExponent: BigInt(publicExponent) }
    }
    equals(other) {
      const { type, secret, der } = this.#kept
      return other.#kept.type === type && other.#kept.secret === secret && other.#kept.der === der
    }
    export({ format, type, cipher, passphrase } = {}) {
      if (this.type === 'secret') {
        const bytes = Buffer.from(this.#kept.secret, 'base64')
        return format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes
      }
      const more = cipher === undefined ? {} : { cipher, passphrase: base64(passphrase, 'passphrase') }
      const made = sys.call('keys.export', { key: KeyObject.passed(this), kind: this.type, format, type, ...more })
      return made instanceof Uint8Array ? received(made) : made
    }
    toCryptoKey(algorithm, extractable, usages) {
      return makeCryptoKey(this, algorithm, extractable, usages)
    }
  }

  const CRYPTO_KEY = Symbol('key')
  class CryptoKey {
    constructor(own, key, { algorithm, extractable, usages }) {
      if (own !== OWN) throw new TypeError('Illegal constructor')
      Object.defineProperty(this, CRYPTO_KEY, { value: key })
      Object.assign(this, { type: key.type, extractable, algorithm, usages })
    }
    get [Symbol.toStringTag]() {
      return 'CryptoKey'
    }
  }
  const makeCryptoKey = (key, algorithm, extractable, usages) =>
    new CryptoKey(OWN, key, {
      algorithm: typeof algorithm === 'string' ? { name: algorithm } : algorithm,
      extractable,
      usages: [...usages],
    })

  const made = (kept) => new KeyObject(OWN, kept)
  const createSecretKey = (key, encoding) =>
    made({ type: 'secret', secret: bufferFrom(key, encoding, 'key').toString('base64') })

  const objectOf = (value) => (value instanceof CryptoKey ? value[CRYPTO_KEY] : value)

  /** What the host gets for whatever Node.js takes as a key. */
  function passedKey(value, { isSecret = false } = {}) {
    const key = objectOf(value)
    if (key instanceof KeyObject) return KeyObject.passed(key)
    if (isKeyLike(key)) return isSecret ? { secret: base64(key) } : pemOrBytes(key, {})
    if (key !== null && typeof key === 'object' && key.key !== undefined) {
      if (key.key instanceof KeyObject || key.key instanceof CryptoKey) return passedKey(key.key)
      if (key.format === 'jwk') return { jwk: key.key }
      if (isKeyLike(key.key)) return pemOrBytes(key.key, key)
    }
    throw Object.assign(
      new TypeError(
        'The "key" argument must be of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey',
      ),
      { code: 'ERR_INVALID_ARG_TYPE' },
    )
  }
  function pemOrBytes(key, { format, type, passphrase, encoding }) {
    const more = passphrase === undefined ? {} : { passphrase: base64(passphrase, 'passphrase') }
    if (typeof key === 'string' && (format ?? 'pem') === 'pem') return { pem: key, ...more }
    return { bytes: bufferFrom(key, encoding).toString('base64'), format, type, ...more }
  }

  /** The bytes of a secret, as base64. */
  function secretOf(value, encoding) {
    const key = objectOf(value)
    if (!(key instanceof KeyObject)) return bufferFrom(key, encoding, 'key').toString('base64')
    if (key.type !== 'secret')
      throw Object.assign(new TypeError(`Invalid key object type ${key.type}, expected secret.`), {
        code: 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
      })
    return KeyObject.passed(key).secret
  }

  const read = (kind) => (value) => {
    const key = objectOf(
      value?.key !== undefined && !isKeyLike(value.key) && value.format !== 'jwk' ? value.key : value,
    )
    if (key instanceof KeyObject && (key.type === 'secret' || kind === 'private' || key.type === kind))
      throw Object.assign(new TypeError(`Invalid key object type ${key.type}, expected private.`), {
        code: 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
      })
    return made(sys.call('keys.read', { key: passedKey(key), kind }))
  }

  function generateKeyPairSync(type, { publicKeyEncoding, privateKeyEncoding, ...options } = {}) {
    const pair = sys.call('keys.generate', { ...options, type })
    const [publicKey, privateKey] = [made(pair.publicKey), made(pair.privateKey)]
    return {
      publicKey: publicKeyEncoding ? publicKey.export(publicKeyEncoding) : publicKey,
      privateKey: privateKeyEncoding ? privateKey.export(privateKeyEncoding) : privateKey,
    }
  }
  const paired = callingBack(generateKeyPairSync)
  const generateKeyPair = (...args) => {
    const callback = args.pop()
    paired(...args, (error, pair) => (error ? callback(error) : callback(null, pair.publicKey, pair.privateKey)))
  }
  generateKeyPair[Symbol.for('nodejs.util.promisify.custom')] = async (...args) => generateKeyPairSync(...args)

  function generateKeySync(type, { length }) {
    if (type === 'aes' && ![128, 192, 256].includes(length))
      throw new RangeError('The length of an AES key is 128, 192 or 256')
    return createSecretKey(sys.call('crypto.random', { size: Math.floor(length / 8) }))
  }

  class X509Certificate {
    #read
    constructor(certificate) {
      this.#read = sys.call('keys.certificate', {}, Uint8Array.from(bufferFrom(certificate)).buffer)
      const { publicKey: _key, raw: _raw, pem: _pem, ...about } = this.#read
      Object.assign(this, about)
    }
    get raw() {
      return Buffer.from(this.#read.raw, 'base64')
    }
    get publicKey() {
      return made(this.#read.publicKey)
    }
    toString() {
      return this.#read.pem
    }
    toJSON() {
      return this.#read.pem
    }
  }

  return {
    KeyObject,
    CryptoKey,
    X509Certificate,
    makeCryptoKey,
    passedKey,
    secretOf,
    objectOf,
    createSecretKey,
    createPublicKey: read('public'),
    createPrivateKey: read('private'),
    generateKeyPairSync,
    generateKeyPair,
    generateKeySync,
    generateKey: callingBack(generateKeySync),
    diffieHellman: ({ privateKey, publicKey }) =>
      received(sys.call('keys.agree', { privateKey: passedKey(privateKey), publicKey: passedKey(publicKey) })),
  }
}
