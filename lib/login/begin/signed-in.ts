// The user signed in to this browser. The session is looked up once per request.

import type { Session } from '../../data/sessions/session'
import { secondsBetween } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import type { LoginDeps } from '../deps'
import type { SignedIn, Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'

export function findSession(visitor: Visitor, deps: LoginDeps): Promise<SignedIn | null> {
  visitor.signedIn ??= lookUp(visitor.cookies.session, deps)
  return visitor.signedIn
}

const lookUp = async (cookie: string | undefined, { sessions, clock }: LoginDeps): Promise<SignedIn | null> =>
  cookie === undefined ? null : sessions.find(digest(cookie), clock.now())

/** A cookie that does not outlast the browser has no age. */
export const sessionCookie = (
  value: string,
  { expiresAt }: Pick<Session, 'expiresAt'>,
  persistent: boolean,
  now: Date,
): Cookie => ({ name: 'session', value, ...(persistent ? { maxAge: secondsBetween(now, expiresAt) } : {}) })
