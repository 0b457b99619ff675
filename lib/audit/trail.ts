// What one request leaves in the audit log. Whoever finds out a fact tells it here (`about`), whoever decides what became
// of it tells that (`tell`), and a refusal becomes an event by outcomes.ts. Nothing here waits for anything.
// - The log's buffer is handed the event at once; of a request that then dies the event stays.
// - After an event that must not be lost (`kept` in events.ts) the answer waits for the database: what was acknowledged
//   is recorded. Never where waiting would tell whether an account exists.
import type { Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import type { About, AuditEvent, AuditLog, Facts, Source } from './audit'
import { type EventName, isKept } from './events'
import { refusalEvent } from './outcomes'

// biome-ignore lint/complexity/noBannedTypes: an event that needs no facts may be told without any.
type Told<Name extends EventName> = {} extends Facts<Name> ? [facts?: Facts<Name>] : [facts: Facts<Name>]

export type Trail = {
  about(facts: About): void
  tell<Name extends EventName>(name: Name, ...facts: Told<Name>): void
  refused(error: DomainError, endpoint: string): void
  /** What an answer waits for; null for nearly all. */
  settled(): Promise<void> | null
}

export type TrailDeps = { tenantId: string; hostname: string; audit: AuditLog; clock: Clock }

export function openTrail(source: Source | null, { tenantId, hostname, audit, clock }: TrailDeps): Trail {
  let known: About = {}
  let waits = false
  const record = (event: AuditEvent): void => {
    waits ||= isKept(event.name)
    audit.record({ ...event, tenantId, hostname, at: clock.now(), source })
  }
  const tell = (name: EventName, facts: Facts = {}): void =>
    record({ name, facts: { ...known, ...facts } } as AuditEvent)
  return {
    about(facts) {
      known = { ...known, ...facts }
    },
    tell,
    refused(error, endpoint) {
      const name = refusalEvent(error.code, endpoint, known.grant)
      if (name !== null) tell(name, { reason: error.detail ?? error.description })
    },
    settled: () => (waits ? audit.flush() : null),
  }
}
