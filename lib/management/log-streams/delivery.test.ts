// Delivery of log streams on PostgreSQL, to real HTTP servers (threat-model.md MG26, SE8).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { post } from '../../adapters/channels/post'
import { createDatabase } from '../../adapters/store/prisma/client'
import { streamStore } from '../../adapters/store/sql/log-streams'
import { inWords } from '../../kernel/network-failure'
import { SPA, signIn } from '../../testing/journey'
import { addManager, type Manager } from '../../testing/management'
import { type TestServer, testServer } from '../../testing/server'
import { createStreamRunner, type StreamDeps, SUSPENDED_AFTER_SECONDS } from './delivery'

const LEASE = 61
const MAX_WAIT = 300

let server: TestServer
let manager: Manager
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  server = await testServer()
  manager = await addManager(server)
  await manager.get('/log-streams')
  closing.push(() => server.close())
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Handler = (ids: string[], answer: (status: number, headers?: Record<string, string>) => void) => void

/** A sink that records the ids of the entries that it was sent. */
async function listen(handle: Handler = (_, answer) => answer(200)) {
  const ids: string[] = []
  const requests: { headers: IncomingMessage['headers']; ids: string[] }[] = []
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const sent = (JSON.parse(body) as { log_id: string }[]).map(({ log_id }) => log_id)
      requests.push({ headers: request.headers, ids: sent })
      handle(sent, (status, headers = {}) => {
        if (status < 300) ids.push(...sent)
        response.writeHead(status, headers).end()
      })
    })
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  closing.push(async () => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/logs`, ids, requests }
}

const worker = (overrides: Partial<StreamDeps> = {}): StreamDeps => ({
  store: streamStore(server.db),
  send: (request, stop) => post(request.url, request, { allowLoopback: true, allowPrivate: false }, stop),
  vault: server.vault,
  clock: server.clock,
  random: server.random,
  log: { warn: () => {}, error: () => {} },
  ...overrides,
})

/** Sends every stream that is due. */
async function deliverStreams(deps: StreamDeps): Promise<void> {
  const runner = createStreamRunner(deps)
  runner.start()
  await runner.settled()
  await runner.stop()
}

async function addStream(url: string, more: Record<string, unknown> = {}): Promise<string> {
  await server.audited()
  const sink = { httpEndpoint: url, httpContentFormat: 'JSONARRAY' }
  const made = await manager.post('/log-streams', { name: `to ${url}`, type: 'http', sink, ...more })
  expect(made.status, made.text).toBe(201)
  return String(made.json().id)
}
const healthOf = async (id: string, ask = {}) => (await manager.get(`/log-streams/${id}/health`, ask)).json()

/** Events of the log, stored at once; returns the ids of all records behind the first `skip`. */
async function happen(count: number, skip = 0): Promise<string[]> {
  const { trail } = await server.runtime()
  for (let n = 0; n < count; n += 1) trail.record('changed', { change: 'test', target: `object ${n}` })
  return (await server.audited()).slice(skip).map(({ log_id }) => String(log_id))
}

it('sends what happens after it was made, in order and once, and stores how far it came', async () => {
  const sink = await listen()
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(250, before)
  await deliverStreams(worker())
  expect(sink.ids).toEqual(all)
  expect(sink.requests.length).toBeGreaterThan(2)
  expect(await healthOf(id)).toMatchObject({ status: 'active', pending: 0, failures: 0, last_error: null })
  await deliverStreams(worker())
  expect(sink.ids).toEqual(all)
})

it('starts at a time in the past, and sends the categories that it selects', async () => {
  const past = await happen(3)
  const sink = await listen()
  const chosen = await listen()
  await addStream(sink.url, { startFrom: '2020-01-01T00:00:00Z' })
  await addStream(chosen.url, { filters: [{ type: 'category', name: 'auth.login.fail' }] })
  const { trail } = await server.runtime()
  trail.record('password_wrong', { typed: 'kim@mail.test' })
  const all = (await server.audited()).map(({ log_id }) => String(log_id))
  await deliverStreams(worker())
  expect(sink.ids).toEqual(all)
  expect(sink.ids).toEqual(expect.arrayContaining(past))
  expect(chosen.ids).toEqual([all.at(-1)])
})

it('repeats a failed batch with growing waits, and skips nothing', async () => {
  let failing = true
  const sink = await listen((_, answer) => answer(failing ? 500 : 200))
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(5, before)
  const deps = worker()
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await deliverStreams(deps)
    expect(await healthOf(id)).toMatchObject({ failures: attempt, last_error: 'HTTP 500', status: 'active' })
    await deliverStreams(deps)
    expect(sink.requests).toHaveLength(attempt)
    server.clock.advance(MAX_WAIT)
  }
  failing = false
  await deliverStreams(deps)
  expect(sink.ids).toEqual(all)
  expect(await healthOf(id)).toMatchObject({ failures: 0, last_error: null, failing_since: null })
})

it('sends smaller batches to a sink that refuses a batch as too large, in order and at once', async () => {
  const sink = await listen((ids, answer) => answer(ids.length > 7 ? 413 : 200))
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(30, before)
  await deliverStreams(worker())
  expect(sink.ids).toEqual(all)
  expect(await healthOf(id)).toMatchObject({ failures: 0, last_error: null, dropped: 0, pending: 0 })
})

it('drops a record that is too large by itself, reports it, and goes on', async () => {
  const sink = await listen((ids, answer) => answer(ids.includes(large) ? 413 : 200))
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(12, before)
  const large = String(all[5])
  const reported: unknown[] = []
  const log = { warn: () => {}, error: (fields: unknown, sentence: string) => reported.push([fields, sentence]) }
  await deliverStreams(worker({ log }))
  expect(sink.ids).toEqual(all.filter((each) => each !== large))
  expect(await healthOf(id)).toMatchObject({ status: 'active', failures: 0, dropped: 1, pending: 0 })
  expect(reported).toEqual([[expect.objectContaining({ stream: id, record: large }), expect.stringMatching(/dropped/)]])
  await deliverStreams(worker())
  expect(sink.requests.filter(({ ids }) => ids.length === 1 && ids[0] === large)).toHaveLength(1)
})

it('drops the only record that a filter selects of a page, once', async () => {
  const sink = await listen((_, answer) => answer(413))
  const id = await addStream(sink.url, { filters: [{ type: 'category', name: 'auth.login.fail' }] })
  await happen(5)
  const { trail } = await server.runtime()
  trail.record('password_wrong', { typed: 'kim@mail.test' })
  await happen(5)
  await deliverStreams(worker())
  expect(sink.requests).toHaveLength(1)
  expect(await healthOf(id)).toMatchObject({ dropped: 1, pending: 0, delivered_at: null })
})

it.each([
  ['seconds', '1200', 1200],
  ['a date', 'in 1200', 1200],
  ['more than an hour', '86400', 3600],
])('waits as long as the sink asks for, by %s', async (_form, header, seconds) => {
  let failing = true
  const sink = await listen((_ids, answer) => {
    const date = new Date(server.clock.now().getTime() + seconds * 1000).toUTCString()
    answer(failing ? 429 : 200, failing ? { 'retry-after': header.startsWith('in') ? date : header } : {})
  })
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(2, before)
  await deliverStreams(worker())
  failing = false
  server.clock.advance(seconds - 2)
  await deliverStreams(worker())
  expect(sink.requests).toHaveLength(1)
  expect(await healthOf(id)).toMatchObject({ failures: 1, last_error: 'HTTP 429' })
  server.clock.advance(3)
  await deliverStreams(worker())
  expect(sink.ids).toEqual(all)
})

it('keeps its own waits where the sink asks for none, for a past one, or for text', async () => {
  const headers = ['', '0', '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT']
  const sink = await listen((_, answer) => answer(503, { 'retry-after': headers[sink.requests.length - 1] ?? '' }))
  await addStream(sink.url)
  await happen(1)
  for (const [attempt] of headers.entries()) {
    await deliverStreams(worker())
    expect(sink.requests).toHaveLength(attempt + 1)
    server.clock.advance(MAX_WAIT)
  }
})

it('is suspended after a week of failures, and goes on where it stopped when a manager makes it active', async () => {
  let failing = true
  const sink = await listen((_, answer) => answer(failing ? 503 : 200))
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(2, before)
  await deliverStreams(worker())
  server.clock.advance(SUSPENDED_AFTER_SECONDS)
  await deliverStreams(worker())
  const token = await manager.token()
  expect(await healthOf(id, { token })).toMatchObject({ status: 'suspended', last_error: 'HTTP 503' })
  failing = false
  server.clock.advance(MAX_WAIT)
  await deliverStreams(worker())
  expect(sink.ids).toEqual([])
  const active = { json: { status: 'active' }, token }
  expect((await manager.send('PATCH', `/log-streams/${id}`, active)).status).toBe(200)
  await deliverStreams(worker())
  expect(sink.ids.slice(0, all.length)).toEqual(all)
})

it('sends nothing while it is paused', async () => {
  const sink = await listen()
  const id = await addStream(sink.url)
  await manager.patch(`/log-streams/${id}`, { status: 'paused' })
  await happen(1)
  await deliverStreams(worker())
  expect(sink.requests).toEqual([])
})

it('goes on without a loss after the death of a process in the middle', async () => {
  const sink = await listen()
  const id = await addStream(sink.url)
  const before = (await server.audited()).length - 1
  const all = await happen(350, before)
  const store = worker().store
  let batches = 0
  const dying: StreamDeps = worker({
    store: {
      ...store,
      advance: (...position) => {
        batches += 1
        return batches === 2 ? new Promise(() => {}) : store.advance(...position)
      },
    },
  })
  void deliverStreams(dying)
  await expect.poll(() => batches).toBe(2)
  await deliverStreams(worker())
  expect(sink.ids).toHaveLength(200)
  server.clock.advance(LEASE)
  await deliverStreams(worker())
  expect([...new Set(sink.ids)]).toEqual(all)
  expect(sink.ids).toHaveLength(all.length + 100)
  expect((await healthOf(id)).pending).toBe(0)
})

it('is sent in order by many processes on one database, each entry at least once', async () => {
  const sinks = await Promise.all([listen(), listen(), listen()])
  for (const { url } of sinks) await addStream(url)
  const pools = [0, 1, 2].map(() => new Pool({ connectionString: server.database.url, max: 3 }))
  closing.push(() => Promise.all(pools.map((pool) => pool.end())))
  const workers = pools.map((pool) => worker({ store: streamStore(createDatabase(pool)) }))
  let all: string[] = []
  for (let round = 0; round < 4; round += 1) {
    const happening = happen(60)
    await Promise.all([...workers, ...workers].map((each) => deliverStreams(each)))
    all = await happening
  }
  await Promise.all(workers.map((each) => deliverStreams(each)))
  for (const sink of sinks) {
    const first = [...new Set(sink.ids)]
    expect(first).toEqual(all.slice(-first.length))
    expect(first.length).toBeGreaterThanOrEqual(240)
  }
})

it('leaves logins and other streams alone while a sink hangs, and ends with the server', async () => {
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  const hanging = await listen(() => {})
  const id = await addStream(hanging.url)
  const healthy = await listen()
  await addStream(healthy.url)
  await happen(1)
  const runner = createStreamRunner(worker())
  closing.push(() => runner.stop())
  runner.start()
  await expect.poll(() => [hanging.requests.length, healthy.requests.length]).toEqual([1, 1])
  // One after the other: parallel guesses of one account count before they are proven right.
  for (let login = 0; login < 20; login++)
    expect(Object.fromEntries(await signIn(server.browser(), 'kim@mail.test'))).toHaveProperty('code')
  const { totalCount, idleCount } = server.database.pool
  expect(totalCount - idleCount).toBe(0)
  await runner.stop()
  expect(hanging.requests).toHaveLength(1)
  // The next process may send it at once, and the stop of the server is no failure of the sink.
  expect(await healthOf(id)).toMatchObject({ status: 'active', failures: 0, last_error: null })
  expect(await worker().store.take({ at: server.clock.now(), leaseUntil: server.clock.now() })).toMatchObject({ id })
})

it('sends what happens while another sink hangs', async () => {
  const hanging = await listen(() => {})
  await addStream(hanging.url)
  const healthy = await listen()
  await addStream(healthy.url)
  const before = (await server.audited()).length - 1
  const first = await happen(1, before)
  const runner = createStreamRunner(worker())
  closing.push(() => runner.stop())
  runner.start()
  await expect.poll(() => [hanging.requests.length, healthy.ids.length]).toEqual([1, first.length])
  const all = await happen(3, before)
  runner.wake()
  await expect.poll(() => healthy.ids).toEqual(all)
  expect(hanging.requests).toHaveLength(1)
})

it.each([
  ['https://169.254.169.254/latest', 'EFORBIDDENADDRESS'],
  ['https://10.0.0.1/', 'EFORBIDDENADDRESS'],
  ['http://93.184.215.14/', 'EPLAINHTTP'],
])('never reaches %s', async (url, reason) => {
  const id = await addStream(url)
  await happen(1)
  await deliverStreams(worker())
  expect(await healthOf(id)).toMatchObject({ last_error: inWords(reason), failures: 1 })
})

it('follows no redirect', async () => {
  const sink = await listen((_, answer) => answer(302))
  const id = await addStream(sink.url)
  await happen(1)
  await deliverStreams(worker())
  expect(await healthOf(id)).toMatchObject({ last_error: 'HTTP 302' })
})
