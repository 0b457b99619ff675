import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openVerification, verifyEmail } from '../../../identity/accounts/verify-email'
import { beginLogin, locationOf, SPA, signIn, submitPassword, WEB, webCredentials } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import {
  BREACHED,
  type Browser,
  PASSWORD,
  type TestResponse,
  type TestServer,
  testServer,
} from '../../../testing/server'

const PATH = '/dbconnections/signup'
const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer
let browser: Browser
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addConnection('Named', { options: { requires_username: true } }, 'con_named')
  await server.addClient({
    ...WEB,
    settings: { ...WEB.settings, grant_types: ['http://auth0.com/oauth/grant-type/password-realm'] },
  })
  await server.addConnection('Verified', { options: { require_verified_email: true } }, 'con_verified')
  await server.addConnection('Closed', { options: { disable_signup: true } }, 'con_closed')
  await server.addConnection('Private', { enabled_clients: ['other'] }, 'con_private')
})
afterAll(() => server.close())
beforeEach(() => {
  browser = server.browser()
  // Sign-ups are counted per minute.
  server.clock.advance(61)
})

const fresh = (): string => `person-${count++}@mail.test`
const body = (over: Record<string, unknown> = {}) => ({
  client_id: 'spa',
  connection: 'Users',
  email: fresh(),
  password: PASSWORD,
  ...over,
})
const signUp = (over: Record<string, unknown> = {}): Promise<TestResponse> => browser.post(PATH, { json: body(over) })
const accountsOf = async (email: string) =>
  (await server.database.pool.query('SELECT user_id FROM identity WHERE email_key = $1', [email])).rowCount

describe('a sign-up', () => {
  it('answers with the user and nothing secret, and the user can sign in', async () => {
    const answer = await signUp({
      email: '  Kim@Mail.TEST ',
      given_name: 'Kim',
      family_name: 'Lee',
      name: 'Kim Lee',
      nickname: 'kimi',
      picture: 'https://pictures.test/kim.png',
      user_metadata: { plan: 'gold' },
    })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email_verified: false,
      email: 'kim@mail.test',
      given_name: 'Kim',
      family_name: 'Lee',
      name: 'Kim Lee',
      nickname: 'kimi',
      picture: 'https://pictures.test/kim.png',
    })
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect((await signIn(server.browser(), 'kim@mail.test', { connection: 'Users' })).get('code')).toBeTruthy()
    const { users } = await server.runtime()
    const user = await users.find(`auth0|${answer.json()._id}`)
    expect(user).toMatchObject({ userMetadata: { plan: 'gold' }, appMetadata: {}, blocked: false })
  })

  it('takes a form as well', async () => {
    const answer = await browser.post(PATH, { form: body() as Record<string, string> })
    expect(answer.status).toBe(200)
  })

  it('sends a link that verifies the address, once, and only by the button', async () => {
    const email = fresh()
    await signUp({ email })
    const ticket = await ticketTo(server, email)
    const runtime = await server.runtime()
    expect(await openVerification(ticket, runtime)).toMatchObject({ email, clientId: 'spa' })
    expect(await openVerification(ticket, runtime)).toMatchObject({ email })
    expect(await verifyEmail(ticket, null, { ip: '192.0.2.1', locale: undefined }, runtime)).toMatchObject({
      outcome: 'done',
      user: { emailVerified: true },
    })
    expect(await verifyEmail(ticket, null, { ip: '192.0.2.1', locale: undefined }, runtime)).toEqual({
      outcome: 'expired',
    })
  })

  it('ignores privileged members', async () => {
    const json = `{"client_id":"spa","connection":"Users","email":"${fresh()}","password":"${PASSWORD}",
      "email_verified":true,"app_metadata":{"role":"admin"},"blocked":true,"user_id":"1","_id":"2","roles":["admin"],
      "password_hash":"x","phone_verified":true,"__proto__":{"email_verified":true},"constructor":{"prototype":{}}}`
    const answer = await browser.post(PATH, { json })
    expect(answer.json()).toMatchObject({ email_verified: false })
    const user = await (await server.runtime()).users.find(`auth0|${answer.json()._id}`)
    expect(user).toMatchObject({ emailVerified: false, appMetadata: {}, blocked: false, phoneVerified: false })
    expect(({} as Record<string, unknown>).email_verified).toBeUndefined()
  })
})

describe('an address that is taken', () => {
  it.each(['taken@mail.test', ' TAKEN@Mail.test '])('is refused without saying so, as %j', async (email) => {
    await signUp({ email: 'taken@mail.test' })
    const answer = await signUp({ email })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({
      name: 'BadRequestError',
      code: 'invalid_signup',
      description: 'Invalid sign up',
      statusCode: 400,
    })
    expect(await accountsOf('taken@mail.test')).toBe(1)
  })

  it('is answered like a new one where the connection hides existing accounts (threat-model.md D6)', async () => {
    const { pool } = server.database
    const set = async (options: object) => {
      await pool.query("UPDATE connection SET settings = $1 WHERE id = 'con_database'", [JSON.stringify({ options })])
      server.clock.advance(2)
    }
    const before = (await pool.query("SELECT settings FROM connection WHERE id = 'con_database'")).rows[0]?.settings
    await set({ ...before.options, hide_existing_accounts: true })
    const email = fresh()
    const answers = [await signUp({ email }), await signUp({ email })]
    await set(before.options ?? {})
    for (const answer of answers) {
      expect([answer.status, answer.json()]).toEqual([
        200,
        { _id: expect.stringMatching(/^[0-9a-f]{24}$/), email_verified: false, email },
      ])
      expect(await (await server.runtime()).users.find(`auth0|${answer.json()._id}`)).toBeNull()
    }
    expect(await accountsOf(email)).toBe(1)
  })

  it('notifies its owner, a limited number of times', async () => {
    const email = fresh()
    await signUp({ email })
    for (let i = 0; i < 8; i++) await signUp({ email })
    const notices = (await mailsTo(server, email)).filter(({ subject }) => subject.includes('already have an account'))
    expect(notices.map(({ link }) => link)).toEqual([null, null, null])
  })

  it('is said to be taken where the tenant wants it', async () => {
    await signUp({ email: 'told@mail.test' })
    await server.setTenant({ tenant: { flags: { enable_public_signup_user_exists_error: true } } })
    const answer = await signUp({ email: 'told@mail.test' })
    await server.setTenant({})
    expect(answer.json()).toMatchObject({ code: 'user_exists', description: 'The user already exists.' })
  })

  it('has one account after twenty sign-ups at once', async () => {
    const email = fresh()
    const answers = await Promise.all(TWENTY.map(() => signUp({ email })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().code === 'invalid_signup')).toHaveLength(19)
    expect(await accountsOf(email)).toBe(1)
    expect((await mailsTo(server, email)).filter(({ link }) => link)).toHaveLength(1)
  })

  it('cannot be the username of an imported user', async () => {
    const owner = await server.addUser({ email: fresh(), username: 'look@alike.test' })
    expect((await signUp({ email: 'look@alike.test' })).json()).toMatchObject({ code: 'invalid_signup' })
    const { users } = await server.runtime()
    expect((await users.findAccount('con_database', 'look@alike.test'))?.user.id).toBe(owner)
  })
})

describe('usernames', () => {
  const named = (username?: string) => signUp({ connection: 'Named', username })

  it('are required if the connection requires one, and stored in lower case', async () => {
    expect((await named('Kim_1')).json()).toMatchObject({ username: 'kim_1' })
    expect((await named('KIM_1')).json()).toMatchObject({ code: 'username_exists', statusCode: 400 })
  })

  it.each([undefined, 'has space', 'x'.repeat(16), 'kim@mail.test', 'käthe', '<b>'])(
    'a username is refused: %j',
    async (username) => {
      const answer = await named(username)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'invalid_request', error: expect.any(String) })
    },
  )

  it('a username is refused where the connection requires none', async () => {
    expect((await signUp({ username: 'kim' })).status).toBe(400)
  })
})

describe('user_metadata', () => {
  const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']))

  it.each([
    ['ten properties', many(10)],
    ['a name of 100', { ['n'.repeat(100)]: 'v' }],
    ['a value of 500', { k: 'v'.repeat(500) }],
    ['nothing', {}],
  ])('may have %s', async (_, user_metadata) => {
    expect((await signUp({ user_metadata })).status).toBe(200)
  })

  it.each([
    ['eleven properties', many(11)],
    ['a name of 101', { ['n'.repeat(101)]: 'v' }],
    ['a value of 501', { k: 'v'.repeat(501) }],
    ['a number', { k: 1 }],
    ['an object', { k: {} }],
    ['null', { k: null }],
    ['a NUL', { k: 'a\0b' }],
    ['half a character', { k: '\ud800' }],
    ['a list', []],
    ['a text', 'k=v'],
  ])('may not have, or be, %s', async (_, user_metadata) => {
    expect((await signUp({ user_metadata })).status).toBe(400)
  })

  it('keeps __proto__ as a name like any other', async () => {
    const json = JSON.stringify(body()).replace('}', ',"user_metadata":{"__proto__":"x"}}')
    expect((await browser.post(PATH, { json })).status).toBe(200)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('where an address must be verified before the first login', () => {
  const VERIFIED = { connection: 'Verified' }
  const login = async (email: string, password = PASSWORD) => {
    const visitor = server.browser()
    const state = await beginLogin(visitor, VERIFIED)
    return locationOf(await submitPassword(visitor, state, email, password)).searchParams
  }

  it('reports it to a user with the correct password, sends the link again, and admits the user after it', async () => {
    const email = fresh()
    await signUp({ email, ...VERIFIED })
    server.clock.advance(1)
    expect((await login(email)).get('notice')).toBe('verify_first')
    expect((await login(email, 'wrong')).get('notice')).toBe('wrong_credentials')
    expect(await mailsTo(server, email)).toHaveLength(2)
    await verifyEmail(
      await ticketTo(server, email),
      null,
      { ip: '192.0.2.1', locale: undefined },
      await server.runtime(),
    )
    expect((await login(email)).get('code')).toBeTruthy()
  })

  it('gives neither a token nor a login ticket before', async () => {
    const email = fresh()
    await signUp({ email, ...VERIFIED })
    const credentials = { username: email, password: PASSWORD, realm: 'Verified' }
    const token = await browser.post('/oauth/token', {
      json: { ...webCredentials(), grant_type: 'http://auth0.com/oauth/grant-type/password-realm', ...credentials },
    })
    const ticket = await browser.post('/co/authenticate', {
      json: { client_id: 'spa', credential_type: 'http://auth0.com/oauth/grant-type/password-realm', ...credentials },
      headers: { origin: 'https://app.test' },
    })
    for (const answer of [token, ticket]) {
      expect(answer.status).toBe(403)
      expect(answer.json()).toMatchObject({
        error: 'access_denied',
        error_description: expect.stringContaining('verify'),
      })
    }
  })
})

describe('passwords', () => {
  it('are refused with the rules they break', async () => {
    const answer = await signUp({ password: 'short' })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({
      name: 'PasswordStrengthError',
      message: 'Password is too weak',
      code: 'invalid_password',
      description: {
        rules: [{ message: 'At least %d characters in length', format: [8], code: 'lengthAtLeast', verified: false }],
        verified: false,
      },
      policy: '* At least 8 characters in length',
      statusCode: 400,
    })
  })

  it.each([
    ['common', 'Password123', 'PasswordDictionaryError', 'invalid_password'],
    ['about the person', 'i am sombody.else!', 'PasswordNoUserInfoError', 'invalid_password'],
    ['leaked', BREACHED, 'PasswordLeakedError', 'password_leaked'],
    ['too long', 'x'.repeat(1025), 'PasswordStrengthError', 'invalid_password'],
  ])('a password is refused: %s', async (_, password, name, code) => {
    const answer = await signUp({ email: 'sombody.else@mail.test', password })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ name, code })
  })

  it.each([
    ['64 characters and more', 'pässwörd 🔑 '.repeat(20)],
    ['72 bytes that differ after', `${'0aZ '.repeat(30)}end`],
    ['spaces around', '  spaces around me  '],
  ])('may have %s, and count exactly', async (_, password) => {
    const email = fresh()
    expect((await signUp({ email, password })).status).toBe(200)
    const attempt = async (typed: string) => {
      const visitor = server.browser()
      return submitPassword(visitor, await beginLogin(visitor, { connection: 'Users' }), email, typed)
    }
    const codeOf = async (typed: string) => locationOf(await attempt(typed)).searchParams.get('code')
    expect(await codeOf(password.slice(0, -1))).toBeNull()
    expect(await codeOf(password)).toBeTruthy()
  })

  it.each(['a\0bcdefghijk', '\ud800 half a pair', [['a', 'list of some']], { $ne: 'x' }])(
    'may not be %j',
    async (password) => {
      expect((await signUp({ password })).status).toBe(400)
    },
  )

  it('are not looked up in a breach where the tenant switched that off', async () => {
    await server.setTenant({ attackProtection: { breachedPasswordDetection: { enabled: false } } })
    const answer = await signUp({ password: BREACHED })
    await server.setTenant({})
    expect(answer.status).toBe(200)
  })
})

describe('refused sign-ups', () => {
  it.each(['client_id', 'connection', 'email', 'password'])('say that %s is missing', async (name) => {
    const answer = await signUp({ [name]: undefined })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'invalid_request',
      description: `Missing required parameter: ${name}`,
    })
  })

  it.each([
    'plain',
    '@mail.test',
    'a@b',
    'a@b..test',
    'a..b@mail.test',
    'a@mail.test,b@mail.test',
    'a@mail.test\r\nBcc: b@mail.test',
    'a b@mail.test',
    `${'a'.repeat(65)}@mail.test`,
    'a@mail.test\u202e',
  ])('take %j for no address', async (email) => {
    expect((await signUp({ email })).json()).toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an unknown connection', { connection: 'Nowhere' }],
    ['a connection of another client', { connection: 'Private' }],
    ['a picture that is no web address', { picture: 'javascript:alert(1)' }],
    ['a name without end', { name: 'x'.repeat(301) }],
    ['an object for a name', { given_name: { a: 1 } }],
  ])('are those with %s', async (_, over) => {
    expect((await signUp(over)).status).toBe(400)
  })

  it('are all at a connection that is closed', async () => {
    expect((await signUp({ connection: 'Closed' })).json()).toMatchObject({ code: 'public_signup_disabled' })
  })

  it('are the fifty-first of a minute from one network', async () => {
    await server.setTenant({
      attackProtection: { suspiciousIpThrottling: { stage: { 'pre-user-registration': { max_attempts: 2 } } } },
    })
    const statuses = [await signUp(), await signUp(), await signUp()].map(({ status }) => status)
    const elsewhere = await server.browser({ ip: '192.0.2.77' }).post(PATH, { json: body() })
    await server.setTenant({})
    expect(statuses).toEqual([200, 200, 429])
    expect(elsewhere.status).toBe(200)
  })

  it('are forms that pass for JSON', async () => {
    const answer = await browser.post(PATH, { json: body(), headers: { 'content-type': 'text/plain' } })
    expect(answer.status).toBe(415)
  })
})
