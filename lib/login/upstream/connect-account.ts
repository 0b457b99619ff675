// The return of a user who proved an account at a provider in order to connect it (threat-model.md UP8). The state fixed the user and the
// connection when the user left. It counts once, in the session that left with it.

import { PORTAL_CLIENT } from '../../data/clients/portal'
import type { UpstreamConnection } from '../../data/connections/connection'
import { isEnterprise } from '../../data/connections/enterprise'
import { type Connecting, type ConnectRefusal, connectable } from '../../data/connections/upstream/connected-account'
import { UpstreamError, type UpstreamIdentity, type UpstreamReply } from '../../data/connections/upstream/upstream'
import { composeSignInMail } from '../../identity/accounts/sign-in-mail'
import { strategyOf } from '../../identity/strategies'
import type { Reason } from '../../kernel/reasons'
import type { NoticeCode } from '../../pages/view'
import { findSession } from '../begin/signed-in'
import type { LoginDeps } from '../deps'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { pathWithFailure } from './connect-failure'
import { notOurs, refusedAnswer, spendState } from './upstream'
import { sealedTokens } from './upstream-sign-in'

export async function returnToConnect(
  connecting: Connecting,
  connectionId: string,
  reply: UpstreamReply,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  if (!(await hasLeftHere(connecting, visitor, deps))) throw notOurs()
  if (!(await spendState(reply.state, deps))) throw notOurs()
  const connection = await connectionToConnect(connectionId, deps)
  if (!connection) {
    deps.trail.record('change_refused', CLOSED)
    return withNotice(connecting.path, 'connection_failed', deps)
  }
  const identity = await identityOf(connection, reply, deps)
  if (identity instanceof UpstreamError) {
    deps.trail.record('change_refused', { connection, reason: identity.reason, sentence: identity.message })
    return leadTo(pathWithFailure(connecting, connection, identity, deps), deps)
  }
  const outcome = await connectAccount(connecting, connection, identity, deps)
  return withNotice(connecting.path, typeof outcome === 'string' ? NOTICES[outcome] : 'portal_connected', deps)
}

const CLOSED = { reason: 'connection_not_enabled', sentence: 'the connection is not offered any more' } as const

const NOTICES: Record<ConnectRefusal, NoticeCode> = {
  ended: 'portal_gone',
  address_unproven: 'portal_gone',
  too_many: 'portal_gone',
  taken: 'connection_taken',
}

/** Null if it is gone, or is not offered any more. */
async function connectionToConnect(
  connectionId: string,
  { clients, connections }: Pick<LoginDeps, 'clients' | 'connections'>,
): Promise<UpstreamConnection | null> {
  const client = await clients.find(PORTAL_CLIENT)
  const offered = client ? connectable(await connections.all(), client) : []
  return offered.find(({ id }) => id === connectionId) ?? null
}

/** Stores the proven account; the time since when it is connected. */
async function connectAccount(
  connecting: Connecting,
  connection: UpstreamConnection,
  identity: UpstreamIdentity,
  deps: LoginDeps,
): Promise<ConnectRefusal | Date> {
  const at = deps.clock.now()
  const { provider, providerUserId, profile: person } = identity
  deps.trail.context({ connection })
  if (identity.missed !== undefined) deps.noteMissed(connection, identity.missed)
  const user = await deps.users.find(connecting.userId)
  const change = { what: 'added', ways: ['connected-account'] } as const
  const outcome = await deps.connectedAccounts.connect({
    mail: user && (await composeSignInMail(user, change, deps)),
    connectionId: connection.id,
    provider,
    providerUserId,
    isSocial: !isEnterprise(connection),
    person,
    sealedTokens: sealedTokens(connection, identity, at, deps),
    userId: connecting.userId,
    login: { sid: connecting.sid },
    provenAt: new Date(connecting.provenAt),
    at,
  })
  if (typeof outcome === 'string') deps.trail.record('change_refused', REASONS[outcome])
  else deps.trail.record('changed', { change: 'account connected' })
  deps.mailer.wake()
  return outcome
}

const REASONS: Record<ConnectRefusal, { reason: Reason; sentence: string }> = {
  ended: { reason: 'session_ended', sentence: 'the login that asked has ended' },
  address_unproven: { reason: 'address_unproven', sentence: 'the address of the account is not verified' },
  too_many: { reason: 'too_many_identities', sentence: 'too many accounts are connected' },
  taken: { reason: 'upstream_account_taken', sentence: 'the account belongs to another user' },
}

async function hasLeftHere(connecting: Connecting, visitor: Visitor, deps: LoginDeps): Promise<boolean> {
  const signedIn = await findSession(visitor, deps)
  if (signedIn) deps.trail.context({ user: signedIn.user })
  return signedIn?.session.sid === connecting.sid && signedIn.user.id === connecting.userId
}

async function identityOf(
  connection: UpstreamConnection,
  reply: UpstreamReply,
  deps: LoginDeps,
): Promise<UpstreamIdentity | UpstreamError> {
  try {
    return await strategyOf(connection).complete(reply, deps)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    deps.noteUpstream(connection, error)
    const refused = refusedAnswer(error)
    if (refused) throw refused
    return error
  }
}

const withNotice = (path: string, notice: NoticeCode, deps: LoginDeps): VisitorResponse =>
  leadTo(`${path}?notice=${notice}`, deps)

const leadTo = (path: string, { baseUrl }: LoginDeps): VisitorResponse => ({ kind: 'see-other', to: baseUrl + path })
