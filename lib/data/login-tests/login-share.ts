// A link for a person without an account of the console: to a copy of one login (docs/adr/0071), or to a test of logins that the person makes
// (docs/adr/0077). Its secret is in the path of its address, and stored as a digest. Unknown, expired and withdrawn links look the same.
import type { Clock } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import type { SharedLogin } from '../logins/shared-login'
import type { TestWish } from './login-test'

export const SHARED_LOGIN_PATH = '/shared-login'

export const sharePath = (secret: string): string => `${SHARED_LOGIN_PATH}/${secret}`

/** What a link to a test shows and begins. */
export type SharedTest = {
  wish: TestWish
  application: string | null
  connection: string | null
  organization: string | null
  /** The name of who made the link; null where it says nothing to a stranger. */
  maker: string | null
}

/** What the link shows. */
export type SharedContent = { kind: 'report'; login: SharedLogin } | { kind: 'test'; test: SharedTest }

export type OpenedShare = SharedContent & {
  expiresAt: Date
  /** How many more tests it begins. */
  triesLeft: number
}

export type SharedLoginPort = {
  /** Null for a link that is unknown, expired, withdrawn, or whose maker has lost the right to make it. */
  open(secretDigest: Uint8Array, now: Date, isCounted: boolean): Promise<OpenedShare | null>
  /** Counts a test, whose login has this id. Null where `open` is, where all tests were started, and for a link to a copy. */
  takeTry(secretDigest: Uint8Array, login: string, now: Date): Promise<SharedTest | null>
}

type Deps = { sharedLogins: SharedLoginPort; clock: Clock }

/** @param isCounted whether it is an opening, not the way back from a test */
export const openShare = (
  secret: string,
  { sharedLogins, clock }: Deps,
  isCounted = true,
): Promise<OpenedShare | null> => sharedLogins.open(digest(secret), clock.now(), isCounted)

export const takeTry = (secret: string, login: string, { sharedLogins, clock }: Deps): Promise<SharedTest | null> =>
  sharedLogins.takeTry(digest(secret), login, clock.now())
