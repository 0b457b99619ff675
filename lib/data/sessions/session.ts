// The single sign-on session: its cookie, its expiry, and when an update is worth a write.
// - The cookie holds 256 random bits; only their digest is stored (SE2). Every login creates a new session (SE3).
// - A session that replaces one of the same person without a new proof keeps its absolute expiry and its applications, so single logout
//   reaches them all.
// - It ends by idleness, age, logout, the end of the person's session at their provider, or an event that ends all sessions of the user.
// - `last seen` is written at most once a minute, or when an application joins.
import { addSeconds, ageOf } from '../../kernel/clock'
import type { Entries } from '../../kernel/entries'
import type { Random } from '../../kernel/random'
import { mint } from '../../kernel/secret'
import type { SessionPolicy } from '../tenants/settings'
import type { User } from '../users/user'
import type { SessionChanges } from './session-changes'

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
  /** For `fed`: when the person's session at the provider ends, and so every session and token that relies on this proof. */
  ends?: string
  /** Beside `ends`: refresh tokens with `offline_access` end then, too. */
  endsOffline?: true
  /** In a session: the application whose login made the proof; missing where another person may have started that login. */
  clientId?: string
  /** In a session: the id of the login that made the proof, for the log. */
  login?: string
  /** Methods that the tenant's actions recorded after this proof; no proofs themselves. */
  recorded?: RecordedMethod[]
}

/** A method of another site, under a URL. */
export type RecordedMethod = { url: string; at: string }

const MAX_RECORDED = 20

/** The proofs with the methods that were recorded in this login; they last as long as the latest proof. The newest of each URL counts. */
export function withRecorded(evidence: Evidence[], methods: readonly RecordedMethod[] = []): Evidence[] {
  const last = evidence.at(-1)
  if (!last || methods.length === 0) return evidence
  const all = new Map([...(last.recorded ?? []), ...methods].map(({ url, at }) => [url, at]))
  const recorded = [...all].map(([url, at]) => ({ url, at })).slice(-MAX_RECORDED)
  return [...evidence.slice(0, -1), { ...last, recorded }]
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

/** A session as it is stored. */
export type StoredSession = Session & {
  /** Of the request that finished the session's first login; null for what it did not send, or before it was stored. */
  initialIp: string | null
  initialUserAgent: string | null
  metadata: Entries | null
  /** Whether the cookie outlasts the browser, where an action said so. */
  persistent: boolean | null
}

export type SessionPort = {
  /** An active session with its user. */
  find(idDigest: Uint8Array, now: Date): Promise<{ session: StoredSession; user: User } | null>
  /** When the person last authenticated in the user's session of that public id, and whether with a second factor; null where it has ended. */
  authentication(sid: string, userId: string, now: Date): Promise<{ at: Date; hasFactor: boolean } | null>
  /** The same, of proofs for this application alone; a second factor alone does not count. */
  authenticatedFor(clientId: string, sid: string, userId: string, now: Date): Promise<Date | null>
  touch(idDigest: Uint8Array, seen: { at: Date; idleExpiresAt: Date; participant: string }): Promise<void>
  /** Changes an active session, and shortens its life where the ends are earlier than its own. */
  change(idDigest: Uint8Array, changes: SessionChanges): Promise<void>
  /** Whether applications must be notified; if so, wake the dispatcher. */
  end(idDigest: Uint8Array, at: Date): Promise<boolean>
  /** Ends the session with that public id, and with `tokens` its token families. False if there is none. */
  revoke(sid: string, at: Date, tokens: boolean): Promise<boolean>
}

const TOUCH_SECONDS = 60

type Beginning = {
  /** The id of the login. */
  login: string
  userId: string
  clientId: string
  /** Another person may have started the login. */
  startedElsewhere: boolean
  evidence: Evidence[]
  /** The session of the same person that this one replaces. */
  before: Session | null
}

export function newSession(
  { login, userId, clientId, startedElsewhere, evidence, before }: Beginning,
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
      inherited ? proof : { ...proof, login, ...(startedElsewhere ? {} : { clientId }) },
    ),
    authTime,
    participants: [...new Set([...(before?.participants ?? []), clientId])],
    createdAt: now,
    lastSeenAt: now,
    idleExpiresAt: addSeconds(now, policy.idleSeconds),
    expiresAt: earliest([
      provenAnew ? addSeconds(now, policy.absoluteSeconds) : before.expiresAt,
      ...providerEnds(evidence),
    ]),
  }
  return { plain: id.plain, session }
}

export const needsTouch = (session: Session, clientId: string, now: Date): boolean =>
  !session.participants.includes(clientId) || ageOf(session.lastSeenAt, now) >= TOUCH_SECONDS

/** Whether the person's session at the provider that proved them is over. */
export const hasEnded = ({ ends }: Evidence, now: Date): boolean => ends !== undefined && new Date(ends) <= now

const providerEnds = (evidence: readonly Evidence[]): Date[] =>
  evidence.flatMap(({ ends }) => (ends === undefined ? [] : [new Date(ends)]))

/** The first end of a session at a provider that the proofs rely on; null without one. */
export function providerEnd(evidence: readonly Evidence[]): Date | null {
  const ends = providerEnds(evidence)
  return ends.length === 0 ? null : earliest(ends)
}

const earliest = (times: readonly Date[]): Date => new Date(Math.min(...times.map((time) => time.getTime())))

const latest = (evidence: Evidence[]): Date | undefined => {
  const last = evidence.at(-1)
  return last && new Date(last.at)
}

/** The time of the first proof. */
export const oldestProof = (evidence: readonly Evidence[]): Date | undefined => {
  const times = evidence.map(({ at }) => new Date(at).getTime())
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}
