// The session of an enrolment that is confirmed by a code or a device: a ticket for one method of one person, in one client, which ends
// with the login that started it (threat-model.md MA3, BF19). Its digest alone is stored; a newer enrolment of the same type ends it.
import { consumeTicket, findStep, issueTicket, type TicketMaker, ticketKind } from '../../../data/tickets/ticket'
import { sessionOver } from '../read-body'
import type { MyAccountCall } from './kind'

type Enrolling = TicketMaker & {
  id: string
  /** The digest of the challenge to answer, or of the recovery code to activate. */
  digest: string | null
}

/** As long as the token that starts it. */
export const SESSION_SECONDS = 900

const ENROLLING = ticketKind<Enrolling>('my-account-enrollment', SESSION_SECONDS)

/** In which login the call is made. */
export const makerOf = ({ user, client, family }: MyAccountCall): TicketMaker => ({
  userId: user.id,
  clientId: client.clientId,
  sid: family.sid,
  familyId: family.id,
})

type Enrolled = { id: string; type: string; digest: Uint8Array | null }

export const openSession = (call: MyAccountCall, { id, type, digest }: Enrolled): Promise<string> =>
  issueTicket(
    ENROLLING,
    { ...makerOf(call), id, digest: digest && Buffer.from(digest).toString('base64url') },
    call.runtime,
    { subject: `${call.user.id} ${type}` },
  )

/** The digest of the session for this method. */
export async function findSession(call: MyAccountCall, id: string, session: string): Promise<Uint8Array | undefined> {
  const found = await findStep(ENROLLING, session, makerOf(call), call.runtime)
  if (found?.id !== id) throw sessionOver()
  return found.digest === null ? undefined : Buffer.from(found.digest, 'base64url')
}

/** Of concurrent callers one succeeds. */
export async function endSession({ runtime }: MyAccountCall, session: string): Promise<void> {
  if (!(await consumeTicket(ENROLLING, session, runtime))) throw sessionOver()
}
