// The user signed in to this browser. The session is looked up once per request.
import { digest } from '../../kernel/secret'
import type { LoginDeps } from '../deps'
import type { SignedIn, Visitor } from '../visitor'

export function findSession(visitor: Visitor, deps: LoginDeps): Promise<SignedIn | null> {
  visitor.signedIn ??= lookUp(visitor.cookies.session, deps)
  return visitor.signedIn
}

const lookUp = async (cookie: string | undefined, { sessions, clock }: LoginDeps): Promise<SignedIn | null> =>
  cookie === undefined ? null : sessions.find(digest(cookie), clock.now())
