// Verifies what an authenticator answered (WebAuthn 7.1, 7.2). Nothing is stored or looked up here.
// - An attestation statement is not asked for and proves nothing here, so it is not read: its certificates could name addresses
//   to fetch. The authenticator data is what counts.
// - A page of another origin may not use this one in a frame: `crossOrigin` is refused.
// - The counter is judged by the store, in the statement that stores the next one.
import * as z from 'zod'
import type { PasskeyCredential } from '../../data/users/passkey'
import { lazy } from '../../kernel/lazy'
import { ALGORITHMS } from './options'

const loadServer = lazy(async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
}))

/**
 * At most so many bytes, as base64url without padding: the one spelling that ids are stored and compared in. Native modules also write
 * the alphabet of RFC 4648 4, padding, and lines.
 */
const binary = (longest: number) =>
  z
    .string()
    .max(2 * longest)
    .transform((text) => text.replace(/\s/g, ''))
    .pipe(z.string().regex(/^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/))
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length >= 1 && length <= longest)
    .transform((bytes) => bytes.toString('base64url'))

/** The longest credential id is 1023 bytes (WebAuthn 4). */
const credentialId = binary(1023)

const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.looseObject({}).nullish(),
}

/** Members that a client adds are ignored: there are more in every browser release. */
export const creationResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: binary(6144),
    attestationObject: binary(24_576),
    transports: z.array(z.string().max(40)).max(10).nullish(),
  }),
})

export const assertionResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: binary(6144),
    authenticatorData: binary(6144),
    signature: binary(6144),
    // Absent, null or empty where the credential is not discoverable. Twice the 64 bytes, for a handle that is spelt twice.
    userHandle: z.literal('').or(binary(128)).nullish(),
  }),
})

export type CreationResponse = z.output<typeof creationResponse>
export type AssertionResponse = z.output<typeof assertionResponse>

export type ExpectedPasskeyAnswer = {
  challenge: string
  /** The pages that may ask, exactly. */
  origins: readonly string[]
  rpId: string
  /** Whether an answer without user verification is refused. */
  verified: boolean
}

/** The reason, one of our own sentences, for the audit log. */
export type Refused = { refused: string }

export type Created = Omit<PasskeyCredential, 'userHandle'> & { userVerified: boolean }

export async function verifyCreation(
  response: CreationResponse,
  expected: ExpectedPasskeyAnswer,
): Promise<Created | Refused> {
  return refusing(async () => {
    const { verifyRegistrationResponse, decodeAttestationObject } = await loadServer()
    checkFrame(response.response.clientDataJSON)
    const { clientDataJSON, attestationObject, transports } = response.response
    const data = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        ...identityOf(response),
        response: { clientDataJSON, attestationObject: withoutStatement(data).toString('base64url') },
      },
      ...expectations(expected),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return { refused: 'the credential is not valid' }
    if (info.credential.id !== response.id) return { refused: 'the id is of another credential' }
    return {
      credentialId: info.credential.id,
      publicKey: info.credential.publicKey,
      counter: info.credential.counter,
      transports: transports ?? [],
      aaguid: info.aaguid,
      multiDevice: info.credentialDeviceType === 'multiDevice',
      backedUp: info.credentialBackedUp,
      rpId: expected.rpId,
      userVerified: info.userVerified,
    }
  })
}

export type Asserted = { counter: number; backedUp: boolean; userVerified: boolean }

export async function verifyAssertion(
  response: AssertionResponse,
  { credentialId: id, publicKey, multiDevice, rpId }: PasskeyCredential,
  expected: ExpectedPasskeyAnswer,
): Promise<Asserted | Refused> {
  return refusing(async () => {
    const { verifyAuthenticationResponse } = await loadServer()
    if (rpId !== expected.rpId) return { refused: 'the credential is of another host' }
    checkFrame(response.response.clientDataJSON)
    const { clientDataJSON, authenticatorData, signature } = response.response
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...identityOf(response), response: { clientDataJSON, authenticatorData, signature } },
      ...expectations(expected),
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    if (!verified) return { refused: 'the signature is wrong' }
    if ((info.credentialDeviceType === 'multiDevice') !== multiDevice)
      return { refused: 'the credential changed its kind' }
    return { counter: info.newCounter, backedUp: info.credentialBackedUp, userVerified: info.userVerified }
  })
}

const identityOf = ({ id, rawId, type }: CreationResponse | AssertionResponse) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
})

const expectations = ({ challenge, origins, rpId, verified }: ExpectedPasskeyAnswer) => ({
  expectedChallenge: (given: string) => Buffer.from(given, 'base64').equals(Buffer.from(challenge, 'base64url')),
  expectedOrigin: [...origins],
  expectedRPID: rpId,
  requireUserVerification: verified,
})

/** The library throws for whatever is wrong, in sentences that quote the response. */
async function refusing<T>(verify: () => Promise<T | Refused>): Promise<T | Refused> {
  try {
    return await verify()
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return { refused: REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'the response is malformed' }
  }
}

const REASONS: readonly [RegExp, string][] = [
  [/challenge/i, 'the challenge is another'],
  [/framed|top origin/i, 'the page is framed by another origin'],
  [/ origin /i, 'the page is of another origin'],
  [/RP ID/, 'the credential is of another host'],
  [/verification was required|verification required/i, 'the user was not verified'],
  [/not present/i, 'the user was not present'],
  [/response type/i, 'the response is to another request'],
]

function checkFrame(clientDataJSON: string): void {
  const data: { crossOrigin?: unknown; topOrigin?: unknown } = JSON.parse(
    Buffer.from(clientDataJSON, 'base64url').toString(),
  )
  if (data.crossOrigin || data.topOrigin !== undefined) throw new Error('the page is framed by another origin')
}

/** The same authenticator data with the attestation "none" (WebAuthn 8.7), in CBOR (RFC 8949). */
function withoutStatement(data: Uint8Array): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff])
  const [map, emptyMap] = [Buffer.from([0xa3]), Buffer.from([0xa0])]
  const members = [text('fmt'), text('none'), text('attStmt'), emptyMap, text('authData'), length, Buffer.from(data)]
  return Buffer.concat([map, ...members])
}
