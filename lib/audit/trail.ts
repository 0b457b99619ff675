// What one request leaves in the audit log. Whoever finds out a fact tells it here (`about`), whoever decides what became
// of it tells that (`tell`), and a refusal becomes an event by outcomes.ts. Nothing here waits for anything.
// - The log's buffer is handed the event at once; of a request that then dies the event stays.
// - After an event that must not be lost (`kept` in events.ts) the answer waits for the database: what was acknowledged
//   is recorded. Never where waiting would tell whether an account exists.
import type { Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import type { About, AuditLog, Entry, Facts, Source } from './audit'
import { type EventName, isKept } from './events'
import type { OncePerMinute } from './once-per-minute'
import { type Refusals, refusalEvent } from './outcomes'

// biome-ignore lint/complexity/noBannedTypes: an event that needs no facts may be told without any.
type FactsArgument<Name extends EventName> = {} extends Facts<Name> ? [facts?: Facts<Name>] : [facts: Facts<Name>]

export type Trail = {
  context(facts: About): void
  record<Name extends EventName>(name: Name, ...facts: FactsArgument<Name>): void
  refused(error: DomainError, endpoint: Refusals): void
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

export function openTrail(source: Source, deps: TrailDeps & { oncePerMinute: OncePerMinute }): Trail {
  let known: About = {}
  let waits = false
  const record = (name: EventName, facts: Facts = {}): void => {
    waits ||= isKept(name)
    append(name, withKnown(known, facts), source, deps)
  }
  return {
    context(facts) {
      known = withKnown(known, facts)
    },
    record,
    refused(error, endpoint) {
      const name = refusalEvent(error.code, endpoint, known.grant)
      if (name === null) return
      if (FLOODS.includes(name) && !deps.oncePerMinute(`${endpoint.name} ${source.ip}`)) return
      record(name, { reason: error.detail ?? error.description })
    },
    settled: () => (waits ? deps.audit.flush() : null),
  }
}

/** Of work that no request asked for: nothing said there is about anything said later. */
export const serverTrail = (deps: TrailDeps): Trail => ({
  context: () => {},
  record: (name: EventName, facts: Facts = {}) => append(name, facts, null, deps),
  refused: () => {},
  settled: () => null,
})

/** Object spread would take several times as long, on every request. */
function withKnown(known: About, facts: Facts): Facts {
  const all: Facts = Object.assign({}, known, facts)
  // Where a connection is known by more than its name, that is kept.
  if (known.connection && known.connection.name === all.connection?.name) all.connection = known.connection
  return all
}

function append(name: EventName, facts: Facts, source: Source | null, deps: TrailDeps): void {
  const { tenantId, hostname, audit, clock } = deps
  audit.record({ name, facts, tenantId, hostname, at: clock.now(), source } as Entry)
}
