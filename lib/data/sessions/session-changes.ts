// What the tenant's actions change of a session, and of a refresh token. Pure.
import { sooner } from '../../kernel/clock'
import type { EntryChanges } from '../../kernel/entries'
import type { Session } from './session'

/** Earlier ends, in milliseconds; a later one than there is counts for nothing. */
export type SessionEnds = { expiresAt?: number; idleExpiresAt?: number }

export type RefreshChanges = SessionEnds & { metadata?: EntryChanges }

export type SessionChanges = RefreshChanges & {
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
