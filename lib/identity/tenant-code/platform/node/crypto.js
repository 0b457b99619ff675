// The module `crypto` (https://nodejs.org/docs/latest-v22.x/api/crypto.html) over the host's. What is fed in pieces is collected here.

import { Buffer } from './buffer.js'
import { base64, bufferFrom, callingBack, encoded, raw, received } from './bytes.js'
import { keysOf } from './keys.js'
import { webCryptoOf } from './webcrypto.js'

const failure = (message, code, Kind = Error) => Object.assign(new Kind(message), { code })

export function cryptoOf(sys, { Transform, Writable }) {
  const bytes = (name, args, data) => received(sys.call(name, args, data === undefined ? undefined : raw(data)))
  const keys = keysOf(sys)
  const { passedKey, secretOf, KeyObject } = keys

  /** Collects what it is fed with, as a stream too. */
  class Collector extends Transform {
    parts = []
    ended = false
    update(data, encoding) {
      if (this.ended) throw failure('Digest already called', 'ERR_CRYPTO_HASH_FINALIZED')
      this.parts.push(Buffer.from(bufferFrom(data, encoding)))
      return this
    }
    all() {
      return Buffer.concat(this.parts)
    }
    _transform(chunk, encoding, done) {
      this.update(chunk, encoding)
      done()
    }
    _flush(done) {
      this.push(this.digest())
      done()
    }
  }
  class Hash extends Collector {
    constructor(algorithm, { outputLength, ...options } = {}) {
      super(options)
      this.how = { algorithm, size: outputLength }
      // An unknown algorithm is refused here.
      if (!known.has(algorithm)) sys.call('crypto.hash', this.how)
      known.add(algorithm)
    }
    digest(encoding) {
      if (this.ended) throw failure('Digest already called', 'ERR_CRYPTO_HASH_FINALIZED')
      this.ended = true
      return encoded(bytes('crypto.hash', this.how, this.all()), encoding)
    }
    copy() {
      const other = new Hash(this.how.algorithm, { outputLength: this.how.size })
      other.parts = [...this.parts]
      return other
    }
  }
  const known = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'SHA256'])
  class Hmac extends Collector {
    constructor(algorithm, key, { encoding, ...options } = {}) {
      super(options)
      this.how = { algorithm, key: secretOf(key, encoding) }
      if (!known.has(algorithm)) sys.call('crypto.hmac', this.how)
    }
    digest(encoding) {
      if (this.ended) throw failure('Digest already called', 'ERR_CRYPTO_HASH_FINALIZED')
      this.ended = true
      return encoded(bytes('crypto.hmac', this.how, this.all()), encoding)
    }
  }

  /** Each update asks the host for what the input so far gives, and returns what is new. */
  class Cipher extends Transform {
    constructor(decrypt, algorithm, key, iv, { authTagLength, ...options } = {}) {
      super(options)
      this.input = Buffer.alloc(0)
      this.returned = 0
      this.ended = false
      const vector = iv === null ? null : base64(iv, 'iv')
      this.how = { algorithm, decrypt, key: secretOf(key), iv: vector, aad: null, tag: null, tagLength: authTagLength }
      sys.call('crypto.cipher', { ...this.how, final: false })
    }
    update(data, inputEncoding, outputEncoding) {
      if (this.ended) throw failure('Unsupported state', 'ERR_CRYPTO_INVALID_STATE')
      this.input = Buffer.concat([this.input, bufferFrom(data, inputEncoding)])
      const all = bytes('crypto.cipher', { ...this.how, final: false }, this.input)
      const fresh = all.subarray(this.returned)
      this.returned = all.length
      return encoded(fresh, outputEncoding)
    }
    final(outputEncoding) {
      if (this.ended) throw failure('Unsupported state', 'ERR_CRYPTO_INVALID_STATE')
      this.ended = true
      const all = bytes('crypto.cipher', { ...this.how, final: true }, this.input)
      const length = all[0]
      this.tag = all.subarray(1, 1 + length)
      return encoded(all.subarray(1 + length + this.returned), outputEncoding)
    }
    setAAD(data, { plaintextLength } = {}) {
      Object.assign(this.how, { aad: base64(data), plaintextLength })
      return this
    }
    getAuthTag() {
      if (!this.ended || !(this.tag?.length > 0))
        throw failure('Invalid state for operation getAuthTag', 'ERR_CRYPTO_INVALID_STATE')
      return this.tag
    }
    setAuthTag(tag, encoding) {
      this.how.tag = bufferFrom(tag, encoding).toString('base64')
      return this
    }
    setAutoPadding(autoPadding = true) {
      this.how.autoPadding = autoPadding
      return this
    }
    _transform(chunk, encoding, done) {
      try {
        done(null, this.update(chunk, encoding))
      } catch (error) {
        done(error)
      }
    }
    _flush(done) {
      try {
        done(null, this.final())
      } catch (error) {
        done(error)
      }
    }
  }

  const howOf = (key) => {
    const { padding, saltLength, dsaEncoding } = key instanceof KeyObject || typeof key === 'string' ? {} : (key ?? {})
    return { key: passedKey(key), padding, saltLength, dsaEncoding }
  }
  const digestName = (algorithm) =>
    typeof algorithm === 'string' ? algorithm.replace(/^RSA-/i, '') : (algorithm ?? null)
  const signSync = (algorithm, data, key) =>
    bytes('crypto.sign', { algorithm: digestName(algorithm), ...howOf(key) }, bufferFrom(data))
  const verifySync = (algorithm, data, key, signature) =>
    sys.call(
      'crypto.verify',
      { algorithm: digestName(algorithm), ...howOf(key), signature: base64(signature, 'signature') },
      raw(bufferFrom(data)),
    )

  class Collected extends Writable {
    constructor(algorithm, options) {
      super(options)
      this.algorithm = algorithm
      this.parts = []
    }
    update(data, encoding) {
      this.parts.push(Buffer.from(bufferFrom(data, encoding)))
      return this
    }
    _write(chunk, encoding, done) {
      this.update(chunk, encoding)
      done()
    }
  }
  class Sign extends Collected {
    sign(key, encoding) {
      return encoded(signSync(this.algorithm, Buffer.concat(this.parts), key), encoding)
    }
  }
  class Verify extends Collected {
    verify(key, signature, encoding) {
      return verifySync(this.algorithm, Buffer.concat(this.parts), key, bufferFrom(signature, encoding))
    }
  }

  const rsa = (operation) => (key, data) => {
    const { padding, oaepHash, oaepLabel, encoding } = key instanceof KeyObject || typeof key === 'string' ? {} : key
    const label = oaepLabel === undefined ? {} : { oaepLabel: base64(oaepLabel) }
    return bytes(
      'crypto.rsa',
      { operation, key: passedKey(key), padding, oaepHash, ...label },
      bufferFrom(data, encoding),
    )
  }

  const randomBytesSync = (size) => (size === 0 ? Buffer.alloc(0) : bytes('crypto.random', { size }))
  const randomBytes = (size, callback) =>
    callback ? callingBack(randomBytesSync)(size, callback) : randomBytesSync(size)
  function randomFillSync(target, offset = 0, size = target.byteLength - offset) {
    const view = ArrayBuffer.isView(target)
      ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
      : new Uint8Array(target)
    view.set(randomBytesSync(size), offset)
    return target
  }
  function randomUUID() {
    const made = randomBytesSync(16)
    made[6] = (made[6] & 0x0f) | 0x40
    made[8] = (made[8] & 0x3f) | 0x80
    return made.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const RANGE = 2 ** 48
  function randomIntSync(low, high) {
    const [min, max] = high === undefined ? [0, low] : [low, high]
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max))
      throw failure('The arguments must be safe integers', 'ERR_INVALID_ARG_TYPE', TypeError)
    const range = max - min
    if (range <= 0 || range >= RANGE)
      throw failure(
        `The value of "max" is out of range. It must be greater than ${min}`,
        'ERR_OUT_OF_RANGE',
        RangeError,
      )
    const fair = RANGE - (RANGE % range)
    for (;;) {
      const drawn = randomBytesSync(6).readUIntBE(0, 6)
      if (drawn < fair) return min + (drawn % range)
    }
  }
  const randomInt = (...args) =>
    typeof args.at(-1) === 'function' ? callingBack(randomIntSync)(...args) : randomIntSync(...args)

  function timingSafeEqual(one, other) {
    const [a, b] = [bufferFrom(one), bufferFrom(other)]
    if (a.length !== b.length)
      throw failure('Input buffers must have the same byte length', 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', RangeError)
    let difference = 0
    for (let at = 0; at < a.length; at += 1) difference |= a[at] ^ b[at]
    return difference === 0
  }

  const pbkdf2Sync = (password, salt, iterations, size, digest) =>
    bytes('crypto.pbkdf2', {
      password: base64(password, 'password'),
      salt: base64(salt, 'salt'),
      iterations,
      size,
      digest,
    })
  const scryptSync = (password, salt, size, options = {}) => {
    const { N = options.cost, r = options.blockSize, p = options.parallelization, maxmem } = options
    return bytes('crypto.scrypt', {
      password: base64(password, 'password'),
      salt: base64(salt, 'salt'),
      size,
      N,
      r,
      p,
      maxmem,
    })
  }
  const scryptLater = callingBack(scryptSync)
  const hkdfSync = (digest, key, salt, info, size) => {
    const made = bytes('crypto.hkdf', { digest, key: secretOf(key), salt: base64(salt), info: base64(info), size })
    return made.buffer.slice(made.byteOffset, made.byteOffset + made.byteLength)
  }

  class ECDH {
    #key
    #curve
    constructor(curve) {
      this.#curve = curve
    }
    generateKeys(encoding, format) {
      this.#key = keys.generateKeyPairSync('ec', { namedCurve: this.#curve }).privateKey
      return this.getPublicKey(encoding, format)
    }
    getPublicKey(encoding) {
      const { x, y } = this.#key.export({ format: 'jwk' })
      return encoded(
        Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
        encoding,
      )
    }
    getPrivateKey(encoding) {
      return encoded(Buffer.from(this.#key.export({ format: 'jwk' }).d, 'base64url'), encoding)
    }
    computeSecret(other, inputEncoding, outputEncoding) {
      const point = bufferFrom(other, inputEncoding)
      const size = (point.length - 1) / 2
      if (point[0] !== 4)
        throw failure('Public key is not valid for specified curve', 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY')
      const { crv } = this.#key.export({ format: 'jwk' })
      const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)].map((part) => part.toString('base64url'))
      const publicKey = keys.createPublicKey({ key: { kty: 'EC', crv, x, y }, format: 'jwk' })
      return encoded(keys.diffieHellman({ privateKey: this.#key, publicKey }), outputEncoding)
    }
  }

  const lists = () => sys.call('crypto.lists', {})
  const { makeCryptoKey: _make, passedKey: _passed, secretOf: _secret, objectOf: _object, ...ofKeys } = keys
  const module = {
    ...ofKeys,
    constants: Object.freeze(sys.call('crypto.constants', {})),
    Hash,
    Hmac,
    Sign,
    Verify,
    Cipheriv: Cipher,
    Decipheriv: Cipher,
    ECDH,
    createHash: (algorithm, options) => new Hash(algorithm, options),
    createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
    createCipheriv: (algorithm, key, iv, options) => new Cipher(false, algorithm, key, iv, options),
    createDecipheriv: (algorithm, key, iv, options) => new Cipher(true, algorithm, key, iv, options),
    createSign: (algorithm, options) => new Sign(algorithm, options),
    createVerify: (algorithm, options) => new Verify(algorithm, options),
    createECDH: (curve) => new ECDH(curve),
    hash: (algorithm, data, encoding = 'hex') =>
      encoded(bytes('crypto.hash', { algorithm }, bufferFrom(data)), encoding),
    sign: (algorithm, data, key, callback) =>
      callback ? callingBack(signSync)(algorithm, data, key, callback) : signSync(algorithm, data, key),
    verify: (algorithm, data, key, signature, callback) =>
      callback
        ? callingBack(verifySync)(algorithm, data, key, signature, callback)
        : verifySync(algorithm, data, key, signature),
    publicEncrypt: rsa('publicEncrypt'),
    privateDecrypt: rsa('privateDecrypt'),
    privateEncrypt: rsa('privateEncrypt'),
    publicDecrypt: rsa('publicDecrypt'),
    randomBytes,
    pseudoRandomBytes: randomBytes,
    rng: randomBytes,
    prng: randomBytes,
    randomFillSync,
    randomFill: (target, ...rest) => callingBack(randomFillSync)(target, ...rest),
    randomUUID,
    randomInt,
    timingSafeEqual,
    pbkdf2Sync,
    pbkdf2: callingBack(pbkdf2Sync),
    scryptSync,
    scrypt: (password, salt, size, ...rest) => scryptLater(password, salt, size, ...rest),
    hkdfSync,
    hkdf: callingBack(hkdfSync),
    getHashes: () => lists().hashes,
    getCiphers: () => lists().ciphers,
    getCurves: () => lists().curves,
    getCipherInfo: (algorithm) => sys.call('crypto.cipherInfo', { algorithm }) ?? undefined,
    getFips: () => 0,
  }
  const { webcrypto, SubtleCrypto, Crypto } = webCryptoOf(module, keys)
  return Object.assign(module, {
    webcrypto,
    subtle: webcrypto.subtle,
    getRandomValues: (target) => webcrypto.getRandomValues(target),
    globals: { crypto: webcrypto, Crypto, SubtleCrypto, CryptoKey: keys.CryptoKey },
  })
}
