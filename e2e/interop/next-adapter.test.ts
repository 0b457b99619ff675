// The Next adapter (docs/adr/0002): `next start` alone, on a PostgreSQL, is the same server, as on platforms that run `next
// build` only.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LOGIN_SCREENS, screenPath } from '../../lib/pages/screens'
import { PORTAL_PAGES } from '../../lib/pages/view'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PASSWORD, PEOPLE } from '../people'
import { HttpBrowser, hiddenFields, landing, signIn, signInAt } from './support/http-browser'
import { launchNext, outcomeOf, type ServerProcess, startNext } from './support/server-process'
import { type SharedDatabase, shareServedDatabase } from './support/shared-database'
import { authorizeRequest, CALLBACK, FAREWELL, redeem, refresh, samlRequest } from './support/tenant'

const { kim, wren } = PEOPLE
const CLIENT = 'e2e-spa'
const FORGED = '203.0.113.66'

let database: SharedDatabase
let server: ServerProcess
let origin: string

beforeAll(async () => {
  database = await shareServedDatabase()
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startNext({ ...database.settings, LATCHKEY_LOG_LEVEL: 'info', APP_URL: origin }, port)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await database?.remove()
})

/** Reads the whole response: Next's shutdown waits a minute for a response that is not read. */
async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(origin + path, { redirect: 'manual', ...init })
  await answer.clone().arrayBuffer()
  return answer
}

/** The login page of a new request, as it is sent. */
async function loginPage(extra: Record<string, string> = {}) {
  const browser = new HttpBrowser()
  const { location } = await browser.get(authorizeRequest(origin, extra).url)
  const state = new URL(location ?? '').searchParams.get('state') ?? ''
  return { browser, state, ...(await browser.get(location ?? '')) }
}

/** The login page of the endpoint, once Next leads there. */
async function plainLoginPage(): Promise<Response> {
  const { browser, location } = await vi.waitFor(async () => {
    const page = await loginPage()
    expect(page.location).toContain('/u/plain/login?')
    return page
  }, 10_000)
  const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ')
  return ask(location ?? '', { headers: { cookie } })
}

/** The login page once its policy has `source`. A change of the database arrives as a notification (docs/adr/0017). */
const pageOnceChanged = (source: string): Promise<Response> =>
  vi.waitFor(async () => {
    const page = await plainLoginPage()
    expect(page.headers.get('content-security-policy')).toContain(source)
    return page
  }, 10_000)

it('leads a user from /authorize to tokens, user-info, refresh, single sign-on and logout', async () => {
  const browser = new HttpBrowser()
  const { url, verifier } = authorizeRequest(origin)
  const callback = await signIn(browser, url, kim.email)
  expect(callback.searchParams.get('state')).toBe('state-of-the-app')

  const { status, body } = await redeem(origin, CLIENT, callback, verifier)
  expect(status).toBe(200)
  const user = await ask('/userinfo', { headers: { authorization: `Bearer ${body.access_token}` } })
  expect(await user.json()).toMatchObject({ name: kim.name, email: kim.email })
  expect(await refresh(origin, CLIENT, body.refresh_token)).toMatchObject({ status: 200 })

  const silent = await signIn(browser, authorizeRequest(origin, { prompt: 'none' }).url, kim.email)
  expect(silent.searchParams.get('code')).toBeTruthy()
  const bye = await browser.get(`${origin}/v2/logout?client_id=${CLIENT}&returnTo=${encodeURIComponent(FAREWELL)}`)
  expect(bye.location).toBe(FAREWELL)
  const after = await signIn(browser, authorizeRequest(origin, { prompt: 'none' }).url, kim.email)
  expect(after.searchParams.get('error')).toBe('login_required')
})

it('leads into the account portal, through its pages, and changes the profile', async () => {
  const browser = new HttpBrowser()
  const started = `${origin}/account?connection=People`
  const landed = await signInAt(browser, landing(await browser.get(started), started), kim.email)
  expect(landed.href).toBe(`${origin}/account/profile`)
  for (const page of PORTAL_PAGES.filter((name) => name !== 'passkeys')) {
    expect([page, (await browser.get(`${origin}/account/${page}`)).status]).toEqual([page, 200])
  }
  const { html } = await browser.get(landed.href)
  const form = { ...hiddenFields(html), action: 'save', name: kim.name }
  expect((await browser.post(landed.href, form)).location).toBe(`${origin}/account/profile?notice=portal_saved`)
})

it('sends an answer in a fragment and in a form as well', async () => {
  const browser = new HttpBrowser()
  const inFragment = await signIn(browser, authorizeRequest(origin, { response_mode: 'fragment' }).url, kim.email)
  expect(inFragment.href.startsWith(`${CALLBACK}#`)).toBe(true)
  expect(inFragment.hash).toContain('code=')
  const form = await browser.get(authorizeRequest(origin, { response_mode: 'form_post' }).url)
  expect(form).toMatchObject({ status: 200, html: expect.stringContaining(`action="${CALLBACK}"`) })
})

it('reads XML on a thread of its own', async () => {
  const { status, location } = await new HttpBrowser().get(samlRequest(origin))
  expect([status, location]).toEqual([302, expect.stringContaining('/u/login')])
  expect((await new HttpBrowser().get(samlRequest(origin, '<x>'))).status).toBe(400)
})

describe('a hosted page', () => {
  it('is a complete document with its own policy, in the requested language', async () => {
    const { browser, status, html, state } = await loginPage({ ui_locales: 'ar' })
    expect(status).toBe(200)
    expect(html).toMatch(/<html[^>]* lang="ar"[^>]* dir="rtl"/)
    expect(html).toContain(`value="${state}"`)
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head).toMatch(/<title>[^<]+ · [^<]+<\/title>/)

    const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ')
    const { headers } = await ask(`/u/login?state=${state}`, { headers: { cookie } })
    const nonce = /script-src 'nonce-([\w-]+)'/.exec(headers.get('content-security-policy') ?? '')?.[1]
    expect(nonce).toHaveLength(22)
    expect(headers.get('content-security-policy')).not.toContain('form-action')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('belongs to the browser that began', async () => {
    const { state } = await loginPage()
    const { browser } = await loginPage()
    const elsewhere = await browser.get(`${origin}/u/login?state=${state}`)
    expect(elsewhere.location).toBe(`/u/plain/login?state=${state}`)
    expect((await browser.get(origin + elsewhere.location)).status).toBe(403)
  })

  it('says after a wrong password what was wrong', async () => {
    const { browser, state } = await loginPage()
    const form = { state, action: 'login', username: wren.email, password: 'not it' }
    const again = await browser.post(`${origin}/u/submit`, form)
    expect(again).toMatchObject({ status: 303, location: expect.stringContaining('notice=wrong_credentials') })
    const { html } = await browser.get(again.location ?? '')
    expect(html).toContain('role="alert"')
    expect(html).toContain(wren.email)
    const right = await browser.post(`${origin}/u/submit`, { ...form, password: PASSWORD })
    expect(right.location).toContain('code=')
  })

  it('redirects to the screen that is due', async () => {
    const { browser, state } = await loginPage()
    const { status, location } = await browser.get(`${origin}/u/consent?state=${state}`)
    expect(status).toBe(307)
    expect(location).toBe(`${origin}/u/login?state=${state}`)
  })

  it.each(LOGIN_SCREENS.map(screenPath))('refuses a bookmarked %s in words, with a 400', async (path) => {
    const first = await ask(path)
    expect(first.status).toBe(307)
    const answer = await ask(first.headers.get('location') ?? '')
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  it('only reads: anything else is refused by its endpoint', async () => {
    const answer = await ask('/u/login', { method: 'POST', body: new URLSearchParams({ state: 'x' }) })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, OPTIONS')
  })

  it('keeps the query as it was sent on the way to the endpoint', async () => {
    const answer = await ask('/u/unblock?ticket=a&ticket=b')
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('ticket')
  })

  it('finds its style sheet and script', async () => {
    const { html } = await loginPage()
    const own = html.match(/(?<=(href|src)=")\/[^"]+\.(css|js)(?=")/g) ?? []
    expect(own).toContain('/comfort.js')
    for (const path of [...own, '/hosted.css']) expect([path, (await ask(path)).status]).toEqual([path, 200])
  })
})

it('permits the origins of a third party’s captcha on its page, and no others', async () => {
  const pool = new Pool({ connectionString: database.url })
  const { rows } = await pool.query<{ settings: object }>('SELECT settings FROM tenant')
  onTestFinished(async () => {
    await pool.query('UPDATE tenant SET settings = $1', [rows[0]?.settings])
    await pool.end()
  })
  const attackProtection = {
    botDetection: { challenge_password_policy: 'always' },
    captcha: { active_provider_id: 'turnstile', turnstile: { site_key: 'the-site-key', secret: 'sealed' } },
  }
  await pool.query('UPDATE tenant SET settings = $1', [{ ...rows[0]?.settings, attackProtection }])
  const answer = await pageOnceChanged("script-src 'self' https://challenges.cloudflare.com;")
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(await answer.text()).toContain('data-sitekey="the-site-key"')
  expect(policy).toContain('frame-src https://challenges.cloudflare.com;')
  expect(policy).not.toMatch(/hcaptcha|google/)
})

it.each(['/authorize?client_id=x', '/account?connection=People', '/u/login?state=x'])(
  'leads a browser that opened %s at another name of this machine to APP_URL, before a cookie',
  async (path) => {
    const answer = await fetch(origin.replace('localhost', '127.0.0.1') + path, { redirect: 'manual' })
    await answer.arrayBuffer()
    const { status, headers } = answer
    expect([headers.get('location'), headers.get('set-cookie')]).toEqual([origin + path, null])
    expect([302, 307]).toContain(status)
  },
)

it('shows the theme of a tenant, and permits its font and no other', async () => {
  const pool = new Pool({ connectionString: database.url })
  onTestFinished(async () => {
    await pool.query(`DELETE FROM document WHERE kind = 'theme'`)
    await pool.end()
  })
  const theme = { fonts: { font_url: 'https://cdn.test/f.woff2' }, colors: { primary_button: '#123456' } }
  await pool.query(
    `INSERT INTO document (tenant_id, kind, id, body, created_at, updated_at)
    SELECT id, 'theme', 'default', $1, now(), now() FROM tenant`,
    [theme],
  )
  const answer = await pageOnceChanged('font-src https://cdn.test/f.woff2; ')
  const html = await answer.text()
  expect(html).toContain('--fill:#123456')
  expect(html).toContain('href="/themed.css"')
  expect((await ask('/themed.css')).status).toBe(200)
})

describe('a foreign address (threat-model.md BF12)', () => {
  const rawAnswer = (target: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { host, port } = new URL(origin)
      const headers = { host, connection: 'close' }
      request({ host: 'localhost', port, path: target, headers }, (answer) => resolve(answer.resume()))
        .on('error', reject)
        .end()
    })

  it.each([
    'http://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '/nothing/here',
    '/u/nothing',
    '/u/plain/submit',
    '/u/login/more',
  ])('%s is a page with every header, and leads nowhere', async (target) => {
    const { statusCode, headers } = await rawAnswer(target)
    expect([statusCode, headers.location]).toEqual([404, undefined])
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
  })

  it('is not framed or sniffed where Next answers by itself', async () => {
    const { headers } = await ask('/_next/static/nothing.js')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('an endpoint', () => {
  it('answers browsers with an error page if the redirect target is not validated', async () => {
    const { status, html } = await new HttpBrowser().get(
      authorizeRequest(origin, { redirect_uri: 'https://evil.test/cb' }).url,
    )
    expect(status).toBe(400)
    expect(html).toContain('<!doctype html>')
    expect(html).toContain('/hosted.css')
  })

  it('refuses a repeated parameter, whichever came first', async () => {
    const { url } = authorizeRequest(origin)
    const { status, html } = await new HttpBrowser().get(`${url}&state=again`)
    expect(status).toBe(400)
    expect(html).toContain('state')
  })

  it('refuses a body that is too large in its own format', async () => {
    const answer = await ask('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ code: 'x'.repeat(200_000) }),
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: 'payload_too_large' })
  })

  it('answers other origins as its table says, and no others', async () => {
    const preflight = await ask('/oauth/token', { method: 'OPTIONS', headers: { origin: 'https://app.e2e.test' } })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    expect((await ask('/authorize')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answers HEAD like GET, without the body', async () => {
    const path = '/.well-known/openid-configuration'
    const [head, get] = await Promise.all([ask(path, { method: 'HEAD' }), ask(path)])
    expect([head.status, head.headers.get('cache-control')]).toEqual([200, get.headers.get('cache-control')])
    expect(await head.text()).toBe('')
    expect(await get.json()).toMatchObject({ issuer: `${origin}/` })
  })

  it('takes the client’s address from the socket only', async () => {
    const headers = { 'x-forwarded-for': FORGED, 'x-real-ip': FORGED, 'x-latchkey-socket': FORGED }
    const lines = () => server.output().match(/"endpoint":"userinfo".*\n/g)?.length ?? 0
    const before = lines()
    await ask('/userinfo', { headers })
    await expect.poll(lines).toBeGreaterThan(before)
    expect(server.output()).not.toContain(FORGED)
  })

  it('is alive and ready, and shows no outbox outside demo mode', async () => {
    expect((await ask('/healthz')).status).toBe(200)
    expect(await (await ask('/readyz')).json()).toMatchObject({ status: 'ready' })
    expect((await ask('/dev/outbox.json')).status).toBe(404)
    expect((await ask('/dev/outbox')).status).toBe(404)
    expect((await ask('/demo')).status).toBe(404)
  })
})

describe('in demo mode', () => {
  let demo: ServerProcess
  let port: number

  beforeAll(async () => {
    port = await freePort()
    const settings = { ...database.settings, LATCHKEY_HOST: '127.0.0.1', LATCHKEY_DEMO: '1' }
    demo = await startNext({ ...settings, APP_URL: `http://localhost:${port}` }, port)
  })
  afterAll(() => demo?.end('SIGTERM'))

  /** `fetch` cannot send a different Host header. */
  async function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }).end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }

  it.each(['/demo', '/dev/outbox', '/dev/outbox.json', '/doctor'])(
    'shows %s under the names of this machine alone',
    async (path) => {
      for (const name of ['localhost', '127.0.0.1']) expect(await statusOf(path, { host: `${name}:${port}` })).toBe(200)
      const rebound = { host: `evil.test:${port}`, 'x-forwarded-host': `localhost:${port}` }
      expect(await statusOf(path, rebound)).toBe(404)
    },
  )
})

describe('without a database', () => {
  let cut: ReturnType<typeof launchNext>
  let there: string

  beforeAll(async () => {
    const port = await freePort()
    there = `http://localhost:${port}`
    const nowhere = `postgresql://nobody:nothing@127.0.0.1:${await freePort()}/none`
    const settings = { ...database.settings, LATCHKEY_HOST: '127.0.0.1', LATCHKEY_DEMO: '1', DATABASE_URL: nowhere }
    cut = launchNext({ ...settings, APP_URL: there }, port)
    const listens = () =>
      fetch(`${there}/_next/nothing`).then(
        () => true,
        () => false,
      )
    await vi.waitUntil(listens, { timeout: 120_000, interval: 250 })
  })
  afterAll(() => cut?.end('SIGTERM'))

  it.each(['/', '/demo', '/dev/outbox', '/u/login?state=x'])(
    '%s is a page of this server that says so, with a 503',
    async (path) => {
      const first = await fetch(there + path, { redirect: 'manual' })
      expect(first.status).toBe(307)
      const answer = await fetch(new URL(first.headers.get('location') ?? '', there), { redirect: 'manual' })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(await answer.text()).toContain('We’re very busy right now')
    },
  )
})

it('leads back to a page that can be read again, and nowhere else', async () => {
  const leads = async (at: string) => {
    const { status, headers } = await ask(`/u/plain/page?${new URLSearchParams({ at })}`)
    return [status, headers.get('location')]
  }
  expect(await leads('/dev/outbox')).toEqual([303, '/dev/outbox'])
  for (const at of ['https://evil.test/', '//evil.test', '/authorize']) expect(await leads(at)).toEqual([303, '/'])
})

it('refuses to start on wrong settings, in sentences', async () => {
  const { code, output } = await outcomeOf(launchNext({ LATCHKEY_SECRETS: 'x' }, await freePort()))
  expect(code).toBe(1)
  expect(output).toContain('LATCHKEY_SECRETS is not a setting')
})

it('writes JSON lines, after the banner of Next, which nothing can silence', async () => {
  const port = await freePort()
  const settings = { ...database.settings, LATCHKEY_LOG_LEVEL: 'info', APP_URL: `http://localhost:${port}` }
  const own = await startNext(settings, port)
  onTestFinished(() => void own.end('SIGTERM'))
  expect((await fetch(`${own.url}/userinfo`)).status).toBe(401)
  await expect.poll(own.output).toContain('"endpoint":"userinfo"')
  const lines = own.output().trimEnd().split('\n')
  const first = lines.findIndex((line) => line.startsWith('{'))
  const BANNER = /^(?:▲ Next\.js |- (?:Local|Network): |✓ (?:Ready in|Running next\.config\.js took) |$)/
  expect(lines.slice(0, first).filter((line) => !BANNER.test(line))).toEqual([])
  expect(first).toBeLessThanOrEqual(6)
  for (const line of lines.slice(first)) expect(() => JSON.parse(line), line).not.toThrow()
})
