// A link for a person without an account of the console: to a copy of one login (docs/adr/0071). Its secret is in the path of its address, and
// stored as a digest. Unknown, expired and withdrawn links look the same.
import type { Clock } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import type { SharedLogin } from './shared-login'

export const SHARED_LOGIN_PATH = '/shared-login'

/** What the link shows. */
export type SharedContent = { kind: 'report'; login: SharedLogin }

export type OpenedShare = SharedContent & { expiresAt: Date }

export type SharedLoginPort = {
  /** Counts the opening. Null for a link that is unknown, expired, withdrawn, or whose maker has lost the right to make it. */
  open(secretDigest: Uint8Array, now: Date): Promise<OpenedShare | null>
}

type Deps = { sharedLogins: SharedLoginPort; clock: Clock }

export const openShare = (secret: string, { sharedLogins, clock }: Deps): Promise<OpenedShare | null> =>
  sharedLogins.open(digest(secret), clock.now())
