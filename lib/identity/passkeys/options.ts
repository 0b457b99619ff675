// The options that a browser passes to `navigator.credentials` (WebAuthn 5.4, 5.5), in JSON (5.1.8, 5.1.9).
import { newUserHandle, type PasskeyCredential } from '../../data/users/passkey'
import { displayNameOf, type User } from '../../data/users/user'

/** EdDSA, ES256 and RS256, the most wanted first. */
export const ALGORITHMS = [-8, -7, -257]

export type UserVerification = 'required' | 'preferred' | 'discouraged'

export type Attachment = 'platform' | 'cross-platform'

type Descriptor = { id: string; type: 'public-key'; transports: string[] }

export type RequestOptions = {
  challenge: string
  timeout: number
  rpId: string
  userVerification: UserVerification
  /** Absent for discoverable credentials. */
  allowCredentials?: Descriptor[]
}

export type CreationOptions = {
  challenge: string
  timeout: number
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  authenticatorSelection: {
    residentKey: 'required' | 'discouraged'
    userVerification: UserVerification
    authenticatorAttachment?: Attachment
  }
  excludeCredentials?: Descriptor[]
}

export const requestOptions = (
  challenge: string,
  rpId: string,
  { seconds, userVerification = 'preferred' }: { seconds: number; userVerification?: UserVerification },
  allowed: readonly PasskeyCredential[] = [],
): RequestOptions => ({
  challenge,
  timeout: seconds * 1000,
  rpId,
  userVerification,
  ...(allowed.length > 0 ? { allowCredentials: allowed.map(descriptorOf) } : {}),
})

/** The key is a second factor, of a device of this kind that has none of the known ones. */
type ForFactor = { attachment: Attachment; verification: UserVerification; known: readonly PasskeyCredential[] }

type Creating = { seconds: number; userVerification?: UserVerification; factor?: ForFactor }

type Person = { handle: Uint8Array; name: string; displayName: string }

export const creationOptions = (
  challenge: string,
  rpId: string,
  { handle, name, displayName }: Person,
  { seconds, userVerification = 'preferred', factor }: Creating,
): CreationOptions => ({
  challenge,
  timeout: seconds * 1000,
  rp: { id: rpId, name: rpId },
  user: { id: Buffer.from(handle).toString('base64url'), name, displayName },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: factor
    ? {
        residentKey: 'discouraged',
        userVerification: factor.verification,
        authenticatorAttachment: factor.attachment,
      }
    : { residentKey: 'required', userVerification },
  ...(factor ? { excludeCredentials: factor.known.map(descriptorOf) } : {}),
})

export const descriptorOf = ({ credentialId, transports }: PasskeyCredential): Descriptor => ({
  id: credentialId,
  type: 'public-key',
  transports,
})

/** Under which an authenticator lists the passkeys of a user. */
export const namesOf = (user: User): Omit<Person, 'handle'> => ({
  name: user.email ?? user.username ?? user.phoneNumber ?? displayNameOf(user),
  displayName: displayNameOf(user),
})

/** The handle of the person's other passkeys of this host, so that a device replaces its own; or a new one. */
export const handleFor = (
  known: readonly PasskeyCredential[],
  rpId: string,
  random: Parameters<typeof newUserHandle>[0],
) => known.find((each) => each.rpId === rpId)?.userHandle ?? newUserHandle(random)
