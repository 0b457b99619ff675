// Ends a login with a refusal that the client gets.
import { saidOf } from '../../data/audit/trail'
import type { DomainError } from '../../kernel/errors'
import type { LoginDeps } from '../deps'
import { isReset, refusalEvent } from '../reset-origin'
import type { LoginTransaction } from '../transaction'
import type { VisitorResponse } from '../visitor-response'
import type { OpenTransaction } from './open'
import { showScreen } from './screen-urls'

/** If a parallel request already ended the login, this one shows its current state. */
export async function endLogin(
  error: DomainError,
  { handle, transaction }: OpenTransaction,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const ended = await deps.transactions.consume(transaction.handleDigest, deps.clock.now())
  return ended ? refuseLogin(error, transaction, deps) : showScreen('login', handle, deps)
}

export async function refuseLogin(
  error: DomainError,
  { origin: { protocol, request }, wants }: Pick<LoginTransaction, 'origin' | 'wants'>,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  deps.trail.record(refusalEvent({ reset: isReset({ wants }) }), saidOf(error))
  return deps.protocols[protocol].refuse(request, error)
}
