// Single logout by redirects (SAML Profiles 4.4.3): the browser visits one application of the session after another, and then
// returns to the party that started the logout.
// - The rest of the chain is stored under a ticket. The ticket's secret is the id of the pending LogoutRequest, so only the
//   response to that request resumes the chain, once.
// - An application that does not respond properly is skipped, and the party that started the logout gets a partial logout
//   status.

import { type Status, writeLogoutRequest, writeLogoutResponse } from '../../crypto/saml/messages'
import { STATUS } from '../../crypto/saml/names'
import type { LogoutResponse } from '../../crypto/saml/read'
import { malformed } from '../../crypto/saml/xml'
import type { ClientPort } from '../../data/clients/client'
import { type SamlSettings, samlOf } from '../../data/clients/saml'
import type { SamlParticipant, SamlParticipantPort } from '../../data/sessions/saml-participant'
import { consumeTicket, findTicket, issueTicket, type TicketPort, ticketKind } from '../../data/tickets/ticket'
import { addSeconds } from '../../kernel/clock'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import type { VisitorResponse } from '../../login/visitor-response'
import { issuerOf, logoutUrl, messageId, type SenderDeps, sendSigned } from './sender'

export type ChainDeps = SenderDeps & {
  clients: Pick<ClientPort, 'find'>
  samlParticipants: SamlParticipantPort
  tickets: TicketPort
}

/**
 * What ends the chain: the LogoutRequest to answer, or the address to redirect to; null for a page of this server. `onPartial`
 * replaces the address where an application was not reached.
 */
export type LogoutEnd =
  | { clientId: string; inResponseTo: string; relayState: string | null }
  | { to: string | null; onPartial?: string }

export type Chain = {
  sid: string
  pending: SamlParticipant[]
  /** The application whose response is pending; null before the first request. */
  awaiting: string | null
  /** An application was not reached. */
  partial: boolean
  finish: LogoutEnd
}

const CHAIN_SECONDS = 600
const CHAIN = ticketKind<Chain>('saml-logout', CHAIN_SECONDS)

type LogoutSettings = SamlSettings & { logout: { callback: string } }

async function logoutSettingsOf(clientId: string, { clients }: ChainDeps): Promise<LogoutSettings | null> {
  const client = await clients.find(clientId)
  const settings = client && samlOf(client)
  return settings?.logout.callback === undefined ? null : (settings as LogoutSettings)
}

/** The applications of a session that take part in single logout. */
export async function participantsToNotify(sid: string, deps: ChainDeps): Promise<SamlParticipant[]> {
  const participants = await deps.samlParticipants.list(sid)
  const settings = await mapBounded(participants, ({ clientId }) => logoutSettingsOf(clientId, deps))
  return participants.filter((_, index) => settings[index]?.logout.slo_enabled)
}

/** The address that starts the chain; `finish` where no application takes part. */
export async function chainAddress(
  { sid, pending, finish }: Pick<Chain, 'sid' | 'pending' | 'finish'>,
  deps: ChainDeps,
): Promise<string> {
  const ticket = await issueTicket(CHAIN, { sid, pending, finish, awaiting: null, partial: false }, deps)
  return `${logoutUrl(deps.baseUrl, pending[0]?.clientId ?? '-')}?chain=${ticket}`
}

/** Starts a chain that has not been started; null at its end, where a page of this server follows. */
export async function beginChain(ticket: string, deps: ChainDeps): Promise<VisitorResponse | null> {
  return followChain(await take(ticket, null, deps), deps)
}

/** Resumes the chain with the response of the application that was asked last. */
export async function resumeChain(
  { inResponseTo, succeeded }: LogoutResponse,
  clientId: string,
  deps: ChainDeps,
): Promise<VisitorResponse | null> {
  const chain = await take(inResponseTo?.slice(1) ?? '', clientId, deps)
  return followChain({ ...chain, partial: chain.partial || !succeeded }, deps)
}

/** Checks the ticket before consuming it, so that only a response from the expected application uses it up. */
async function take(ticket: string, awaiting: string | null, deps: ChainDeps): Promise<Chain> {
  const waiting = await findTicket(CHAIN, ticket, deps)
  const chain = waiting?.awaiting === awaiting ? await consumeTicket(CHAIN, ticket, deps) : null
  if (chain) return chain
  throw malformed('it answers no request of this server, or one that is over')
}

export async function followChain(chain: Chain, deps: ChainDeps): Promise<VisitorResponse | null> {
  const [next, ...pending] = chain.pending
  if (!next) return finishChain(chain, deps)
  const settings = await logoutSettingsOf(next.clientId, deps)
  if (!settings) return followChain({ ...chain, pending, partial: true }, deps)
  const ticket = await issueTicket(CHAIN, { ...chain, pending, awaiting: next.clientId }, deps)
  const at = deps.clock.now()
  const xml = writeLogoutRequest({
    id: `_${ticket}`,
    issuer: issuerOf(settings, deps),
    at,
    destination: settings.logout.callback,
    expiresAt: addSeconds(at, CHAIN_SECONDS),
    nameId: { value: next.nameId, format: next.nameIdFormat },
    sessionIndex: chain.sid,
  })
  return sendSigned(settings.logout.callback, { name: 'SAMLRequest', xml, relayState: null }, settings, deps)
}

async function finishChain({ finish, partial }: Chain, deps: ChainDeps): Promise<VisitorResponse | null> {
  if ('to' in finish) {
    const to = (partial ? finish.onPartial : undefined) ?? finish.to
    return to === null ? null : { kind: 'redirect', to }
  }
  const status = { code: STATUS.success, ...(partial ? { detail: STATUS.partialLogout } : {}) }
  return answerLogout(finish, status, deps)
}

/** Null where the application has no logout response address. */
export async function answerLogout(
  { clientId, inResponseTo, relayState }: Extract<LogoutEnd, { clientId: string }>,
  status: Status,
  deps: ChainDeps,
): Promise<VisitorResponse | null> {
  const settings = await logoutSettingsOf(clientId, deps)
  if (!settings) return null
  const { callback } = settings.logout
  const answer = {
    id: messageId(deps.random),
    issuer: issuerOf(settings, deps),
    at: deps.clock.now(),
    destination: callback,
    inResponseTo,
    status,
  }
  return sendSigned(callback, { name: 'SAMLResponse', xml: writeLogoutResponse(answer), relayState }, settings, deps)
}
