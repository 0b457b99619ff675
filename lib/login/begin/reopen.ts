// Opens the unfinished login of a handle again, in the browser that began it.
import { digest } from '../../kernel/secret'
import { checkBinding } from '../browser'
import type { LoginDeps } from '../deps'
import { showScreen } from '../flow/screen-urls'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'

/** Null if there is no such login of this client and browser. The page leads on to the screen that is due. */
export async function reopenLogin(
  handle: string,
  clientId: string | undefined,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse | null> {
  const found = await deps.transactions.find(digest(handle))
  if (!found) return null
  const { consumedAt, expiresAt, wants, browserDigest } = found.transaction
  const isOver = consumedAt !== null || expiresAt <= deps.clock.now()
  if (isOver || wants.clientId !== clientId || checkBinding(visitor, browserDigest) !== 'bound') return null
  return showScreen('login', handle, deps)
}
