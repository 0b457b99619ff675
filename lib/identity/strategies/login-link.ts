// A mailed link that continues a login of the hosted pages (threat-model.md PW3).
// - It belongs to one login and holds 256 bits. Reading it does not consume it; only one of several parallel uses signs in.
// - In the browser that started the login, possession of the link is the proof. In any other browser the user can only approve
//   the login, by the number that the waiting page shows, or reject it. Only the waiting browser gets signed in.
// - An attacker who causes such a mail does not get in by a careless click, because the page does not show the number.

import type { PasswordlessConnection } from '../../data/connections/connection'
import type { User } from '../../data/users/user'
import type { Asking } from '../accounts/account-triggers'
import { type LinkState, linkRef } from '../one-time-codes/one-time-code'
import { newcomerAt, type PasswordlessDeps } from './passwordless'
import { asksBeforeRegistration, registrationTriggers } from './passwordless-triggers'

/** The connection and address of the link, and the digest of the handle of the login that waits for it. */
export type LinkOfLogin = { connection: PasswordlessConnection; address: string; login: Uint8Array }

export type LinkVerdict = { outcome: 'proven'; user: User; at: string } | { outcome: LinkState['status'] }

const refOf = ({ connection, address, login }: LinkOfLogin, secret: string | null, deps: PasswordlessDeps) =>
  linkRef({ connectionId: connection.id, address }, login, secret, deps)

/** The state of the login's link; with `secret`, only if the link is this one. Null if there is none or a newer one. */
export const lookAtLink = (
  link: LinkOfLogin,
  secret: string | null,
  deps: PasswordlessDeps,
): Promise<LinkState | null> => deps.codes.findLink(refOf(link, secret, deps), deps.clock.now())

/** Rejects the login if the number is missing or wrong. Null if nothing was pending. */
export const answerLink = (
  link: LinkOfLogin,
  { secret, number }: { secret: string; number: string | null },
  deps: PasswordlessDeps,
): Promise<'approved' | 'rejected' | null> => deps.codes.answerLink(refOf(link, secret, deps), number, deps.clock.now())

/** For the waiting browser: by the link that was opened in it, or without `secret` by the approval from another browser. */
export async function authenticateByLink(
  link: LinkOfLogin,
  secret: string | null,
  asking: Asking,
  deps: PasswordlessDeps,
): Promise<LinkVerdict> {
  const { connection, address } = link
  const newcomer = newcomerAt(connection, deps)
  const asks = newcomer !== null && (await asksBeforeRegistration(connection, address, deps))
  if (asks && !(await isGood(link, secret, deps))) return unproven(link, deps)
  const welcome = newcomer && (await registrationTriggers(connection, address, asking, asks, deps))
  const now = deps.clock.now()
  const used = await deps.codes.redeemLink(refOf(link, secret, deps), newcomer, now)
  if (welcome && used?.user && used.user.id === newcomer?.userId) await welcome(used.user)
  if (used) return used.user ? { outcome: 'proven', user: used.user, at: now.toISOString() } : { outcome: 'over' }
  return unproven(link, deps)
}

const unproven = async (link: LinkOfLogin, deps: PasswordlessDeps): Promise<LinkVerdict> => ({
  outcome: (await lookAtLink(link, null, deps))?.status ?? 'over',
})

/** The link was opened here, or approved in another browser. */
async function isGood(link: LinkOfLogin, secret: string | null, deps: PasswordlessDeps): Promise<boolean> {
  const found = await lookAtLink(link, secret, deps)
  return found !== null && (secret !== null || found.status === 'approved')
}
