// /passwordless/verify and /passwordless/verify_redirect: typed codes as auth0-js sends them, and mailed links.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, CHALLENGE, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { addPasswordless, codeTo, messagesTo, sendTo, start, wrong } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer
let browser: Browser
let mail = ''

beforeAll(async () => {
  server = await testServer()
  await addPasswordless(server)
  await server.addClient(SPA)
  await server.addClient({
    clientId: 'pushes',
    settings: { ...SPA.settings, require_pushed_authorization_requests: true },
  })
  await server.addClient({
    clientId: 'signs',
    settings: { ...SPA.settings, signed_request_object: { required: true } },
  })
  await server.addClient({ clientId: 'other', settings: { ...SPA.settings, callbacks: ['https://other.test/cb'] } })
})
afterAll(() => server.close())

let counter = 0
beforeEach(() => {
  mail = `link${++counter}@mail.test`
  browser = server.browser({ ip: `203.0.113.${counter}` })
})

const outcome = (answer: TestResponse) => [answer.status, answer.json().error, answer.json().error_description]
const verify = (extra: object = {}, code = '') =>
  browser.post('/passwordless/verify', {
    json: { connection: 'email', email: mail, verification_code: code, client_id: 'spa', ...extra },
  })
const open = (code: string, extra: Record<string, string> = {}, at = browser) =>
  at.get('/passwordless/verify_redirect', {
    query: { ...authorizeQuery(), connection: 'email', email: mail, verification_code: code, ...extra },
  })

const AUTH = {
  scope: 'openid email',
  state: 's1',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  redirect_uri: 'https://app.test/cb',
}
const linkTo = async (): Promise<URL> => {
  server.clock.advance(1)
  return new URL((await messagesTo(server, mail))[0]?.link ?? 'https://no.mail')
}
const askForLink = (authParams: object = AUTH) => start(browser, { connection: 'email', email: mail, authParams })
const fieldsIn = (page: TestResponse): Record<string, string> =>
  Object.fromEntries([...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]))
const follow = (link: URL, at = browser) => at.get(link.pathname + link.search)
const press = (form: Record<string, string>, at = browser) =>
  at.post('/passwordless/verify_redirect', { form: { ...form, action: 'login' } })

describe('/passwordless/verify', () => {
  it('says that a code is right and leaves it to be used', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    expect([(await verify({}, code)).status, (await verify({}, code)).status]).toEqual([200, 200])
    expect(locationOf(await open(code)).searchParams.get('code')).toBeTruthy()
  })

  it('counts wrong codes like any other way in', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    for (let i = 0; i < 4; i++) {
      expect(outcome(await verify({}, wrong(code)))).toEqual([
        401,
        'invalid_user_password',
        'Wrong email or verification code.',
      ])
    }
    expect((await verify({}, code)).status).toBe(401)
    expect(locationOf(await open(code)).searchParams.get('error')).toBe('access_denied')
  })

  it.each([
    [{ connection: undefined }, 400, 'invalid_request'],
    [{ connection: 'Users' }, 400, 'invalid_request'],
    [{ verification_code: undefined }, 400, 'invalid_request'],
    [{ email: undefined }, 400, 'invalid_request'],
    [{ client_id: 'nobody' }, 403, 'unauthorized_client'],
    [{ email: 'no address' }, 401, 'invalid_user_password'],
    [{ client_id: 'other' }, 401, 'invalid_user_password'],
  ])('a verification is refused: %j', async (extra, status, error) => {
    await sendTo(browser, mail)
    expect(outcome(await verify(extra, await codeTo(server, mail))).slice(0, 2)).toEqual([status, error])
  })
})

describe('a typed code in a browser', () => {
  it('signs in and answers as /authorize does', async () => {
    await sendTo(browser, mail)
    const at = locationOf(await open(await codeTo(server, mail)))
    expect([at.origin, at.searchParams.get('state')]).toEqual(['https://app.test', 's t+a/te'])
    const tokens = (await redeem(browser, at.searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ email: mail, nonce: 'n1' })
    expect(browser.cookies.has('__Host-latchkey_session') || browser.cookies.size > 0).toBe(true)
  })

  it('lets one of twenty finish', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const answers = await Promise.all(TWENTY.map((i) => open(code, {}, server.browser({ ip: `192.0.2.${i}` }))))
    expect(answers.filter((answer) => locationOf(answer).searchParams.has('code'))).toHaveLength(1)
  })

  it('is worth nothing at another client, and goes to no address that is not registered', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const other = await open(code, { client_id: 'other', redirect_uri: 'https://other.test/cb' })
    expect(locationOf(other).searchParams.get('error')).toBe('access_denied')
    const evil = await open(code, { redirect_uri: 'https://evil.test/cb' })
    expect([evil.status, evil.header('location')]).toEqual([400, undefined])
    expect(locationOf(await open(code)).searchParams.get('code')).toBeTruthy()
  })

  it.each(['pushes', 'signs'])(
    'leads nowhere for a client that %s its requests (threat-model.md BF11)',
    async (clientId) => {
      const mine = { client_id: clientId }
      await start(browser, { connection: 'email', email: mail, send: 'code', ...mine })
      const refused = locationOf(await open(await codeTo(server, mail), mine)).searchParams
      expect([refused.get('error'), refused.has('code')]).toEqual(['invalid_request', false])
      await start(browser, { connection: 'email', email: mail, authParams: AUTH, ...mine })
      const done = locationOf(await press(fieldsIn(await follow(await linkTo())))).searchParams
      expect([done.get('error'), done.has('code')]).toEqual(['invalid_request', false])
    },
  )

  it('is not used by a HEAD', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const query = { ...authorizeQuery(), connection: 'email', email: mail, verification_code: code }
    expect((await browser.send('HEAD', '/passwordless/verify_redirect', { query })).status).toBe(405)
    expect(locationOf(await open(code)).searchParams.get('code')).toBeTruthy()
  })
})

describe('a code in another party’s URL (threat-model.md BF4)', () => {
  const HINT = { 'sec-fetch-site': 'cross-site' }
  const from = (page: string) => ({ ...HINT, referer: `${page}/` })
  const ask = async (headers: Record<string, string>, extra: Record<string, string> = {}) => {
    await sendTo(browser, mail)
    const query = {
      ...authorizeQuery(),
      connection: 'email',
      email: mail,
      verification_code: await codeTo(server, mail),
    }
    return browser.get('/passwordless/verify_redirect', { query: { ...query, ...extra }, headers })
  }
  const sessionOf = () => browser.cookies.get('__Host-latchkey_session')

  it.each<Record<string, string>>([
    HINT,
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    from('https://evil.test'),
    from('https://app.test.evil.test'),
    { referer: 'https://evil.test/' },
    { ...HINT, referer: 'nonsense' },
  ])('asks for confirmation with %j, and is consumed only by the page’s button', async (headers) => {
    const page = await ask(headers)
    expect([page.status, page.header('location'), sessionOf()]).toEqual([200, undefined, undefined])
    expect(page.text).toContain(`You’ll be signed in as ${mail}`)
    const fields = fieldsIn(page)
    const forged = await browser.post('/passwordless/verify_redirect', {
      form: { ...fields, action: 'login' },
      headers: HINT,
    })
    expect([forged.status, sessionOf()]).toEqual([403, undefined])
    const elsewhere = await press(fields, server.browser())
    expect([elsewhere.status, elsewhere.header('location')]).toEqual([200, undefined])
    const done = locationOf(await press(fields)).searchParams
    expect([done.has('code'), done.get('state')]).toEqual([true, 's t+a/te'])
  })

  it.each<Record<string, string>>([from('https://app.test'), { 'sec-fetch-site': 'same-origin' }, {}])(
    'a code finishes at once from a page of the application, our own page or without a browser: %j',
    async (headers) => {
      expect(locationOf(await ask(headers)).searchParams.has('code')).toBe(true)
    },
  )

  it('asks for confirmation for a third-party application, whose pages are not trusted', async () => {
    await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
    await start(browser, { connection: 'email', email: mail, send: 'code', client_id: 'third' })
    const page = await open(await codeTo(server, mail), { client_id: 'third' })
    expect(page.status).toBe(302)
    const response = await ask(from('https://app.test'), { client_id: 'third' })
    expect([response.status, response.header('location')]).toEqual([200, undefined])
  })

  it('keeps the signed-in user until the page is confirmed, and names that user', async () => {
    const mine = `own-${mail}`
    await sendTo(browser, mine)
    await open(await codeTo(server, mine), { email: mine })
    const before = sessionOf()
    expect(before).toBeTruthy()
    for (const headers of [{}, from('https://app.test')]) {
      const page = await ask(headers)
      expect([page.status, page.header('location'), sessionOf()]).toEqual([200, undefined, before])
      expect(page.text).toContain(mine)
    }
    const silent = locationOf(await ask({}, { prompt: 'none' })).searchParams
    expect([silent.get('error'), sessionOf()]).toEqual(['interaction_required', before])
    expect(locationOf(await press(fieldsIn(await ask({})))).searchParams.has('code')).toBe(true)
    expect(sessionOf()).not.toBe(before)
  })

  it('does not ask the user who signs in again', async () => {
    await ask({})
    const before = sessionOf()
    expect(locationOf(await ask(from('https://app.test'))).searchParams.has('code')).toBe(true)
    expect(sessionOf()).not.toBe(before)
  })

  it('says on the page of a link, too, whose sign-in would end', async () => {
    const mine = `own-${mail}`
    await sendTo(browser, mine)
    await open(await codeTo(server, mine), { email: mine })
    await askForLink()
    expect((await follow(await linkTo())).text).toContain(mine)
  })

  it('proves the target before it shows anything', async () => {
    const page = await ask(HINT, { redirect_uri: 'https://evil.test/cb' })
    expect([page.status, page.text.includes('You’ll be signed in')]).toEqual([400, false])
  })
})

describe('a link', () => {
  it('is the default content of a mail, with 256 bits', async () => {
    expect((await askForLink()).json()).toMatchObject({ email: mail })
    const [message] = await messagesTo(server, mail)
    expect(message?.code).toBeNull()
    expect((await linkTo()).searchParams.get('verification_code')).toMatch(/^[\w-]{43}$/)
  })

  it('does nothing when it is opened, however often; its button signs in once', async () => {
    await askForLink()
    const link = await linkTo()
    for (let i = 0; i < 5; i++) await follow(link, server.browser())
    const page = await follow(link)
    expect([page.status, page.header('location')]).toEqual([200, undefined])
    const done = locationOf(await press(fieldsIn(page)))
    expect([done.origin, done.searchParams.get('state')]).toEqual(['https://app.test', 's1'])
    const tokens = (await redeem(browser, done.searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: expect.stringMatching(/^email\|/), email: mail })
    expect((await press(fieldsIn(page))).status).toBe(400)
    expect((await follow(link)).status).toBe(400)
  })

  it('lets one of twenty presses win', async () => {
    await askForLink()
    const fields = fieldsIn(await follow(await linkTo()))
    const answers = await Promise.all(TWENTY.map(() => press(fields)))
    expect(answers.filter((answer) => locationOf(answer).searchParams.has('code'))).toHaveLength(1)
  })

  it('is pressed only in a browser that was shown the page', async () => {
    await askForLink()
    const fields = fieldsIn(await follow(await linkTo()))
    const elsewhere = server.browser()
    const response = await press(fields, elsewhere)
    expect([response.status, response.header('location')]).toEqual([200, undefined])
    expect(locationOf(await press(fieldsIn(response), elsewhere)).searchParams.get('code')).toBeTruthy()
  })

  it('continues with the stored parameters, whatever its URL says', async () => {
    await askForLink({ ...AUTH, client_id: 'other', client_secret: 'x' })
    const link = await linkTo()
    const forged = { client_id: 'other', redirect_uri: 'https://other.test/cb', state: 'forged' }
    for (const [name, value] of Object.entries(forged)) link.searchParams.set(name, value)
    const fields = fieldsIn(await follow(link))
    const done = locationOf(await press({ ...fields, ...forged }))
    expect([done.origin, done.searchParams.get('state')]).toEqual(['https://app.test', 's1'])
  })

  it('ends with a newer one, with its time, and is no code at the token endpoint of another', async () => {
    await askForLink()
    const old = await linkTo()
    await askForLink()
    expect((await follow(old)).status).toBe(400)
    const link = await linkTo()
    const stranger = new URL(link)
    stranger.searchParams.set('email', `x${mail}`)
    expect((await follow(stranger)).status).toBe(400)
    server.clock.advance(180)
    expect((await follow(link)).status).toBe(400)
  })

  it('is an error page for junk', async () => {
    for (const query of [{}, { connection: 'email' }, { connection: 'Users', verification_code: 'x' }]) {
      expect((await browser.get('/passwordless/verify_redirect', { query })).status).toBe(400)
    }
  })
})

describe('a code in an application’s own page (/co/authenticate)', () => {
  const CREDENTIAL = 'http://auth0.com/oauth/grant-type/passwordless/otp'
  const ask = (otp: string, extra: object = {}) =>
    browser.post('/co/authenticate', {
      json: { client_id: 'spa', credential_type: CREDENTIAL, realm: 'email', username: mail, otp, ...extra },
      headers: { origin: 'https://app.test' },
    })

  it('becomes a login ticket that signs in, once', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const { login_ticket } = (await ask(code)).json()
    const query = authorizeQuery({ login_ticket: String(login_ticket), realm: 'email' })
    expect(locationOf(await browser.get('/authorize', { query })).searchParams.get('code')).toBeTruthy()
    expect(outcome(await ask(code))).toEqual([403, 'access_denied', 'Wrong email or verification code.'])
  })

  it('is refused where it is wrong, foreign or incomplete', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    expect((await ask(wrong(code))).status).toBe(403)
    expect((await ask(code, { realm: 'Users' })).status).toBe(400)
    expect((await ask(code, { realm: undefined })).status).toBe(400)
    expect((await ask(code, { username: 'no address' })).status).toBe(403)
    expect((await ask(code)).status).toBe(200)
  })
})
