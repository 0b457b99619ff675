// An authenticator in software (WebAuthn 6), for tests: ES256, with every member of its answers open to change.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const b64u = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

type Flags = { up?: boolean; uv?: boolean; multiDevice?: boolean; backedUp?: boolean }

export type AuthenticatorCall = Flags & {
  challenge: string
  origin: string
  rpId: string
  counter?: number
  type?: string
  crossOrigin?: boolean
}

const flagsOf = ({ up = true, uv = true, multiDevice = true, backedUp = multiDevice }: Flags, created: boolean) =>
  (up ? 1 : 0) | (uv ? 4 : 0) | (multiDevice ? 8 : 0) | (backedUp ? 16 : 0) | (created ? 64 : 0)

const counterOf = (counter: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(counter)
  return bytes
}

const clientData = ({ challenge, origin, type, crossOrigin = false }: AuthenticatorCall, usual: string): Buffer =>
  Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin }))

const bytesOf = (length: number): Buffer => Buffer.from([0x58, length])

/** The public key as COSE (RFC 9053 7.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [X, Y] = [x, y].map((each) => Buffer.from(each, 'base64url')) as [Buffer, Buffer]
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytesOf(32),
    X,
    Buffer.from([0x22]),
    bytesOf(32),
    Y,
  ])
}

export const ICLOUD = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'

export function softCredential({ aaguid = ICLOUD } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const id = b64u(rawId)
  let handle: string | undefined

  const create = (ceremony: AuthenticatorCall & { handle?: string }) => {
    handle = ceremony.handle
    const length = Buffer.alloc(2)
    length.writeUInt16BE(rawId.length)
    const data = Buffer.concat([
      sha256(ceremony.rpId),
      Buffer.from([flagsOf(ceremony, true)]),
      counterOf(ceremony.counter ?? 0),
      Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
      length,
      rawId,
      coseOf(publicKey),
    ])
    const size = Buffer.alloc(2)
    size.writeUInt16BE(data.length)
    const object = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59]),
      size,
      data,
    ])
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: { credProps: { rk: true } },
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: b64u(clientData(ceremony, 'webauthn.create')),
        attestationObject: b64u(object),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  const use = (ceremony: AuthenticatorCall) => {
    const data = Buffer.concat([
      sha256(ceremony.rpId),
      Buffer.from([flagsOf(ceremony, false)]),
      counterOf(ceremony.counter ?? 0),
    ])
    const client = clientData(ceremony, 'webauthn.get')
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(privateKey)
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: b64u(client),
        authenticatorData: b64u(data),
        signature: b64u(signature),
        ...(handle === undefined ? {} : { userHandle: handle }),
      },
    }
  }

  return { id, create, use }
}
