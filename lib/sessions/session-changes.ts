// What the tenant's actions change of a session. Pure.
import type { EntryChanges } from '../kernel/entries'
import type { Session } from './session'

/** Earlier ends of a session, in milliseconds; a later one than the session has counts for nothing. */
export type SessionEnds = { expiresAt?: number; idleExpiresAt?: number }

export type SessionChanges = SessionEnds & {
  metadata?: EntryChanges
  /** Whether the cookie outlasts the browser. */
  persistent?: boolean
}

export const shortened = <S extends Pick<Session, 'expiresAt' | 'idleExpiresAt'>>(
  session: S,
  ends: SessionEnds = {},
): S => ({
  ...session,
  expiresAt: sooner(session.expiresAt, ends.expiresAt),
  idleExpiresAt: sooner(session.idleExpiresAt, ends.idleExpiresAt),
})

const sooner = (end: Date, wanted: number | undefined): Date =>
  wanted === undefined ? end : new Date(Math.min(end.getTime(), wanted))
