// Runs against the test's own collector, over HTTP.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trace } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTracing, type Tracing } from './tracing'

type Sent = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status?: { code?: number }
  attributes: unknown[]
}

const received: { path: string; token: string | undefined; spans: Sent[] }[] = []
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as {
    resourceSpans: { scopeSpans: { spans: Sent[] }[] }[]
  }
  const spans = body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  received.push({ path: request.url ?? '', token: request.headers.authorization, spans })
  response.end('{}')
})
let tracing: Tracing

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint)
  tracing = openTracing({ endpoint, headers: { authorization: 'Bearer t' }, serviceName: 'latchkey' })
})
afterAll(() => {
  vi.unstubAllEnvs()
  return new Promise((closed) => collector.close(closed))
})

it('sends a span for the request, continues the caller’s trace, and puts statements beneath it', async () => {
  const connection = {
    query: async (statement: unknown) => statement,
  }
  tracing.watch(connection)
  tracing.watch(connection)
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const request = { method: 'POST', headers: { traceparent } }
  const answer = await tracing.observe('oauth.token', request, async () => {
    await connection.query({ name: 'family-rotate', text: 'UPDATE token_family …' })
    await connection.query(`SELECT 'a secret of a user'`)
    return { status: 503 }
  })
  expect(answer).toEqual({ status: 503 })
  await tracing.close()

  const spans = received.flatMap((each) => each.spans)
  const [served] = spans.filter(({ name }) => name === 'oauth.token')
  expect(served).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16), status: { code: 2 } })
  const statements = spans.filter(({ name }) => name.startsWith('db '))
  expect(statements.map(({ name }) => name)).toEqual(['db family-rotate', 'db SELECT'])
  for (const { parentSpanId } of statements) expect(parentSpanId).toBe(served?.spanId)
  expect(JSON.stringify(received)).not.toContain('a secret of a user')
  expect(received.map(({ path, token }) => [path, token])).toContainEqual(['/v1/traces', 'Bearer t'])
})

it('keeps to itself what a framework in the process traces: its addresses hold codes', async () => {
  trace
    .getTracer('next.js')
    .startSpan('GET', { attributes: { 'http.target': '/login/callback?code=code-of-somebody' } })
    .end()
  await tracing.observe('login.callback', { method: 'GET', headers: {} }, async () => ({ status: 302 }))
  await tracing.close()
  expect(JSON.stringify(received)).toContain('login.callback')
  expect(JSON.stringify(received)).not.toContain('code-of-somebody')
})

it('hands on what fails', async () => {
  const failing = () => tracing.observe('x', { method: 'GET', headers: {} }, () => Promise.reject(new Error('no')))
  await expect(failing()).rejects.toThrow('no')
})
