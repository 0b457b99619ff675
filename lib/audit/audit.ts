// What an event is, and what there is to say about one. Redaction is a property of these types: none has a field for a
// password, token, code, cookie or secret, and records are made of these fields alone (threat-model.md AU1).
// - `reason` is a sentence of ours, the one that the server's own log has.
import type { EventName } from './events'

type Named = { id: string; email: string | null; username?: string | null; phoneNumber?: string | null }

/** Whom and what an event is about; what one part of a request finds out is known to every later event of it. */
export type About = {
  client?: { clientId: string; name: string }
  connection?: { name: string; id?: string; strategy?: string }
  user?: Named
  /** Whom somebody claimed to be. Kept only in the form of an address: what else is typed there may be a password. */
  typed?: string
  audience?: string
  scopes?: readonly string[]
  /** As it was asked for: the grant type. */
  grant?: string
  /** The kind of a second factor. */
  factor?: string
}

/** What one kind of event says besides. */
type Details<Name extends EventName> = Name extends 'changed'
  ? { change: string }
  : Name extends 'events_lost'
    ? { count: number; since: Date }
    : unknown

export type Facts<Name extends EventName = EventName> = About & { reason?: string } & Details<Name>

export type AuditEvent = { [Name in EventName]: { name: Name; facts: Facts<Name> } }[EventName]

/** Where a request came from; absent for what an operator or the server itself does. */
export type Source = { ip: string; userAgent: string | undefined; requestId: string }

export type Entry = AuditEvent & { tenantId: string; hostname: string; at: Date; source: Source | null }

export type AuditLog = {
  /** Takes the event and returns at once; nothing that goes wrong afterwards reaches the caller. */
  record(entry: Entry): void
  /** Resolves when what was recorded before is stored, or could not be; never rejects. */
  flush(): Promise<void>
}
