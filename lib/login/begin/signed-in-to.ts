// The user who is signed in to a client that shows pages of this server. The session must have come to that client through the pipeline,
// where the tenant's actions ran, and must satisfy every requirement now.

import { inherit, needsTouch, type Session } from '../../data/sessions/session'
import { sessionPolicy } from '../../data/tenants/settings'
import { addSeconds } from '../../kernel/clock'
import type { LoginDeps } from '../deps'
import { fromBrowser } from '../flow/known-browser'
import { loadState } from '../flow/state'
import { nextRequirement } from '../steps/index'
import type { Wants } from '../transaction'
import type { SignedIn, Visitor } from '../visitor'
import { findSession } from './signed-in'

/** Null if the user has to go through the pipeline first. */
export async function signedInTo(wants: Wants, visitor: Visitor, deps: LoginDeps): Promise<SignedIn | null> {
  const signedIn = await findSession(visitor, deps)
  if (!signedIn?.session.participants.includes(wants.clientId)) return null
  const { session, user } = signedIn
  const facts = { wants, user, evidence: inherit(session.evidence), decisions: {} }
  const state = await loadState(facts, fromBrowser(visitor, null, deps), deps)
  deps.trail.context({ client: state.client, user })
  if (nextRequirement(state)) return null
  await keepAlive(session, wants.clientId, deps)
  return signedIn
}

/** Records that the client used the session. */
export async function keepAlive(
  session: Session,
  clientId: string,
  { sessions, settings, clock }: Pick<LoginDeps, 'sessions' | 'settings' | 'clock'>,
): Promise<void> {
  const now = clock.now()
  if (!needsTouch(session, clientId, now)) return
  const idleExpiresAt = addSeconds(now, sessionPolicy(settings).idleSeconds)
  await sessions.touch(session.idDigest, { at: now, idleExpiresAt, participant: clientId })
}
