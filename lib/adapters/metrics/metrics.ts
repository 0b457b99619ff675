// The Prometheus metrics of this server (docs/metrics.md), which may be several processes. Only where LATCHKEY_OPERATOR_TOKEN is set; otherwise nothing is
// loaded or counted.
// - Label values come from constant tables and from the tenant's configuration, never from untrusted input.
// - Gauges are read on each scrape. A gauge that cannot be read is omitted; the page is still returned.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AuditEntry } from '../../data/audit/audit'
import { EVENTS } from '../../data/audit/events'
import type { Observe } from '../../kernel/observe'
import { digest } from '../../kernel/secret'

export type Metrics = {
  contentType: string
  /** The digest of the operator's token that protects /metrics. */
  tokenDigest: Uint8Array
  page(): Promise<string>
  observe: Observe
  refused(endpoint: string, code: string): void
  event(entry: AuditEntry): void
}

/** The metrics of one process, as prom-client writes them. */
export type ProcessMetrics = unknown[]

/** Builds a reader for the metrics of the other workers from the one of this process; undefined with a single worker. */
export type OtherMetrics = (own: () => Promise<ProcessMetrics>) => (() => Promise<ProcessMetrics[]>) | undefined

/** The sources of the gauges. */
export type Readings = {
  pool(): { total: number; idle: number; waiting: number }
  hashing(): { running: number; waiting: number }
  /** Counters of the configuration caches, since the start. */
  caches(): { lookups: number; read: number }
  outbox(): Promise<{ waiting: number; oldestSeconds: number }>
  /** Undefined where Redis is not used. */
  redis(): 'up' | 'down' | undefined
  grants: readonly string[]
  others?: OtherMetrics
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(token: string, readings: Readings): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'latchkey_' })
  const requests = new Counter({
    name: 'latchkey_requests_total',
    help: 'Requests answered.',
    labelNames: ['endpoint', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'latchkey_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  })
  const refusals = new Counter({
    name: 'latchkey_refusals_total',
    help: 'Requests refused, by error code.',
    labelNames: ['endpoint', 'code'],
    registers,
  })
  const events = new Counter({
    name: 'latchkey_events_total',
    help: 'Events of the audit log, by type code.',
    labelNames: ['type', 'connection', 'grant'],
    registers,
  })
  readGauges(readings, registers)
  const own = () => registry.getMetricsAsJSON()
  const others = readings.others?.(own)
  return {
    contentType: registry.contentType,
    tokenDigest: digest(token),
    async page() {
      if (!others) return registry.metrics()
      return AggregatorRegistry.aggregate([await own(), ...(await others())] as Parameters<
        typeof AggregatorRegistry.aggregate
      >[0]).metrics()
    },
    async observe(endpoint, { method }, run) {
      const end = seconds.startTimer({ endpoint })
      const response = await run()
      end()
      requests.inc({ endpoint, method, status: response.status })
      return response
    },
    refused: (endpoint, code) => refusals.inc({ endpoint, code }),
    event({ name, facts }) {
      const grant = facts.grant === undefined || readings.grants.includes(facts.grant) ? facts.grant : 'other'
      events.inc({ type: EVENTS[name].code, connection: facts.connection?.name ?? '', grant: grant ?? '' })
    },
  }
}

/** Single-flight: concurrent callers share one read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

function readGauges(readings: Readings, registers: Registry[]): void {
  // One statement supplies two gauges.
  const outbox = shared(readings.outbox)
  const gauge = (
    name: string,
    help: string,
    read: (gauge: Gauge<'state'>) => void | Promise<void>,
    aggregator: 'sum' | 'max' | 'min' = 'sum',
  ): void => {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset()
        await Promise.resolve(read(this)).catch(() => {})
      },
    })
  }
  gauge('latchkey_processes', 'Processes that serve requests.', (to) => to.set({}, 1))
  gauge('latchkey_database_connections', 'Connections of the pool, and requests that wait for one.', (to) => {
    const { total, idle, waiting } = readings.pool()
    to.set({ state: 'busy' }, total - idle)
    to.set({ state: 'idle' }, idle)
    to.set({ state: 'waiting' }, waiting)
  })
  gauge('latchkey_password_hashes', 'Passwords being hashed, and logins that wait for that.', (to) => {
    const { running, waiting } = readings.hashing()
    to.set({ state: 'running' }, running)
    to.set({ state: 'waiting' }, waiting)
  })
  gauge(
    'latchkey_configuration_reads',
    'Of the configuration, since the start: asked for, and read from the database.',
    (to) => {
      const { lookups, read } = readings.caches()
      to.set({ state: 'asked' }, lookups)
      to.set({ state: 'read' }, read)
    },
  )
  gauge(
    'latchkey_outbox_messages',
    'Messages that wait to be sent, of all instances.',
    async (to) => to.set({ state: 'waiting' }, (await outbox()).waiting),
    'max',
  )
  gauge(
    'latchkey_outbox_oldest_seconds',
    'Age of the oldest message that waits.',
    async (to) => to.set({}, (await outbox()).oldestSeconds),
    'max',
  )
  gauge(
    'latchkey_redis_up',
    'Whether Redis answers; absent where none is used.',
    (to) => {
      const state = readings.redis()
      if (state !== undefined) to.set({}, state === 'up' ? 1 : 0)
    },
    'min',
  )
}
