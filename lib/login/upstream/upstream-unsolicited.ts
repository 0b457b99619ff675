// A login that started at the identity provider (SAML Profiles 4.1.5). No request precedes it, so no state binds it to a
// browser; a connection accepts it only if enabled for that (threat-model.md SP6).
// - The response arrives without cookies. It continues at a page of this server, once, within two minutes, and is verified there.
// - If another user is signed in, the login is refused: a foreign form must not change the user of a browser.
// - The connection's settings decide the target, never the response.

import { isSaml, type SamlConnection } from '../../data/connections/connection'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import { consumeTicket, issueTicket, ticketKind } from '../../data/tickets/ticket'
import { saml } from '../../identity/strategies'
import { notFound } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { beginTransaction } from '../begin/begin'
import { findSession } from '../begin/signed-in'
import type { LoginDeps } from '../deps'
import { follow } from '../flow/advance'
import { evaluateLogin } from '../flow/open'
import { providerAnswerStep } from '../inspected-steps'
import type { Origin, Wants } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { withCookies } from '../visitor-response'
import { notOurs, refusedAnswer } from './upstream'
import { checkLarge, RESUME_PATH } from './upstream-return'
import { signInAs } from './upstream-sign-in'

type Payload = { sealed: string; connectionId: string }

const UNSOLICITED = ticketKind<Payload>('upstream-unsolicited', 120)
const SEALED = 'upstream unsolicited'

/** The connection with this name, if it accepts such logins. */
export async function unsolicitedConnection(name: string | undefined, deps: LoginDeps): Promise<SamlConnection> {
  const connection = (await deps.connections.all()).find((each) => each.name === name)
  if (!isSaml(connection) || connection.settings.options.idpinitiated?.enabled !== true) {
    throw notFound('The connection takes no logins that begin at the identity provider', {
      reason: 'unsolicited_not_allowed',
      redirectable: false,
    })
  }
  return connection
}

export async function keepUnsolicited(
  { id }: SamlConnection,
  fields: Parameters,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const { SAMLResponse = '' } = fields
  await checkLarge({ SAMLResponse }, id, deps)
  const sealed = deps.vault.seal(SEALED, SAMLResponse, deps.random).toString('base64')
  const ticket = await issueTicket(UNSOLICITED, { sealed, connectionId: id }, deps)
  return { kind: 'see-other', to: `${deps.baseUrl}${RESUME_PATH}?${new URLSearchParams({ unsolicited: ticket })}` }
}

/** The connection and the stored response; consumes the ticket. */
export async function takeUnsolicited(
  ticket: string,
  deps: LoginDeps,
): Promise<{ connection: SamlConnection; response: string }> {
  const kept = await consumeTicket(UNSOLICITED, ticket, deps)
  const response = kept && deps.vault.open(SEALED, Buffer.from(kept.sealed, 'base64'))
  const connection = (await deps.connections.all()).find(({ id }) => id === kept?.connectionId)
  if (!response || !connection) throw notOurs()
  return { connection: await unsolicitedConnection(connection.name, deps), response: response.toString() }
}

/** Signs in the user that the response names, for the request that the connection's settings define. */
export async function enterUnsolicited(
  { connection, response }: { connection: SamlConnection; response: string },
  { origin, wants }: { origin: Origin; wants: Wants },
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const at = deps.clock.now()
  const identity = await judged(connection, response, deps)
  deps.trail.step(providerAnswerStep(connection, identity))
  const before = await findSession(visitor, deps)
  const named = { ...wants, connection: connection.name }
  const facts = { wants: named, user: null, evidence: [], decisions: {} }
  const { handle, transaction, cookies } = await beginTransaction(origin, facts, visitor, deps)
  const open = { handle, transaction, ...(await evaluateLogin(transaction, null, visitor, deps)) }
  if (!open.state.connections.some(({ id }) => id === connection.id))
    throw notOurs('the client may not use the connection')
  const progress = await signInAs(connection, identity, at, open, deps)
  const isOther = before && progress.kind === 'progress' && progress.user?.id !== before.user.id
  if (isOther) throw notOurs('another user is signed in in this browser')
  return withCookies(await follow(progress, open, 'login', visitor, deps), cookies)
}

async function judged(connection: SamlConnection, response: string, deps: LoginDeps) {
  try {
    return await saml(connection).unsolicited({ SAMLResponse: response }, deps)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
    throw refusedAnswer(error) ?? notOurs(error.message, error.reason)
  }
}
