// The device flow, from the device's first request to its tokens (RFC 8628; the contract's "Other grants").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindAction, postLogin } from '../../../testing/bind-action'
import {
  authorizeQuery,
  locationOf,
  payloadOf,
  refresh,
  SPA,
  signIn,
  submitPassword,
  userinfo,
  WEB,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const TV = { clientId: 'tv', settings: { app_type: 'native', grant_types: [GRANT, 'refresh_token'] } }
const BAD_CODE = 'Invalid or expired device code.'

let server: TestServer
let next = 0
/** Typed codes are counted per network, so each user has a network. */
const person = (): Browser => server.browser({ ip: `192.0.2.${++next}` })

beforeAll(async () => {
  server = await testServer()
  await server.addClient(TV)
  await server.addClient({ ...TV, clientId: 'other-tv' })
  await server.addClient({ clientId: 'third-tv', settings: { ...TV.settings, is_first_party: false } })
  await server.addClient({ clientId: 'rfc-tv', settings: { ...TV.settings, compat: { errors: 'rfc' } } })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: [GRANT] } })
  await server.addClient(SPA)
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
})
afterAll(() => server.close())

type Started = { device_code: string; user_code: string }
const ask = (extra: Record<string, string | undefined> = {}): Promise<TestResponse> =>
  server.browser().post('/oauth/device/code', { form: { client_id: 'tv', scope: 'openid offline_access', ...extra } })
const start = async (extra = {}) => (await ask(extra)).json() as Started
const poll = (device_code: string, extra = {}): Promise<TestResponse> =>
  server.browser().post('/oauth/token', { form: { grant_type: GRANT, client_id: 'tv', device_code, ...extra } })
const outcome = async (answer: Promise<TestResponse>) => {
  const { status, json } = await answer
  const { error, error_description } = json()
  return [status, error, error_description]
}

const type = (browser: Browser, user_code: string, form = {}): Promise<TestResponse> =>
  browser.post('/activate', { form: { user_code, action: 'continue', ...form } })
const confirmationOf = ({ text }: TestResponse): string => /name="confirmation" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Types the code and presses a button on the next page. */
async function press(browser: Browser, user_code: string, action = 'confirm'): Promise<TestResponse> {
  const confirmation = confirmationOf(await type(browser, user_code))
  return browser.post('/activate', { form: { user_code, confirmation, action } })
}

/** Confirms and signs in; returns the final redirect. */
async function connect(user_code: string, browser = person(), user = 'kim@mail.test'): Promise<URL> {
  const page = locationOf(await press(browser, user_code))
  expect(page.pathname).toBe('/u/login')
  return locationOf(await submitPassword(browser, page.searchParams.get('state') ?? '', user))
}

describe('POST /oauth/device/code', () => {
  it('answers what the device shows and polls with', async () => {
    const answer = await ask()
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-store'])
    const { user_code, device_code, ...rest } = answer.json()
    expect(user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
    expect(device_code).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual({
      verification_uri: 'https://id.test/activate',
      verification_uri_complete: `https://id.test/activate?user_code=${user_code}`,
      expires_in: 900,
      interval: 5,
    })
  })

  it('takes JSON, and Basic with an empty password from a public client', async () => {
    const browser = server.browser()
    expect((await browser.post('/oauth/device/code', { json: { client_id: 'tv', scope: ['openid'] } })).status).toBe(
      200,
    )
    const authorization = `Basic ${Buffer.from('tv:').toString('base64')}`
    expect((await browser.post('/oauth/device/code', { form: {}, headers: { authorization } })).status).toBe(200)
  })

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client', 'Unauthorized'],
    ['no client', { client_id: undefined }, 401, 'invalid_client', 'Unauthorized'],
    ['a secret that is missing', { client_id: 'web' }, 401, 'invalid_client', 'Unauthorized'],
    [
      'a grant that the client has not',
      { client_id: 'spa' },
      403,
      'unauthorized_client',
      `Grant type '${GRANT}' not allowed for the client.`,
    ],
    [
      'an invalid API',
      { audience: 'https://nobody.test' },
      403,
      'access_denied',
      'Service not found: https://nobody.test',
    ],
    ['an invalid scope', { scope: 'a"b' }, 400, 'invalid_scope', 'The scope is malformed'],
  ])('a request is refused: %s', async (_name, extra, ...expected) => {
    expect(await outcome(ask(extra))).toEqual(expected)
  })

  it('keeps neither code in the clear, nor the short one as a digest that could be tried through', async () => {
    const { device_code, user_code } = await start()
    const { rows } = await server.database.pool.query('SELECT * FROM device_authorization')
    const stored = rows
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    for (const secret of [device_code, user_code, user_code.replace('-', '')])
      expect(stored.join()).not.toContain(secret)
  })
})

describe('the user', () => {
  it('types the code, compares it, signs in, and the device has its tokens', async () => {
    const { device_code, user_code } = await start({
      audience: 'https://api.test',
      scope: 'openid email offline_access read:things',
    })
    expect(await outcome(poll(device_code))).toEqual([
      403,
      'authorization_pending',
      'User has yet to authorize device code.',
    ])
    const browser = person()
    const page = await browser.get('/activate', { query: { user_code: user_code.toLowerCase() } })
    expect(page.text).toContain(`value="${user_code}"`)
    const confirm = await type(browser, user_code.toLowerCase().replace('-', ' '))
    expect(confirm.text).toContain('App tv')
    expect(confirm.text).toContain(user_code)
    expect(confirm.header('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await connect(user_code, browser)).href).toBe('https://id.test/activate?result=connected')
    expect((await browser.get('/activate', { query: { result: 'connected' } })).text).toContain(
      'Your device is connected',
    )
    const answer = await poll(device_code)
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-store'])
    const tokens = answer.json()
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid email offline_access read:things' })
    expect(payloadOf(tokens.id_token)).toMatchObject({ aud: 'tv', sub: 'auth0|kim', sid: expect.any(String) })
    expect(payloadOf(tokens.access_token)).toMatchObject({
      azp: 'tv',
      aud: ['https://api.test', 'https://id.test/userinfo'],
    })
    expect((await userinfo(server.browser(), tokens.access_token)).json().sub).toBe('auth0|kim')
    expect((await refresh(server.browser(), tokens.refresh_token, { client_id: 'tv' })).status).toBe(200)
    expect(await outcome(poll(device_code))).toEqual([403, 'invalid_grant', BAD_CODE])
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(200)
  })

  it('with a session confirms all the same, and then needs nothing else', async () => {
    const browser = person()
    await signIn(browser, 'kim@mail.test')
    const { device_code, user_code } = await start()
    expect((await browser.get('/activate', { query: { user_code } })).status).toBe(200)
    expect((await type(browser, user_code)).text).toContain('Signed in as \u2068kim@mail.test'.replace('\u2068', ''))
    expect(await outcome(poll(device_code))).toContain('authorization_pending')
    expect(locationOf(await press(browser, user_code)).searchParams.get('result')).toBe('connected')
    expect((await poll(device_code)).status).toBe(200)
  })

  it('agrees where the application is a third party', async () => {
    const { device_code, user_code } = await start({ client_id: 'third-tv' })
    const browser = person()
    const consent = await connect(user_code, browser)
    expect(consent.pathname).toBe('/u/consent')
    const form = { state: consent.searchParams.get('state') ?? '', action: 'accept' }
    const end = locationOf(await browser.post('/u/submit', { form }))
    expect(end.searchParams.get('result')).toBe('connected')
    expect((await poll(device_code, { client_id: 'third-tv' })).status).toBe(200)
  })

  it.each(['at the confirmation', 'at the login', 'at the consent'])('the user can refuse %s', async (where) => {
    const { device_code, user_code } = await start({ client_id: 'third-tv' })
    const browser = person()
    let answer: TestResponse
    if (where === 'at the confirmation') answer = await press(browser, user_code, 'deny')
    else if (where === 'at the login') {
      const state = locationOf(await press(browser, user_code)).searchParams.get('state') ?? ''
      answer = await browser.post('/u/submit', { form: { state, action: 'cancel' } })
    } else {
      const state = (await connect(user_code, browser, 'lee@mail.test')).searchParams.get('state') ?? ''
      answer = await browser.post('/u/submit', { form: { state, action: 'deny' } })
    }
    expect(locationOf(answer).searchParams.get('result')).toBe('refused')
    const given = [403, 'access_denied', 'User cancelled the confirmation prompt.']
    expect(await outcome(poll(device_code, { client_id: 'third-tv' }))).toEqual(given)
    expect(await outcome(poll(device_code, { client_id: 'third-tv' }))).toEqual(given)
    expect((await type(browser, user_code)).text).toContain('This code isn’t valid')
  })

  it('the page has one answer for unknown, used, decided, expired and malformed codes', async () => {
    const [used, denied, over] = [await start(), await start(), await start()]
    await connect(used.user_code)
    await poll(used.device_code)
    await press(person(), denied.user_code, 'deny')
    server.clock.advance(901)
    const shown = async (code: string) =>
      (await type(person(), code)).text.replace(/nonce="[^"]+"|value="[A-Z-]+"/g, '')
    const texts = await Promise.all([used.user_code, denied.user_code, over.user_code, 'BBBB-BBBB'].map(shown))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('This code isn’t valid')
    expect((await type(person(), MARKUP)).text).not.toContain(MARKUP)
  })

  it('does not guess: codes are counted by network', async () => {
    const { user_code } = await start()
    const browser = server.browser({ ip: '203.0.113.9' })
    for (let i = 0; i < 20; i++) expect((await type(browser, 'BBBB-BBBB')).status).toBe(200)
    expect((await type(browser, user_code)).status).toBe(429)
    expect((await type(person(), user_code)).text).toContain('App tv')
    server.clock.advance(6)
    expect((await type(browser, user_code)).status).toBe(200)
  })

  it('a user who finishes too late sees that the code expired', async () => {
    const { user_code } = await start()
    const browser = person()
    const page = locationOf(await press(browser, user_code))
    server.clock.advance(901)
    const end = locationOf(await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test'))
    expect(end.searchParams.get('result')).toBe('expired')
    expect((await browser.get(end.pathname + end.search)).text).toContain('This code isn’t valid')
  })
})

const MARKUP = '"><script>alert(1)</script>'

describe('another user cannot confirm', () => {
  it('a link cannot confirm a code, however complete it is', async () => {
    const browser = person()
    await signIn(browser, 'kim@mail.test')
    const { device_code, user_code } = await start()
    const query = { user_code, action: 'confirm', confirmation: 'x', result: 'other' }
    expect((await browser.get('/activate', { query })).status).toBe(200)
    expect(await outcome(poll(device_code))).toContain('authorization_pending')
  })

  it('a form of another site brings no cookie and confirms nothing', async () => {
    const { device_code, user_code } = await start()
    const confirmation = confirmationOf(await type(person(), user_code))
    const answer = await person().post('/activate', { form: { user_code, confirmation, action: 'confirm' } })
    expect([answer.status, answer.header('location')]).toEqual([403, undefined])
    expect(await outcome(poll(device_code))).toContain('authorization_pending')
  })

  it.each(['confirm', 'deny'])(
    'a guessed confirmation, or one of another browser, decides nothing: %s',
    async (action) => {
      const browser = person()
      await signIn(browser, 'kim@mail.test')
      const { device_code, user_code } = await start()
      await type(browser, user_code)
      const foreign = confirmationOf(await type(person(), user_code))
      for (const confirmation of ['', 'x', foreign]) {
        const answer = await browser.post('/activate', { form: { user_code, confirmation, action } })
        expect([answer.status, answer.header('location')]).toEqual([200, undefined])
      }
      expect(await outcome(poll(device_code))).toContain('authorization_pending')
    },
  )
})

describe('polling', () => {
  it('a device that polls too early loses time, and never the outcome', async () => {
    const { device_code, user_code } = await start()
    const slow = (seconds: number) => [
      429,
      'slow_down',
      `You are polling faster than the specified interval of ${seconds} seconds.`,
    ]
    expect(await outcome(poll(device_code))).toContain('authorization_pending')
    expect(await outcome(poll(device_code))).toEqual(slow(5))
    server.clock.advance(5)
    expect(await outcome(poll(device_code))).toEqual(slow(10))
    server.clock.advance(15)
    expect(await outcome(poll(device_code))).toContain('authorization_pending')
    await connect(user_code)
    expect((await poll(device_code)).status).toBe(200)
  })

  it('receives once that the code expired', async () => {
    const { device_code } = await start()
    server.clock.advance(900)
    expect(await outcome(poll(device_code))).toEqual([403, 'expired_token', 'The device code has expired.'])
    expect(await outcome(poll(device_code))).toEqual([403, 'invalid_grant', BAD_CODE])
  })

  it('a device that polls too late does not get what was approved', async () => {
    const { device_code, user_code } = await start()
    await connect(user_code)
    server.clock.advance(900)
    expect(await outcome(poll(device_code))).toContain('expired_token')
    expect(await outcome(poll(device_code))).toEqual([403, 'invalid_grant', BAD_CODE])
  })

  it.each([
    ['an unknown code', { device_code: 'nonsense' }, BAD_CODE],
    ['another client', { client_id: 'other-tv' }, BAD_CODE],
  ])('with %s is refused, and the device continues', async (_name, extra, description) => {
    const { device_code, user_code } = await start()
    await connect(user_code)
    expect(await outcome(poll(device_code, extra))).toEqual([403, 'invalid_grant', description])
    expect((await poll(device_code)).status).toBe(200)
  })

  it('needs a code and a client that may', async () => {
    const { device_code } = await start()
    expect(await outcome(poll('', {}))).toEqual([400, 'invalid_request', 'Missing required parameter: device_code'])
    expect(await outcome(poll(device_code, { client_id: 'spa' }))).toContain('unauthorized_client')
  })

  it('answers as RFC 6749 says if so configured', async () => {
    const device = () => start({ client_id: 'rfc-tv' })
    const [pending, denied, over] = [await device(), await device(), await device()]
    await press(person(), denied.user_code, 'deny')
    const polled = ({ device_code }: Started) => outcome(poll(device_code, { client_id: 'rfc-tv' }))
    expect((await polled(pending)).slice(0, 2)).toEqual([400, 'authorization_pending'])
    expect((await polled(pending)).slice(0, 2)).toEqual([400, 'slow_down'])
    expect((await polled(denied)).slice(0, 2)).toEqual([400, 'access_denied'])
    server.clock.advance(900)
    expect((await polled(over)).slice(0, 2)).toEqual([400, 'expired_token'])
    expect((await polled(over)).slice(0, 2)).toEqual([400, 'invalid_grant'])
  })

  it('returns nothing for a user who was blocked or signed out everywhere after the approval', async () => {
    const { pool } = server.database
    for (const change of ['blocked = true', 'not_before = $2']) {
      const { device_code, user_code } = await start()
      await connect(user_code, person(), 'lee@mail.test')
      server.clock.advance(1)
      const values = change.includes('$2') ? ['auth0|lee', server.clock.now()] : ['auth0|lee']
      await pool.query(`UPDATE "user" SET ${change} WHERE id = $1`, values)
      expect((await outcome(poll(device_code)))[1]).toBe('invalid_grant')
      await pool.query(`UPDATE "user" SET blocked = false, not_before = NULL WHERE id = $1`, ['auth0|lee'])
    }
  })

  it('one of twenty concurrent polls gets the tokens', async () => {
    const { device_code, user_code } = await start()
    await connect(user_code)
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device_code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const tokens = answers.find(({ status }) => status === 200)?.json()
    expect((await userinfo(server.browser(), tokens?.access_token)).status).toBe(200)
  })

  it('with twenty concurrent polls before a decision slows all but one down', async () => {
    const { device_code } = await start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device_code)))
    const errors = answers.map((answer) => answer.json().error)
    expect(errors.filter((error) => error === 'authorization_pending')).toHaveLength(1)
    expect(errors.filter((error) => error === 'slow_down')).toHaveLength(19)
  })

  it('exactly one of a concurrent confirmation and refusal counts', async () => {
    const browser = person()
    await signIn(browser, 'kim@mail.test')
    const { device_code, user_code } = await start()
    const confirmation = confirmationOf(await type(browser, user_code))
    const answers = await Promise.all(
      ['confirm', 'deny'].map((action) => browser.post('/activate', { form: { user_code, confirmation, action } })),
    )
    const results = answers.map((answer) => locationOf(answer).searchParams.get('result'))
    const status = (await poll(device_code)).status
    expect(status).toBe(results[0] === 'connected' ? 200 : 403)
    expect(results.filter((result) => result === 'connected' || result === 'refused')).toHaveLength(1)
  })
})

it('is announced', async () => {
  const metadata = (await server.browser().get('/.well-known/openid-configuration')).json()
  expect(metadata.device_authorization_endpoint).toBe('https://id.test/oauth/device/code')
  expect(metadata.grant_types_supported).toContain(GRANT)
  expect(
    (await server.browser().get('/authorize', { query: authorizeQuery({ client_id: 'tv' }) })).header('location'),
  ).toBeUndefined()
})

describe('rules (threat-model.md RU4)', () => {
  it('change what a device is granted, at its login and at a refresh', async () => {
    await bindAction(server, 'post-login', postLogin("api.accessToken.removeScope('read:things')"))
    const { user_code, device_code } = await start({
      audience: 'https://api.test',
      scope: 'openid offline_access read:things',
    })
    expect((await connect(user_code)).searchParams.get('result')).toBe('connected')
    const tokens = (await poll(device_code)).json()
    expect(tokens.scope).toBe('openid offline_access')
    expect(payloadOf(tokens.access_token).scope).toBe('openid offline_access')
    await server.setTenant({})
    expect(
      payloadOf((await refresh(server.browser(), tokens.refresh_token, { client_id: 'tv' })).json().access_token).scope,
    ).toBe('openid offline_access')
  })
})
