import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readInbox } from '../../../data/outbox/inbox'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  submitPassword,
} from '../../../testing/journey'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const SESSION = '__Host-latchkey_session'
const BINDING = '__Host-latchkey_browser'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', username: 'kimmy' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await server.addUser({ id: 'ann', email: 'ann@mail.test', blocked: true })
  await server.addUser({ id: 'bare', email: 'bare@mail.test', password: null })
})
afterAll(() => server.close())
beforeEach(() => {
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
})

const pageOf = (state: string, from: Browser = browser): Promise<TestResponse> =>
  from.get('/u/login', { query: { state } })
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const cookieOf = (answer: TestResponse, name: string): string | undefined =>
  answer.headers.find(([header, value]) => header === 'set-cookie' && value.startsWith(`${name}=`))?.[1]
const hasCode = (answer: TestResponse): boolean => locationOf(answer).searchParams.has('code')

describe('signing in', () => {
  it.each(['kim@mail.test', 'KIM@MAIL.TEST', '  kim@mail.test ', 'kimmy', 'KimmY'])(
    'a user signs in as %j (threat-model.md DB3)',
    async (name) => {
      expect((await signIn(browser, name)).get('code')).toBeTruthy()
    },
  )

  it.each([
    ['a look-alike', 'kim@mail.test'.replace('i', '\u0456')],
    ['a full-width address', 'kim\uff20mail.test'],
    ['an address with a plus', 'kim+x@mail.test'],
    ['SQL', `' OR '1'='1`],
    ['a pattern', 'kim%'],
  ])('an identifier is refused: %s', async (_name, identifier) => {
    const state = await beginLogin(browser)
    expect(noticeOf(await submitPassword(browser, state, identifier))).toBe('wrong_credentials')
  })

  it.each([
    ['a space after it', `${PASSWORD} `],
    ['another case', PASSWORD.toUpperCase()],
    ['a prefix', PASSWORD.slice(0, -1)],
    ['more than any password has', PASSWORD.padEnd(5000, 'x')],
  ])('a password is refused: %s', async (_name, password) => {
    const state = await beginLogin(browser)
    expect(noticeOf(await submitPassword(browser, state, 'kim@mail.test', password))).toBe('wrong_credentials')
  })

  it.each([
    ['', '', 'missing_credentials'],
    ['   ', '', 'missing_credentials'],
    ['', 'x', 'missing_identifier'],
    ['kim@mail.test', '', 'missing_password'],
  ])('says what is missing of %j and %j', async (username, password, notice) => {
    const state = await beginLogin(browser)
    expect(noticeOf(await submitPassword(browser, state, username, password))).toBe(notice)
  })

  it('keeps what was typed, except the password, and takes an emoji that is cut in half', async () => {
    const state = await beginLogin(browser)
    const answer = await submitPassword(browser, state, `${'k'.repeat(319)}\u{1f600}`, 'a secret that is wrong')
    expect([answer.status, noticeOf(answer)]).toEqual([303, 'wrong_credentials'])
    const page = await browser.get(locationOf(answer).href)
    expect(page.text).toContain('k'.repeat(319))
    expect(page.text).not.toContain('a secret that is wrong')
  })
})

describe('unknown, wrong and blocked look alike (threat-model.md SE5)', () => {
  it('unknown, wrong and blocked users get the same status, headers and page', async () => {
    const shown = async (name: string, password?: string) => {
      const own = server.browser()
      const state = await beginLogin(own)
      const answer = await submitPassword(own, state, name, password)
      const page = await own.get(locationOf(answer).href)
      const plain = (text: string) =>
        text
          .replaceAll(state, 'STATE')
          .replaceAll(name, 'NAME')
          .replace(/nonce="[^"]*"/g, '')
      return {
        status: answer.status,
        to: plain(answer.header('location') ?? ''),
        page: plain(page.text),
        pageStatus: page.status,
      }
    }
    const wrong = await shown('kim@mail.test', 'wrong')
    expect(wrong.to).toContain('notice=wrong_credentials')
    expect(await shown('nobody@mail.test')).toEqual(wrong)
    expect(await shown('ann@mail.test')).toEqual(wrong)
    expect(await shown('bare@mail.test')).toEqual(wrong)
  })
})

describe('the login page', () => {
  it('carries the policy of hosted pages and no cache (threat-model.md SE1)', async () => {
    const answer = await pageOf(await beginLogin(browser))
    const policy = answer.header('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "script-src 'self'",
    ]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(answer.header('x-content-type-options')).toBe('nosniff')
    expect(answer.header('referrer-policy')).toBe('same-origin')
    expect(answer.header('cache-control')).toBe('no-store')
    expect(Number(/max-age=(\d+)/.exec(answer.header('strict-transport-security') ?? '')?.[1])).toBeGreaterThanOrEqual(
      31_536_000,
    )
  })

  it('has a new style nonce every time', async () => {
    const state = await beginLogin(browser)
    const nonces = await Promise.all(
      [0, 1].map(async () => /nonce-([^']+)/.exec((await pageOf(state)).header('content-security-policy') ?? '')?.[1]),
    )
    expect(new Set(nonces).size).toBe(2)
  })

  it('posts natively, with the fields a password manager knows', async () => {
    const { text } = await pageOf(await beginLogin(browser))
    expect(text).toMatch(
      /<form[^>]+method="post"[^>]*action="\/u\/submit"|<form[^>]+action="\/u\/submit"[^>]*method="post"/,
    )
    expect(text).toContain('name="username"')
    expect(text).toContain('autocomplete="current-password"')
    expect(text).toMatch(/name="state" value="[\w-]{43}spa"/)
  })

  it.each([
    ['ui_locales', { ui_locales: 'de' }, {}, 'lang="de"'],
    ['Accept-Language', {}, { 'accept-language': 'fr-CA,fr;q=0.9' }, 'lang="fr"'],
    ['a language written from the right', { ui_locales: 'ar' }, {}, 'dir="rtl"'],
  ])('speaks the language of %s', async (_name, extra, headers, expected) => {
    const state = await beginLogin(browser, extra)
    expect((await browser.get('/u/login', { query: { state }, headers })).text).toContain(expected)
  })

  it('shows no notice that is not one of this server', async () => {
    const state = await beginLogin(browser)
    const { text } = await browser.get('/u/login', { query: { state, notice: '<script>alert(1)</script>' } })
    expect(text).not.toContain('alert(1)')
  })

  it('redirects to the screen that is due', async () => {
    const state = await beginLogin(browser)
    const answer = await browser.get('/u/consent', { query: { state } })
    expect([answer.status, locationOf(answer).pathname]).toEqual([303, '/u/login'])
  })
})

describe('the transaction is bound to the browser that began it (threat-model.md SE4)', () => {
  it('a transaction is worth nothing in another browser, on the page or in the form', async () => {
    const state = await beginLogin(browser)
    const other = server.browser()
    await beginLogin(other)
    const answers = [await pageOf(state, other), await submitPassword(other, state, 'kim@mail.test')]
    for (const answer of answers) {
      expect([answer.status, answer.header('location'), cookieOf(answer, SESSION)]).toEqual([403, undefined, undefined])
      expect(answer.text).toContain('another browser')
    }
  })

  it('a browser that keeps no cookies is informed, with an offer to start again', async () => {
    const state = await beginLogin(browser)
    const answer = await pageOf(state, server.browser())
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('cookies')
    expect(answer.text).toContain('/authorize?')
  })

  it('a transaction is posted only', async () => {
    const state = await beginLogin(browser)
    const query = { state, action: 'login', username: 'kim@mail.test', password: PASSWORD }
    expect((await browser.get('/u/submit', { query })).status).toBe(405)
  })

  it('a transaction stores neither its handle nor its cookie in plain', async () => {
    const state = await beginLogin(browser)
    const { rows } = await server.database.pool.query('SELECT t::text AS row FROM login_transaction t')
    const dump = JSON.stringify(rows)
    expect(dump).not.toContain(state)
    expect(dump).not.toContain(browser.cookies.get(BINDING))
  })
})

describe('several tabs', () => {
  it('several tabs each finish their own attempt', async () => {
    const first = await beginLogin(browser, { state: 'first' })
    const second = await beginLogin(browser, { state: 'second' })
    expect(locationOf(await submitPassword(browser, first, 'kim@mail.test')).searchParams.get('state')).toBe('first')
    expect(locationOf(await submitPassword(browser, second, 'kim@mail.test')).searchParams.get('state')).toBe('second')
  })

  it('a form that is sent twice finishes once; the second time lands on a page that leads on', async () => {
    const state = await beginLogin(browser)
    const answers = await Promise.all([0, 1].map(() => submitPassword(browser, state, 'kim@mail.test')))
    expect(answers.filter(hasCode)).toHaveLength(1)
    const again = await submitPassword(browser, state, 'kim@mail.test')
    expect(again.status).toBe(400)
    expect(again.text).toContain('already finished')
    expect(again.text).toContain('/authorize?')
  })

  it('an action of a screen that is not due changes nothing', async () => {
    const state = await beginLogin(browser)
    for (const action of ['accept', 'continue', 'toString', '', 'deny']) {
      const answer = await browser.post('/u/submit', {
        form: { state, action, username: 'kim@mail.test', password: PASSWORD },
      })
      expect([answer.status, locationOf(answer).pathname], action).toEqual([303, '/u/login'])
    }
  })
})

describe('the URLs to which a user can return', () => {
  it('an attempt that took longer than an hour leads to the start of the app', async () => {
    const state = await beginLogin(browser)
    server.clock.advance(3599)
    expect((await pageOf(state)).status).toBe(200)
    server.clock.advance(1)
    for (const answer of [await pageOf(state), await submitPassword(browser, state, 'kim@mail.test')]) {
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('expired')
      expect(answer.text).toContain('/authorize?')
    }
  })

  it('a bookmarked login page leads to the start of the app', async () => {
    for (const query of [{}, { state: '' }]) {
      const answer = await browser.get('/u/login', { query })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('Start from the app')
    }
  })

  it.each(['unknown', 'x'.repeat(5000), '../../etc', '%00'.repeat(3)])(
    'an unknown handle is refused: %.12s',
    async (state) => {
      expect((await pageOf(state)).status).toBe(400)
    },
  )

  it('an attempt can be cancelled, which the application receives', async () => {
    const state = await beginLogin(browser)
    const answer = await browser.post('/u/submit', { form: { state, action: 'cancel' } })
    const { searchParams } = locationOf(answer)
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 's t+a/te'])
    expect((await pageOf(state)).text).toContain('already finished')
  })
})

describe('the session (threat-model.md SE2, SE3)', () => {
  it('is a cookie that scripts and other hosts cannot reach', async () => {
    const answer = await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
    expect(cookieOf(answer, SESSION)).toMatch(
      /^__Host-latchkey_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
    )
  })

  it('ends with the browser where the tenant says so', async () => {
    await server.setTenant({ tenant: { session_cookie: { mode: 'non-persistent' } } })
    const answer = await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
    expect(cookieOf(answer, SESSION)).not.toContain('Max-Age')
    await server.setTenant({})
  })

  it('has a new id at every login, and the old one is worth nothing', async () => {
    await signIn(browser, 'kim@mail.test')
    const before = browser.cookies.get(SESSION) ?? ''
    server.clock.advance(1)
    await signIn(browser, 'kim@mail.test', { prompt: 'login' })
    expect(browser.cookies.get(SESSION)).not.toBe(before)
    const thief = server.browser()
    thief.cookies.set(SESSION, before)
    const answer = await thief.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
  })

  it('never takes the id that was there before', async () => {
    browser.cookies.set(SESSION, 'planted-by-somebody')
    await signIn(browser, 'kim@mail.test')
    expect(browser.cookies.get(SESSION)).not.toBe('planted-by-somebody')
  })

  it('leaves no data for the next user', async () => {
    await signIn(browser, 'kim@mail.test')
    const kims = browser.cookies.get(SESSION) ?? ''
    server.clock.advance(1)
    await signIn(browser, 'lee@mail.test', { prompt: 'login' })
    const { rows } = await server.database.pool.query(
      'SELECT user_id, participants FROM session WHERE ended_at IS NULL AND user_id = $1',
      ['auth0|lee'],
    )
    expect(rows).not.toHaveLength(0)
    const thief = server.browser()
    thief.cookies.set(SESSION, kims)
    expect(hasCode(await thief.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }))).toBe(false)
  })
})

describe('proving it again', () => {
  beforeEach(async () => {
    await signIn(browser, 'kim@mail.test')
    server.clock.advance(10)
  })

  it('prompt=login puts the new authentication time into the ID token', async () => {
    const code = await signIn(browser, 'kim@mail.test', { prompt: 'login' })
    const tokens = (await redeem(browser, code.get('code') ?? '')).json()
    const claims = payloadOf(tokens.id_token)
    expect(claims.auth_time).toBe(Math.floor(server.clock.now().getTime() / 1000))
  })

  it('max_age puts the time of a sufficiently recent session into the ID token', async () => {
    const answer = await browser.get('/authorize', { query: authorizeQuery({ max_age: '60' }) })
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    const claims = payloadOf(tokens.id_token)
    expect(claims.auth_time).toBe(Math.floor(server.clock.now().getTime() / 1000) - 10)
  })

  it('a hinted user is not replaced by another who signs in', async () => {
    const code = await signIn(server.browser(), 'lee@mail.test')
    const lee = (await redeem(browser, code.get('code') ?? '')).json()
    const state = await beginLogin(browser, { id_token_hint: String(lee.id_token) })
    const refused = await submitPassword(browser, state, 'kim@mail.test')
    expect(noticeOf(refused)).toBe('session_changed')
    expect(hasCode(await submitPassword(browser, state, 'lee@mail.test'))).toBe(true)
  })
})

describe('choosing an account', () => {
  const choose = async () => {
    await signIn(browser, 'kim@mail.test')
    server.clock.advance(10)
    const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
    expect(locationOf(answer).pathname).toBe('/u/select-account')
    return locationOf(answer).searchParams.get('state') ?? ''
  }
  const act = (state: string, action: string) =>
    browser.post('/u/submit', { form: { state, action, account: 'auth0|kim' } })

  it('shows the signed-in user, and continues as that user', async () => {
    const state = await choose()
    expect((await browser.get('/u/select-account', { query: { state } })).text).toContain('kim@mail.test')
    expect(hasCode(await act(state, 'continue'))).toBe(true)
  })

  it('asks for a password to continue as another user', async () => {
    const state = await choose()
    expect(locationOf(await act(state, 'switch')).pathname).toBe('/u/login')
    const answer = await submitPassword(browser, state, 'lee@mail.test')
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token).sub).toBe('auth0|lee')
  })

  it('asks for a login without a session', async () => {
    const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
    expect(locationOf(answer).pathname).toBe('/u/login')
  })

  it('proves nothing any more after logging out in another tab (threat-model.md SE6)', async () => {
    const state = await choose()
    await browser.get('/v2/logout')
    const answer = await act(state, 'continue')
    expect([hasCode(answer), locationOf(answer).pathname]).toEqual([false, '/u/login'])
  })

  it('does not make the session live longer', async () => {
    const state = await choose()
    const before = server.clock.now()
    await act(state, 'continue')
    const { rows } = await server.database.pool.query<{ end: Date }>(
      'SELECT expires_at AS end FROM session WHERE ended_at IS NULL ORDER BY created_at DESC, last_seen_at DESC LIMIT 1',
    )
    expect((rows[0]?.end.getTime() ?? 0) - before.getTime()).toBe((168 * 3600 - 10) * 1000)
  })
})

describe('the reason to sign in again', () => {
  const noteOf = async (extra: Record<string, string>) =>
    /id="notice">([^<]*)</.exec((await pageOf(await beginLogin(browser, extra))).text)?.[1]

  it('the page says that the client requires a new login, or that the session has ended', async () => {
    expect(await noteOf({})).toBeUndefined()
    await signIn(browser, 'kim@mail.test')
    expect(await noteOf({ prompt: 'login' })).toContain('sign in once more')
    server.clock.advance(100)
    expect(await noteOf({ max_age: '60' })).toContain('needs a recent sign-in')
    await server.database.pool.query('UPDATE session SET ended_at = now() WHERE ended_at IS NULL')
    expect(await noteOf({})).toContain('has ended')
  })
})

describe('too many failures', () => {
  const fail = async (from: Browser, name: string, times: number) => {
    const state = await beginLogin(from)
    let last: TestResponse | undefined
    for (let i = 0; i < times; i++) last = await submitPassword(from, state, name, 'wrong')
    return { state, last }
  }

  it.each(['kim@mail.test', 'nobody@mail.test'])(
    'block %s after ten at one address, even with the right password (threat-model.md RL1)',
    async (name) => {
      const at = server.browser({ ip: '192.0.2.10' })
      const { state, last } = await fail(at, name, 10)
      expect(noticeOf(last as TestResponse)).toBe('wrong_credentials')
      expect(noticeOf(await submitPassword(at, state, name))).toBe('too_many_attempts')
      expect(noticeOf(await submitPassword(at, state, name, 'wrong'))).toBe('too_many_attempts')
    },
  )

  it('count for every name of one account together', async () => {
    const at = server.browser({ ip: '192.0.2.11' })
    await fail(at, 'KIM@mail.test ', 5)
    await fail(at, 'kimmy', 5)
    const state = await beginLogin(at)
    expect(noticeOf(await submitPassword(at, state, 'kim@mail.test'))).toBe('too_many_attempts')
  })

  it('block no other address and no other account', async () => {
    await fail(server.browser({ ip: '192.0.2.12' }), 'kim@mail.test', 11)
    expect((await signIn(server.browser({ ip: '192.0.2.13' }), 'kim@mail.test')).has('code')).toBe(true)
    expect((await signIn(server.browser({ ip: '192.0.2.12' }), 'lee@mail.test')).has('code')).toBe(true)
  })

  it('are forgotten by a success', async () => {
    const at = server.browser({ ip: '192.0.2.14' })
    await fail(at, 'kim@mail.test', 9)
    await signIn(at, 'kim@mail.test')
    server.clock.advance(1)
    await fail(server.browser({ ip: '192.0.2.14' }), 'kim@mail.test', 9)
    server.clock.advance(1)
    expect((await signIn(at, 'kim@mail.test', { prompt: 'login' })).has('code')).toBe(true)
  })

  it('are not forgotten by a header that claims another address (threat-model.md RL3)', async () => {
    const at = server.browser({ ip: '192.0.2.15' })
    const { state } = await fail(at, 'kim@mail.test', 10)
    const headers = {
      'x-forwarded-for': '8.8.8.8',
      forwarded: 'for=8.8.8.8',
      'x-real-ip': '8.8.8.8',
      'cf-connecting-ip': '8.8.8.8',
      'true-client-ip': '8.8.8.8',
      'auth0-forwarded-for': '8.8.8.8',
    }
    const answer = await at.post('/u/submit', {
      form: { state, action: 'login', username: 'kim@mail.test', password: PASSWORD },
      headers,
    })
    expect(noticeOf(answer)).toBe('too_many_attempts')
  })

  it('over many accounts close the address (threat-model.md RL4)', async () => {
    const at = server.browser({ ip: '192.0.2.16' })
    const state = await beginLogin(at)
    for (let i = 0; i < 100; i++) await submitPassword(at, state, `user${i}@mail.test`, 'wrong')
    expect(noticeOf(await submitPassword(at, state, 'lee@mail.test'))).toBe('too_many_attempts')
    expect((await signIn(server.browser({ ip: '192.0.2.17' }), 'lee@mail.test')).has('code')).toBe(true)
  })

  it('of a parallel burst are evaluated ten times at most (threat-model.md RL2)', async () => {
    await server.addUser({ id: 'zoe', email: 'zoe@mail.test' })
    const at = server.browser({ ip: '192.0.2.18' })
    const state = await beginLogin(at)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => submitPassword(at, state, 'zoe@mail.test', 'wrong')),
    )
    const notices = answers.map(noticeOf)
    expect(notices.filter((notice) => notice === 'wrong_credentials')).toHaveLength(10)
    expect(notices.filter((notice) => notice === 'too_many_attempts')).toHaveLength(20)
  })

  it('notify the owner by mail once; its link lifts the block only when its button is pressed', async () => {
    const at = server.browser({ ip: '192.0.2.19' })
    await fail(at, 'lee@mail.test', 12)
    const { outbox, tenantId } = await server.runtime()
    // No response waits for the mail.
    await vi.waitFor(
      async () =>
        expect(await outbox.list({ tenantId, to: 'lee@mail.test', channel: 'email', limit: 10 })).toHaveLength(1),
      20_000,
    )
    const [mail] = await readInbox(
      { tenantId, to: 'lee@mail.test', channel: undefined },
      { outbox, vault: server.vault },
    )
    const ticket = new URL(mail?.link ?? '').searchParams.get('ticket') ?? ''
    const blocked = async () =>
      noticeOf(await submitPassword(at, await beginLogin(at), 'lee@mail.test')) === 'too_many_attempts'
    expect((await at.get('/u/unblock', { query: { ticket } })).status).toBe(200)
    await at.send('HEAD', '/u/unblock', { query: { ticket } })
    expect(await blocked()).toBe(true)
    const press = () => at.post('/u/unblock', { form: { ticket, action: 'unblock' } })
    const statuses = (await Promise.all([press(), press(), press()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400, 400])
    expect(await blocked()).toBe(false)
    expect((await press()).status).toBe(400)
  })

  it('lead to a page that says why, the same for every name, and mails the link again', async () => {
    await server.addUser({ id: 'ida', email: 'ida@mail.test' })
    const mails = async (to: string) => {
      const { outbox, tenantId } = await server.runtime()
      return outbox.list({ tenantId, to, channel: 'email', limit: 10 })
    }
    const shown = async (name: string, ip: string) => {
      const at = server.browser({ ip })
      const { state, last } = await fail(at, name, 11)
      const page = await at.get(locationOf(last as TestResponse).href)
      const again = await at.post('/u/submit', { form: { state, action: 'mail-unblock' } })
      const plain = ({ text }: TestResponse) =>
        text
          .replaceAll(state, 'STATE')
          .replaceAll(name, 'NAME')
          .replace(/nonce="[^"]*"/g, '')
      return [
        locationOf(last as TestResponse).pathname,
        plain(page),
        noticeOf(again),
        plain(await at.get(locationOf(again).href)),
      ]
    }
    const known = await shown('ida@mail.test', '192.0.2.30')
    expect(known[0]).toBe('/u/account-locked')
    expect(known[2]).toBe('unblock_sent')
    expect(await shown('nobody-else@mail.test', '192.0.2.31')).toEqual(known)
    await vi.waitFor(async () => expect(await mails('ida@mail.test')).toHaveLength(2), 20_000)
    expect(await mails('nobody-else@mail.test')).toEqual([])
  })

  it('show that page to no login that did not fail, and mail no link without a block', async () => {
    const at = server.browser({ ip: '192.0.2.32' })
    const state = await beginLogin(at)
    const answer = await at.get('/u/account-locked', { query: { state } })
    expect(locationOf(answer).pathname).toBe('/u/login')
    const pressed = await at.post('/u/submit', { form: { state, action: 'mail-unblock' } })
    expect(locationOf(pressed).pathname).toBe('/u/login')
  })

  describe('of one account from 45 addresses (threat-model.md BF7)', () => {
    const looked = async (name: string) => {
      let wrong = 0
      for (let place = 0; place < 45; place++) {
        const at = server.browser({ ip: `203.0.113.${place}` })
        const state = await beginLogin(at)
        for (let i = 0; i < 8; i++)
          if (noticeOf(await submitPassword(at, state, name, `guess ${i}`)) === 'wrong_credentials') wrong += 1
      }
      return wrong
    }
    const signsIn = async (at: Browser) =>
      hasCode(await submitPassword(at, await beginLogin(at, { prompt: 'login' }), 'max@mail.test'))

    it('are looked at a hundred times at most, and keep no known browser or network out (BF6)', async () => {
      await server.addUser({ id: 'max', email: 'max@mail.test' })
      const laptop = server.browser({ ip: '198.51.100.20' })
      await signIn(laptop, 'max@mail.test')
      expect(await looked('max@mail.test')).toBeLessThanOrEqual(100)
      expect(await signsIn(server.browser({ ip: '198.51.100.99' }))).toBe(false)
      expect(await signsIn(server.browser({ ip: '198.51.100.20' }))).toBe(true)
      const away = server.browser({ ip: '198.51.100.77' })
      for (const [name, value] of laptop.cookies) away.cookies.set(name, value)
      expect(await signsIn(away)).toBe(true)
    })

    it('count alike for unknown accounts', async () => {
      const unknown = await looked('nowhere@mail.test')
      await server.addUser({ id: 'mia', email: 'mia@mail.test' })
      expect(await looked('mia@mail.test')).toBe(unknown)
    })
  })

  it('make a recognized browser of none that only guessed', async () => {
    const at = server.browser({ ip: '192.0.2.30' })
    const { last } = await fail(at, 'lee@mail.test', 1)
    expect(cookieOf(last as TestResponse, '__Host-latchkey_recognized')).toBeUndefined()
    const answer = await submitPassword(at, await beginLogin(at), 'lee@mail.test')
    expect(cookieOf(answer, '__Host-latchkey_recognized')).toMatch(/; HttpOnly; SameSite=Lax; Secure; Max-Age=/)
    const again = await submitPassword(at, await beginLogin(at, { prompt: 'login' }), 'lee@mail.test')
    expect(cookieOf(again, '__Host-latchkey_recognized')).toBeUndefined()
  })

  it('notify the owner at most three times a day, for any number of addresses (threat-model.md BF8)', async () => {
    await server.addUser({ id: 'sue', email: 'sue@mail.test' })
    for (let place = 0; place < 5; place++)
      await fail(server.browser({ ip: `192.0.2.${50 + place}` }), 'sue@mail.test', 10)
    const { outbox, tenantId } = await server.runtime()
    const sent = () => outbox.list({ tenantId, to: 'sue@mail.test', channel: 'email', limit: 10 })
    await vi.waitFor(async () => expect(await sent()).toHaveLength(3), 20_000)
    await server.addUser({ id: 'tom', email: 'tom@mail.test' })
    await fail(server.browser({ ip: '192.0.2.60' }), 'tom@mail.test', 10)
    await vi.waitFor(
      async () =>
        expect(await outbox.list({ tenantId, to: 'tom@mail.test', channel: 'email', limit: 10 })).not.toEqual([]),
      20_000,
    )
    expect(await sent()).toHaveLength(3)
  })

  it.each(['', 'rubbish'])('are not lifted by the ticket %j', async (ticket) => {
    for (const answer of [
      await browser.get('/u/unblock', { query: { ticket } }),
      await browser.post('/u/unblock', { form: { ticket } }),
    ]) {
      expect(answer.status).toBe(400)
    }
  })
})
