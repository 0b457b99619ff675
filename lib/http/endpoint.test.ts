import { describe, expect, it } from 'vitest'
import { DomainError } from '../kernel/errors'
import { sampleRequest } from '../testing/samples'
import { type Endpoint, type EndpointRuntime, MAX_BODY, runEndpoint } from './endpoint'
import { transportSecurity } from './headers'
import { html, json, text } from './message'
import type { PostSource } from './post-source'
import { oauthJson } from './render-errors'

type TestRuntime = EndpointRuntime & { within(): TestRuntime }

const reported: DomainError[] = []
const runtime: TestRuntime = {
  baseUrl: 'https://id.test',
  transportSecurity: transportSecurity('https://id.test', false),
  compat: 'vendor',
  allowsOrigin: async (origin, clientId = 'app') => origin === 'https://app.test' && clientId === 'app',
  isRegisteredOrigin: async (origin) => origin === 'https://app.test',
  errorPage: async (error) => html(`page: ${error.code}`, 400),
  report: (error) => void reported.push(error),
  meter: () => undefined,
  trail: { settled: () => null },
  within() {
    return this
  },
}

type Over = { [Member in keyof Endpoint<EndpointRuntime>]?: Endpoint<EndpointRuntime>[Member] | undefined }

const endpoint = (over: Over = {}): Endpoint<EndpointRuntime> =>
  ({
    name: 'sample',
    limit: null,
    shed: 'last',
    refused: null,
    cors: 'open',
    errors: oauthJson,
    methods: { GET: () => json({ ok: true }), POST: () => json({ posted: true }) },
    ...over,
  }) as Endpoint<EndpointRuntime>

const run = async (over: Over, request: Parameters<typeof sampleRequest>[0] = {}) => {
  const { status, headers, body } = await runEndpoint(endpoint(over), sampleRequest(request), runtime)
  return { status, body, headers: Object.fromEntries(headers) }
}

describe('methods', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'get', 'CONNECT', 'constructor', '__proto__', 'toString', ''])(
    'refuses %s and names what is allowed',
    async (method) => {
      const { status, headers } = await run({}, { method })
      expect([status, headers.allow]).toEqual([405, 'GET, POST, OPTIONS'])
    },
  )

  it('answers HEAD as GET without the body', async () => {
    const { status, body } = await run({}, { method: 'HEAD' })
    expect([status, body]).toEqual([200, ''])
  })

  it('refuses HEAD where there is no GET', async () => {
    expect((await run({ methods: { POST: () => text('x') } }, { method: 'HEAD' })).status).toBe(405)
  })
})

it('leads a visitor at another name of this machine to its own, unless the page is for every name', async () => {
  const local = { ...runtime, baseUrl: 'http://localhost:3000' }
  const request = sampleRequest({ path: '/authorize', query: 'state=a%20b', headers: { host: '127.0.0.1:3000' } })
  const statusOf = async (over: Over) => (await runEndpoint(endpoint(over), request, local)).status
  const { status, headers } = await runEndpoint(endpoint({ errors: 'page' }), request, local)
  const location = 'http://localhost:3000/authorize?state=a%20b'
  expect([status, new Map(headers).get('location')]).toEqual([302, location])
  expect([await statusOf({ errors: 'page', anyHost: true }), await statusOf({})]).toEqual([200, 200])
})

it.each(['a\0b', '\ud800'])('knows nothing at a path that names %j', async (id) => {
  expect((await run({}, { params: { id } })).status).toBe(404)
})

describe('cross-origin reading', () => {
  it('is open without credentials where the caller proves itself in the request', async () => {
    const { headers } = await run({}, { headers: { origin: 'https://evil.test' } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('stays open for refusals, or an app could not read why', async () => {
    const methods = { POST: () => Promise.reject(new DomainError('invalid_grant', 'no')) }
    expect((await run({ methods }, { method: 'POST' })).headers['access-control-allow-origin']).toBe('*')
  })

  it('answers a preflight with the headers that the SDKs send', async () => {
    const { status, headers } = await run({}, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']).toBe('GET, POST')
    for (const name of ['content-type', 'authorization', 'auth0-client', 'dpop']) {
      expect(headers['access-control-allow-headers']).toContain(name)
    }
  })

  it('is closed for endpoints with pages', async () => {
    const closed = { cors: 'none', errors: 'page' } as const
    expect((await run(closed)).headers['access-control-allow-origin']).toBeUndefined()
    const preflight = await run(closed, { method: 'OPTIONS' })
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
    expect(preflight.headers.allow).toBe('GET, POST, OPTIONS')
  })
})

describe('cross-origin reading with cookies', () => {
  const handled: string[] = []
  const credentialed = {
    cors: 'client' as const,
    methods: { POST: (request: { id: string }) => json({ posted: handled.push(request.id) }) },
  }
  const ask = (origin: string | undefined, clientId = 'app', over: Parameters<typeof sampleRequest>[0] = {}) =>
    run(credentialed, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
      body: Buffer.from(JSON.stringify({ client_id: clientId })),
      ...over,
    })
  const reading = (headers: Record<string, string>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'))

  it('returns an origin that the named application allows, and varies by origin', async () => {
    const { status, headers } = await ask('https://app.test')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
  })

  it('lets such a page read why it was refused', async () => {
    const methods = { POST: () => Promise.reject(new DomainError('access_denied', 'no')) }
    const { headers } = await run(
      { ...credentialed, methods },
      {
        method: 'POST',
        headers: { origin: 'https://app.test', 'content-type': 'application/json' },
        body: Buffer.from('{"client_id":"app"}'),
      },
    )
    expect(headers['access-control-allow-origin']).toBe('https://app.test')
  })

  it.each([
    ['a foreign origin', 'https://evil.test', 'app'],
    ['the null origin', 'null', 'app'],
    ['no origin', undefined, 'app'],
    ["another application's origin", 'https://app.test', 'other'],
  ])('refuses %s before anything is done', async (_name, origin, clientId) => {
    handled.length = 0
    const { status, headers } = await ask(origin, clientId)
    expect([status, reading(headers), headers.vary, handled]).toEqual([403, [], 'Origin', []])
  })

  it('refuses a request that names no application, or cannot be read', async () => {
    expect((await ask('https://app.test', '')).status).toBe(403)
    const broken = await ask('https://app.test', 'app', { body: Buffer.from('{') })
    expect([broken.status, reading(broken.headers)]).toEqual([400, []])
  })

  it('answers the preflight of an origin of some application, without a body', async () => {
    const { status, headers, body } = await ask('https://app.test', '', { method: 'OPTIONS', body: new Uint8Array() })
    expect([status, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    })
  })

  it.each(['https://evil.test', 'null'])('answers the preflight of %s with nothing to read', async (origin) => {
    const { status, headers } = await ask(origin, '', { method: 'OPTIONS', body: new Uint8Array() })
    expect([status, reading(headers), headers.allow]).toEqual([204, [], 'POST, OPTIONS'])
  })

  it('allows no origin while the application is unknown', async () => {
    const away = { ...runtime, allowsOrigin: () => Promise.reject(new DomainError('temporarily_unavailable', 'away')) }
    const requested = sampleRequest({ method: 'OPTIONS', headers: { origin: 'https://app.test' } })
    const { status, headers } = await runEndpoint(endpoint(credentialed), requested, away)
    expect([status, reading(Object.fromEntries(headers))]).toEqual([204, []])
  })
})

describe('cross-origin reading of what a token opens', () => {
  const ask = (headers: Record<string, string>, method = 'GET', from = runtime) =>
    runEndpoint(endpoint({ cors: 'registered' }), sampleRequest({ method, headers }), from).then((answer) => ({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
    }))

  it.each(['GET', 'OPTIONS'])('echoes the origin of an application to a %s, never with cookies', async (method) => {
    const { headers } = await ask({ origin: 'https://app.test' }, method)
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://app.test', vary: 'Origin' })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each<Record<string, string>>([{ origin: 'https://evil.test' }, { origin: 'null' }, {}])(
    'allows no other origin: %j',
    async (headers) => {
      const answers = [await ask(headers), await ask(headers, 'OPTIONS')]
      expect(answers.map(({ status }) => status)).toEqual([200, 204])
      for (const answer of answers) expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  it('allows no origin while the application is unknown', async () => {
    const refuse = () => Promise.reject(new DomainError('temporarily_unavailable', 'away'))
    const { status, headers } = await ask({ origin: 'https://app.test' }, 'GET', {
      ...runtime,
      isRegisteredOrigin: refuse,
    })
    expect(status).toBe(503)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('posts of pages (threat-model.md BF5)', () => {
  const handled: string[] = []
  const post = async (posts: PostSource, headers: Record<string, string>, over: Over = {}, method = 'POST') => {
    handled.length = 0
    const handle = () => {
      handled.push(method)
      return text('done')
    }
    const methods = { GET: handle, POST: handle, PUT: handle, DELETE: handle }
    return run({ posts, methods, ...over }, { method, headers })
  }
  const OWN = 'https://id.test'

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
    { 'sec-fetch-site': 'same-site', origin: 'https://sibling.id.test' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: OWN },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'Same-Origin' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://id.test' },
    { origin: 'https://id.test:8443' },
    { origin: 'https://id.test.evil.test' },
  ])('of other origins do nothing: %j', async (headers) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, body } = await post('own-pages', headers, {}, method)
      expect([status, JSON.parse(String(body)).error, handled]).toEqual([403, 'access_denied', []])
    }
    expect((await post('own-pages', headers, { errors: 'page' })).body).toBe('page: access_denied')
    expect(handled).toEqual([])
  })

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'same-origin', origin: OWN },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: OWN },
    {},
  ])('of this server, and requests that no page sent, are taken: %j', async (headers) => {
    expect((await post('own-pages', headers)).status).toBe(200)
    expect(handled).toEqual(['POST'])
  })

  it.each<Record<string, string>>([{}, { 'sec-fetch-site': 'same-origin' }, { origin: 'https://app.test' }])(
    'name our origin where scripts alone may ask: %j',
    async (headers) => {
      expect((await post('own-scripts', headers)).status).toBe(403)
      expect(handled).toEqual([])
      expect((await post('own-scripts', { ...headers, origin: OWN })).status).toBe(200)
    },
  )

  it('come from anywhere where a protocol brings them, and reading always may', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://provider.test' }
    expect((await post('any-site', foreign)).status).toBe(200)
    for (const method of ['GET', 'HEAD']) expect((await post('own-pages', foreign, {}, method)).status).toBe(200)
  })
})

describe('bodies', () => {
  it('takes one of exactly the limit and refuses one byte more', async () => {
    const size = (length: number) => run({}, { method: 'POST', body: new Uint8Array(length) })
    expect((await size(MAX_BODY)).status).toBe(200)
    expect((await size(MAX_BODY + 1)).status).toBe(413)
  })

  it('has the limit that the endpoint names', async () => {
    const answer = await run({ maxBody: 10 }, { method: 'POST', body: new Uint8Array(11) })
    expect(answer.status).toBe(413)
  })
})

describe('whatever goes wrong inside', () => {
  const failing = { GET: () => Promise.reject(new Error('SELECT secret FROM users')) }

  it('becomes an answer that says nothing of it, and a report that does', async () => {
    const { status, body } = await run({ methods: failing })
    expect(status).toBe(500)
    expect(body).not.toContain('SELECT')
    expect(reported.at(-1)).toMatchObject({ code: 'server_error', cause: new Error('SELECT secret FROM users') })
  })

  it('is caught where a handler throws at once', async () => {
    const methods = {
      GET: () => {
        throw new TypeError('no')
      },
    }
    expect((await run({ methods })).status).toBe(500)
  })

  it('is a page if the endpoint has pages', async () => {
    expect((await run({ methods: failing, errors: 'page' })).body).toBe('page: server_error')
  })
})

describe('headers of every answer (threat-model.md SE1)', () => {
  it.each([
    ['an answer', { method: 'GET' }],
    ['a refusal', { method: 'PUT' }],
    ['a preflight', { method: 'OPTIONS' }],
  ])('the security headers are on every answer: %s', async (_name, request) => {
    const { headers } = await run({}, request)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
    })
    expect(headers.server ?? headers['x-powered-by']).toBeUndefined()
  })

  it.each<[string, string]>([
    ['cache-control', 'public'],
    ['referrer-policy', 'strict-origin'],
  ])('keeps the %s that an endpoint chose', async (name, value) => {
    const chosen: [string, string][] = [[name, value]]
    const { headers } = await runEndpoint(
      endpoint({ methods: { GET: () => ({ ...text('x'), headers: [...chosen] }) } }),
      sampleRequest(),
      runtime,
    )
    expect(headers.filter(([known]) => known === name)).toEqual(chosen)
  })

  it('promises no https on plain http', async () => {
    const plain: TestRuntime = { ...runtime, transportSecurity: transportSecurity('http://id.test', true) }
    const { headers } = await runEndpoint(endpoint(), sampleRequest(), plain)
    expect(Object.fromEntries(headers)['strict-transport-security']).toBeUndefined()
  })
})
