import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../adapters/metrics/metrics'
import { type TestServer, testServer } from '../../../testing/server'

const TOKEN = 'the-token-of-the-scraper'
const readings = {
  pool: () => ({ total: 5, idle: 3, waiting: 1 }),
  hashing: () => ({ running: 2, waiting: 7 }),
  caches: () => ({ lookups: 900, read: 3 }),
  outbox: async () => ({ waiting: 4, oldestSeconds: 12 }),
  redis: () => 'down' as const,
  grants: ['authorization_code'],
}

let server: TestServer
const ask = (authorization?: string) =>
  server.browser().get('/metrics', authorization === undefined ? {} : { headers: { authorization } })

describe('without a token set', () => {
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  it('is not there, whatever is presented', async () => {
    expect((await ask()).status).toBe(404)
    expect((await ask('Bearer ')).status).toBe(404)
    expect((await ask(`Bearer ${TOKEN}`)).status).toBe(404)
  })
})

describe('with a token', () => {
  let metrics: ReturnType<typeof createMetrics>

  beforeAll(async () => {
    metrics = createMetrics(TOKEN, readings)
    server = await testServer({ metrics, observe: metrics.observe })
  })
  afterAll(() => server.close())

  it.each([undefined, 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])(
    'is not there for %s',
    async (given) => {
      const answer = await ask(given)
      expect(answer.status).toBe(404)
      expect(answer.body).not.toContain('latchkey_')
    },
  )

  it('reports requests and refusals by endpoint, and the gauges', async () => {
    await server.browser().get('/.well-known/jwks.json')
    await server.browser().post('/oauth/token', { form: { grant_type: 'password' } })
    const answer = await ask(`Bearer ${TOKEN}`)
    expect(answer.status).toBe(200)
    expect(answer.header('content-type')).toContain('text/plain; version=0.0.4')
    for (const line of [
      'latchkey_requests_total{endpoint="jwks",method="GET",status="200"} 1',
      'latchkey_requests_total{endpoint="oauth.token",method="POST",status="401"} 1',
      'latchkey_request_duration_seconds_count{endpoint="jwks"} 1',
      'latchkey_database_connections{state="busy"} 2',
      'latchkey_database_connections{state="waiting"} 1',
      'latchkey_password_hashes{state="waiting"} 7',
      'latchkey_configuration_reads{state="read"} 3',
      'latchkey_outbox_messages{state="waiting"} 4',
      'latchkey_outbox_oldest_seconds 12',
      'latchkey_redis_up 0',
    ])
      expect(answer.body).toContain(line)
    expect(answer.body).toMatch(/latchkey_refusals_total\{endpoint="oauth.token",code="\w+"\} 1/)
    expect(answer.body).toContain('latchkey_nodejs_eventloop_lag_seconds')
  })

  it('counts events by type, connection and grant, without labels from input', async () => {
    const entry = { tenantId: 't', hostname: 'h', at: new Date(0), source: null }
    metrics.event({ ...entry, name: 'login', facts: { connection: { name: 'Users' }, grant: 'authorization_code' } })
    metrics.event({ ...entry, name: 'login', facts: { grant: 'x"} 1\nforged 1' } })
    const page = await metrics.page()
    expect(page).toContain('latchkey_events_total{type="s",connection="Users",grant="authorization_code"} 1')
    expect(page).toContain('latchkey_events_total{type="s",connection="",grant="other"} 1')
    expect(page).not.toContain('forged')
  })

  it('answers while a gauge cannot be read', async () => {
    const broken = createMetrics(TOKEN, { ...readings, outbox: () => Promise.reject(new Error('away')) })
    const page = await broken.page()
    expect(page).toContain('latchkey_password_hashes{state="running"} 2')
    expect(page).not.toContain('latchkey_outbox_messages{')
  })
})
