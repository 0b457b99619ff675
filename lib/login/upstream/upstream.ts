// Leaving a login for the provider that a connection stands for, and what is kept of it until the person is back.
// - The state that the provider hands back is a ticket: 256 random bits, stored as a digest, for one use, of one login and
//   so of one browser, and for one connection (threat-model.md UP1). The login's handle is sealed in it.
import type { Connection } from '../../connections/connection'
import { type Departure, UpstreamError } from '../../connections/upstream/upstream'
import { autoPostForm } from '../../http/html'
import { type HttpResponse, redirect } from '../../http/message'
import { strategyOf } from '../../strategies'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../tickets/ticket'
import type { Progress } from '../actions/action'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../steps/requirements'
import { TRANSACTION_SECONDS } from '../transaction'

type Payload = { handle: string; connectionId: string }

const UPSTREAM = ticketKind<Payload>('upstream', TRANSACTION_SECONDS)
const HANDLE = 'upstream handle'

type Leaving = Pick<LoginState, 'wants' | 'decisions'>

/** Away to the provider; or again the login page, when there is no way there. */
export async function leaveFor(
  connection: Connection,
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
    const to = await strategyOf(connection)?.start(connection, ask, deps)
    if (to !== undefined) return { kind: 'leave', to }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
  }
  return { kind: 'again', notice: 'upstream_failed', decisions }
}

/** `to` is an address of ours, or where a connection says that its provider is. */
export function departTo(to: Departure, status: 302 | 303, { random }: Pick<LoginDeps, 'random'>): HttpResponse {
  if (typeof to === 'string') return redirect(to, status)
  return autoPostForm(to.action, to.fields, { title: 'Signing in', button: 'Continue' }, random.token(16))
}

export type Left = { handle: string; connectionId: string }

/** Looks; null for a state that is not ours, used, or over. */
export async function findLeft(state: string, deps: LoginDeps): Promise<Left | null> {
  const payload = await findTicket(UPSTREAM, state, deps)
  const handle = payload && deps.vault.open(HANDLE, Buffer.from(payload.handle, 'base64'))
  return handle ? { handle: handle.toString(), connectionId: payload.connectionId } : null
}

/** Uses the state up: false for whoever comes second. */
export const spendState = async (state: string, deps: LoginDeps): Promise<boolean> =>
  (await consumeTicket(UPSTREAM, state, deps)) !== null
