// Keys for the cryptography of actions. The guest holds key material and passes it with each operation: a secret as base64, a key of a pair
// as DER (SPKI or PKCS #8), and what an action brings as it is (PEM, DER, JWK).
import * as node from 'node:crypto'
import { base64, bytesOf, refuse, text, whole } from './bounds.mjs'

const RSA_BITS = { min: 512, max: 4096 }
/** Making a larger one takes seconds, and nothing can interrupt it. */
const MADE_BITS = { min: 512, max: 3072 }
/** Of one key in any form: an exponent that fills it still ends within a second. */
const MAX_KEY = 16_384

/** The KeyObject of what the guest passed: `{ der }`, `{ jwk }`, `{ pem }` or `{ bytes, format, type }`, perhaps with a passphrase. */
export function keyOf(input, kind) {
  const { secret, der, from } = input ?? {}
  if (secret !== undefined) return node.createSecretKey(sized(bytesOf(secret, 'key')))
  const key = der === undefined ? brought(input ?? {}, kind) : fromDer(sized(bytesOf(der, 'key')), from, kind)
  if (!PAIRS.includes(key.asymmetricKeyType)) refuse(`a key of type ${key.asymmetricKeyType} is not for actions`)
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits > RSA_BITS.max) refuse(`an RSA key of an action has at most ${RSA_BITS.max} bits`)
  return key
}

function brought({ jwk, pem, bytes, format = 'pem', type, passphrase }, kind) {
  const create = kind === 'public' ? node.createPublicKey : node.createPrivateKey
  if (jwk !== undefined) {
    if (JSON.stringify(jwk).length > MAX_KEY) refuse(TOO_LARGE)
    return create({ key: jwk, format: 'jwk' })
  }
  const read = passphrase === undefined ? {} : { passphrase: bytesOf(passphrase, 'passphrase') }
  const key = sized(pem === undefined ? bytesOf(bytes, 'key') : Buffer.from(text(pem, 'key')))
  if (format === 'der')
    return create({ key: read.passphrase && type === 'pkcs8' ? moderate(key) : key, format, type, ...read })
  const encrypted = ENCRYPTED.exec(key.toString('latin1'))
  if (!encrypted || !read.passphrase) return create({ key, format: 'pem', ...read })
  const inside = moderate(Buffer.from(encrypted[1], 'base64'))
  const made = node.createPrivateKey({ key: inside, format: 'der', type: 'pkcs8', ...read })
  return kind === 'public' ? node.createPublicKey(made) : made
}

const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)/
const OIDS = { pbes2: '2a864886f70d01050d', pbkdf2: '2a864886f70d01050c' }
const MAX_KEY_ITERATIONS = 1_000_000

/**
 * An encrypted key says itself how long its decryption takes, and nothing can interrupt that: only PBES2 with PBKDF2 (RFC 8018) and a
 * moderate count passes.
 */
function moderate(key) {
  const [info] = elements(key)
  const [algorithm] = within(info)
  const [scheme, parameters] = within(algorithm)
  const [derivation] = within(parameters)
  const [kind, how] = within(derivation)
  if (scheme?.content.toString('hex') !== OIDS.pbes2 || kind?.content.toString('hex') !== OIDS.pbkdf2)
    refuse(UNREADABLE)
  const [, count] = within(how)
  if (
    count?.tag !== 0x02 ||
    count.content.length > 4 ||
    count.content.readUIntBE(0, count.content.length) > MAX_KEY_ITERATIONS
  )
    refuse(`the passphrase of a key takes at most ${MAX_KEY_ITERATIONS} iterations`)
  return key
}
const UNREADABLE = 'an encrypted key of an action is PBES2 with PBKDF2'

const within = (element) => (element?.tag === 0x30 ? elements(element.content) : refuse(UNREADABLE))

/** The elements of a sequence in DER. */
function elements(der) {
  const found = []
  for (let at = 0; at < der.length; ) {
    const tag = der[at]
    const short = der[at + 1]
    const more = short > 0x80 ? short - 0x80 : 0
    if (short === undefined || short === 0x80 || more > 3 || at + 2 + more > der.length) refuse(UNREADABLE)
    const length = more === 0 ? short : der.readUIntBE(at + 2, more)
    const start = at + 2 + more
    if (start + length > der.length) refuse(UNREADABLE)
    found.push({ tag, content: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}

function fromDer(key, from, kind) {
  const made =
    from === 'public'
      ? node.createPublicKey({ key, format: 'der', type: 'spki' })
      : node.createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return kind === 'public' && from !== 'public' ? node.createPublicKey(made) : made
}

function sized(material) {
  if (material.length > MAX_KEY) refuse(TOO_LARGE)
  return material
}
const TOO_LARGE = `a key has at most ${MAX_KEY} bytes`

const FORMS = { public: { format: 'der', type: 'spki' }, private: { format: 'der', type: 'pkcs8' } }

/** What the guest keeps of a key. */
function kept(key) {
  const { publicExponent, ...details } = key.asymmetricKeyDetails ?? {}
  return {
    type: key.type,
    der: base64(key.export(FORMS[key.type])),
    asymmetricKeyType: key.asymmetricKeyType,
    details: { ...details, ...(publicExponent === undefined ? {} : { publicExponent: String(publicExponent) }) },
  }
}

const PAIRS = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448', 'x25519', 'x448']

function generate({
  type,
  modulusLength,
  publicExponent = 65_537,
  namedCurve,
  hashAlgorithm,
  mgf1HashAlgorithm,
  saltLength,
}) {
  if (!PAIRS.includes(type)) refuse(`there is no key pair of type ${type}`, 'ERR_INVALID_ARG_VALUE')
  const options = { namedCurve, hashAlgorithm, mgf1HashAlgorithm, saltLength }
  if (type.startsWith('rsa')) {
    options.modulusLength = whole(modulusLength, 'options.modulusLength', MADE_BITS)
    if (publicExponent !== 65_537 && publicExponent !== 3) refuse('the public exponent is 3 or 65537')
    options.publicExponent = publicExponent
  }
  for (const name of Object.keys(options)) if (options[name] === undefined) delete options[name]
  const { publicKey, privateKey } = node.generateKeyPairSync(type, options)
  return { publicKey: kept(publicKey), privateKey: kept(privateKey) }
}

function exported({ key, kind, format, type, cipher, passphrase }) {
  const object = keyOf(key, kind)
  if (format === 'jwk') return object.export({ format: 'jwk' })
  const more = cipher === undefined ? {} : { cipher, passphrase: bytesOf(passphrase, 'passphrase') }
  const made = object.export({ format, type, ...more })
  return typeof made === 'string' ? made : new Uint8Array(made)
}

function certificate(bytes) {
  const read = new node.X509Certificate(sized(bytes ?? new Uint8Array(0)))
  const { subject, subjectAltName, issuer, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca } = read
  const { fingerprint, fingerprint256, fingerprint512 } = read
  const about = { subject, subjectAltName, issuer, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca }
  const prints = { fingerprint, fingerprint256, fingerprint512 }
  return { ...about, ...prints, raw: base64(read.raw), publicKey: kept(read.publicKey), pem: read.toString() }
}

export const keys = {
  'keys.read': ({ key, kind }) => kept(keyOf(key, kind)),
  'keys.generate': generate,
  'keys.export': exported,
  'keys.certificate': (_args, bytes) => certificate(bytes),
  'keys.agree': ({ privateKey, publicKey }) =>
    new Uint8Array(
      node.diffieHellman({ privateKey: keyOf(privateKey, 'private'), publicKey: keyOf(publicKey, 'public') }),
    ),
}
