// The audit trail of one request. `context` adds facts, `record` writes an event with them, and outcomes.ts turns a refusal into an event. Nothing
// here waits.
// - An event enters the log's buffer at once, so it survives a failure of its request.
// - After an event marked `kept` (events.ts) the response waits for the database: an acknowledged change is recorded. Not where the wait would
//   reveal whether an account exists.
import type { Clock } from '../../kernel/clock'
import type { DomainError } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import { hintOf, type Reason } from '../../kernel/reasons'
import type { InspectorPolicy, LoginLog, LoginPart } from '../logins/login-log'
import { type InspectedStep, type LazyStep, lineOf, type StepLine } from '../logins/step'
import { addressOf } from './address'
import type { AuditEntry, AuditLog, AuditSubject, EventFacts, RefusalFacts, Source } from './audit'
import { EVENTS, type EventName, isKept, isOfLogin, replacedBy } from './events'
import { newLoginId } from './login-id'
import type { OncePerMinute } from './once-per-minute'
import { type Refusals, refusalEvent } from './outcomes'
import { droppedScopesIn, reasonOf } from './record'

type FactsArgument<Name extends EventName> =
  // biome-ignore lint/complexity/noBannedTypes: an event without facts is recorded without an argument.
  {} extends EventFacts<Name> ? [facts?: EventFacts<Name>] : [facts: EventFacts<Name>]

export type Trail = {
  /** Where the request came from; null outside a request. */
  readonly source: Source | null
  context(facts: AuditSubject): void
  /** The id of the login that the request belongs to; begins one where the request belongs to none. Empty outside a request. */
  login(): string
  /** The request belongs to this login; undefined where what an earlier version stored names none. */
  follow(login: string | undefined): void
  /** Adds a step to what the login inspector shows of the login. */
  step(step: LazyStep): void
  /** What is known of the subject so far. */
  readonly known: AuditSubject
  record<Name extends EventName>(name: Name, ...facts: FactsArgument<Name>): void
  refused(error: DomainError, endpoint: Refusals): void
  /** Resolves when required events are stored; null for nearly all requests. */
  settled(): Promise<void> | null
}

/** What a refusal says: its reason, the sentence for the log, and the parameter that it is about. */
export const saidOf = ({
  reason,
  detail,
  description,
  parameter,
}: Pick<DomainError, 'reason' | 'detail' | 'description'> & { parameter?: string | undefined }) => ({
  reason,
  sentence: detail ?? description,
  parameter,
})

export type TrailDeps = {
  tenantId: string
  hostname: string
  audit: AuditLog
  clock: Clock
}

/** Events limited to one per minute, endpoint and address. */
const FLOODS: readonly EventName[] = ['rate_limited', 'userinfo_limited']

type RequestTrailDeps = TrailDeps & {
  random: Random
  oncePerMinute: OncePerMinute
  /** Writes a refusal that ends in a page or an answer of the protocol into the server's log. */
  note?(fields: Record<string, unknown>, sentence: string): void
  logins: { log: LoginLog; policy: InspectorPolicy }
}

/** @param endpoint its name in the server's log */
export const openTrail = (source: Source, deps: RequestTrailDeps, endpoint?: string): Trail =>
  new RequestTrail(source, deps, endpoint)

/** A class, because every request makes one: an object literal of closures with a getter takes several times as long. */
class RequestTrail implements Trail {
  known: AuditSubject = {}
  private waits = false
  private refusedAs: EventName | null = null
  private steps: LazyStep[] = []
  private outcome: LoginPart['outcome'] = 'waiting'
  private failedBy: string | null = null
  private about: AuditSubject = {}

  constructor(
    readonly source: Source,
    private readonly deps: RequestTrailDeps,
    private readonly endpoint: string | undefined,
  ) {}

  context(facts: AuditSubject): void {
    this.known = withKnown(this.known, facts)
  }

  login(): string {
    if (this.known.login === undefined) this.context({ login: newLoginId(this.deps.random) })
    return this.known.login ?? ''
  }

  follow(login: string | undefined): void {
    if (login !== undefined) this.context({ login })
  }

  record(name: EventName, facts: EventFacts = {}): void {
    if (isOfLogin(name)) this.login()
    const { source, deps, endpoint } = this
    this.waits ||= isKept(name)
    const all = withKnown(this.known, facts)
    append(name, all, source, deps)
    const reason = reasonOf(name, all)
    this.judge(name, all, reason)
    if (reason === undefined) return
    this.refusedAs = name
    const dropped_scopes = droppedScopesIn(name, all)
    deps.note?.(
      { ...refusalFields(reason, all, source), dropped_scopes, event: name, endpoint },
      facts.sentence ?? EVENTS[name].says,
    )
  }

  refused(error: DomainError, endpoint: Refusals): void {
    const { source, deps, known, refusedAs } = this
    const name = refusalEvent(error.code, endpoint, known)
    // The part of the request that refused has recorded it already.
    if (name === null || (refusedAs !== null && [refusedAs, replacedBy(refusedAs)].includes(name))) return
    if (FLOODS.includes(name) && !deps.oncePerMinute(`${endpoint.name} ${source.ip}`)) return
    if (isOfLogin(name)) this.login()
    const all = withKnown(this.known, saidOf(error))
    append(name, all, source, deps)
    this.judge(name, all, error.reason)
  }

  step(step: LazyStep): void {
    this.steps.push(step)
  }

  private judge(name: EventName, facts: EventFacts, reason: Reason | undefined): void {
    if (facts.login === undefined) return
    // An event may know more than the request: the connection of an answer that is refused.
    this.about = { ...this.about, ...facts }
    const outcome = outcomeOfEvent(name)
    if (outcome !== 'waiting') this.outcome = outcome
    if (outcome === 'failed') this.failedBy ??= reason ?? null
    this.steps.push(eventStep(name, facts, outcome, reason))
  }

  /** Hands the steps of the request over, once. */
  private handOver(): void {
    const { login } = this.known
    const { client, connection, user, typed } = { ...this.about, ...this.known }
    if (login === undefined || this.steps.length === 0) return
    // A refresh may be months after its login, whose steps have been removed since.
    if (this.known.grant === 'refresh_token') return
    const { steps, source, deps, known } = this
    this.steps = []
    const { log, policy } = deps.logins
    const part: LoginPart = {
      ...{ login, at: deps.clock.now(), endpoint: this.endpoint ?? '', requestId: source.requestId },
      ...{ outcome: this.outcome, reason: this.failedBy, steps },
      ...{ clientId: client?.clientId ?? null, clientName: client?.name ?? null },
      ...{ connection: connection?.name || null, userId: user?.id ?? null },
      person: (user && (user.email ?? user.username ?? user.phoneNumber)) ?? (typed && addressOf(typed)) ?? null,
      ...{ ip: source.ip, userAgent: source.userAgent ?? null, ...(known.tested ? { tested: true as const } : {}) },
    }
    log.add(part, deps.tenantId, policy)
  }

  settled(): Promise<void> | null {
    this.handOver()
    return this.waits ? this.deps.audit.flush() : null
  }
}

/** For work outside a request: events share no context. */
export const serverTrail = (deps: TrailDeps): Trail => ({
  source: null,
  context: () => {},
  login: () => '',
  follow: () => {},
  step: () => {},
  known: {},
  record: (name: EventName, facts: EventFacts = {}) => append(name, facts, null, deps),
  refused: () => {},
  settled: () => null,
})

/** The fields of a refusal in the server's log. */
export const refusalFields = (
  reason: Reason,
  { client, user, grant, parameter }: AuditSubject & RefusalFacts,
  source: Source,
) => ({
  request: source.requestId,
  reason,
  hint: hintOf(reason),
  parameter,
  client_id: client?.clientId,
  client: client?.name,
  user: user?.id,
  grant,
  ip: source.ip,
})

/** Object.assign, because a spread takes several times as long, on every request. */
function withKnown(known: AuditSubject, facts: EventFacts): EventFacts {
  const all: EventFacts = Object.assign({}, known, facts)
  // Keep a connection that is known by more than its name.
  if (known.connection && known.connection.name === all.connection?.name) all.connection = known.connection
  return all
}

function append(name: EventName, facts: EventFacts, source: Source | null, deps: TrailDeps): void {
  const { tenantId, hostname, audit, clock } = deps
  audit.record({ name, facts, tenantId, hostname, at: clock.now(), source } as AuditEntry)
}

/** Limits that refuse a login; their category is that of a notification, as at the vendor. */
const REFUSING: readonly EventName[] = ['account_blocked', 'address_blocked', 'login_hurried']

/** What an event says of its login. */
function outcomeOfEvent(name: EventName): LoginPart['outcome'] {
  if (REFUSING.includes(name)) return 'failed'
  if (!isOfLogin(name)) return 'waiting'
  const { category } = EVENTS[name]
  if (category.endsWith('.success')) return 'succeeded'
  return category.endsWith('.fail') ? 'failed' : 'waiting'
}

const eventStep = (
  name: EventName,
  { sentence, parameter, connection, factor, grant, scopes, audience }: EventFacts,
  outcome: LoginPart['outcome'],
  reason: Reason | undefined,
): InspectedStep => ({
  kind: 'event',
  subject: name,
  outcome: outcome === 'failed' || reason !== undefined ? 'failed' : 'ok',
  reason,
  says: sentence ?? EVENTS[name].says,
  lines: linesOf({
    parameter,
    connection: connection?.name,
    factor,
    grant_type: grant,
    scope: scopes?.join(' '),
    audience,
  }),
})

const linesOf = (facts: Record<string, string | undefined>): StepLine[] =>
  Object.entries(facts).flatMap(([name, value]) => (value ? [lineOf(name, 'none', { value })] : []))
