// The single sign-on session: its cookie, its expiry, and when an update is worth a write.
// - The cookie holds 256 random bits; only their digest is stored (SE2). Every login creates a new session (SE3).
// - A session that replaces one of the same person without a new proof keeps its absolute expiry and its applications, so single logout
//   reaches them all.
// - It ends by idleness, age, logout, or an event that ends all sessions of the user.
// - `last seen` is written at most once a minute, or when an application joins.
import { addSeconds, ageOf } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { mint } from '../kernel/secret'
import type { SessionPolicy } from '../tenants/settings'
import type { User } from '../users/user'

/** A proof of the person's identity: method and time. */
export type Evidence = {
  /**
   * `hwk` and `swk` are passkeys, whose key is on one device or may be on several. `mfa` completes the proof before it and is valid
   * where that one is.
   */
  method: 'pwd' | 'otp' | 'sms' | 'fed' | 'hwk' | 'swk' | 'mfa'
  at: string
  connection: string
  /** For `mfa`: the vendor's type of the factor. A proof that an older version stored has none, and is of unknown type. */
  factor?: string
  /** For `fed`: the provider's ID token, sealed, which identifies the session at the provider for federated logout. */
  hint?: string
  /** Taken over from the browser's session; not proven in this login. */
  inherited?: true
  /** In a session: the application whose login made the proof; missing where another person may have started that login. */
  clientId?: string
}

export const inherit = (evidence: Evidence[]): Evidence[] => evidence.map((proof) => ({ inherited: true, ...proof }))

export type Session = {
  idDigest: Uint8Array
  /** The public session id: `sid` in ID tokens and logout tokens. */
  sid: string
  userId: string
  evidence: Evidence[]
  authTime: Date
  participants: string[]
  createdAt: Date
  lastSeenAt: Date
  idleExpiresAt: Date
  expiresAt: Date
}

export type SessionPort = {
  /** An active session with its user. */
  find(idDigest: Uint8Array, now: Date): Promise<{ session: Session; user: User } | null>
  /** When the person last authenticated in the user's session of that public id; null where it has ended. */
  authenticatedAt(sid: string, userId: string, now: Date): Promise<Date | null>
  /** The same, of proofs for this application alone; a second factor is none by itself. */
  authenticatedFor(clientId: string, sid: string, userId: string, now: Date): Promise<Date | null>
  touch(idDigest: Uint8Array, seen: { at: Date; idleExpiresAt: Date; participant: string }): Promise<void>
  /** Whether applications must be notified; if so, wake the dispatcher. */
  end(idDigest: Uint8Array, at: Date): Promise<boolean>
}

const TOUCH_SECONDS = 60

type Beginning = {
  userId: string
  clientId: string
  /** Another person may have started the login. */
  startedElsewhere: boolean
  evidence: Evidence[]
  /** The session of the same person that this one replaces. */
  before: Session | null
}

export function newSession(
  { userId, clientId, startedElsewhere, evidence, before }: Beginning,
  policy: SessionPolicy,
  now: Date,
  random: Random,
): { plain: string; session: Session } {
  const id = mint(random)
  const authTime = latest(evidence) ?? now
  const provenAnew = before === null || authTime > before.authTime
  const session: Session = {
    idDigest: id.digest,
    sid: before?.sid ?? random.token(24),
    userId,
    evidence: evidence.map(({ inherited, ...proof }) =>
      inherited || startedElsewhere ? proof : { ...proof, clientId },
    ),
    authTime,
    participants: [...new Set([...(before?.participants ?? []), clientId])],
    createdAt: now,
    lastSeenAt: now,
    idleExpiresAt: addSeconds(now, policy.idleSeconds),
    expiresAt: provenAnew ? addSeconds(now, policy.absoluteSeconds) : before.expiresAt,
  }
  return { plain: id.plain, session }
}

export const needsTouch = (session: Session, clientId: string, now: Date): boolean =>
  !session.participants.includes(clientId) || ageOf(session.lastSeenAt, now) >= TOUCH_SECONDS

const latest = (evidence: Evidence[]): Date | undefined => {
  const last = evidence.at(-1)
  return last && new Date(last.at)
}

/** The time of the first proof. */
export const oldestProof = (evidence: readonly Evidence[]): Date | undefined => {
  const times = evidence.map(({ at }) => new Date(at).getTime())
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}
