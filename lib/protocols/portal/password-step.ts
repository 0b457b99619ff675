// A new password in the account portal. The user signs in for this purpose alone, with the present password, a passkey or a second
// factor; a step of that session then opens the page that sets the new one, and the session outlasts it (threat-model.md AP3, BF19).

import { PORTAL_CLIENT } from '../../data/clients/portal'
import type { Evidence } from '../../data/sessions/session'
import { issueTicket, type TicketDeps, type TicketMaker, ticketKind } from '../../data/tickets/ticket'
import type { LinkPayload } from '../../identity/accounts/account-link'
import { RESET } from '../../identity/accounts/reset-password'
import type { LoginOutcome } from '../../login/transaction'

const STEP_SECONDS = 600

export const PASSWORD_STEP = ticketKind<LinkPayload & TicketMaker>('portal-password', STEP_SECONDS)

/** The account that gets the password, and when its user asked. */
export type PasswordWish = Pick<LinkPayload, 'userId' | 'connectionId' | 'providerUserId' | 'email'> & { since: string }

/** What shows that the user is not just someone at an open session. */
const PROOFS: readonly Evidence['method'][] = ['pwd', 'hwk', 'swk', 'mfa']

/** The path of the step; null where the login proves none of these. */
export async function passwordStep(
  { since, ...account }: PasswordWish,
  { user, sid, evidence }: Pick<LoginOutcome, 'user' | 'sid' | 'evidence'>,
  resultUrl: string,
  deps: TicketDeps,
): Promise<string | null> {
  const isProven = evidence.some(({ method, at }) => PROOFS.includes(method) && new Date(at) >= new Date(since))
  if (!isProven || user.id !== account.userId) return null
  const maker = { userId: user.id, clientId: PORTAL_CLIENT, sid, familyId: null }
  const payload = { ...account, ...maker, proves: false, resultUrl }
  return `${RESET.path}?ticket=${await issueTicket(PASSWORD_STEP, payload, deps, { subject: user.id })}`
}
