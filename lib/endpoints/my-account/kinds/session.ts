// The session of an enrolment that is confirmed by a code or a device: a ticket for one method of one person, in one client
// (threat-model.md MA3). Its digest alone is stored; a newer enrolment of the same type ends it.
import { CONFIRM_SECONDS } from '../../../mfa/enrolled'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../../tickets/ticket'
import { sessionOver } from '../read-body'
import type { MyAccountCall } from './kind'

type Enrolling = {
  userId: string
  clientId: string
  id: string
  /** The digest of the challenge to answer, or of the recovery code to activate. */
  digest: string | null
}

const ENROLLING = ticketKind<Enrolling>('my-account-enrollment', CONFIRM_SECONDS)

type Enrolled = { id: string; type: string; digest: Uint8Array | null }

export const openSession = (
  { user, client, runtime }: MyAccountCall,
  { id, type, digest }: Enrolled,
): Promise<string> =>
  issueTicket(
    ENROLLING,
    {
      userId: user.id,
      clientId: client.clientId,
      id,
      digest: digest && Buffer.from(digest).toString('base64url'),
    },
    runtime,
    { subject: `${user.id} ${type}` },
  )

/** The digest of the session for this method. */
export async function findSession(call: MyAccountCall, id: string, session: string): Promise<Uint8Array | undefined> {
  const found = await findTicket(ENROLLING, session, call.runtime)
  if (found?.userId !== call.user.id || found.clientId !== call.client.clientId || found.id !== id) throw sessionOver()
  return found.digest === null ? undefined : Buffer.from(found.digest, 'base64url')
}

/** Of concurrent callers one succeeds. */
export async function endSession({ runtime }: MyAccountCall, session: string): Promise<void> {
  if (!(await consumeTicket(ENROLLING, session, runtime))) throw sessionOver()
}
