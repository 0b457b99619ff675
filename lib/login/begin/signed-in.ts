// The user signed in to this browser.
import { readCookie } from '../../http/cookies'
import type { HttpRequest } from '../../http/message'
import { digest } from '../../kernel/secret'
import type { Session } from '../../sessions/session'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'

export type SignedIn = { session: Session; user: User }

export async function findSession(request: HttpRequest, deps: LoginDeps): Promise<SignedIn | null> {
  const cookie = readCookie(request, 'session', deps)
  return cookie === undefined ? null : deps.sessions.find(digest(cookie), deps.clock.now())
}
