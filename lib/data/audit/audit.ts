// Audit events and their facts. Redaction is a property of these types: none has a field for a password, token, code, cookie or secret, and
// records consist of these fields only (threat-model.md AU1).
// - `reason` is a code of the catalogue (lib/kernel/reasons.ts), `sentence` one of our own, the same as in the server's log.
import type { JsonObject } from '../../kernel/json'
import type { Reason } from '../../kernel/reasons'
import type { EventName, RefusalEvent } from './events'

type Named = { id: string; email: string | null; username?: string | null; phoneNumber?: string | null }

/** The subject of events; context added by one part of a request applies to all its later events. */
export type AuditSubject = {
  /** The id of the login (login-id.ts). */
  login?: string
  client?: { clientId: string; name: string }
  connection?: { name: string; id?: string; strategy?: string }
  /** The organization of a login. */
  organization?: { id: string; name: string }
  user?: Named
  /** The claimed user. Kept only in the form of an address, because other input may be a password. */
  typed?: string
  audience?: string
  scopes?: readonly string[]
  /** The requested grant type. */
  grant?: string
  /** It is about a new password, on the pages of a login. */
  reset?: true
  /** An administrator tests a login: the login inspector stores its steps in any case. */
  tested?: true
  /** The kind of the second factor. */
  factor?: string
  /** Requested scopes that are not granted, and why not. */
  dropped?: { scopes: readonly string[]; reason: Reason }
}

/** Further facts of one kind of event. */
type Details<Name extends EventName> = Name extends 'changed'
  ? {
      change: string
      /** The id of the changed object. */
      target?: string
      /** By member, its value before and after; without secrets. */
      difference?: JsonObject
      /** Paths of changed members that have no effect here. */
      notApplied?: readonly string[]
    }
  : Name extends 'events_lost'
    ? { count: number; since: Date }
    : Name extends RefusalEvent
      ? { reason: Reason }
      : unknown

/** The reason of an event that has one cause is that of its row (events.ts). */
export type EventFacts<Name extends EventName = EventName> = AuditSubject & RefusalFacts & Details<Name>

/** `parameter` is the name of the one that was missing or malformed. */
export type RefusalFacts = { reason?: Reason; sentence?: string; parameter?: string | undefined }

export type AuditEvent = { [Name in EventName]: { name: Name; facts: EventFacts<Name> } }[EventName]

/** The source of a request; absent for events of an operator or of the server itself. */
export type Source = {
  ip: string
  userAgent: string | undefined
  requestId: string
  /** The Accept-Language header. */
  language?: string | undefined
}

export type AuditEntry = AuditEvent & { tenantId: string; hostname: string; at: Date; source: Source | null }

export type AuditLog = {
  /** Accepts the event and returns at once; later failures never reach the caller. */
  record(entry: AuditEntry): void
  /** Resolves when the earlier events are stored or lost; never rejects. */
  flush(): Promise<void>
}
