// Links two users to one, and unlinks them again (the contract's /api/v2/users/{id}/identities, and the suggestion after a login,
// lib/login/flow/linking.ts). Each is one transaction that locks both users; of concurrent callers one succeeds (threat-model.md
// TK6, RE3).
// - Linking moves the accounts of the other user. The other user's metadata, roles, factors and consents are deleted, as at the
//   vendor, and all its sessions and tokens end.
// - An unlinked account becomes a user of its own, with the profile it had when it was linked. Another person may sign in by it
//   by now, so everything ends except the login of the caller.
import type { ChangeMail } from '../outbox/outbox'
import type { LinkedIdentity } from './profile'

/** A bound against abuse: no person needs more. */
export const MAX_IDENTITIES = 20

/** The caller; its login must still be valid when the change is made. */
type Asking = { userId: string; family: { id: string; sid: string | null }; at: Date; mails: ChangeMails }

/** To the owners of the accounts, before the change. */
type ChangeMails = readonly (ChangeMail | null)[]

/** `needsFactor`: kinds of second factors; if the user has one of them, the proof is valid only with it. */
export type ProvenAccount = { userId: string; provenAt: Date; needsFactor: readonly string[] }

export type Linking = Asking & Pick<ProvenAccount, 'provenAt' | 'needsFactor'> & { otherId: string }
export type Unlinking = Asking & { provider: string; providerUserId: string }

export type LinkRefusal =
  /** The login of the caller has ended. */
  | 'ended'
  /** The user does not exist, is blocked, was signed out everywhere after the proof, or the proof lacks the second factor. */
  | 'unproven'
  /** The address of one of the two is not verified (lib/data/users/first-proof.ts). */
  | 'address_unproven'
  | 'too_many'

export type UnlinkRefusal = 'ended' | 'unknown'

export type LinkedAccountPort = {
  link(linking: Linking): Promise<LinkRefusal | LinkedIdentity[]>
  unlink(unlinking: Unlinking): Promise<UnlinkRefusal | LinkedIdentity[]>
}

/** Linking by a manager, without a login of the user. 'unknown' if a user or the account does not exist. */
export type ManagedLinkPort = {
  link(
    userId: string,
    otherId: string,
    at: Date,
    mails: ChangeMails,
  ): Promise<'unknown' | Extract<LinkRefusal, 'address_unproven' | 'too_many'> | LinkedIdentity[]>
  /** `login` of the user, if it is the user who unlinks: it must still stand. */
  unlink(
    unlinking: { userId: string; provider: string; providerUserId: string; at: Date; mails: ChangeMails },
    login?: { sid: string; provenAt: Date },
  ): Promise<UnlinkRefusal | LinkedIdentity[]>
}
