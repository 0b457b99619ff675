// The SSO session at this server: what the cookie stands for, when it ends, when it is worth a write.
// - The cookie holds 256 random bits; only their digest is stored (SE2). Every login makes a new one (SE3).
// - A session that follows another of the same person without a new proof keeps its absolute end; it also keeps its
//   applications, so single logout reaches them all.
// - It ends by idleness, by age, by logout or by what ends all of a user's sessions; whichever comes first.
// - Being seen again is written at most once a minute, or when a new application joins.
import { addSeconds, secondsBetween } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { mint } from '../kernel/secret'
import type { SessionPolicy } from '../tenants/settings'
import type { User } from '../users/user'

/** Something proven about the person: how and when. */
export type Evidence = {
  /** `mfa` completes the proof before it, and counts where that one does. */
  method: 'pwd' | 'otp' | 'sms' | 'fed' | 'mfa'
  at: string
  connection: string
  /** Of `fed`, the provider's ID token, sealed: it names the session there that a federated logout ends. */
  hint?: string
  /** It came into this login with the browser's session, and was not proven for it. */
  inherited?: true
}

export const inherit = (evidence: Evidence[]): Evidence[] => evidence.map((proof) => ({ inherited: true, ...proof }))

export type Session = {
  idDigest: Uint8Array
  /** The public id: `sid` in ID tokens and logout tokens. */
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
  /** A session that has not ended, with its user. */
  find(idDigest: Uint8Array, now: Date): Promise<{ session: Session; user: User } | null>
  /** When the person last authenticated in the user's session of that public id; null where it has ended. */
  authenticatedAt(sid: string, userId: string, now: Date): Promise<Date | null>
  touch(idDigest: Uint8Array, seen: { at: Date; idleExpiresAt: Date; participant: string }): Promise<void>
  /** Whether an application is to be told of it: wake the dispatcher then. */
  end(idDigest: Uint8Array, at: Date): Promise<boolean>
}

const TOUCH_SECONDS = 60

type Beginning = {
  userId: string
  clientId: string
  evidence: Evidence[]
  /** The same person's session that this one replaces. */
  before: Session | null
}

export function newSession(
  { userId, clientId, evidence, before }: Beginning,
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
    evidence: evidence.map(({ inherited: _, ...proof }) => proof),
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
  !session.participants.includes(clientId) || secondsBetween(session.lastSeenAt, now) >= TOUCH_SECONDS

const latest = (evidence: Evidence[]): Date | undefined => {
  const last = evidence.at(-1)
  return last && new Date(last.at)
}

/** When the first of several proofs was given. */
export const oldestProof = (evidence: readonly Evidence[]): Date | undefined => {
  const times = evidence.map(({ at }) => new Date(at).getTime())
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}
