// The first verification of an address is the arrival of a new owner (docs/adr/0027; threat-model.md BF1, BF2). Before it, an
// account belongs to the person who typed the address, who may not be the person that reads its mail.
// - Every way to verify an address calls one function of the store (lib/adapters/store/sql/first-proof.ts) in its own transaction. The
//   function removes everything attached before and ends every login.
// - Until then, no second account and no second factor can be added by token.
// - Only an address that is a key of the account can be unverified: a password, a code or a mailed link finds the account by it.
//   An address that a provider asserts finds no account, so it needs no verification.
import { accessDenied } from '../../kernel/errors'
import type { User } from './user'

export type FirstProofPort = {
  /** Whether an unverified address finds the account, and no verified one does. */
  isUnproven(userId: string): Promise<boolean>
}

/** The state of the user that a write assumes. If an address was verified or the account recovered since, the write must not happen. */
export type ProofStanding = Pick<User, 'emailVerified' | 'phoneVerified' | 'recoveryEpoch'>

/** Refuses to attach a way to sign in while the address of the account is unverified. */
export async function checkAddressProven(user: User, deps: { accounts: FirstProofPort }): Promise<void> {
  if (!(await isAddressProven(user, deps))) throw accessDenied(ADDRESS_UNPROVEN, { reason: 'address_unproven' })
}

export const isAddressProven = async (user: User, { accounts }: { accounts: FirstProofPort }): Promise<boolean> =>
  user.emailVerified || user.phoneVerified || !(await accounts.isUnproven(user.id))

export const ADDRESS_UNPROVEN = 'The address of the account is not verified'
