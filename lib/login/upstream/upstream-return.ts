// The return from an upstream provider (RFC 6749 4.1.2; RFC 9700 4.4, 4.7; threat-model.md UP1). The state must be one that this server made
// and the browser the one that left with it; both are checked before any request to the provider.
// - A response sent to the callback of one connection is refused for a login that left for another connection.
// - A response posted by another site carries no cookie. It is stored encrypted for the page that the browser is redirected to,
//   and verified there.
// - The user that the provider names is signed in. A refusal or failure ends at the login page with a notice, or at the client
//   if the client requested this connection.
import { isUpstream, type UpstreamConnection } from '../../data/connections/connection'
import { UpstreamError, type UpstreamReply } from '../../data/connections/upstream/upstream'
import { consumeTicket, issueTicket, ticketKind } from '../../data/tickets/ticket'
import { strategyOf } from '../../identity/strategies'
import type { Parameters } from '../../kernel/parameters'
import { sentOf } from '../../kernel/parameters'
import type { LoginDeps } from '../deps'
import { follow } from '../flow/advance'
import { type OpenTransaction, openTransaction } from '../flow/open'
import { showScreen } from '../flow/screen-urls'
import type { FormResult } from '../forms/action'
import { providerAnswerStep } from '../inspected-steps'
import { dueScreens } from '../steps/index'
import type { Decisions } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { returnToConnect } from './connect-account'
import { failedAt, findLeft, type Left, notOurs, refusedAnswer, spendState } from './upstream'
import { type Again, again, signInAs } from './upstream-sign-in'

export const RESUME_PATH = '/u/resume'

/** The lifetime in seconds: the time a browser takes to follow a redirect. */
const REPLY = ticketKind<{ sealed: string }>('upstream-reply', 120)
const SEALED = 'upstream reply'

/** Stores the response that another site posted, once per state. */
export async function keepReply(fields: Parameters, deps: LoginDeps): Promise<VisitorResponse> {
  const reply = replyOf(fields)
  const left = await findLeft(reply.state, deps)
  if (!left) throw notOurs()
  await checkAddress(reply, left, deps)
  await checkLarge(reply, left.connectionId, deps)
  const sealed = deps.vault.seal(SEALED, JSON.stringify(reply), deps.random).toString('base64')
  const subject = deps.vault.mac(SEALED, reply.state).toString('base64')
  const ticket = await issueTicket(REPLY, { sealed }, deps, { subject })
  return { kind: 'see-other', to: `${deps.baseUrl}${RESUME_PATH}?${new URLSearchParams({ reply: ticket })}` }
}

/** A callback URL that names a connection accepts only responses to logins that left for it (threat-model.md SP9). */
async function checkAddress(
  { connection: named }: UpstreamReply,
  { connectionId }: Left,
  deps: LoginDeps,
): Promise<void> {
  if (named === undefined) return
  const connection = (await deps.connections.all()).find(({ id }) => id === connectionId)
  if (connection?.name !== named) throw notOurs('it was sent to the address of another connection', 'upstream_address')
}

const LARGE = 16 * 1024

/**
 * Verifies a large response before it is stored: otherwise an attacker could fill the database with posts for logins of their
 * own.
 */
export async function checkLarge(
  reply: Readonly<Record<string, string>>,
  connectionId: string,
  deps: LoginDeps,
): Promise<void> {
  if (Object.values(reply).join('').length <= LARGE) return
  const connection = (await deps.connections.all()).find(({ id }) => id === connectionId)
  const strategy = isUpstream(connection) ? strategyOf(connection) : null
  if (!strategy?.preverify) throw notOurs()
  try {
    await strategy.preverify(reply, deps)
  } catch (error) {
    throw error instanceof UpstreamError ? (refusedAnswer(error) ?? notOurs(error.message, error.reason)) : error
  }
}

export async function resume(ticket: string | undefined, visitor: Visitor, deps: LoginDeps): Promise<VisitorResponse> {
  const kept = ticket === undefined ? null : await consumeTicket(REPLY, ticket, deps)
  const opened = kept && deps.vault.open(SEALED, Buffer.from(kept.sealed, 'base64'))
  if (!opened) throw notOurs()
  return comeBack(JSON.parse(opened.toString()) as UpstreamReply, visitor, deps)
}

export async function comeBack(fields: Parameters, visitor: Visitor, deps: LoginDeps): Promise<VisitorResponse> {
  const reply = replyOf(fields)
  const left = await findLeft(reply.state, deps)
  if (!left) throw notOurs()
  await checkAddress(reply, left, deps)
  if ('connecting' in left) return returnToConnect(left.connecting, left.connectionId, reply, visitor, deps)
  const open = await openTransaction(left.handle, visitor, deps)
  if (!(await spendState(reply.state, deps))) throw notOurs()
  if (!dueScreens(open.state).includes('login')) return showScreen(open.screen ?? 'login', open.handle, deps)
  const connection = (await deps.connections.all()).find(({ id }) => id === left.connectionId)
  if (!isUpstream(connection) || !open.state.connections.some(({ id }) => id === connection.id))
    return follow(unavailable(open), open, 'login', visitor, deps)
  return follow(await progressOf(connection, reply, open, deps), open, 'login', visitor, deps)
}

function unavailable(open: OpenTransaction): Again {
  const { decisions, ...failed } = again('upstream_failed', open)
  return { ...failed, decisions: { ...decisions, unreached: null } }
}

function replyOf(fields: Parameters): UpstreamReply {
  const { state = stateOf(fields), ...rest } = sentOf(fields)
  if (state === undefined) throw notOurs()
  return { ...rest, state }
}

/** The state parameter of SAML and WS-Federation. */
function stateOf({ SAMLResponse, RelayState, wresult, wctx }: Parameters): string | undefined {
  if (SAMLResponse !== undefined) return RelayState
  return wresult === undefined ? undefined : wctx
}

async function progressOf(
  connection: UpstreamConnection,
  reply: UpstreamReply,
  open: OpenTransaction,
  deps: LoginDeps,
): Promise<FormResult> {
  const at = deps.clock.now()
  const strategy = strategyOf(connection)
  const before = open.state.decisions.saidOnce
  const sentBefore = before?.connectionId === connection.id ? before.fields : {}
  try {
    const identity = await strategy.complete({ ...sentBefore, ...reply }, deps)
    deps.trail.step(providerAnswerStep(connection, identity))
    return await signInAs(connection, identity, at, open, deps)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
    const refused = refusedAnswer(error)
    if (refused) throw refused
    if (error.failure === 'unreachable') {
      const fields = { ...sentBefore, ...strategy.saidOnce?.(reply) }
      const { decisions, ...failed } = again('upstream_failed', open)
      const noted = { ...failed, decisions: { ...decisions, ...failedAt(connection, error) } }
      return keeping({ connectionId: connection.id, fields }, noted)
    }
    return open.state.wants.connection === null
      ? again('upstream_denied', open)
      : { kind: 'refused', description: 'The identity provider refused the login', reason: 'upstream_denied' }
  }
}

const keeping = (saidOnce: NonNullable<Decisions['saidOnce']>, progress: Again): Again =>
  Object.keys(saidOnce.fields).length === 0 ? progress : { ...progress, decisions: { ...progress.decisions, saidOnce } }
