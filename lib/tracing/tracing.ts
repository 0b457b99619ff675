// Traces for OpenTelemetry, through @vercel/otel: a span for each request to an endpoint, beneath it one for each
// statement. Only where OTEL_EXPORTER_OTLP_ENDPOINT is set; without it nothing here is loaded.
// - A caller's `traceparent` is continued, so a trace goes from an application through us.
// - Attributes are names of our own tables (endpoint, method, status, statement); never an address, a parameter or a value.
// - What else in the process makes spans (Next: of whole addresses, in which codes and tickets are) is not sent.
import {
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { OTLPHttpJsonTraceExporter, registerOTel } from '@vercel/otel'
import type { Observe } from '../kernel/observe'

export type TracingSettings = {
  /** Base address of the collector; `/v1/traces` is asked for. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
}

/** What of a database connection is traced. */
export type Querying = { query(...args: never[]): unknown }

export type Tracing = {
  observe: Observe
  /** Every statement on the connection becomes a span from now on, however often this is said. */
  watch(connection: Querying): void
  /** Sends what waits. */
  close(): Promise<void>
}

const TRACER = 'latchkey'

export function openTracing({ endpoint, headers, serviceName }: TracingSettings): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const collector = new OTLPHttpJsonTraceExporter({ url, headers })
  // Without the empty lists it would patch `fetch`, and send everything once more by the environment's settings.
  registerOTel({ serviceName, traceExporter: ownOnly(collector), spanProcessors: [], instrumentations: [] })
  const tracer = trace.getTracer(TRACER)
  const watched = new WeakSet<Querying>()
  return {
    observe(endpoint, request, run) {
      const incoming = propagation.extract(context.active(), request.headers)
      const attributes = { 'http.request.method': request.method, 'latchkey.endpoint': endpoint }
      return tracer.startActiveSpan(endpoint, { kind: SpanKind.SERVER, attributes }, incoming, async (span) => {
        const response = await run()
        span.setAttribute('http.response.status_code', response.status)
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        return response
      })
    },
    watch(connection) {
      if (watched.has(connection)) return
      watched.add(connection)
      const query = connection.query.bind(connection) as (...args: unknown[]) => unknown
      connection.query = (...args: unknown[]) => {
        const span = tracer.startSpan(`db ${nameOf(args[0])}`, {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql' },
        })
        return endWith(span, query, args)
      }
    },
    async close() {
      const provider = trace.getTracerProvider()
      const sender = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider
      if ('forceFlush' in sender && typeof sender.forceFlush === 'function') await sender.forceFlush()
    },
  }
}

const ownOnly = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.filter(isOwn), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})

const isOwn = (span: { instrumentationScope: { name: string } }): boolean => span.instrumentationScope.name === TRACER

/** Of a prepared statement its name, of another its first word: never its text, which could hold a value. */
function nameOf(query: unknown): string {
  if (typeof query === 'string') return query.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? ''
  if (typeof query !== 'object' || query === null) return 'query'
  const { name, text } = query as { name?: unknown; text?: unknown }
  return typeof name === 'string' ? name : nameOf(text)
}

/** The pool passes a callback and gets no promise; transactions await one. */
function endWith(span: Span, query: (...args: unknown[]) => unknown, args: unknown[]): unknown {
  const done = args.at(-1)
  if (typeof done === 'function') {
    return query(...args.slice(0, -1), (...results: unknown[]) => {
      span.end()
      return done(...results)
    })
  }
  const answer = query(...args)
  if (answer instanceof Promise) return answer.finally(() => span.end())
  span.end()
  return answer
}
