// OpenTelemetry traces, through @vercel/otel: a span for each request to an endpoint, with a child span for each statement. Only
// where OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise nothing is loaded.
// - A caller's `traceparent` is continued, so a trace spans the application and this server.
// - Attributes are names from constant tables (endpoint, method, status, statement); never an address, a parameter or a value.
// - Spans of other code in the process are not exported: Next's spans contain whole addresses, with codes and tickets.
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
import type { Observe } from '../../kernel/observe'

export type TracingSettings = {
  /** Base address of the collector; spans are sent to `/v1/traces` below it. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
}

/** The part of a database connection that is traced. */
export type Querying = { query(...args: never[]): unknown }

export type Tracing = {
  observe: Observe
  /** Traces every statement on the connection from now on; further calls have no effect. */
  watch(connection: Querying): void
  /** Exports pending spans. */
  close(): Promise<void>
}

const TRACER = 'latchkey'

export function openTracing({ endpoint, headers, serviceName }: TracingSettings): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const collector = new OTLPHttpJsonTraceExporter({ url, headers })
  // Without the empty lists @vercel/otel would patch `fetch`, and export every span a second time by the environment's settings.
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

/** The name of a prepared statement, or the first word of another statement; never the text, which could contain a value. */
function nameOf(query: unknown): string {
  if (typeof query === 'string') return query.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? ''
  if (typeof query !== 'object' || query === null) return 'query'
  const { name, text } = query as { name?: unknown; text?: unknown }
  return typeof name === 'string' ? name : nameOf(text)
}

/** The pool passes a callback and gets no promise; transactions await a promise. */
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
