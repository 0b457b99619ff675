import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inWords } from '../../../kernel/network-failure'
import { authorizeQuery, beginLogin, locationOf, payloadOf, redeem, SPA, signIn } from '../../../testing/journey'
import { json } from '../../../testing/provider'
import type { Browser, TestResponse } from '../../../testing/server'
import {
  comeBack,
  directTo,
  press,
  signInBy,
  type UpstreamTestServer,
  upstreamTestServer,
} from '../../../testing/upstream'

const KIM = {
  sub: 'k-1',
  email: 'kim@mail.test',
  email_verified: true,
  name: 'Kim Doe',
  picture: 'https://pics.test/k',
}

let server: UpstreamTestServer

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'other', settings: SPA.settings })
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  const corp = { issuer: 'https://idp.test' }
  await server.addProvider('corp', 'oidc', { show_as_button: true, display_name: 'Corp Ltd', options: corp })
  await server.addProvider('google-oauth2', 'google-oauth2', { options: { store_tokens: true } })
  await server.addProvider('github', 'github')
  await server.addProvider('apple', 'apple', { options: { team_id: 'TEAM', kid: 'KEY' } })
  await server.addProvider('members', 'oidc', { options: { ...corp, disable_signup: true } })
  await server.addProvider('once', 'oidc', { options: { ...corp, set_user_root_attributes: 'on_first_login' } })
  await server.addProvider('never', 'oidc', { options: { ...corp, set_user_root_attributes: 'never_on_login' } })
  await server.addProvider('closed', 'oidc', { enabled_clients: ['other'], options: corp })
  await server.addProvider('broken', 'oidc', { options: {} })
  await server.addUser({ email: 'kim@mail.test', data: { emailVerified: true } })
})
afterAll(() => server.close())
afterEach(async () => {
  server.double.mischief = {}
  const { upstreamServers } = await server.runtime()
  upstreamServers.clear()
})

const expectCode = (answer: TestResponse): string => {
  expect(locationOf(answer).host).toBe('app.test')
  const code = locationOf(answer).searchParams.get('code')
  expect(code).toBeTruthy()
  return code ?? ''
}

async function claimsOf(browser: Browser, answer: TestResponse): Promise<Record<string, unknown>> {
  return payloadOf((await redeem(browser, expectCode(answer))).json().id_token)
}

const noticeOf = (answer: TestResponse): string | null => {
  expect(locationOf(answer).pathname).toBe('/u/login')
  return locationOf(answer).searchParams.get('notice')
}

const inWordsAt = (code: string): string => `idp.test could not be reached: ${inWords(code)}`

const hasSession = ({ cookies }: Browser): boolean => cookies.has('__Host-latchkey_session')

const usersLike = async (id: string): Promise<Record<string, unknown>[]> =>
  (await server.database.pool.query('SELECT * FROM "user" WHERE id LIKE $1 ORDER BY id', [id])).rows

it('marks the provider that this browser used last, and leads its account there again', async () => {
  const browser = server.browser()
  const marked = async () => {
    const state = await beginLogin(browser, { prompt: 'login' })
    const { text } = await browser.get('/u/login', { query: { state } })
    const forms = text.split('<form').filter((form) => form.includes('class="last-used"'))
    return forms.map((form) => /name="connection" value="([^"]*)"/.exec(form)?.[1])
  }
  expect(await marked()).toEqual([])
  await claimsOf(browser, await signInBy(browser, server, 'corp', { ...KIM, sub: 'k-77', email: 'mark@mail.test' }))
  expect(await marked()).toEqual(['corp'])
  const { rows } = await server.database.pool.query(`SELECT id FROM "user" WHERE email = 'mark@mail.test'`)
  await browser.get('/v2/logout')
  const chosen = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
  const state = locationOf(chosen).searchParams.get('state') ?? ''
  const gone = await browser.post('/u/submit', { form: { state, action: 'continue', account: String(rows[0]?.id) } })
  expect([locationOf(gone).origin, locationOf(gone).searchParams.get('login_hint')]).toEqual([
    'https://idp.test',
    'mark@mail.test',
  ])
})

describe('signing in by a provider', () => {
  it('leads from its button to the provider and back to the application, with a new user', async () => {
    const browser = server.browser()
    const answer = await signInBy(browser, server, 'corp', KIM)
    expect(await claimsOf(browser, answer)).toMatchObject({
      sub: 'oidc|corp|k-1',
      name: 'Kim Doe',
      email: 'kim@mail.test',
      email_verified: false,
    })
    expect(hasSession(browser)).toBe(true)
    expectCode(await browser.get('/authorize', { query: authorizeQuery() }))
  })

  it('skips the page for the connection that is named, and passes on what the request brings', async () => {
    const address = await directTo(server.browser(), 'google-oauth2', {
      access_type: 'offline',
      login_hint: 'kim@mail.test',
      connection_scope: 'https://scopes.test/calendar',
    })
    expect(address.host).toBe('accounts.google.com')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      access_type: 'offline',
      login_hint: 'kim@mail.test',
      scope: 'openid profile email https://scopes.test/calendar',
      redirect_uri: 'https://id.test/login/callback',
    })
  })

  it('never merges into the account that has the same address (UP2, PW5)', async () => {
    const browser = server.browser()
    const response = await signInBy(browser, server, 'google-oauth2', { ...KIM, sub: '1078' })
    expect(locationOf(response).pathname).toBe('/u/link-account')
    const form = { state: locationOf(response).searchParams.get('state') ?? '', action: 'keep-apart' }
    const { sub } = await claimsOf(browser, await browser.post('/u/submit', { form }))
    expect(sub).toBe('google-oauth2|1078')
    const own = await signIn(server.browser(), 'kim@mail.test')
    const code = own.get('code') ?? ''
    expect(payloadOf((await redeem(browser, code)).json().id_token).sub).toMatch(/^auth0\|/)
  })

  it('speaks plain OAuth 2.0 as well', async () => {
    const browser = server.browser()
    const emails = [{ email: 'octo@mail.test', verified: true, primary: true }]
    const person = { id: 583231, login: 'octo', emails }
    expect(await claimsOf(browser, await signInBy(browser, server, 'github', person))).toMatchObject({
      sub: 'github|583231',
      nickname: 'octo',
      email: 'octo@mail.test',
      email_verified: true,
    })
  })

  it('takes an answer that the provider posts, and judges it with the cookies of the page after (Apple)', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    const form = server.double.answer(address.href, { ...KIM, sub: 'posted' })
    const bare = server.browser()
    const posted = await bare.post('/login/callback', { form, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(posted.status).toBe(303)
    expect(locationOf(posted).pathname).toBe('/u/resume')
    expect(posted.text).toBe('')
    for (const secret of Object.values(form)) expect(posted.header('location')).not.toContain(secret)
    const onward = posted.header('location') ?? ''
    expect((await claimsOf(browser, await browser.get(onward))).sub).toBe('oidc|corp|posted')
    expect((await browser.get(onward)).status).toBe(400)
  })

  it('continues with consent if required', async () => {
    const browser = server.browser()
    const answer = await signInBy(browser, server, 'corp', { ...KIM, sub: 'third' }, { client_id: 'third' })
    expect(locationOf(answer).pathname).toBe('/u/consent')
  })

  it('asks the provider to prove a login anew where the application does', async () => {
    const address = await directTo(server.browser(), 'corp', { prompt: 'login' })
    expect(address.searchParams.get('prompt')).toBe('login')
  })

  it('prompt=none never leads away', async () => {
    const answer = await server
      .browser()
      .get('/authorize', { query: authorizeQuery({ connection: 'corp', prompt: 'none' }) })
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
  })
})

describe('the user whom a provider signs in', () => {
  const record = async (connection: string, sub: string, changes: object) => {
    await signInBy(server.browser(), server, connection, { ...KIM, sub, name: 'First', nickname: 'kimmy' })
    await signInBy(server.browser(), server, connection, { sub, ...changes })
    return (await usersLike(`oidc|${connection}|${sub}`))[0]
  }

  it('arrives as the owner where the provider proves an address that opens the account by a password (BF1)', async () => {
    const { pool } = server.database
    const arrives = async (sub: string, key: string) => {
      const email = `${sub}@mail.test`
      await signInBy(server.browser(), server, 'google-oauth2', { sub, email, email_verified: false })
      await pool.query(
        `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key)
         SELECT tenant_id, id, $2, 'auth0', $3, $1 FROM connection WHERE strategy = 'auth0' LIMIT 1`,
        [key, `db-${sub}`, `google-oauth2|${sub}`],
      )
      expectCode(await signInBy(server.browser(), server, 'google-oauth2', { sub, email, email_verified: true }))
      const { rows } = await pool.query('SELECT provider FROM identity WHERE user_id = $1', [`google-oauth2|${sub}`])
      return [rows.map(({ provider }) => provider).sort(), (await usersLike(`google-oauth2|${sub}`))[0]?.email_verified]
    }
    expect(await arrives('h1', 'h1@mail.test')).toEqual([['google-oauth2'], true])
    expect(await arrives('h2', 'elsewhere@mail.test')).toEqual([['auth0', 'google-oauth2'], true])
  })

  it('updates the profile at every login; absent members stay', async () => {
    const changes = { name: 'Second', email: 'new@mail.test', locale: 'de' }
    expect(await record('corp', 'u1', changes)).toMatchObject({
      name: 'Second',
      email: 'new@mail.test',
      nickname: 'kimmy',
      profile: { locale: 'de' },
      logins_count: 2,
    })
  })

  it('keeps the first names and picture, or none of them, as the connection says, and always follows the address', async () => {
    const changes = {
      name: 'Second',
      given_name: 'S',
      family_name: 'Doe',
      nickname: 'sec',
      picture: 'https://pics.test/2',
      email: 'second@mail.test',
      locale: 'de',
    }
    const followed = { email: 'second@mail.test', profile: { locale: 'de' } }
    expect(await record('corp', 'u1', { ...changes, sub: 'u1' })).toMatchObject({
      ...followed,
      name: 'Second',
      given_name: 'S',
    })
    expect(await record('once', 'u2', changes)).toMatchObject({
      ...followed,
      name: 'First',
      given_name: null,
      family_name: null,
      nickname: 'kimmy',
      picture: 'https://pics.test/k',
    })
    const none = { name: null, given_name: null, family_name: null, nickname: null, picture: null }
    expect(await record('never', 'u3', changes)).toMatchObject({ ...followed, ...none })
    expect(await record('never', 'u4', {})).toMatchObject({ email: 'kim@mail.test', ...none })
  })

  it('keeps what earlier logins stored where a further request to the provider fails', async () => {
    const octo = { id: 4711, login: 'cat', email: 'public@mail.test', name: 'Cat' }
    const emails = [{ email: 'cat@mail.test', verified: true, primary: true }]
    const forbidden = () => {
      server.double.mischief = { at: (address) => (address.endsWith('/emails') ? json({}, 403) : undefined) }
    }
    const stored = async (id: number) => (await usersLike(`github|${id}`))[0]
    expectCode(await signInBy(server.browser(), server, 'github', { ...octo, emails }))
    forbidden()
    expectCode(await signInBy(server.browser(), server, 'github', { ...octo, name: 'Tom', emails }))
    expect(await stored(4711)).toMatchObject({ email: 'cat@mail.test', email_verified: true, name: 'Tom' })
    expectCode(await signInBy(server.browser(), server, 'github', { ...octo, id: 4712, emails }))
    expect(await stored(4712)).toMatchObject({ email: 'public@mail.test', email_verified: false })
    server.double.mischief = {}
    expectCode(
      await signInBy(server.browser(), server, 'github', {
        ...octo,
        id: 4712,
        emails: [{ ...emails[0], email: 'tom@mail.test' }],
      }),
    )
    expect(await stored(4712)).toMatchObject({ email: 'tom@mail.test', email_verified: true })
  })

  it('keeps it with a linked account, too', async () => {
    const octo = {
      id: 4713,
      login: 'lynx',
      name: 'Lynx',
      emails: [{ email: 'lynx@mail.test', verified: true, primary: true }],
    }
    await signInBy(server.browser(), server, 'github', octo)
    const { pool } = server.database
    await pool.query(`INSERT INTO "user" (tenant_id, id) VALUES ('default', 'auth0|lynx')`)
    await pool.query(`UPDATE identity SET user_id = 'auth0|lynx', profile = '{}' WHERE provider_user_id = '4713'`)
    const profile = async () =>
      (await pool.query(`SELECT profile FROM identity WHERE provider_user_id = '4713'`)).rows[0]?.profile
    expectCode(await signInBy(server.browser(), server, 'github', octo))
    expect(await profile()).toMatchObject({ email: 'lynx@mail.test', email_verified: true, name: 'Lynx' })
    server.double.mischief = { at: (address) => (address.endsWith('/emails') ? json({}, 500) : undefined) }
    expectCode(await signInBy(server.browser(), server, 'github', { ...octo, email: 'other@mail.test' }))
    expect(await profile()).toMatchObject({ email: 'lynx@mail.test', email_verified: true, name: 'Lynx' })
  })

  it('keeps the name that Apple says once, even where the login fails after it, and the next one succeeds', async () => {
    const person = { sub: '001.once', email: 'once@mail.test', email_verified: 'true' }
    const browser = server.browser()
    const state = await beginLogin(browser)
    const first = await press(browser, state, 'apple')
    const user = JSON.stringify({ name: { firstName: 'Ann' } })
    const posted = await browser.post('/login/callback', {
      form: { ...server.double.answer(first.href, person), user },
    })
    server.double.mischief = { at: (address) => (address.endsWith('/token') ? 'away' : undefined) }
    const failed = await browser.get('/u/resume', { query: Object.fromEntries(locationOf(posted).searchParams) })
    expect(noticeOf(failed)).toBe('upstream_failed')
    server.double.mischief = {}
    const second = await press(browser, locationOf(failed).searchParams.get('state') ?? '', 'apple')
    const again = await browser.post('/login/callback', { form: server.double.answer(second.href, person) })
    expectCode(await browser.get('/u/resume', { query: Object.fromEntries(locationOf(again).searchParams) }))
    expect((await usersLike('apple|001.once'))[0]).toMatchObject({ name: 'Ann', given_name: 'Ann' })
  })

  it('is created once by concurrent logins', async () => {
    const browsers = Array.from({ length: 5 }, () => server.browser())
    const answers = await Promise.all(browsers.map((each) => signInBy(each, server, 'corp', { ...KIM, sub: 'race' })))
    for (const answer of answers) expectCode(answer)
    expect(await usersLike('oidc|corp|race')).toHaveLength(1)
  })

  it('is not created if the connection accepts no new users', async () => {
    const answer = await signInBy(server.browser(), server, 'members', { ...KIM, sub: 'stranger' })
    expect(noticeOf(answer)).toBe('upstream_no_account')
    expect(await usersLike('%stranger')).toEqual([])
  })

  it('is never one that another connection has made (UP2)', async () => {
    await server.database.pool.query(
      `INSERT INTO "user" (tenant_id, id, email) VALUES ('default', 'google-oauth2|7', 'victim@mail.test')`,
    )
    const answer = await signInBy(server.browser(), server, 'google-oauth2', { ...KIM, sub: '7' })
    expect(noticeOf(answer)).toBe('upstream_no_account')
  })

  it('is kept out when blocked', async () => {
    await signInBy(server.browser(), server, 'corp', { ...KIM, sub: 'bad' })
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'oidc|corp|bad'`)
    for (const [errors, code] of [
      ['vendor', 'unauthorized'],
      ['rfc', 'access_denied'],
    ]) {
      await server.setTenant({ tenant: { compat: { errors } } })
      const browser = server.browser()
      const { searchParams } = locationOf(await signInBy(browser, server, 'corp', { ...KIM, sub: 'bad' }))
      expect(searchParams.get('error')).toBe(code)
      expect(searchParams.get('error_description')).toBe('user is blocked')
      expect(hasSession(browser)).toBe(false)
    }
    await server.setTenant({})
  })

  it('leaves the provider’s tokens here only where the connection asks, and sealed', async () => {
    await signInBy(server.browser(), server, 'google-oauth2', { ...KIM, sub: '99' })
    await signInBy(server.browser(), server, 'corp', { ...KIM, sub: 'c99' })
    const { rows } = await server.database.pool.query<{ id: string; sealed: Buffer | null }>(
      `SELECT user_id AS id, sealed_tokens AS sealed FROM identity WHERE user_id IN ('google-oauth2|99', 'oidc|corp|c99') ORDER BY 1`,
    )
    expect(rows[1]?.sealed).toBeNull()
    expect(rows[0]?.sealed?.toString()).not.toContain('refresh-me')
    const opened = server.vault.open('upstream tokens', rows[0]?.sealed ?? new Uint8Array())?.toString() ?? '{}'
    expect(JSON.parse(opened)).toMatchObject({ refreshToken: 'refresh-me' })
  })
})

describe('an answer that proves nothing (UP1)', () => {
  it.each<[string, (address: URL) => Record<string, string>]>([
    ['without a state', () => ({ code: 'x' })],
    ['with a made-up state', () => ({ code: 'x', state: 'x'.repeat(43) })],
    ['with the state alone', (address) => ({ state: address.searchParams.get('state') ?? '' })],
    ['with a made-up code', (address) => ({ code: 'x', state: address.searchParams.get('state') ?? '' })],
    ['of another issuer', (address) => ({ ...server.double.answer(address.href, KIM), iss: 'https://evil.test' })],
    ['of the implicit flow', (address) => ({ ...server.double.answer(address.href, KIM), id_token: 'a.b.c' })],
    ['that claims to be a JWT', (address) => ({ ...server.double.answer(address.href, KIM), response: 'a.b.c' })],
  ])('is refused: %s', async (_, answerOf) => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    const answer = await browser.get('/login/callback', { query: answerOf(address) })
    expect(answer.status).toBe(400)
    expect(answer.header('location')).toBeUndefined()
    expect(hasSession(browser)).toBe(false)
  })

  it('is refused at the address of another connection (SP9)', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    const answer = server.double.answer(address.href, { ...KIM, sub: 'addressed' })
    const query = { ...answer, connection: 'google-oauth2' }
    const requestCount = server.double.requests.length
    expect((await browser.get('/login/callback', { query })).status).toBe(400)
    const posted = await server.browser().post('/login/callback', { query: { connection: 'nobody' }, form: answer })
    expect(posted.status).toBe(400)
    expect(server.double.requests).toHaveLength(requestCount)
    const right = await browser.get('/login/callback', { query: { ...answer, connection: 'corp' } })
    expect((await claimsOf(browser, right)).sub).toBe('oidc|corp|addressed')
  })

  it('is refused in another browser, and the login there continues', async () => {
    const [victim, attacker] = [server.browser(), server.browser()]
    await beginLogin(victim)
    const address = await press(attacker, await beginLogin(attacker), 'corp')
    const query = server.double.answer(address.href, { ...KIM, sub: 'attacker' })
    const requestCount = server.double.requests.length
    expect((await victim.get('/login/callback', { query })).status).toBe(403)
    expect((await server.browser().get('/login/callback', { query })).status).toBe(403)
    expect(server.double.requests).toHaveLength(requestCount)
    expect(hasSession(victim)).toBe(false)
    expectCode(await attacker.get('/login/callback', { query }))
  })

  it('is refused in another browser when it was posted, too', async () => {
    const [victim, attacker] = [server.browser(), server.browser()]
    await beginLogin(victim)
    const address = await press(attacker, await beginLogin(attacker), 'corp')
    const posted = await victim.post('/login/callback', { form: server.double.answer(address.href, KIM) })
    expect((await victim.get(posted.header('location') ?? '')).status).toBe(403)
    expect(hasSession(victim)).toBe(false)
    const made = await victim.post('/login/callback', { form: { state: 'made up', code: 'x' } })
    expect(made.status).toBe(400)
    expect((await victim.get('/u/resume', { query: { reply: 'made up' } })).status).toBe(400)
    expect((await victim.get('/u/resume')).status).toBe(400)
  })

  it('is taken once', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser, { prompt: 'login' }), 'corp')
    const query = server.double.answer(address.href, KIM)
    expectCode(await browser.get('/login/callback', { query }))
    expect((await browser.get('/login/callback', { query })).status).toBe(400)
  })

  it('is taken once of any number at the same time', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    const query = server.double.answer(address.href, KIM)
    const all = await Promise.all(Array.from({ length: 6 }, () => browser.get('/login/callback', { query })))
    expect(all.filter(({ status }) => status === 302)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(5)
  })

  it('is refused after an hour', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    server.clock.advance(3601)
    expect((await comeBack(browser, server.double, address, KIM)).status).toBe(400)
  })

  it('is refused for a connection that the application may not use, or that it never left for', async () => {
    const browser = server.browser()
    expect(noticeOf(await pressed(browser, 'closed'))).toBe('upstream_failed')
    expect(noticeOf(await pressed(browser, 'nobody'))).toBe('upstream_failed')
    expect(noticeOf(await pressed(browser, 'Users'))).toBe('upstream_failed')
    const address = await press(browser, await beginLogin(browser), 'corp')
    await server.database.pool.query(
      `UPDATE connection SET settings = jsonb_set(settings, '{enabled_clients}', '["other"]') WHERE name = 'corp'`,
    )
    server.clock.advance(2)
    expect(noticeOf(await comeBack(browser, server.double, address, KIM))).toBe('upstream_failed')
    await server.database.pool.query(
      `UPDATE connection SET settings = settings - 'enabled_clients' WHERE name = 'corp'`,
    )
    server.clock.advance(2)
  })

  it('does not sign in another user than the application expects', async () => {
    const first = server.browser()
    const tokens = (await redeem(first, expectCode(await signInBy(first, server, 'corp', KIM)))).json()
    const browser = server.browser()
    const extra = { id_token_hint: String(tokens.id_token) }
    expect(noticeOf(await signInBy(browser, server, 'corp', { ...KIM, sub: 'else' }, extra))).toBe('session_changed')
  })
})

const pressed = async (browser: Browser, connection: string): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state: await beginLogin(browser), action: 'federated', connection } })

describe('a failing provider', () => {
  it('returns to the login page if the login started there', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'corp')
    const query = { error: 'access_denied', state: address.searchParams.get('state') ?? '' }
    expect(noticeOf(await browser.get('/login/callback', { query }))).toBe('upstream_denied')
  })

  it('returns to the application if it requested only this provider', async () => {
    const browser = server.browser()
    const address = await directTo(browser, 'corp')
    const query = { error: 'access_denied', error_description: '<b>', state: address.searchParams.get('state') ?? '' }
    const { host, searchParams } = locationOf(await browser.get('/login/callback', { query }))
    expect(host).toBe('app.test')
    expect(searchParams.get('error')).toBe('access_denied')
    expect(searchParams.get('error_description')).toBe('The identity provider refused the login')
    expect(searchParams.get('state')).toBe('s t+a/te')
  })

  it.each([
    ['answers another error', { error: 'server_error' }, {}],
    ['cannot be reached', {}, { away: 'ECONNREFUSED' }],
    [
      'answers nonsense',
      {},
      { answer: { status: 200, headers: { 'content-type': 'text/html' }, body: new Uint8Array() } },
    ],
  ])('is said to have failed when it %s, and may be tried again', async (_, more, mischief) => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const address = await press(browser, state, 'corp')
    server.double.mischief = mischief
    expect(noticeOf(await comeBack(browser, server.double, address, KIM, more))).toBe('upstream_failed')
    expect(server.lines.at(-1)).toMatchObject({ level: 'warn', fields: { connection: 'corp', failure: 'unreachable' } })
    server.double.mischief = {}
    expectCode(await comeBack(browser, server.double, await press(browser, state, 'corp'), KIM))
  })

  it.each([
    ['ENOTFOUND', 'Corp Ltd couldn’t be reached: its host name was not found.'],
    ['ECONNREFUSED', 'Corp Ltd couldn’t be reached: it refused the connection.'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'Corp Ltd couldn’t be reached: its TLS certificate is not trusted here.'],
    ['ABORT_ERR', 'Corp Ltd couldn’t be reached: it did not answer in time.'],
    ['EFORBIDDENADDRESS', 'Signing in with this provider didn’t work.'],
  ])('is named with the cause in words: %s', async (code, words) => {
    server.double.mischief = { away: code }
    const [pressing, direct] = [server.browser(), server.browser()]
    const answers: [Browser, TestResponse][] = [
      [pressing, await pressed(pressing, 'corp')],
      [direct, await direct.get('/authorize', { query: authorizeQuery({ connection: 'corp' }) })],
    ]
    for (const [browser, answer] of answers) {
      const page = (await browser.get(locationOf(answer).pathname + locationOf(answer).search)).text
      expect(page).toContain(words)
      expect(page).not.toContain(code)
    }
    const { fields } = server.lines.findLast(({ level }) => level === 'warn') ?? {}
    expect(fields).toMatchObject({ connection: 'corp', reason: 'upstream_unreachable', detail: inWordsAt(code) })
  })

  it('names nothing in a notice that the login did not have', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const page = (await browser.get('/u/login', { query: { state, notice: 'upstream_failed' } })).text
    expect(page).toContain('Signing in with this provider didn’t work.')
    server.double.mischief = { away: 'ENOTFOUND' }
    await browser.post('/u/submit', { form: { state, action: 'federated', connection: 'corp' } })
    server.double.mischief = {}
    await browser.post('/u/submit', { form: { state, action: 'federated', connection: 'nobody' } })
    const again = (await browser.get('/u/login', { query: { state, notice: 'upstream_failed' } })).text
    expect(again).not.toContain('couldn’t be reached')
  })

  it('is named where it fails after the way back', async () => {
    const browser = server.browser()
    const address = await press(browser, await beginLogin(browser), 'github')
    server.double.mischief = { at: (place) => (place.endsWith('/access_token') ? 'away' : undefined) }
    const failed = locationOf(await comeBack(browser, server.double, address, { id: 4, login: 'kim' }))
    const page = (await browser.get(failed.pathname + failed.search)).text
    expect(page).toContain('GitHub couldn’t be reached: it did not answer in time.')
    expect(server.lines.findLast(({ level }) => level === 'warn')?.fields.detail).toBe(
      'github.com could not be reached: it did not answer in time (ETIMEDOUT)',
    )
  })

  it('shows the login page when there is no way to it', async () => {
    server.double.mischief = { away: 'ECONNREFUSED' }
    expect(noticeOf(await pressed(server.browser(), 'corp'))).toBe('upstream_failed')
    const answer = await server.browser().get('/authorize', { query: authorizeQuery({ connection: 'broken' }) })
    expect(noticeOf(answer)).toBe('upstream_failed')
  })
})
