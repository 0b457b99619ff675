// Logs out at the upstream provider too (`federated` of the contract's "Logout"; OIDC RP-Initiated Logout 1.0 towards the
// provider). The browser goes to the provider's logout URL and returns to a URL that was validated before and is kept in a
// ticket.

import { isUpstream } from '../../data/connections/connection'
import { LOGGED_OUT_PATH } from '../../data/connections/upstream/saml-metadata'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import type { Session } from '../../data/sessions/session'
import { consumeTicket, issueTicket, ticketKind } from '../../data/tickets/ticket'
import { strategyOf } from '../../identity/strategies'
import type { LoginDeps } from '../deps'
import { openHint } from './upstream-sign-in'

/** The seconds a user may spend on the provider's page. */
const RETURN = ticketKind<{ to: string | null }>('upstream-logout', 1800)

/** The logout URL of the provider that signed this session in; null if there is none. */
export async function upstreamLogout(session: Session, to: string | null, deps: LoginDeps): Promise<string | null> {
  const proof = session.evidence.find(({ method }) => method === 'fed')
  const connection = (await deps.connections.all()).find(({ name }) => name === proof?.connection)
  if (!isUpstream(connection)) return null
  const state = await issueTicket(RETURN, { to }, deps)
  const out = { returnTo: deps.baseUrl + LOGGED_OUT_PATH, state, hint: openHint(proof?.hint, deps) }
  try {
    return await strategyOf(connection).logoutUrl(out, deps)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
    return null
  }
}

/** The URL to continue at; null if there is none or the state is not ours. */
export const afterUpstreamLogout = async (state: string | undefined, deps: LoginDeps): Promise<string | null> =>
  (state === undefined ? null : await consumeTicket(RETURN, state, deps))?.to ?? null
