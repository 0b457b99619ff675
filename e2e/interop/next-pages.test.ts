// Fuzzing of the pages that Next renders, on both adapters of the production build (threat-model.md BF5, BF12, BF23, HT1): no input
// causes a 5xx, and every answer has the product's headers. Seeded, so failures are reproducible.
import { connect } from 'node:net'
import fc from 'fast-check'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMIT_NAMES } from '../../lib/data/rate-limit/limits'
import { freePort } from '../../lib/testing/free-port.mjs'
import { ADA } from '../people'
import { HttpBrowser, landing, signInAt } from './support/http-browser'
import { type ServerProcess, type Settings, startNext, startServer } from './support/server-process'
import { type SharedDatabase, shareDatabase } from './support/shared-database'

const RUNS = 1500
const BOUNDARY = '----WebKitFormBoundaryxm2q4WSbuNHtS4yR'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

/** One of the words. */
const oneOf = (...texts: string[]) => fc.constantFrom(...texts.flatMap((text) => text.split(' ')))

const ADAPTERS = [
  ['Node', (settings: Settings, port: number) => startServer(settings, port)],
  ['Next', startNext],
] as const

let database: SharedDatabase
beforeAll(async () => {
  database = await shareDatabase()
})
afterAll(() => database?.remove())

describe.each(ADAPTERS)('behind the %s adapter', (_adapter, start) => {
  let server: ServerProcess
  let origin: string
  /** Of an owner who is signed in to the console. */
  let cookie: string
  /** Ids of server actions, which everyone finds in the pages. */
  let actions: string[]

  beforeAll(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    const { DATABASE_URL = '', LATCHKEY_SECRET = '', LATCHKEY_HOST = '' } = database.settings
    const settings = { DATABASE_URL, LATCHKEY_SECRET, LATCHKEY_HOST, LATCHKEY_DEMO: '1', APP_URL: origin }
    server = await start(settings, port)
    await withoutLimits()
    const browser = new HttpBrowser()
    await enter(browser)
    cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ')
    const { html } = await browser.get(`${origin}/console/settings`)
    actions = [...new Set(html.match(/(?<=\$ACTION_ID_)[0-9a-f]{42}|(?<=&quot;id&quot;:&quot;)[0-9a-f]{42}/g) ?? [])]
    expect(actions.length).toBeGreaterThan(1)
  })
  afterAll(() => server?.end('SIGTERM'))

  async function withoutLimits(): Promise<void> {
    const pool = new Pool({ connectionString: database.url })
    const rate_limits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, false]))
    await pool.query(
      `UPDATE tenant SET settings = jsonb_set(settings, '{tenant}', coalesce(settings->'tenant', '{}') || $1::jsonb)`,
      [JSON.stringify({ rate_limits })],
    )
    await pool.end()
  }

  async function enter(browser: HttpBrowser): Promise<void> {
    let place = new URL('/console?connection=Username-Password-Authentication', origin)
    for (let hop = 0; place.pathname !== '/u/login'; hop++) {
      if (hop > 5) throw new Error(`no login page but ${place}`)
      place = landing(await browser.get(place.href), place.href)
    }
    const callback = await signInAt(browser, place, ADA.email, ADA.password)
    expect((await browser.get(callback.href)).location).toBe(`${origin}/console`)
  }

  type Sent = { method: string; target: string; headers: Record<string, string>; body: string | null }
  type Answer = { status: number; headers: string; body: string }

  /** Raw bytes: HTTP clients refuse or mend what is sent here. */
  async function send({ method, target, headers, body }: Sent): Promise<Answer> {
    const socket = connect(server.port, '127.0.0.1')
    const bytes = body === null ? null : Buffer.from(body, 'latin1')
    const all = {
      host: new URL(origin).host,
      connection: 'close',
      ...headers,
      ...(bytes ? { 'content-length': String(bytes.length) } : {}),
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    if (bytes) socket.write(bytes)
    const text = Buffer.concat(await socket.toArray()).toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
    return { status, headers: text.slice(0, end).toLowerCase(), body: text.slice(end + 4) }
  }

  const ask = (method: string, target: string, headers: Record<string, string> = {}, body: string | null = null) =>
    send({ method, target, headers, body })

  const part = (name: string, value: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const formOf = (...fields: (readonly [string, string])[]): string =>
    `${fields.map(([name, value]) => part(name, value)).join('')}--${BOUNDARY}--\r\n`

  /** What Next's own parser of HTTP refuses before the edge has no headers of this server under `next start`. */
  function expectProper({ status, headers, body }: Answer): void {
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
    expect(headers).toContain('x-content-type-options: nosniff')
    if (headers.includes('content-type: text/html')) expect(headers).toContain('content-security-policy: ')
    if (status >= 400) expect(headers).toMatch(/cache-control: .*no-store/)
    expect(/^location: (\S*)/m.exec(headers)?.[1] ?? '').not.toMatch(/^(?:https?:)?\/\/evil\.test/)
    expect(body).not.toContain('<script>alert')
  }

  const PAGES = ['/', '/demo', '/dev/outbox', '/console', '/console/users', '/console/join', '/console/nothing']

  it.each(PAGES)('answers odd methods, foreign posts and broken paths at %s with a 4xx', async (page) => {
    const isConsole = page.startsWith('/console')
    for (const method of ['TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
      const answer = await ask(method, page, { cookie })
      expect([method, answer.status]).toEqual([method, 405])
      expect(answer.headers).toMatch(isConsole ? /^allow: get, post$/m : /^allow: get$/m)
      expectProper(answer)
    }
    for (const source of ['https://evil.test', 'null', 'garbage', 'http://[', 'http://localhost:1'])
      for (const type of [MULTIPART, 'application/x-www-form-urlencoded', 'text/plain']) {
        const answer = await ask('POST', page, { cookie, origin: source, 'content-type': type }, formOf(['a', 'b']))
        expect([source, answer.status]).toEqual([source, isConsole ? 403 : 405])
        expectProper(answer)
      }
    for (const broken of ['%E0%A4%A', '%ff', '%', '%zz', '%00', '%ED%A0%80']) {
      const answer = await ask('GET', `${page === '/' ? '' : page}/${broken}`, { cookie })
      expect([broken, answer.status]).toEqual([broken, 400])
      expectProper(answer)
    }
  })

  it('the server passes the forms of its own pages, and refuses broken ones', async () => {
    const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'content-type': MULTIPART }
    for (const action of actions) {
      const whole = formOf(['_1_theme', 'dark'], ['0', '["$K1"]'])
      expectProper(await ask('POST', '/console/settings', { ...own, 'next-action': action }, whole))
      expectProper(await ask('POST', '/console/settings', own, formOf([`$ACTION_ID_${action}`, ''], ['theme', 'dark'])))
      for (const args of ['{', '["$1:then"]', '["$F1"]', '[{"then":"$@0"},"$K1"]', '['.repeat(9999), '[null]']) {
        const answer = await ask('POST', '/console', { ...own, 'next-action': action }, formOf(['0', args]))
        expectProper(answer)
        if (args !== '[null]') expect([args.slice(0, 20), answer.status]).toEqual([args.slice(0, 20), 400])
      }
    }
    for (const id of ['x', '', '0'.repeat(42), '__proto__']) {
      const answer = await ask('POST', '/console', { ...own, 'next-action': id }, formOf(['0', '["$K1"]']))
      expectProper(answer)
      expect([id, answer.status >= 400]).toEqual([id, true])
    }
  })

  it('does what a form of its own page says', async () => {
    const theme = formOf([`$ACTION_ID_${actions.at(-1)}`, ''], ['theme', 'dark'])
    const done = await Promise.all(
      actions.map((id) =>
        ask('POST', '/console', { cookie, origin, 'content-type': MULTIPART }, theme.replace(actions.at(-1) ?? '', id)),
      ),
    )
    expect(done.some(({ headers }) => headers.includes('latchkey-console.theme=dark'))).toBe(true)
  })

  it('shows what is missing in the look of the console, and what is unknown in the format around it', async () => {
    const missing = await ask('GET', '/console/nothing/here', { cookie })
    expect([missing.status, missing.body.includes('co-frame')]).toEqual([404, true])
    const nonce = /'nonce-([\w-]+)'/i.exec(missing.headers)?.[1] ?? 'none'
    for (const [, attributes = ''] of missing.body.matchAll(/<script([^>]*)>/g))
      expect(attributes.toLowerCase()).toContain(`nonce="${nonce}"`)
    const stranger = await ask('GET', '/console/nothing/here')
    expect(stranger.headers).toContain('location: /console/auth/sign-in?to=%2fconsole%2fnothing%2fhere')
    for (const action of ['nothing', 'callback', 'callback/other', 'session', 'providers', 'sign%2Dout', '']) {
      const unknown = await ask('GET', `/console/auth/${action}`, { cookie })
      expectProper(unknown)
      expect([action, unknown.status, unknown.headers.includes('set-cookie')]).toEqual([action, 404, false])
    }
    const problem = await ask('GET', '/me/v1/nothing')
    expect([
      problem.status,
      JSON.parse(problem.body.slice(problem.body.indexOf('{'), problem.body.lastIndexOf('}') + 1)),
    ]).toEqual([404, expect.objectContaining({ title: 'Not Found' })])
  })

  const segment = oneOf(
    '%E0%A4%A %ff %00 %2F %5C %252e ..; . .. %2e%2e [id] $ __proto__ * ; "<script>alert(1)</script> a.rsc a.json auth users new logs',
    'applications %F0%9F%98%80 _next a%0d%0ab',
    'x'.repeat(3000),
  )
  const page = oneOf(PAGES.join(' '), '/console/auth /_next /_next/image /_next/data /u/login /me/v1 /nothing')
  const query = fc.oneof(
    fc.constant(''),
    oneOf(
      '?a=%ff ?a=%E0%A4%A&a=1 ?done=__proto__ ?ticket=%00 ?page=-1&page=x ?_rsc=x ?url=%2F%2Fevil.test&w=64&q=75 ?to=//evil.test',
      '?to=http://[ ?q=%ED%A0%80 ?connection=%00 ?% ?q[]=1&__proto__=2',
      `?${'a&'.repeat(2000)}`,
    ),
  )
  const target = fc
    .tuple(page, fc.array(segment, { maxLength: 2 }), query)
    .map(([start, segments, search]) => [start, ...segments].join('/') + search)
  const header = oneOf(
    'origin sec-fetch-site content-type next-action rsc next-router-state-tree next-url next-router-prefetch accept accept-language',
    'x-forwarded-host x-forwarded-proto x-latchkey-address x-middleware-subrequest x-nextjs-data x-matched-path x-invoke-path cookie range',
    'next-router-segment-prefetch content-encoding',
  )
  const value = fc.oneof(
    oneOf(
      '1 null same-origin cross-site https://evil.test %E0%A4%A %5B%22%22%5D { //evil.test a,b multipart/form-data text/plain =;;=% gzip',
      'application/x-www-form-urlencoded text/x-component /_tree latchkey-console.session=%E0%A4%A',
      '0'.repeat(42),
      'x'.repeat(3000),
    ),
    fc.constantFrom('', MULTIPART),
    fc.nat().map((place) => `@${place}`),
  )
  const headers = fc.dictionary(header, value, { maxKeys: 4 })
  const field = fc.tuple(
    oneOf('0 1 _1_theme _1__operation _1__params $ACTION_KEY $ACTION_REF_1 $ACTION_1:0 @ a\0'),
    fc.oneof(
      fc.constant(''),
      oneOf('["$K1"] [{"status":"new"},"$K1"] {"id":"x","bound":"$@1"} clients.update {"id":[1]} __proto__'),
    ),
  )
  const body = fc.option(
    fc.oneof(
      fc.constant(''),
      oneOf('[] { ["$K1"] a=b', `--${BOUNDARY}`, 'x'.repeat(200_000)),
      fc.array(field, { maxLength: 4 }).map((fields) => formOf(...fields)),
    ),
  )
  const sent = fc.record({
    method: oneOf('GET GET GET POST POST HEAD PUT DELETE OPTIONS TRACE PROPFIND'),
    target,
    headers,
    body,
    isOwn: fc.boolean(),
    isSignedIn: fc.boolean(),
  })

  it('survives whatever is sent', async () => {
    const named = (text: string): string =>
      text.replace(/^@(\d+)$/, (_all, place) => actions[Number(place) % actions.length] ?? '')
    const property = fc.asyncProperty(sent, async ({ method, isOwn, isSignedIn, ...given }) => {
      const claimed = Object.entries(given.headers).map(([name, value]) => [name, named(value)])
      const own = isOwn ? { origin, 'sec-fetch-site': 'same-origin', 'content-type': MULTIPART } : {}
      const filled = given.body?.replaceAll('name="@"', `name="$ACTION_ID_${actions[0]}"`) ?? null
      const all = { ...Object.fromEntries(claimed), ...own, ...(isSignedIn ? { cookie } : {}) }
      expectProper(await ask(method, given.target, all, method === 'GET' || method === 'HEAD' ? null : filled))
    })
    await fc.assert(property, { numRuns: RUNS, seed: 20261125 })
  })

  it('the server logs no unexpected error', () => {
    expect(server.output().match(/⨯|TypeError|"level":"error".*/g) ?? []).toEqual([])
  })
})
