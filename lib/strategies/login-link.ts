// The link of a mail that goes on with a login of the hosted pages (threat-model.md PW3).
// - It belongs to one login and holds 256 bits. Looking uses nothing up; of all who use it one gets in.
// - In the browser that began the login, holding the link is the proof. In any other it can only be answered: approved by
//   naming the number that the waiting login shows, or rejected; then the waiting browser alone gets in.
// - Whoever made somebody else's mailbox receive it does not get in by a careless click: nothing there says the number.

import type { Asking } from '../accounts/account-rules'
import { type LinkState, linkRef } from '../one-time-code'
import type { User } from '../users/user'
import { newcomerAt, type PasswordlessConnection, type PasswordlessDeps } from './passwordless'
import { asksRules, newcomerRules } from './passwordless-rules'

/** What was sent where, and the digest of the handle of the login that waits for it. */
export type LinkOfLogin = { connection: PasswordlessConnection; address: string; login: Uint8Array }

export type LinkVerdict = { outcome: 'proven'; user: User; at: string } | { outcome: LinkState['status'] }

const refOf = ({ connection, address, login }: LinkOfLogin, secret: string | null, deps: PasswordlessDeps) =>
  linkRef({ connectionId: connection.id, address }, login, secret, deps)

/** How the login's link stands; with `secret`, only if it is this one. Null: there is none, or a newer one. */
export const lookAtLink = (
  link: LinkOfLogin,
  secret: string | null,
  deps: PasswordlessDeps,
): Promise<LinkState | null> => deps.codes.findLink(refOf(link, secret, deps), deps.clock.now())

/** Without the number, or with a wrong one, it is rejected. Null: there was nothing to answer any more. */
export const answerLink = (
  link: LinkOfLogin,
  { secret, number }: { secret: string; number: string | null },
  deps: PasswordlessDeps,
): Promise<'approved' | 'rejected' | null> => deps.codes.answerLink(refOf(link, secret, deps), number, deps.clock.now())

/** For the browser that waits: by the link that it opened itself, or without `secret` by the answer of another. */
export async function authenticateByLink(
  link: LinkOfLogin,
  secret: string | null,
  asking: Asking,
  deps: PasswordlessDeps,
): Promise<LinkVerdict> {
  const { connection, address } = link
  const newcomer = newcomerAt(connection, deps)
  const asks = newcomer !== null && (await asksRules(connection, address, deps))
  if (asks && !(await isGood(link, secret, deps))) return unproven(link, deps)
  const welcome = newcomer && (await newcomerRules(connection, address, asking, asks, deps))
  const now = deps.clock.now()
  const used = await deps.codes.redeemLink(refOf(link, secret, deps), newcomer, now)
  if (welcome && used?.user && used.user.id === newcomer?.userId) await welcome(used.user)
  if (used) return used.user ? { outcome: 'proven', user: used.user, at: now.toISOString() } : { outcome: 'over' }
  return unproven(link, deps)
}

const unproven = async (link: LinkOfLogin, deps: PasswordlessDeps): Promise<LinkVerdict> => ({
  outcome: (await lookAtLink(link, null, deps))?.status ?? 'over',
})

/** Opened here, or approved elsewhere. */
async function isGood(link: LinkOfLogin, secret: string | null, deps: PasswordlessDeps): Promise<boolean> {
  const found = await lookAtLink(link, secret, deps)
  return found !== null && (secret !== null || found.status === 'approved')
}
