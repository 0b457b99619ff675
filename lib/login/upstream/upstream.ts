// Leaves for the provider of a connection, and keeps what is needed until the user returns.
// - The state that the provider returns is a ticket: 256 random bits, stored as a digest, for one use, one login or one account to connect
//   (and so one browser) and one connection (threat-model.md UP1). It contains the login's handle, or who connects, encrypted.

import { UNFIT_PAGE } from '../../crypto/saml/xml'
import type { UpstreamConnection } from '../../data/connections/connection'
import type { Connecting } from '../../data/connections/upstream/connected-account'
import { type Departure, type UpstreamAsk, UpstreamError } from '../../data/connections/upstream/upstream'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../data/tickets/ticket'
import { strategyOf } from '../../identity/strategies'
import { DomainError } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import type { LoginDeps } from '../deps'
import { mayChangeSignIn } from '../flow/authenticated'
import type { FormResult } from '../forms/action'
import { providerRequestStep } from '../inspected-steps'
import type { LoginState } from '../login-state'
import { type Decisions, TRANSACTION_SECONDS, type Wants } from '../transaction'
import type { VisitorResponse } from '../visitor-response'

/** One of the two is there, sealed. */
type Payload = { connectionId: string; handle?: string; connecting?: string }

const UPSTREAM = ticketKind<Payload>('upstream', TRANSACTION_SECONDS)
const HANDLE = 'upstream handle'
const CONNECTING = 'upstream connecting'

/** The seconds that a user may take to prove the account to connect. */
const CONNECTING_SECONDS = 600

type Leaving = Pick<LoginState, 'wants' | 'api' | 'decisions'>

/** The redirect to the provider; the login page again if the provider is unreachable. */
export async function leaveFor(
  connection: UpstreamConnection,
  why: 'requested' | 'chosen' | 'domain',
  { wants, api, decisions }: Leaving,
  handle: string,
  deps: LoginDeps,
): Promise<Extract<FormResult, { kind: 'leave' | 'again' }>> {
  const sealed = deps.vault.seal(HANDLE, handle, deps.random).toString('base64')
  const state = await issueTicket(UPSTREAM, { handle: sealed, connectionId: connection.id }, deps)
  const ask = {
    state,
    loginHint: decisions.identifier || wants.loginHint,
    parameters: wants.extra ?? {},
    used: usedBy(wants),
    anew: wants.prompt.includes('login') || wants.maxAge === 0 || mayChangeSignIn({ api, wants }),
  }
  const to = await start(connection, ask, deps)
  if (!(to instanceof UpstreamError)) deps.trail.step(providerRequestStep(connection, to, why))
  return to instanceof UpstreamError
    ? { kind: 'again', notice: 'upstream_failed', decisions: { ...decisions, ...failedAt(connection, to) } }
    : { kind: 'leave', to }
}

/** What the page says of the failure. */
export const failedAt = (
  { id }: UpstreamConnection,
  { unreached: why }: UpstreamError,
): Pick<Decisions, 'unreached'> => ({
  unreached: why && { connectionId: id, why },
})

/** Under the names that the application gave them. */
function usedBy({ clientId, prompt, maxAge, acrValues, uiLocales, audience }: Wants): Record<string, string> {
  const used = {
    client_id: clientId,
    prompt: prompt.join(' '),
    max_age: maxAge === null ? '' : String(maxAge),
    acr_values: acrValues.join(' '),
    ui_locales: uiLocales ?? '',
    audience: audience ?? '',
    resource: audience ?? '',
  }
  return Object.fromEntries(Object.entries(used).filter(([, value]) => value !== ''))
}

/** The way to the provider, where the user proves the account to connect; the error if the provider is unreachable. */
export async function leaveToConnect(
  connection: UpstreamConnection,
  connecting: Connecting,
  parameters: Readonly<Record<string, string>>,
  deps: LoginDeps,
): Promise<Departure | UpstreamError> {
  const sealed = deps.vault.sealText(CONNECTING, JSON.stringify(connecting), deps.random)
  const options = { lifetimeSeconds: CONNECTING_SECONDS }
  const state = await issueTicket(UPSTREAM, { connecting: sealed, connectionId: connection.id }, deps, options)
  return start(connection, { state, loginHint: null, parameters, anew: true }, deps)
}

async function start(
  connection: UpstreamConnection,
  ask: UpstreamAsk,
  deps: LoginDeps,
): Promise<Departure | UpstreamError> {
  try {
    return await strategyOf(connection).start(ask, deps)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
    return error
  }
}

/** `to` is a URL of this server, or the provider's URL from the connection. */
export const departTo = (to: Departure, kind: 'redirect' | 'see-other'): VisitorResponse =>
  typeof to === 'string' ? { kind, to } : { kind: 'form', to: to.action, fields: to.fields }

export type Left = { connectionId: string } & ({ handle: string } | { connecting: Connecting })

/** Reads the state without consuming it; null if it is unknown, used or expired. */
export async function findLeft(state: string, deps: LoginDeps): Promise<Left | null> {
  const payload = await findTicket(UPSTREAM, state, deps)
  if (!payload) return null
  const { connectionId } = payload
  const connecting = deps.vault.openText(CONNECTING, payload.connecting ?? '')
  if (connecting !== null) return { connectionId, connecting: JSON.parse(connecting) as Connecting }
  const handle = deps.vault.open(HANDLE, Buffer.from(payload.handle ?? '', 'base64'))
  return handle ? { connectionId, handle: handle.toString() } : null
}

/** Consumes the state; false for all but the first caller. */
export const spendState = async (state: string, deps: LoginDeps): Promise<boolean> =>
  (await consumeTicket(UPSTREAM, state, deps)) !== null

/** The refusal of a response that signs no user in; null for a failure that the login page shows. */
export function refusedAnswer({ failure, reason, message }: UpstreamError): DomainError | null {
  if (failure === 'forged') return notOurs(message, reason)
  if (failure !== 'unfit') return null
  return new DomainError('invalid_request', 'The answer of the identity provider cannot be accepted', {
    reason,
    redirectable: false,
    page: { code: UNFIT_PAGE },
    detail: message,
  })
}

const NOT_OURS = 'The answer of the identity provider is not one to a login of this browser'
const NOT_PROVEN = 'Nothing proves that the answer is from the identity provider'

/** One error for every response that does not belong to a login of this browser, or that the provider did not make. */
export const notOurs = (detail?: string, reason: Reason = 'upstream_not_ours'): DomainError =>
  new DomainError('invalid_request', reason === 'upstream_not_ours' ? NOT_OURS : NOT_PROVEN, {
    reason,
    redirectable: false,
    page: { code: 'upstream_answer' },
    ...(detail === undefined ? {} : { detail }),
  })
