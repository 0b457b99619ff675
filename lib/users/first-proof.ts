// The first proof of an address is the arrival of a new owner (docs/adr/0027; threat-model.md BF1, BF2). Before it, an account
// belongs to whoever typed the address, who may not be the person that reads its mail.
// - Every way of proving an address calls one function of the store (lib/store/prisma/first-proof.ts) in the transaction of
//   the proof. It removes what was attached before and ends every login.
// - Until then, no second account and no second factor can be added by token.
// - An address is unproven where it is a key of the account, by which a password, a code or a mailed link finds it. An
//   address that a provider asserts finds no account, so there is nothing to prove.
import { accessDenied } from '../kernel/errors'
import type { User } from './user'

export type FirstProofPort = {
  /** Whether the account is found by an address that is not proven, and by none that is. */
  isUnproven(userId: string): Promise<boolean>
}

/** What a write assumes about its user. Where an address was proven meanwhile, the write must not happen. */
export type ProofStanding = Pick<User, 'emailVerified' | 'phoneVerified'>

/** Refuses what attaches a way to sign in while the address of the account is unproven. */
export async function checkAddressProven(user: User, { accounts }: { accounts: FirstProofPort }): Promise<void> {
  if (user.emailVerified || user.phoneVerified) return
  if (await accounts.isUnproven(user.id)) throw accessDenied(ADDRESS_UNPROVEN)
}

export const ADDRESS_UNPROVEN = 'The address of the account is not verified'
