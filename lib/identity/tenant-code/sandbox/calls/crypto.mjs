// Cryptography for actions, by Node.js. Each operation is whole: the guest collects what a hash or a cipher is fed with.
import * as node from 'node:crypto'
import { bytesOf, given, refuse, text, whole } from './bounds.mjs'
import { keyOf } from './keys.mjs'

const MAX_ITERATIONS = 1_000_000
const MAX_SCRYPT = 32 * 1024 * 1024
/** Of derived keys and of random bytes. */
const MAX_MADE = 1024 * 1024

const plain = (bytes) => new Uint8Array(bytes)
const made = (value, name = 'keylen') => whole(value, name, { max: MAX_MADE })

/** Each 64 bytes of the key take all iterations again. */
function pbkdf2({ password, salt, iterations, size, digest }) {
  whole(size, 'keylen', { max: 1024 })
  whole(iterations, 'iterations', { min: 1, max: Math.floor(MAX_ITERATIONS / Math.max(1, Math.ceil(size / 64))) })
  return plain(
    node.pbkdf2Sync(bytesOf(password, 'password'), bytesOf(salt, 'salt'), iterations, size, text(digest, 'digest')),
  )
}

function scrypt({ password, salt, size, N = 16_384, r = 8, p = 1, maxmem = MAX_SCRYPT }) {
  whole(N, 'N', { min: 2, max: 2 ** 20 })
  whole(r, 'r', { min: 1, max: 1024 })
  whole(p, 'p', { min: 1, max: 16 })
  whole(maxmem, 'maxmem', { max: 2 ** 53 })
  const options = { N, r, p, maxmem: Math.min(maxmem, MAX_SCRYPT) }
  // OpenSSL counts a little more than the blocks themselves.
  if (128 * N * r > options.maxmem)
    refuse('Invalid scrypt params: memory limit exceeded', 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS')
  if (128 * N * r === MAX_SCRYPT) options.maxmem += 128 * r * (p + 2)
  return plain(node.scryptSync(bytesOf(password, 'password'), bytesOf(salt, 'salt'), made(size), options))
}

function cipher({ algorithm, decrypt, key, iv, aad, tag, tagLength, plaintextLength, autoPadding, final }, bytes) {
  const input = given(bytes)
  const options = tagLength === undefined ? {} : { authTagLength: whole(tagLength, 'authTagLength', { max: 16 }) }
  const create = decrypt ? node.createDecipheriv : node.createCipheriv
  const vector = iv === null ? null : bytesOf(iv, 'iv')
  const engine = create(text(algorithm, 'cipher'), bytesOf(key, 'key'), vector, options)
  const { mode } = node.getCipherInfo(algorithm)
  const isAead = ['gcm', 'ccm', 'ocb'].includes(mode) || algorithm.toLowerCase() === 'chacha20-poly1305'
  if (autoPadding === false) engine.setAutoPadding(false)
  if (tag !== null && decrypt) engine.setAuthTag(bytesOf(tag, 'tag'))
  if (aad !== null) engine.setAAD(bytesOf(aad, 'aad'), plaintextLength === undefined ? {} : { plaintextLength })
  // CCM takes its input in one piece; the others as it comes.
  const first = engine.update(input)
  if (!final) return plain(first)
  const last = engine.final()
  const mark = isAead && !decrypt ? engine.getAuthTag() : Buffer.alloc(0)
  return plain(Buffer.concat([Buffer.from([mark.length]), mark, first, last]))
}

const DSA = ['der', 'ieee-p1363']

function signing({ key, padding, saltLength, dsaEncoding = 'der' }, kind) {
  if (!DSA.includes(dsaEncoding)) refuse('dsaEncoding is der or ieee-p1363', 'ERR_INVALID_ARG_VALUE')
  const options = { key: keyOf(key, kind), dsaEncoding }
  if (padding !== undefined) options.padding = whole(padding, 'padding', { max: 6 })
  if (saltLength !== undefined) options.saltLength = whole(saltLength, 'saltLength', { min: -3, max: 512 })
  return options
}

const hashOf = (algorithm) => (algorithm === null ? null : text(algorithm, 'algorithm'))

function rsa({ operation, key, padding, oaepHash, oaepLabel }, bytes) {
  if (!Object.hasOwn(RSA, operation)) refuse(`there is no operation ${operation}`)
  const kind = operation.startsWith('public') ? 'public' : 'private'
  const options = { key: keyOf(key, kind), oaepHash }
  if (padding !== undefined) options.padding = whole(padding, 'padding', { max: 6 })
  if (oaepLabel !== undefined) options.oaepLabel = bytesOf(oaepLabel, 'oaepLabel')
  return plain(RSA[operation](options, given(bytes)))
}
const { publicEncrypt, privateDecrypt, privateEncrypt, publicDecrypt } = node
const RSA = { publicEncrypt, privateDecrypt, privateEncrypt, publicDecrypt }

export const crypto = {
  'crypto.lists': () => ({
    hashes: node.getHashes(),
    ciphers: node.getCiphers(),
    curves: node.getCurves(),
  }),
  'crypto.constants': () => ({ ...node.constants }),
  'crypto.cipherInfo': ({ algorithm }) => node.getCipherInfo(text(algorithm, 'algorithm')) ?? null,
  'crypto.hash': ({ algorithm, size }, bytes) => {
    const options = size === undefined ? {} : { outputLength: made(size, 'outputLength') }
    return plain(node.createHash(text(algorithm, 'algorithm'), options).update(given(bytes)).digest())
  },
  'crypto.hmac': ({ algorithm, key }, bytes) =>
    plain(node.createHmac(text(algorithm, 'hmac'), bytesOf(key, 'key')).update(given(bytes)).digest()),
  'crypto.random': ({ size }) => plain(node.randomBytes(made(size, 'size'))),
  'crypto.pbkdf2': pbkdf2,
  'crypto.scrypt': scrypt,
  'crypto.hkdf': ({ digest, key, salt, info, size }) =>
    plain(
      node.hkdfSync(
        text(digest, 'digest'),
        bytesOf(key, 'key'),
        bytesOf(salt, 'salt'),
        bytesOf(info, 'info'),
        made(size),
      ),
    ),
  'crypto.cipher': cipher,
  'crypto.sign': ({ algorithm, ...how }, bytes) =>
    plain(node.sign(hashOf(algorithm), given(bytes), signing(how, 'private'))),
  'crypto.verify': ({ algorithm, signature, ...how }, bytes) =>
    node.verify(hashOf(algorithm), given(bytes), signing(how, 'public'), bytesOf(signature, 'signature')),
  'crypto.rsa': rsa,
}
