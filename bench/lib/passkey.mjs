// A passkey in software: ES256, synced, without a counter (WebAuthn 6).
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const PRESENT = 1 | 4 | 8 | 16
const HAS_CREDENTIAL = 64

const sha256 = (data) => createHash('sha256').update(data).digest()
const b64u = (data) => Buffer.from(data).toString('base64url')
const uint16 = (value) => Buffer.from([value >> 8, value & 255])

const clientData = (type, challenge, origin) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** CBOR (RFC 8949) of the public key as COSE (RFC 9053 7.1), and of an attestation "none" (WebAuthn 8.7). */
function coseOf(publicKey) {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const bytes = (text) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  return Buffer.concat([Buffer.from('a501020326200121', 'hex'), bytes(x), Buffer.from([0x22]), bytes(y)])
}
const attestation = (data) =>
  Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
    uint16(data.length),
    data,
  ])

export function newPasskey(origin) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const host = sha256(new URL(origin).hostname)
  const counter = Buffer.alloc(4)
  const shared = { id: b64u(rawId), rawId: b64u(rawId), type: 'public-key', clientExtensionResults: {} }
  return {
    create(challenge) {
      const credential = Buffer.concat([Buffer.alloc(16), uint16(rawId.length), rawId, coseOf(publicKey)])
      const data = Buffer.concat([host, Buffer.from([PRESENT | HAS_CREDENTIAL]), counter, credential])
      const client = clientData('webauthn.create', challenge, origin)
      return { ...shared, response: { clientDataJSON: b64u(client), attestationObject: b64u(attestation(data)) } }
    },
    use(challenge) {
      const data = Buffer.concat([host, Buffer.from([PRESENT]), counter])
      const client = clientData('webauthn.get', challenge, origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...shared,
        response: { clientDataJSON: b64u(client), authenticatorData: b64u(data), signature: b64u(signature) },
      }
    },
  }
}
