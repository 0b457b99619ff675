// A LogoutRequest from a connection's identity provider (SAML Profiles 4.4; threat-model.md SP8): finds the connection and the
// sessions, and answers.
// - It must be signed by a key of the connection in every binding, recent, issued by the provider and addressed to this server.
//   It is accepted once.
// - It ends only sessions that this provider signed in, matched by the NameID and session index of that login.

import { writeLogoutResponse } from '../../crypto/saml/messages'
import { STATUS } from '../../crypto/saml/names'
import { signedAddress } from '../../crypto/saml/query-signature'
import type { LogoutRequest } from '../../crypto/saml/read'
import { signXml } from '../../crypto/saml/sign'
import { malformed } from '../../crypto/saml/xml'
import { type Connection, isSaml, type SamlConnection } from '../../data/connections/connection'
import { singleLogoutUrl } from '../../data/connections/upstream/saml-metadata'
import { audienceOf, samlProviderOf, signingOf } from '../../data/connections/upstream/saml-provider'
import { readSignedInAs } from '../../data/connections/upstream/saml-session'
import type { ReadMetadataDeps } from '../../data/connections/upstream/upstream'
import type { Evidence } from '../../data/sessions/session'
import { consumeTicket, issueTicket, type TicketPort, ticketKind } from '../../data/tickets/ticket'
import { openHint } from '../../login/upstream/upstream-sign-in'
import type { VisitorResponse } from '../../login/visitor-response'
import { checkOfNow, claimOnce } from './logout-request'
import { receiveSigned, type SentRequest } from './received'
import { messageId, postMessage, type SenderDeps } from './sender'

type Deps = ReadMetadataDeps & SenderDeps & { tickets: TicketPort }

export async function receiveFromProvider(
  connection: SamlConnection,
  sent: SentRequest,
  deps: Deps,
): Promise<LogoutRequest> {
  const { keys, issuer } = await samlProviderOf(connection, deps)
  const [url = ''] = singleLogoutUrl(connection, deps).split('?', 1)
  const logoutRequest = await receiveSigned('logoutRequest', sent, keys, url, deps)
  if (issuer !== null && logoutRequest.issuer !== issuer) throw malformed('its issuer is another')
  checkOfNow(logoutRequest, deps.clock.now())
  await claimOnce(logoutRequest, connection.id, deps)
  return logoutRequest
}

export function isSpokenOf(
  evidence: readonly Evidence[],
  { nameId, sessions }: LogoutRequest,
  connection: SamlConnection,
  deps: Pick<Deps, 'vault'>,
): boolean {
  return evidence.some((proof) => {
    if (proof.method !== 'fed' || proof.connection !== connection.name) return false
    const known = readSignedInAs(openHint(proof.hint, deps))
    const isIndexed = sessions.length === 0 || sessions.includes(known?.sessionIndex ?? '')
    return known?.nameId === nameId && isIndexed
  })
}

type Answer = { connectionId: string; inResponseTo: string; relayState: string | null }

/** The longest time that the chain of applications may take, in seconds. */
const ANSWER = ticketKind<Answer>('saml-provider-logout', 900)

/** The address at which the browser continues with the response, after the logout. */
export async function answerUrl(
  connection: SamlConnection,
  logoutRequest: LogoutRequest,
  sent: SentRequest,
  deps: Deps,
): Promise<string> {
  const relayState = sent.parameters.RelayState ?? null
  const answer = await issueTicket(
    ANSWER,
    { connectionId: connection.id, inResponseTo: logoutRequest.id, relayState },
    deps,
  )
  return `${singleLogoutUrl(connection, deps)}&${new URLSearchParams({ answer })}`
}

/** `partial`: an application of the session was not reached. Null where the provider has no address for a response. */
export async function answerProvider(
  { ticket, partial }: { ticket: string; partial: boolean },
  connections: readonly Connection[],
  deps: Deps,
): Promise<VisitorResponse | null> {
  const kept = await consumeTicket(ANSWER, ticket, deps)
  const connection = connections.find(({ id }) => id === kept?.connectionId)
  if (!kept || !isSaml(connection)) throw malformed('it answers no request, or one that is over')
  const { signOutAnswer: place } = await samlProviderOf(connection, deps)
  return place && send(connection, { ...kept, partial }, place, deps)
}

async function send(
  connection: SamlConnection,
  { inResponseTo, relayState, partial }: Answer & { partial: boolean },
  { address, binding }: { address: string; binding: 'redirect' | 'post' },
  deps: Deps,
): Promise<VisitorResponse> {
  const xml = writeLogoutResponse({
    id: messageId(deps.random),
    issuer: audienceOf(connection, deps),
    at: deps.clock.now(),
    destination: address,
    inResponseTo,
    status: { code: STATUS.success, ...(partial ? { detail: STATUS.partialLogout } : {}) },
  })
  const { current } = deps.keyring
  const signing = signingOf(connection.settings.options)
  const message = { name: 'SAMLResponse', relayState } as const
  if (binding === 'post') return postMessage(address, { ...message, xml: await signXml(xml, current, signing) })
  const key = { key: current.privateKey, hash: signing.signature }
  return { kind: 'redirect', to: await signedAddress(address, { ...message, xml }, key) }
}
