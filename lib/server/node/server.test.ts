// The real Node adapter: the client address of a request, whatever its headers claim (threat-model.md RL3).
import { once } from 'node:events'
import { request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import type { ForwardingHeader } from '../../kernel/forwarded'
import { systemRandom } from '../../kernel/random'
import { PASSWORD, type TestServer, testServer } from '../../testing/server'
import { createOutages } from '../maintenance/outages'
import { createHttpServer } from './server'

let registry: TestServer
beforeAll(async () => {
  registry = await testServer()
})
afterAll(() => registry.close())

async function open(
  trustedProxies: string[],
  isLeaving = () => false,
  onError = () => {},
  served: Pick<TestServer, 'runtime'> = registry,
  forwardingHeader: ForwardingHeader = 'x-forwarded-for',
): Promise<Server> {
  const runtimes = { runtimeFor: () => served.runtime(), runtimeOf: async () => null }
  const log = { debug() {}, info() {}, warn() {}, error: onError, fatal() {} }
  const files = { serve: () => false, assets: { stylesheet: '', themed: '', script: '' } }
  const server = createHttpServer({
    registry: runtimes,
    random: systemRandom,
    outages: createOutages({ clock: fixedClock(), log, level: 'error' }),
    appUrl: 'https://id.test',
    peer: { trustedProxies, forwardingHeader },
    files,
    isLeaving,
    isStopping: isLeaving,
    next(_incoming, outgoing) {
      outgoing.end('Next')
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server
}

async function remainingFor(server: Server, headers: Record<string, string>): Promise<number> {
  const { port } = server.address() as AddressInfo
  const asking = request({ host: '127.0.0.1', port, path: '/v2/logout', headers, agent: false })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [import('node:http').IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return Number(answer.headers['x-ratelimit-remaining'])
}

const CLAIMS: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.1' },
  { 'x-forwarded-for': '203.0.113.2, 127.0.0.1' },
  { forwarded: 'for=203.0.113.3' },
  { 'x-real-ip': '203.0.113.4' },
  { 'cf-connecting-ip': '203.0.113.5' },
  { 'cf-connecting-ipv6': '2001:db8::5' },
  { 'true-client-ip': '203.0.113.6' },
  { 'x-client-ip': '203.0.113.7' },
  { 'x-latchkey-socket': '203.0.113.8' },
  { 'auth0-forwarded-for': '203.0.113.9' },
]

describe('a header that claims another address', () => {
  it('a false header takes from the same bucket as no header', async () => {
    const server = await open([])
    const first = await remainingFor(server, {})
    for (const [i, headers] of CLAIMS.entries()) expect(await remainingFor(server, headers)).toBe(first - 1 - i)
  })

  it('is believed of a listed proxy alone, and of that only X-Forwarded-For', async () => {
    const server = await open(['127.0.0.0/8'])
    expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.1' })).toBe(599)
    expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.2' })).toBe(599)
    expect(await remainingFor(server, { 'x-forwarded-for': '192.0.2.9, 198.51.100.2' })).toBe(598)
    const own = await remainingFor(server, {})
    for (const [i, headers] of CLAIMS.slice(2).entries()) expect(await remainingFor(server, headers)).toBe(own - 1 - i)
  })
})

describe('the header that the setting names', () => {
  it('is the only one that is read of a listed proxy', async () => {
    const server = await open(['127.0.0.0/8'], undefined, undefined, undefined, 'forwarded')
    const own = await remainingFor(server, {})
    expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.31' })).toBe(own - 1)
    const both = { 'x-forwarded-for': '198.51.100.32', forwarded: 'for="198.51.100.33:51234"' }
    expect(await remainingFor(server, both)).toBe(599)
    expect(await remainingFor(server, { forwarded: 'for=198.51.100.33' })).toBe(598)
    expect(await remainingFor(server, { forwarded: 'for=198.51.100.32' })).toBe(599)
  })

  it('is believed of no other peer', async () => {
    const server = await open([], undefined, undefined, undefined, 'forwarded')
    const own = await remainingFor(server, {})
    expect(await remainingFor(server, { forwarded: 'for=198.51.100.34' })).toBe(own - 1)
  })
})

it('counts the connections of one address behind a proxy that writes their ports together', async () => {
  const server = await open(['127.0.0.0/8'])
  expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.41:51234' })).toBe(599)
  expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.41:51235' })).toBe(598)
  expect(await remainingFor(server, { 'x-forwarded-for': '198.51.100.42:51234' })).toBe(599)
})

describe('demo mode on loopback', () => {
  const examiner = { tokenDigest: null, examine: async () => [] }

  /** Sends raw bytes, because HTTP clients set their own Host header. */
  async function answerTo(server: Server, path: string, headers: string[]): Promise<string> {
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write([`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
    return Buffer.concat(await socket.toArray()).toString()
  }

  it.each(['/dev/outbox.json', '/doctor'])('shows %s under the names of this machine alone', async (path) => {
    const demo = registry.instance({ demo: true, devOutbox: true, examiner, port: 4321 })
    const server = await open([], undefined, undefined, demo)
    for (const host of ['localhost:4321', '127.0.0.1:4321', '[::1]:4321', 'id.test'])
      expect(await answerTo(server, path, [`Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /)
    for (const headers of [
      ['Host: evil.test:4321'],
      ['Host: evil.test:4321', 'X-Forwarded-Host: localhost:4321'],
      ['Host: evil.test:4321', 'Host: localhost:4321'],
      ['Host: localhost:4321.evil.test'],
      ['Host: localhost:9'],
    ]) {
      const answer = await answerTo(server, path, headers)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toMatch(/^x-content-type-options: nosniff/im)
    }
  })

  it('is not shown to whom a listed proxy names', async () => {
    const demo = registry.instance({ demo: true, devOutbox: true, examiner, port: 4321 })
    const server = await open(['127.0.0.1'], undefined, undefined, demo)
    const headers = ['Host: localhost:4321', 'X-Forwarded-For: 203.0.113.9']
    expect(await answerTo(server, '/dev/outbox.json', headers)).toMatch(/^HTTP\/1\.1 404 /)
  })
})

it('logs the cause of requests that reach no endpoint once a minute, and answers each', async () => {
  const onError = vi.fn()
  const away = { runtime: () => Promise.reject(new Error('connect ECONNREFUSED')) }
  const { port } = (await open([], undefined, onError, away)).address() as AddressInfo
  for (let time = 0; time < 3; time++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  }
  expect(onError).toHaveBeenCalledTimes(1)
})

it('fails readiness when it stops, and answers remaining requests', async () => {
  let leaving = false
  const { port } = (await open([], () => leaving)).address() as AddressInfo
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
  expect((await ask('/readyz')).status).toBe(200)
  leaving = true
  const ready = await ask('/readyz')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({ status: 'stopping', checks: {} })
  const other = await ask('/healthz')
  expect(other.status).toBe(200)
  expect(other.headers.get('connection')).toBe('close')
})

it('sets every cookie of a login that ends while it stops', async () => {
  const { port } = (await open([], () => true)).address() as AddressInfo
  const redirect_uri = 'https://app.test/callback'
  await registry.addClient({ clientId: 'site', settings: { callbacks: [redirect_uri] } })
  await registry.addUser({ id: 'kim', email: 'kim@mail.test' })
  const browser = registry.browser()
  const query = { client_id: 'site', response_type: 'code', redirect_uri, scope: 'openid' }
  const first = await browser.get('/authorize', { query })
  const state = new URL(first.header('location') ?? '', 'https://id.test').searchParams.get('state') ?? ''
  const answer = await fetch(`http://127.0.0.1:${port}/u/submit`, {
    method: 'POST',
    headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    body: new URLSearchParams({ state, action: 'login', username: 'kim@mail.test', password: PASSWORD }),
    redirect: 'manual',
  })
  expect(answer.headers.get('location')).toMatch(/[?&]code=/)
  expect(answer.headers.get('connection')).toBe('close')
  const names = answer.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf('=')))
  expect(names).toEqual(expect.arrayContaining(['__Host-latchkey_session', '__Host-latchkey_recognized']))
})

async function answerTo(target: string, method = 'GET', headers: Record<string, string> = {}) {
  const { port } = (await open([])).address() as AddressInfo
  const asking = request({
    host: '127.0.0.1',
    port,
    method,
    path: target,
    headers: { host: 'id.test', ...headers },
    agent: false,
  })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [import('node:http').IncomingMessage]
  const body = Buffer.concat((await answer.toArray()) as Buffer[]).toString()
  return { status: answer.statusCode, headers: answer.headers, body }
}

const OF_EVERY_PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

describe('a foreign target (threat-model.md BF12)', () => {
  it.each([
    'http://evil.test/',
    'http://evil.test/authorize',
    '//evil.test/',
    '//evil.test/u/login',
    '/\\evil.test/',
    '/u//login',
    '/nothing/here',
    '/wp-login.php',
    '/demo/x',
    '/demo/.',
    '/demo/%2e%2e',
    '/demo#x',
  ])('%s is a page with every header, and leads nowhere', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, body } = await answerTo(target, method)
      expect([status, headers.location]).toEqual([404, undefined])
      expect(body).not.toContain('evil.test')
      expect(headers).toMatchObject(OF_EVERY_PAGE)
    }
  })

  it('refuses CONNECT', async () => {
    const { port } = (await open([])).address() as AddressInfo
    const asking = request({ host: '127.0.0.1', port, method: 'CONNECT', path: 'evil.test:443', agent: false })
    asking.end()
    const [answer] = (await once(asking, 'connect')) as [import('node:http').IncomingMessage]
    expect(answer.statusCode).toBe(405)
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })

  it('is not one that names our own host in full, nor one with a slash at its end', async () => {
    expect((await answerTo('http://id.test/healthz')).status).toBe(200)
    expect((await answerTo('/healthz/?x=1')).status).toBe(200)
  })

  it.each(['/', '/demo', '/demo/', '/dev/outbox?to=a', '/_next/static/x.js'])(
    'is not %s, which is Next’s',
    async (target) => {
      expect((await answerTo(target)).body).toBe('Next')
    },
  )
})

describe('what Next is never shown (threat-model.md BF5, BF23)', () => {
  it.each([
    ['GET', '/console/%ff', {}, 400],
    ['POST', '/console/%E0%A4%A', {}, 400],
    ['GET', '/_next/%', {}, 400],
    ['TRACE', '/demo', {}, 405],
    ['PUT', '/console', {}, 405],
    ['POST', '/', {}, 405],
    ['OPTIONS', '/console/users', {}, 405],
    ['GET', '/console/auth/sign-out', {}, 405],
    ['POST', '/_next/static/x.js', {}, 405],
    ['POST', '/console', { origin: 'https://evil.test' }, 403],
    ['POST', '/console', { origin: 'null' }, 403],
    ['POST', '/console/', { 'sec-fetch-site': 'same-site' }, 403],
    ['POST', '/console/auth/sign-out', { origin: 'garbage' }, 403],
  ])('%s %s with %j is refused with %i and the headers of every page', async (method, path, sent, refused) => {
    const { status, headers, body } = await answerTo(path, method, sent as unknown as Record<string, string>)
    expect(status).toBe(refused)
    expect(headers).toMatchObject(OF_EVERY_PAGE)
    expect(body).not.toContain('evil.test')
    expect(headers.allow === undefined).toBe(refused !== 405)
  })

  it('is no form of our own pages', async () => {
    expect((await answerTo('/console', 'POST', { origin: 'https://id.test' })).body).toBe('Next')
    expect((await answerTo('/console/auth/sign-out', 'POST', { 'sec-fetch-site': 'same-origin' })).body).toBe('Next')
  })

  it('is refused in the format of the API around it', async () => {
    for (const path of ['/me/v1/factors/%ff', '/me/v1/nothing'])
      expect(JSON.parse((await answerTo(path)).body)).toMatchObject({ type: expect.stringContaining('api-errors') })
    expect(JSON.parse((await answerTo('/api/v2/users/%ff')).body)).toMatchObject({ statusCode: 400 })
  })

  it.each([
    ['get / HTTP/1.1', 400],
    ['GET / HTTP/9.9', 400],
    ['GET /\u00e9 HTTP/1.1', 400],
    [`GET / HTTP/1.1\r\nHost: id.test\r\nX: ${'x'.repeat(20_000)}`, 431],
    ['POST / HTTP/1.1\r\nHost: id.test\r\nExpect: x', 417],
    ['POST / HTTP/1.1\r\nHost: id.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked', 400],
  ])('an unreadable request is answered without Next: %.50s', async (lines, status) => {
    const { port } = (await open([])).address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.end(`${lines}\r\n\r\n`, 'latin1')
    const answer = Buffer.concat(await socket.toArray()).toString()
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/^content-security-policy: default-src 'none'/im)
    expect(answer).toMatch(/^x-content-type-options: nosniff/im)
  })
})

describe('a body', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (server: Server, headers: Record<string, string> = {}) => {
    const { port } = server.address() as AddressInfo
    return request({ host: '127.0.0.1', port, method: 'POST', path: '/oauth/token', headers: { ...FORM, ...headers } })
  }
  async function answerTo(asking: ReturnType<typeof post>) {
    const [answer] = (await once(asking, 'response')) as [import('node:http').IncomingMessage]
    const chunks = (await answer.toArray()) as Buffer[]
    return { answer, says: JSON.parse(Buffer.concat(chunks).toString()).error_description as string }
  }

  it('a body in pieces is read whole', async () => {
    const server = await open([])
    const asking = post(server)
    const requested = once(server, 'request')
    asking.write('scope=a&client_')
    await requested
    asking.end('id=b&client_id=c')
    expect((await answerTo(asking)).says).toBe('Repeated parameter: client_id')
  })

  it('a body that is too large is refused before it has come, and its connection ends', async () => {
    const asking = post(await open([]))
    asking.on('error', () => {})
    asking.write(Buffer.alloc(150 * 1024, 'a'))
    const { answer } = await answerTo(asking)
    expect(answer.statusCode).toBe(413)
    expect(answer.headers.connection).toBe('close')
    asking.destroy()
  })

  it('a body that is cut off is no server error, and the next is answered', async () => {
    const onError = vi.fn()
    const server = await open([], undefined, onError)
    const broken = post(server, { 'content-length': '1000' })
    broken.on('error', () => {})
    const received = once(server, 'request')
    broken.write('grant_type=')
    const [{ socket }] = (await received) as [import('node:http').IncomingMessage]
    broken.destroy()
    await new Promise((resolve) => socket.once('close', resolve))
    const asking = post(server)
    asking.end('a=1&a=2')
    expect((await answerTo(asking)).says).toBe('Repeated parameter: a')
    expect(onError).not.toHaveBeenCalled()
  })
})
