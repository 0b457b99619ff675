// Keys for the cryptography of actions. The guest holds key material and passes it with each operation: a secret as base64, a key of a pair
// as DER (SPKI or PKCS #8), and what an action brings as it is (PEM, DER, JWK).
import * as node from 'node:crypto'
import { base64, bytesOf, refuse, text, whole } from './bounds.mjs'

const RSA_BITS = { min: 512, max: 4096 }
/** Of one key in any form. */
const MAX_KEY = 65_536

/** The KeyObject of what the guest passed: `{ der }`, `{ jwk }`, `{ pem }` or `{ bytes, format, type }`, perhaps with a passphrase. */
export function keyOf(input, kind) {
  const { secret, der, jwk, pem, bytes, format, type, passphrase, from } = input ?? {}
  const create = kind === 'public' ? node.createPublicKey : node.createPrivateKey
  if (secret !== undefined) return node.createSecretKey(sized(bytesOf(secret, 'key')))
  const more = passphrase === undefined ? {} : { passphrase: bytesOf(passphrase, 'passphrase') }
  let key
  if (der !== undefined) key = fromDer(sized(bytesOf(der, 'key')), from, kind)
  else if (jwk !== undefined) key = create({ key: jwk, format: 'jwk' })
  else if (pem !== undefined) key = create({ key: sized(text(pem, 'key')), format: 'pem', ...more })
  else key = create({ key: sized(bytesOf(bytes, 'key')), format: format ?? 'pem', type, ...more })
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits > RSA_BITS.max) refuse(`an RSA key of an action has at most ${RSA_BITS.max} bits`)
  return key
}

function fromDer(key, from, kind) {
  const made =
    from === 'public'
      ? node.createPublicKey({ key, format: 'der', type: 'spki' })
      : node.createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return kind === 'public' && from !== 'public' ? node.createPublicKey(made) : made
}

function sized(material) {
  if (material.length > MAX_KEY) refuse(`a key has at most ${MAX_KEY} bytes`)
  return material
}

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
    options.modulusLength = whole(modulusLength, 'options.modulusLength', RSA_BITS)
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
