// Two users become one, and one becomes two again (the contract's /api/v2/users/{id}/identities, and the suggestion of a
// login, lib/login/steps/linking.ts). Each is one transaction that holds both users; of any number of callers at once one wins (threat-model.md TK6, RE3).
// - Linking moves the accounts of the other user. What else the other had (metadata, roles, factors, consents) is gone,
//   as the vendor has it, and everything that user was signed in to ends.
// - An account that is taken out again is a user of its own, as it was known when it was linked. Whoever is signed in by
//   it may be another person by now, so everything ends but the login that asked.
import type { LinkedIdentity } from './profile'

/** More would only be somebody collecting. */
export const MAX_IDENTITIES = 20

/** Who asks: their login must still stand when the change is made. */
type Asking = { userId: string; family: { id: string; sid: string | null }; at: Date }

/** `needsFactor`: kinds of second factors that the proof is worth nothing without, should that user have one. */
export type ProvenAccount = { userId: string; provenAt: Date; needsFactor: readonly string[] }

export type Linking = Asking & Pick<ProvenAccount, 'provenAt' | 'needsFactor'> & { otherId: string }
export type Unlinking = Asking & { provider: string; providerUserId: string }

export type LinkRefusal =
  /** The login that asked has ended. */
  | 'ended'
  /** There is no such user, they are blocked, were signed out everywhere after the proof, or it lacks their second factor. */
  | 'unproven'
  /** The address of one of the two is not verified (lib/users/first-proof.ts). */
  | 'address_unproven'
  | 'too_many'

export type UnlinkRefusal = 'ended' | 'unknown'

export type LinkedAccountPort = {
  link(linking: Linking): Promise<LinkRefusal | LinkedIdentity[]>
  unlink(unlinking: Unlinking): Promise<UnlinkRefusal | LinkedIdentity[]>
}
