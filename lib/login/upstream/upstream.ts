// Leaves a login for the provider of a connection, and keeps what is needed until the user returns.
// - The state that the provider returns is a ticket: 256 random bits, stored as a digest, for one use, one login (and so one
//   browser) and one connection (threat-model.md UP1). It contains the login's handle, encrypted.
import type { UpstreamConnection } from '../../connections/connection'
import { type Departure, UpstreamError } from '../../connections/upstream/upstream'
import { strategyOf } from '../../strategies'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../tickets/ticket'
import type { Progress } from '../actions/action'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../steps/requirements'
import { TRANSACTION_SECONDS } from '../transaction'
import type { VisitorResponse } from '../visitor-response'

type Payload = { handle: string; connectionId: string }

const UPSTREAM = ticketKind<Payload>('upstream', TRANSACTION_SECONDS)
const HANDLE = 'upstream handle'

type Leaving = Pick<LoginState, 'wants' | 'decisions'>

/** The redirect to the provider; the login page again if the provider is unreachable. */
export async function leaveFor(
  connection: UpstreamConnection,
  { wants, decisions }: Leaving,
  handle: string,
  deps: LoginDeps,
): Promise<Extract<Progress, { kind: 'leave' | 'again' }>> {
  const sealed = deps.vault.seal(HANDLE, handle, deps.random).toString('base64')
  const state = await issueTicket(UPSTREAM, { handle: sealed, connectionId: connection.id }, deps)
  const ask = {
    state,
    loginHint: decisions.identifier || wants.loginHint,
    parameters: wants.extra ?? {},
    anew: wants.prompt.includes('login') || wants.maxAge === 0,
  }
  try {
    return { kind: 'leave', to: await strategyOf(connection).start(ask, deps) }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
  }
  return { kind: 'again', notice: 'upstream_failed', decisions }
}

/** `to` is a URL of ours, or the provider's URL from the connection. */
export const departTo = (to: Departure, kind: 'redirect' | 'see-other'): VisitorResponse =>
  typeof to === 'string' ? { kind, to } : { kind: 'form', to: to.action, fields: to.fields }

export type Left = { handle: string; connectionId: string }

/** Reads the state without consuming it; null if it is unknown, used or expired. */
export async function findLeft(state: string, deps: LoginDeps): Promise<Left | null> {
  const payload = await findTicket(UPSTREAM, state, deps)
  const handle = payload && deps.vault.open(HANDLE, Buffer.from(payload.handle, 'base64'))
  return handle ? { handle: handle.toString(), connectionId: payload.connectionId } : null
}

/** Consumes the state; false for all but the first caller. */
export const spendState = async (state: string, deps: LoginDeps): Promise<boolean> =>
  (await consumeTicket(UPSTREAM, state, deps)) !== null
