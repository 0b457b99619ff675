// The Web Cryptography API (https://www.w3.org/TR/WebCryptoAPI/) over the module `crypto`.

import { Buffer } from './buffer.js'
import { bufferFrom } from './bytes.js'

const HASHES = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' }
const BLOCKS = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 }
const CURVES = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' }

/** The usages of a secret key, or of a pair: private, then public. */
const SIGNING = { private: ['sign'], public: ['verify'] }
const AGREEING = { private: ['deriveKey', 'deriveBits'], public: [] }
const WRAPPING = { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] }
const USAGES = {
  ...{ 'RSASSA-PKCS1-v1_5': SIGNING, 'RSA-PSS': SIGNING, ECDSA: SIGNING, Ed25519: SIGNING, Ed448: SIGNING },
  ...{ ECDH: AGREEING, X25519: AGREEING, X448: AGREEING },
  'RSA-OAEP': { private: ['decrypt', 'unwrapKey'], public: ['encrypt', 'wrapKey'] },
  ...{ 'AES-GCM': WRAPPING, 'AES-CBC': WRAPPING, 'AES-CTR': WRAPPING },
  'AES-KW': { secret: ['wrapKey', 'unwrapKey'] },
  HMAC: { secret: ['sign', 'verify'] },
  ...{ HKDF: { secret: ['deriveKey', 'deriveBits'] }, PBKDF2: { secret: ['deriveKey', 'deriveBits'] } },
}
const NAMES = Object.fromEntries(
  [...Object.keys(USAGES), ...Object.keys(HASHES)].map((name) => [name.toLowerCase(), name]),
)
const OKP = ['Ed25519', 'Ed448', 'X25519', 'X448']

export function domError(message, name) {
  if (typeof globalThis.DOMException === 'function') return new globalThis.DOMException(message, name)
  return Object.assign(new Error(message), { name })
}

function named(algorithm) {
  const given = typeof algorithm === 'string' ? { name: algorithm } : { ...algorithm }
  const name = NAMES[String(given.name).toLowerCase()]
  if (!name) throw domError('Unrecognized algorithm name', 'NotSupportedError')
  return { ...given, name, ...(given.hash === undefined ? {} : { hash: { name: hashNameOf(given.hash) } }) }
}

function hashNameOf(hash) {
  const name = NAMES[String(hash?.name ?? hash).toLowerCase()]
  if (!HASHES[name]) throw domError('Unrecognized algorithm name', 'NotSupportedError')
  return name
}

const DOM = ['DataError', 'InvalidAccessError', 'NotSupportedError', 'OperationError', 'SyntaxError']

/** A copy as an ArrayBuffer. */
const out = (bytes) => Uint8Array.from(bytes).buffer

export function webCryptoOf(node, { CryptoKey, makeCryptoKey, objectOf }) {
  const nodeHash = (name) => HASHES[hashNameOf(name)]

  function attempt(action, name = 'OperationError', message = 'The operation failed for an operation-specific reason') {
    try {
      return action()
    } catch (error) {
      if (error?.code === 'ERR_OUT_OF_RANGE' || DOM.includes(error?.name)) throw error
      throw Object.defineProperty(domError(message, name), 'cause', { value: error })
    }
  }

  function keyFor(key, algorithm, usage) {
    if (!(key instanceof CryptoKey)) throw new TypeError('The key is no CryptoKey')
    if (key.algorithm.name !== algorithm.name) throw domError('Key algorithm mismatch', 'InvalidAccessError')
    if (!key.usages.includes(usage)) throw domError(`Unable to use this key to ${usage}`, 'InvalidAccessError')
    return objectOf(key)
  }

  function finished(object, algorithm, extractable, usages) {
    const allowed = USAGES[algorithm.name]?.[object.type] ?? []
    if (usages.some((usage) => !allowed.includes(usage)))
      throw domError(`Unsupported key usage for a ${algorithm.name} key`, 'SyntaxError')
    if (usages.length === 0 && object.type !== 'public')
      throw domError('Usages cannot be empty when creating a key', 'SyntaxError')
    return makeCryptoKey(object, detailed(object, algorithm), Boolean(extractable), usages)
  }

  /** `algorithm` of a key has what the standard lists. */
  function detailed(object, { name, hash, namedCurve, length }) {
    if (name.startsWith('RSA')) {
      const { modulusLength, publicExponent } = object.asymmetricKeyDetails
      const exponent = publicExponent.toString(16)
      const even = exponent.length % 2 === 0 ? exponent : `0${exponent}`
      return {
        name,
        modulusLength,
        publicExponent: new Uint8Array(Buffer.from(even, 'hex')),
        hash: { name: hashNameOf(hash) },
      }
    }
    if (name.startsWith('EC')) return { name, namedCurve }
    if (name === 'HMAC')
      return { name, hash: { name: hashNameOf(hash) }, length: length ?? object.symmetricKeySize * 8 }
    if (name.startsWith('AES')) {
      const bits = object.symmetricKeySize * 8
      if (![128, 192, 256].includes(bits)) throw domError('Invalid key length', 'DataError')
      return { name, length: bits }
    }
    return { name }
  }

  function imported(format, data, { name, namedCurve }) {
    if (format === 'jwk') return importedJwk(data, name, namedCurve)
    const bytes = bufferFrom(data)
    if (format === 'spki') return node.createPublicKey({ key: bytes, format: 'der', type: 'spki' })
    if (format === 'pkcs8') return node.createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
    if (format !== 'raw') throw domError(`Unable to import a key in the format ${format}`, 'NotSupportedError')
    if (OKP.includes(name))
      return node.createPublicKey({ key: { kty: 'OKP', crv: name, x: bytes.toString('base64url') }, format: 'jwk' })
    if (name.startsWith('EC')) {
      const size = (bytes.length - 1) / 2
      if (bytes[0] !== 4) throw domError('Only an uncompressed point is a key here', 'DataError')
      const [x, y] = [bytes.subarray(1, 1 + size), bytes.subarray(1 + size)].map((part) => part.toString('base64url'))
      return node.createPublicKey({ key: { kty: 'EC', crv: namedCurve, x, y }, format: 'jwk' })
    }
    if (!USAGES[name].secret) throw domError(`Unable to import a raw ${name} key`, 'NotSupportedError')
    return node.createSecretKey(bytes)
  }

  const KTY = (name) =>
    name.startsWith('RSA') ? 'RSA' : name.startsWith('EC') ? 'EC' : OKP.includes(name) ? 'OKP' : 'oct'
  function importedJwk(jwk, name, namedCurve) {
    if (jwk === null || typeof jwk !== 'object') throw domError('Invalid keyData', 'DataError')
    if (jwk.kty !== KTY(name)) throw domError(`Invalid JWK "kty" Parameter`, 'DataError')
    if (namedCurve !== undefined && jwk.crv !== namedCurve)
      throw domError('JWK "crv" does not match the requested algorithm', 'DataError')
    if (jwk.kty === 'oct') return node.createSecretKey(Buffer.from(jwk.k, 'base64url'))
    const create = jwk.d === undefined ? node.createPublicKey : node.createPrivateKey
    return create({ key: jwk, format: 'jwk' })
  }

  function checkCurve(object, { name, namedCurve }) {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = object
    const fits = name.startsWith('EC')
      ? type === 'ec' && details.namedCurve === CURVES[namedCurve]
      : name.startsWith('RSA')
        ? type === 'rsa'
        : OKP.includes(name)
          ? type === name.toLowerCase()
          : object.type === 'secret'
    if (!fits) throw domError('Invalid key type', 'DataError')
  }

  function signingKey(object, { name, saltLength }) {
    if (name === 'RSA-PSS') return { key: object, padding: node.constants.RSA_PKCS1_PSS_PADDING, saltLength }
    if (name === 'RSASSA-PKCS1-v1_5') return { key: object, padding: node.constants.RSA_PKCS1_PADDING }
    return name === 'ECDSA' ? { key: object, dsaEncoding: 'ieee-p1363' } : { key: object }
  }
  const signingHash = (algorithm, key) =>
    OKP.includes(algorithm.name) ? null : nodeHash(algorithm.name === 'ECDSA' ? algorithm.hash : key.algorithm.hash)

  function aes(algorithm, object, data, decrypt) {
    const { name, iv, counter, additionalData, tagLength = 128 } = algorithm
    const bits = object.symmetricKeySize * 8
    const [input, size] = [bufferFrom(data), tagLength / 8]
    if (name === 'AES-KW') {
      const vector = Buffer.from('a6a6a6a6a6a6a6a6', 'hex')
      return cipherOf(decrypt, `id-aes${bits}-wrap`, object, vector, {}, input)
    }
    if (name === 'AES-CBC') return cipherOf(decrypt, `aes-${bits}-cbc`, object, iv, {}, input)
    if (name === 'AES-CTR') return cipherOf(decrypt, `aes-${bits}-ctr`, object, counter, {}, input)
    const make = decrypt ? node.createDecipheriv : node.createCipheriv
    const engine = make(`aes-${bits}-gcm`, object, bufferFrom(iv), { authTagLength: size })
    if (additionalData !== undefined) engine.setAAD(bufferFrom(additionalData))
    if (decrypt) {
      if (input.length < size) throw domError('The provided data is too small', 'OperationError')
      engine.setAuthTag(input.subarray(input.length - size))
      return Buffer.concat([engine.update(input.subarray(0, input.length - size)), engine.final()])
    }
    return Buffer.concat([engine.update(input), engine.final(), engine.getAuthTag()])
  }
  function cipherOf(decrypt, kind, object, iv, options, input) {
    const make = decrypt ? node.createDecipheriv : node.createCipheriv
    const engine = make(kind, object, bufferFrom(iv), options)
    return Buffer.concat([engine.update(input), engine.final()])
  }
  function crypted(algorithm, object, data, decrypt) {
    if (algorithm.name !== 'RSA-OAEP') return aes(algorithm, object, data, decrypt)
    const { label, hash } = algorithm
    const padding = node.constants.RSA_PKCS1_OAEP_PADDING
    const options = {
      key: object,
      padding,
      oaepHash: nodeHash(hash),
      ...(label === undefined ? {} : { oaepLabel: label }),
    }
    return decrypt ? node.privateDecrypt(options, bufferFrom(data)) : node.publicEncrypt(options, bufferFrom(data))
  }
  const crypt = (algorithm, key, data, decrypt, usage) => {
    const used = named(algorithm)
    const object = keyFor(key, used, usage)
    return out(attempt(() => crypted({ ...used, hash: key.algorithm.hash }, object, data, decrypt)))
  }

  function derived(algorithm, key, length, usage) {
    const used = named(algorithm)
    const object = keyFor(key, used, usage)
    if (length !== null && length % 8 !== 0) throw domError('The length must be a multiple of 8', 'OperationError')
    const size = length === null ? null : length / 8
    return attempt(() => {
      if (used.name === 'HKDF') return node.hkdfSync(nodeHash(used.hash), object, used.salt, used.info, size)
      if (used.name === 'PBKDF2')
        return node.pbkdf2Sync(object.export(), bufferFrom(used.salt), used.iterations, size, nodeHash(used.hash))
      const secret = node.diffieHellman({ privateKey: object, publicKey: objectOf(used.public) })
      if (size !== null && secret.length < size) throw new Error('too short')
      return size === null ? secret : secret.subarray(0, size)
    })
  }

  function lengthOf({ name, length, hash }) {
    if (name.startsWith('AES')) return length
    return name === 'HMAC' ? (length ?? BLOCKS[hashNameOf(hash)]) : null
  }

  const ALGS = {
    'RSASSA-PKCS1-v1_5': 'RS',
    'RSA-PSS': 'PS',
    HMAC: 'HS',
    'AES-GCM': 'GCM',
    'AES-CBC': 'CBC',
    'AES-CTR': 'CTR',
    'AES-KW': 'KW',
  }
  function jwkAlg({ name, hash, length }) {
    if (name === 'RSA-OAEP') return hash.name === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${hash.name.slice(4)}`
    if (name.startsWith('AES')) return `A${length}${ALGS[name]}`
    return ALGS[name] ? `${ALGS[name]}${hash.name.slice(4)}` : undefined
  }

  async function importKey(format, data, algorithm, extractable, usages) {
    const used = named(algorithm)
    const object = attempt(() => imported(format, data, used), 'DataError', 'Invalid keyData')
    checkCurve(object, used)
    return finished(object, used, extractable, usages)
  }

  async function exportKey(format, key) {
    if (!key.extractable) throw domError('key is not extractable', 'InvalidAccessError')
    const object = objectOf(key)
    if (format === 'jwk') {
      const alg = jwkAlg(key.algorithm)
      return { key_ops: [...key.usages], ext: true, ...object.export({ format: 'jwk' }), ...(alg ? { alg } : {}) }
    }
    if (format === 'spki' && key.type === 'public') return out(object.export({ format: 'der', type: 'spki' }))
    if (format === 'pkcs8' && key.type === 'private') return out(object.export({ format: 'der', type: 'pkcs8' }))
    if (format === 'raw' && key.type === 'secret') return out(object.export())
    if (format === 'raw' && key.type === 'public' && !key.algorithm.name.startsWith('RSA')) {
      const { x, y } = object.export({ format: 'jwk' })
      const parts = [Buffer.from(x, 'base64url')]
      return out(y === undefined ? parts[0] : Buffer.concat([Buffer.from([4]), ...parts, Buffer.from(y, 'base64url')]))
    }
    throw domError(`Unable to export a ${key.type} key in the format ${format}`, 'NotSupportedError')
  }

  async function generateKey(algorithm, extractable, usages) {
    const used = named(algorithm)
    const { name, namedCurve, modulusLength, publicExponent } = used
    if (USAGES[name]?.secret) {
      const bits = lengthOf(used)
      if (bits === null) throw domError('Unable to generate such a key', 'NotSupportedError')
      return finished(node.createSecretKey(node.randomBytes(bits / 8)), used, extractable, usages)
    }
    if (!USAGES[name]) throw domError('Unable to generate such a key', 'NotSupportedError')
    const exponent =
      publicExponent === undefined ? undefined : Number(`0x${Buffer.from(publicExponent).toString('hex')}`)
    const [type, options] = name.startsWith('RSA')
      ? ['rsa', { modulusLength, publicExponent: exponent }]
      : name.startsWith('EC')
        ? ['ec', { namedCurve: CURVES[namedCurve] ?? String(namedCurve) }]
        : [name.toLowerCase(), {}]
    const pair = attempt(() => node.generateKeyPairSync(type, options))
    const allowed = USAGES[name]
    if (usages.some((usage) => !allowed.private.includes(usage) && !allowed.public.includes(usage)))
      throw domError(`Unsupported key usage for a ${name} key`, 'SyntaxError')
    const of = (kind) => usages.filter((usage) => allowed[kind].includes(usage))
    return {
      publicKey: finished(pair.publicKey, used, true, of('public')),
      privateKey: finished(pair.privateKey, used, extractable, of('private')),
    }
  }

  class SubtleCrypto {
    get [Symbol.toStringTag]() {
      return 'SubtleCrypto'
    }
    async digest(algorithm, data) {
      return out(node.createHash(nodeHash(algorithm)).update(bufferFrom(data)).digest())
    }
    async sign(algorithm, key, data) {
      const used = named(algorithm)
      const object = keyFor(key, used, 'sign')
      if (used.name === 'HMAC')
        return out(node.createHmac(nodeHash(key.algorithm.hash), object).update(bufferFrom(data)).digest())
      return out(attempt(() => node.sign(signingHash(used, key), bufferFrom(data), signingKey(object, used))))
    }
    async verify(algorithm, key, signature, data) {
      const used = named(algorithm)
      const object = keyFor(key, used, 'verify')
      const given = bufferFrom(signature)
      if (used.name === 'HMAC') {
        const expected = node.createHmac(nodeHash(key.algorithm.hash), object).update(bufferFrom(data)).digest()
        return expected.length === given.length && node.timingSafeEqual(expected, given)
      }
      return attempt(() => node.verify(signingHash(used, key), bufferFrom(data), signingKey(object, used), given))
    }
    async encrypt(algorithm, key, data) {
      return crypt(algorithm, key, data, false, 'encrypt')
    }
    async decrypt(algorithm, key, data) {
      return crypt(algorithm, key, data, true, 'decrypt')
    }
    async deriveBits(algorithm, key, length = null) {
      return out(new Uint8Array(derived(algorithm, key, length, 'deriveBits')))
    }
    async deriveKey(algorithm, key, derivedAlgorithm, extractable, usages) {
      const wanted = named(derivedAlgorithm)
      const bytes = derived(algorithm, key, lengthOf(wanted), 'deriveKey')
      return importKey('raw', new Uint8Array(bytes), wanted, extractable, usages)
    }
    async wrapKey(format, key, wrapping, algorithm) {
      const made = await exportKey(format, key)
      const data = format === 'jwk' ? Buffer.from(JSON.stringify(made)) : made
      return crypt(algorithm, wrapping, data, false, 'wrapKey')
    }
    async unwrapKey(format, data, unwrapping, algorithm, keyAlgorithm, extractable, usages) {
      const bytes = Buffer.from(crypt(algorithm, unwrapping, data, true, 'unwrapKey'))
      const key = format === 'jwk' ? JSON.parse(bytes.toString()) : bytes
      return importKey(format, key, keyAlgorithm, extractable, usages)
    }
  }
  Object.assign(SubtleCrypto.prototype, { importKey, exportKey, generateKey })

  const MOST = 65_536
  class Crypto {
    subtle = new SubtleCrypto()
    get [Symbol.toStringTag]() {
      return 'Crypto'
    }
    getRandomValues(target) {
      if (
        !ArrayBuffer.isView(target) ||
        target instanceof DataView ||
        target instanceof Float32Array ||
        target instanceof Float64Array
      )
        throw domError('The data argument must be an integer-type TypedArray', 'TypeMismatchError')
      if (target.byteLength > MOST) throw domError('The requested length exceeds 65,536 bytes', 'QuotaExceededError')
      return node.randomFillSync(target)
    }
    randomUUID() {
      return node.randomUUID()
    }
  }
  return { webcrypto: Object.assign(new Crypto(), { CryptoKey }), SubtleCrypto, Crypto }
}
