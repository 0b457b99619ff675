// What one request leaves in the audit log. Whoever finds out a fact tells it here (`about`), whoever decides what became
// of it tells that (`tell`), and a refusal becomes an event by outcomes.ts. Nothing here waits for anything.
// - The log's buffer is handed the event at once; of a request that then dies the event stays.
// - After an event that must not be lost (`kept` in events.ts) the answer waits for the database: what was acknowledged
//   is recorded. Never where waiting would tell whether an account exists.
import type { Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import type { About, AuditEvent, AuditLog, Facts, Source } from './audit'
import { type EventName, isKept } from './events'
import type { Gate } from './gate'
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

export type TrailDeps = {
  tenantId: string
  hostname: string
  audit: AuditLog
  clock: Clock
}

/** What is told once a minute for each endpoint and address. */
const FLOODS: readonly EventName[] = ['rate_limited', 'userinfo_limited']

export function openTrail(source: Source, deps: TrailDeps & { gate: Gate }): Trail {
  let known: About = {}
  let waits = false
  const knownWith = (facts: Facts): Facts => {
    const all = { ...known, ...facts }
    // Where a connection is known by more than its name, that is kept.
    return known.connection?.name === all.connection?.name && known.connection
      ? { ...all, connection: known.connection }
      : all
  }
  const tell = (name: EventName, facts: Facts = {}): void => {
    waits ||= isKept(name)
    record({ name, facts: knownWith(facts) } as AuditEvent, source, deps)
  }
  return {
    about(facts) {
      known = knownWith(facts)
    },
    tell,
    refused(error, endpoint) {
      const name = refusalEvent(error.code, endpoint, known.grant)
      if (name === null) return
      if (FLOODS.includes(name) && !deps.gate(`${endpoint} ${source.ip}`)) return
      tell(name, { reason: error.detail ?? error.description })
    },
    settled: () => (waits ? deps.audit.flush() : null),
  }
}

/** Of work that no request asked for: nothing said there is about anything said later. */
export const serverTrail = (deps: TrailDeps): Trail => ({
  about: () => {},
  tell: (name: EventName, facts: Facts = {}) => record({ name, facts } as AuditEvent, null, deps),
  refused: () => {},
  settled: () => null,
})

function record(event: AuditEvent, source: Source | null, { tenantId, hostname, audit, clock }: TrailDeps): void {
  audit.record({ ...event, tenantId, hostname, at: clock.now(), source })
}
