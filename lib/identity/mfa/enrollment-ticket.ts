// A link with which a manager lets a person add a factor outside a login (threat-model.md MF2), and a step of the account portal, which
// opens the same page in the session that it was made from.
// - The manager stands in for the proof of a factor only where the ticket says so (`multiple`). Otherwise it opens nothing for a
//   user who has one.
// - It works until a factor was added with it; a newer one for the same user ends it.

import { consumeTicket, findStep, findTicket, type TicketMaker, ticketKind } from '../../data/tickets/ticket'
import type { User, UserPort } from '../../data/users/user'
import { digest } from '../../kernel/secret'
import type { MfaDeps } from './deps'
import { listFactors } from './enrolled'
import { FACTORS, type FactorName, factorNamed } from './factors/index'

export type EnrollmentTicket = {
  userId: string
  /** The vendor's record of the only factor that may be added; null for any. */
  record: string | null
  multiple: boolean
}

export const ENROLLMENT = ticketKind<EnrollmentTicket>('mfa-enrollment', 432_000)
export const ENROLLMENT_STEP = ticketKind<EnrollmentTicket & TicketMaker>('portal-enrollment', 600)
export const ENROLLMENT_PATH = '/u/enroll'

export type OpenEnrollment = {
  user: User
  /** The login handle of its challenges. */
  login: Uint8Array
  offered: FactorName[]
  vouched: boolean
  /** The owner began it in the account portal. */
  isOwn: boolean
}

/** Null for a link that is used, ended or without an effect. `by` is the session of the browser. */
export async function openEnrollment(
  plain: string,
  by: TicketMaker | null,
  deps: MfaDeps & { users: Pick<UserPort, 'find'> },
): Promise<OpenEnrollment | null> {
  const link = await findTicket(ENROLLMENT, plain, deps)
  const ticket = link ?? (by && (await findStep(ENROLLMENT_STEP, plain, by, deps)))
  const user = ticket && (await deps.users.find(ticket.userId))
  if (!user || user.blocked) return null
  const { enrolled, enrollable } = await listFactors(user, deps)
  if (enrolled && !ticket.multiple) return null
  const meant = factorsOf(ticket.record)
  const offered = enrollable.filter(
    (name) => meant.includes(name) && (!factorNamed(name).page.needsEmail || user.email !== null),
  )
  if (offered.length === 0) return null
  return { user, login: digest(`${ENROLLMENT.name} ${plain}`), offered, vouched: ticket.multiple, isOwn: link === null }
}

/** Ends the link or the step. */
export async function endEnrollment(plain: string, deps: MfaDeps): Promise<void> {
  if ((await consumeTicket(ENROLLMENT, plain, deps)) === null) await consumeTicket(ENROLLMENT_STEP, plain, deps)
}

/** The factors of a record of the vendor; all of them for null. */
export const factorsOf = (record: string | null): FactorName[] =>
  FACTORS.filter(({ names }) => record === null || names.record === record).map(({ id }) => id)
