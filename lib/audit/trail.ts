// The audit trail of one request. `context` adds facts, `record` writes an event with them, and outcomes.ts turns a refusal into an event. Nothing
// here waits.
// - An event enters the log's buffer at once, so it survives a failure of its request.
// - After an event marked `kept` (events.ts) the response waits for the database: an acknowledged change is recorded. Not where the wait would
//   reveal whether an account exists.
import type { Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import type { About, AuditLog, Entry, Facts, Source } from './audit'
import { type EventName, isKept } from './events'
import type { OncePerMinute } from './once-per-minute'
import { type Refusals, refusalEvent } from './outcomes'

// biome-ignore lint/complexity/noBannedTypes: an event without facts is recorded without an argument.
type FactsArgument<Name extends EventName> = {} extends Facts<Name> ? [facts?: Facts<Name>] : [facts: Facts<Name>]

export type Trail = {
  /** Where the request came from; null outside a request. */
  readonly source: Source | null
  context(facts: About): void
  record<Name extends EventName>(name: Name, ...facts: FactsArgument<Name>): void
  refused(error: DomainError, endpoint: Refusals): void
  /** Resolves when required events are stored; null for nearly all requests. */
  settled(): Promise<void> | null
}

export type TrailDeps = {
  tenantId: string
  hostname: string
  audit: AuditLog
  clock: Clock
}

/** Events limited to one per minute, endpoint and address. */
const FLOODS: readonly EventName[] = ['rate_limited', 'userinfo_limited']

export function openTrail(source: Source, deps: TrailDeps & { oncePerMinute: OncePerMinute }): Trail {
  let known: About = {}
  let waits = false
  const record = (name: EventName, facts: Facts = {}): void => {
    waits ||= isKept(name)
    append(name, withKnown(known, facts), source, deps)
  }
  return {
    source,
    context(facts) {
      known = withKnown(known, facts)
    },
    record,
    refused(error, endpoint) {
      const name = refusalEvent(error.code, endpoint, known)
      if (name === null) return
      if (FLOODS.includes(name) && !deps.oncePerMinute(`${endpoint.name} ${source.ip}`)) return
      record(name, { reason: error.detail ?? error.description })
    },
    settled: () => (waits ? deps.audit.flush() : null),
  }
}

/** For work outside a request: events share no context. */
export const serverTrail = (deps: TrailDeps): Trail => ({
  source: null,
  context: () => {},
  record: (name: EventName, facts: Facts = {}) => append(name, facts, null, deps),
  refused: () => {},
  settled: () => null,
})

/** Object.assign, because a spread takes several times as long, on every request. */
function withKnown(known: About, facts: Facts): Facts {
  const all: Facts = Object.assign({}, known, facts)
  // Keep a connection that is known by more than its name.
  if (known.connection && known.connection.name === all.connection?.name) all.connection = known.connection
  return all
}

function append(name: EventName, facts: Facts, source: Source | null, deps: TrailDeps): void {
  const { tenantId, hostname, audit, clock } = deps
  audit.record({ name, facts, tenantId, hostname, at: clock.now(), source } as Entry)
}
