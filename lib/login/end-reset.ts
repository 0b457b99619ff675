// Ends the login of a reset: no session begins. The page of the link asks for the new password again, which the rules have let pass.
import { writePass } from '../identity/accounts/reset-triggers'
import { accessDenied } from '../kernel/errors'
import type { LoginDeps } from './deps'
import { endLogin } from './flow/end-login'
import type { OpenTransaction } from './flow/open'
import { draftOf } from './post-login/draft'
import { openedReset, pageOf } from './reset-origin'
import type { VisitorResponse } from './visitor-response'

export async function endReset(open: OpenTransaction, deps: LoginDeps): Promise<VisitorResponse> {
  const { transaction, state } = open
  const { ticket, user } = await openedReset(transaction.origin.request, deps)
  if (user.id !== state.user?.id)
    return endLogin(accessDenied('The link is for another user', { reason: 'mail_link_over' }), open, deps)
  // Of several requests at one moment each was let pass, in the browser of the transaction.
  await deps.transactions.consume(transaction.handleDigest, deps.clock.now())
  const passed = writePass(ticket, transaction.browserDigest, draftOf(state)?.effects ?? {}, deps)
  return { kind: 'see-other', to: pageOf(ticket, deps.baseUrl, passed) }
}
