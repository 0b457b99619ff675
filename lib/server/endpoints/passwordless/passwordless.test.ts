// Passwordless login over the API: /passwordless/start, the two grants, and the protection against guessing and account
// enumeration.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { payloadOf, SPA, userinfo, WEB } from '../../../testing/journey'
import { demand } from '../../../testing/mfa'
import {
  addPasswordless,
  codeTo,
  messagesTo,
  OTP_GRANT,
  redeemCode,
  sendTo,
  start,
  wrong,
} from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

const TWENTY = Array.from({ length: 20 }, (_, i) => i)
const GRANTS = ['authorization_code', 'refresh_token', 'password', OTP_GRANT]
const WRONG = [403, 'invalid_grant', 'Wrong email or verification code.']
const EXHAUSTED = [403, 'invalid_grant', "You've reached the maximum number of attempts. Please try to login again."]
const EXPIRED = [403, 'invalid_grant', 'The verification code has expired. Please try to login again.']

let server: TestServer
let browser: Browser
let mail = ''

beforeAll(async () => {
  server = await testServer()
  await addPasswordless(server, { sms: { countries: ['DE'] } })
  await server.addConnection('closed', { options: { disable_signup: true } }, 'con_closed', 'email')
  await server.addConnection('mine', { enabled_clients: ['web'] }, 'con_mine', 'email')
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: GRANTS } })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: GRANTS } })
  await server.addClient({ clientId: 'ungranted', settings: { app_type: 'native' } })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }] })
})
afterAll(() => server.close())

let counter = 0
beforeEach(() => {
  counter++
  mail = `p${counter}@mail.test`
  browser = server.browser({ ip: `203.0.113.${counter}` })
})

const outcome = (answer: TestResponse) => [answer.status, answer.json().error, answer.json().error_description]
const users = async () => Number((await server.database.pool.query('SELECT count(*) FROM "user"')).rows[0]?.count)
const WEB_AUTH = { client_id: 'web', client_secret: WEB.secret }

describe('a connection', () => {
  const time_step = 60
  const message_limits = { per_address_hour: 2, per_address_day: 3, per_day: 100 }

  it('bounds how long its codes are valid, and how many an address gets in an hour and in a day', async () => {
    await server.addConnection('short', { options: { totp: { time_step }, message_limits } }, 'con_short', 'email')
    server.clock.advance(2)
    const send = () => sendTo(browser, mail, { connection: 'short' })
    const sent = async () => (await messagesTo(server, mail)).length
    await send()
    const code = await codeTo(server, mail)
    server.clock.advance(time_step)
    expect(outcome(await redeemCode(browser, mail, code, { realm: 'short' }))).toEqual(EXPIRED)
    for (let i = 0; i < 3; i += 1) await send()
    expect(await sent()).toBe(2)
    server.clock.advance(3601)
    for (let i = 0; i < 3; i += 1) await send()
    expect(await sent()).toBe(3)
  })
})

describe('/passwordless/start', () => {
  it('answers alike for an address that is known and one that is not, and never with the code', async () => {
    await sendTo(browser, mail)
    await redeemCode(browser, mail, await codeTo(server, mail))
    const known = await sendTo(browser, mail)
    const unknown = await sendTo(browser, `un${mail}`)
    expect(known.json()).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), email: mail, email_verified: false })
    expect(Object.keys(unknown.json())).toEqual(Object.keys(known.json()))
    expect(known.text).not.toContain(await codeTo(server, mail))
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect((await sendTo(browser, mail)).json()).toEqual(known.json())
  })

  it('answers for a number as the contract shows, and sends the origin-bound text', async () => {
    const answer = await start(browser, { connection: 'sms', phone_number: '+491701234567' })
    expect(answer.json()).toEqual({
      _id: expect.any(String),
      phone_number: '+491701234567',
      phone_verified: false,
      request_language: null,
    })
    const [message] = await messagesTo(server, '+491701234567')
    expect(message?.text).toMatch(/\n\n@id\.test #\d{6}$/)
    expect(message?.text).toContain(String(message?.code))
  })

  it('words the message in the language of x-request-language', async () => {
    await browser.post('/passwordless/start', {
      json: { client_id: 'spa', connection: 'email', email: mail, send: 'code' },
      headers: { 'x-request-language': 'de' },
    })
    expect((await messagesTo(server, mail))[0]?.subject).toContain('Anmeldecode')
  })

  it.each([
    [{}, 'bad.connection', 'Missing required property: connection'],
    [{ connection: 'nope', email: 'a@b.test' }, 'bad.connection', 'Connection does not exist'],
    [{ connection: 'mine', email: 'a@b.test' }, 'bad.connection', 'Connection is disabled'],
    [{ connection: 'Users', email: 'a@b.test' }, 'bad.connection', 'Connection is not a passwordless connection'],
    [{ connection: 'email' }, 'bad.email', 'Missing required property: email'],
    [{ connection: 'email', email: 'a@b.test,c@d.test' }, 'bad.email', 'email is not a valid address'],
    [{ connection: 'sms' }, 'bad.phone_number', 'Missing required property: phone_number'],
    [
      { connection: 'sms', phone_number: '0170' },
      'bad.phone_number',
      'String does not match pattern: ^\\+[0-9]{1,15}$',
    ],
    [{ connection: 'sms', phone_number: '+1' }, 'bad.phone_number', 'phone_number is not a number that can be sent to'],
    [{ connection: 'sms', phone_number: '+33612345678' }, 'bad.phone_number', 'Numbers of this country are not served'],
    [{ connection: 'email', email: 'a@b.test', send: 'fax' }, 'bad.request', 'send must be link or code'],
    [
      { connection: 'email', email: 'a@b.test', roles: ['admin'], x: 1 },
      'bad.request',
      'the following properties are not allowed: roles, x',
    ],
    [
      { connection: 'email', email: 'a@b.test', authParams: 'scope' },
      'bad.authParams',
      'error in authParams - invalid type: string (expected object)',
    ],
    [
      { connection: 'email', email: 'a@b.test', authParams: { redirect_uri: 'https://evil.test/cb' } },
      'bad.authParams',
      'error in authParams - redirect_uri is not in the list of allowed callback URLs',
    ],
  ])('a start is refused: %j', async (body, error, description) => {
    expect(outcome(await start(browser, body))).toEqual([400, error, description])
  })

  it('names a missing client, and wants the secret of a client that has one', async () => {
    const missing = await browser.post('/passwordless/start', { json: { connection: 'email', email: mail } })
    expect(outcome(missing)).toEqual([400, 'bad.client_id', 'Missing required property: client_id'])
    const bare = await start(browser, { client_id: 'web', connection: 'email', email: mail })
    expect(outcome(bare)).toEqual([401, 'invalid_client', 'Unauthorized'])
    const wrongSecret = await start(browser, { ...WEB_AUTH, client_secret: 'no', connection: 'email', email: mail })
    expect(wrongSecret.status).toBe(401)
    expect(await messagesTo(server, mail)).toEqual([])
    expect((await start(browser, { ...WEB_AUTH, connection: 'email', email: mail })).status).toBe(200)
  })

  it('sends no more than five messages an hour to one address from one network, and other addresses are not concerned', async () => {
    for (const spelling of [mail, mail.toUpperCase(), ` ${mail}`, mail, mail]) {
      expect((await sendTo(browser, spelling)).status).toBe(200)
    }
    expect(outcome(await sendTo(browser, mail)).slice(0, 2)).toEqual([429, 'too_many_requests'])
    expect(await messagesTo(server, mail)).toHaveLength(5)
    expect((await sendTo(browser, `other-${mail}`)).status).toBe(200)
    server.clock.advance(3600)
    expect((await sendTo(browser, mail)).status).toBe(200)
  })

  it('sends at most ten to it for unrecognized networks, but more where it was proven before (threat-model.md BF6)', async () => {
    const home = server.browser({ ip: '198.51.100.30' })
    await sendTo(home, mail)
    expect((await redeemCode(home, mail, await codeTo(server, mail))).status).toBe(200)
    const answers: number[] = []
    for (let i = 0; i < 12; i++) answers.push((await sendTo(server.browser({ ip: `198.51.100.${i}` }), mail)).status)
    expect(answers).toEqual([...Array(9).fill(200), 429, 429, 429])
    server.clock.advance(1)
    expect((await sendTo(home, mail)).status).toBe(200)
    expect((await redeemCode(home, mail, await codeTo(server, mail))).status).toBe(200)
  })

  it('is not withheld from its owner by another person’s requests', async () => {
    const stranger = server.browser({ ip: '198.51.100.31' })
    for (let i = 0; i < 30; i++) await sendTo(stranger, mail)
    server.clock.advance(1)
    expect((await sendTo(browser, mail)).status).toBe(200)
    expect((await redeemCode(browser, mail, await codeTo(server, mail))).status).toBe(200)
  })

  it('accepts only the newest of several codes', async () => {
    await sendTo(browser, mail)
    const first = await codeTo(server, mail)
    await sendTo(browser, mail)
    expect(outcome(await redeemCode(browser, mail, first))).toEqual(WRONG)
    expect((await redeemCode(browser, mail, await codeTo(server, mail))).status).toBe(200)
  })
})

describe('when sign-up is disabled', () => {
  it('asking looks the same and changes nothing: nothing is sent and no code works', async () => {
    const ask = { connection: 'closed', email: mail, send: 'code' }
    const unknown = await start(browser, ask)
    expect([unknown.status, unknown.json()]).toEqual([
      200,
      { _id: expect.any(String), email: mail, email_verified: false },
    ])
    expect(await messagesTo(server, mail)).toEqual([])
    const before = await users()
    expect(outcome(await redeemCode(browser, mail, '000000', { realm: 'closed' }))).toEqual(WRONG)
    expect(await users()).toBe(before)
  })
})

describe('the passwordless grant', () => {
  it('creates a user with the first code, and finds it again', async () => {
    await sendTo(browser, mail)
    const tokens = (await redeemCode(browser, mail, await codeTo(server, mail), { scope: 'openid email' })).json()
    const { sub, email, email_verified } = payloadOf(tokens.id_token)
    expect([sub, email, email_verified]).toEqual([expect.stringMatching(/^email\|[0-9a-f]{24}$/), mail, true])
    expect((await userinfo(browser, tokens.access_token)).json()).toMatchObject({ sub, email: mail })
    await sendTo(browser, mail.toUpperCase())
    const again = (await redeemCode(browser, mail, await codeTo(server, mail))).json()
    expect(payloadOf(again.id_token).sub).toBe(sub)
  })

  it('makes a user of a number, whatever its spelling', async () => {
    const typed = '\u202a+49\u00a0(1511) 234\uff0d\u0665678\u202c'
    expect((await start(browser, { connection: 'sms', phone_number: typed })).status).toBe(200)
    const code = await codeTo(server, '+4915112345678')
    const tokens = (
      await redeemCode(browser, '+49 (1511) 2345678', code, { realm: 'sms', scope: 'openid phone' })
    ).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({
      sub: expect.stringMatching(/^sms\|[0-9a-f]{24}$/),
      phone_number: '+4915112345678',
      phone_number_verified: true,
    })
  })

  it('never opens the database account of the same address', async () => {
    const account = await server.addUser({ email: mail })
    await sendTo(browser, mail)
    const tokens = (await redeemCode(browser, mail, await codeTo(server, mail))).json()
    expect(payloadOf(tokens.id_token).sub).not.toBe(account)
    expect(payloadOf(tokens.id_token).sub).toMatch(/^email\|/)
  })

  it('takes "123 456", and a code once', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const spaced = asPasted(code)
    expect((await redeemCode(browser, mail, spaced)).status).toBe(200)
    expect(outcome(await redeemCode(browser, mail, code))).toEqual(WRONG)
  })

  it('lets one of twenty win', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const before = await users()
    const answers = await Promise.all(
      TWENTY.map((i) => redeemCode(server.browser({ ip: `192.0.2.${100 + i}` }), mail, code)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await users()).toBe(before + 1)
  })

  it('judges three of twenty wrong ones that come at once', async () => {
    await sendTo(browser, mail)
    const bad = wrong(await codeTo(server, mail))
    await Promise.all(TWENTY.map((i) => redeemCode(server.browser({ ip: `192.0.2.${50 + i}` }), mail, bad)))
    const row = await server.database.pool.query('SELECT guesses FROM one_time_code WHERE address = $1', [mail])
    expect(row.rows[0]?.guesses).toBe(3)
  })

  it('ends a code after three wrong ones, over spellings, ways in and clients', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    const bad = wrong(code)
    expect(outcome(await redeemCode(browser, mail.toUpperCase(), bad))).toEqual(WRONG)
    const byPassword = { grant_type: 'password', connection: 'email', password: bad, realm: undefined, otp: undefined }
    expect(outcome(await redeemCode(browser, mail, bad, byPassword))).toEqual(WRONG)
    expect(outcome(await redeemCode(browser, mail, bad, WEB_AUTH))).toEqual(WRONG)
    expect(outcome(await redeemCode(browser, mail, code))).toEqual(EXHAUSTED)
  })

  it('stops guessing at an address over fresh codes and networks, and judges nothing then', async () => {
    for (let i = 0; i < 6; i++) {
      await sendTo(server.browser({ ip: `192.0.2.${i}` }), mail)
      const bad = wrong(await codeTo(server, mail))
      for (let j = 0; j < 3; j++) await redeemCode(server.browser({ ip: `192.0.2.${i * 3 + j}` }), mail, bad)
    }
    const stopped = await redeemCode(browser, mail, await codeTo(server, mail))
    expect(outcome(stopped).slice(0, 2)).toEqual([429, 'too_many_attempts'])
    expect(stopped.header('retry-after')).toBe('3600')
    server.clock.advance(3600)
    await sendTo(browser, mail)
    expect((await redeemCode(browser, mail, await codeTo(server, mail))).status).toBe(200)
  })

  it('stops one network that guesses at an address over fresh codes before others', async () => {
    const stranger = server.browser({ ip: '192.0.2.252' })
    for (let i = 0; i < 4; i++) {
      await sendTo(browser, mail)
      const bad = wrong(await codeTo(server, mail))
      for (let j = 0; j < 3; j++) await redeemCode(stranger, mail, bad)
    }
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    expect(outcome(await redeemCode(stranger, mail, code)).slice(0, 2)).toEqual([429, 'too_many_attempts'])
    expect((await redeemCode(browser, mail, code)).status).toBe(200)
  })

  it('counts nothing against an address that no code is outstanding for (threat-model.md BF6)', async () => {
    for (let i = 0; i < 12; i++) expect(outcome(await redeemCode(browser, mail, '123456'))).toEqual(WRONG)
    await sendTo(browser, mail)
    expect((await redeemCode(browser, mail, await codeTo(server, mail))).status).toBe(200)
    for (let i = 0; i < 12; i++) expect(outcome(await redeemCode(browser, mail, '123456'))).toEqual(WRONG)
    await sendTo(browser, mail)
    expect((await redeemCode(browser, mail, await codeTo(server, mail))).status).toBe(200)
  })

  it('leaves its tries at a code to where the address was proven before, three of them (threat-model.md BF6)', async () => {
    const home = server.browser({ ip: '192.0.2.251' })
    const guessAsStrangers = async (bad: string) => {
      for (let i = 0; i < 4; i++) await redeemCode(server.browser({ ip: `192.0.2.${i}` }), mail, bad)
    }
    await sendTo(home, mail)
    expect((await redeemCode(home, mail, await codeTo(server, mail))).status).toBe(200)
    await sendTo(home, mail)
    const code = await codeTo(server, mail)
    await guessAsStrangers(wrong(code))
    expect(outcome(await redeemCode(browser, mail, code))).toEqual(EXHAUSTED)
    expect((await redeemCode(home, mail, code)).status).toBe(200)
    await sendTo(home, mail)
    const next = await codeTo(server, mail)
    for (let i = 0; i < 3; i++) expect(outcome(await redeemCode(home, mail, wrong(next)))).toEqual(WRONG)
    expect(outcome(await redeemCode(home, mail, next))).toEqual(EXHAUSTED)
    expect(outcome(await redeemCode(browser, mail, next))).toEqual(EXHAUSTED)
  })

  it('stops one network that tries many addresses', async () => {
    const own = server.browser({ ip: '192.0.2.254' })
    const answers: number[] = []
    for (let i = 0; i < 101; i++) answers.push((await redeemCode(own, `spray${i}@mail.test`, '123456')).status)
    expect(answers.slice(0, 100).every((status) => status === 403)).toBe(true)
    expect(answers[100]).toBe(429)
  })

  it('forgets a code after its time', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    server.clock.advance(180)
    expect(outcome(await redeemCode(browser, mail, code))).toEqual(EXPIRED)
  })

  it('reopens no used code when the clock jumps back', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    await redeemCode(browser, mail, code)
    server.clock.advance(-60)
    expect(outcome(await redeemCode(browser, mail, code))).toEqual(WRONG)
    server.clock.advance(60)
  })

  it('accepts a code only for the client that requested it, at the connection that sent it', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    expect(outcome(await redeemCode(browser, mail, code, WEB_AUTH))).toEqual(WRONG)
    expect(outcome(await redeemCode(browser, mail, code, { realm: 'closed' }))).toEqual(WRONG)
    expect((await redeemCode(browser, mail, code)).status).toBe(200)
  })

  it('distinguishes a wrong number from a wrong address in the vendor’s words', async () => {
    const answer = await redeemCode(browser, '+491701111111', '123456', { realm: 'sms' })
    expect(outcome(answer)).toEqual([403, 'invalid_grant', 'Wrong phone number or verification code.'])
    expect(outcome(await redeemCode(browser, 'not a number', '1', { realm: 'sms' }))).toEqual(outcome(answer))
  })

  it.each([
    [{ realm: undefined }, 'Missing required parameter: realm'],
    [{ otp: undefined }, 'Missing required parameter: otp'],
    [{ username: undefined }, 'Missing required parameter: username'],
    [{ realm: 'Users' }, 'Unknown or invalid realm.'],
    [{ realm: 'mine' }, 'Unknown or invalid realm.'],
  ])('the grant is refused: %j', async (extra, description) => {
    expect(outcome(await redeemCode(browser, mail, '123456', extra))).toEqual([400, 'invalid_request', description])
  })

  it('is off for a client whose grants do not name it, and refuses a blocked user', async () => {
    expect(outcome(await redeemCode(browser, mail, '123456', { client_id: 'ungranted' }))[1]).toBe(
      'unauthorized_client',
    )
    await sendTo(browser, mail)
    await redeemCode(browser, mail, await codeTo(server, mail))
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE email = $1', [mail])
    await sendTo(browser, mail)
    expect(outcome(await redeemCode(browser, mail, await codeTo(server, mail)))).toEqual([
      403,
      'invalid_grant',
      'user is blocked',
    ])
  })

  it('survives what is no code', async () => {
    for (const otp of ['', '٠١٢٣٤٥', '1'.repeat(5000), "' OR 1=1", '\u0000', '{}']) {
      expect((await redeemCode(browser, mail, otp)).status).toBeLessThan(500)
    }
  })
})

describe('the password grant with a passwordless connection', () => {
  it('takes the code as the password', async () => {
    await sendTo(browser, mail, { ...WEB_AUTH })
    const form = { grant_type: 'password', connection: 'email', username: mail, password: await codeTo(server, mail) }
    const answer = await browser.post('/oauth/token', { form: { ...WEB_AUTH, ...form } })
    expect(payloadOf(answer.json().id_token).sub).toMatch(/^email\|/)
  })
})

describe('at rest', () => {
  it('there is no code in the table, nor its plain digest', async () => {
    await sendTo(browser, mail)
    const { rows } = await server.database.pool.query('SELECT * FROM one_time_code WHERE address = $1', [mail])
    const { createHash } = await import('node:crypto')
    const code = await codeTo(server, mail)
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(Buffer.from(rows[0].digest).equals(createHash('sha256').update(code).digest())).toBe(false)
  })
})

describe('a second factor (threat-model.md MF1)', () => {
  it('is required after a code as after a password', async () => {
    await sendTo(browser, mail)
    const code = await codeTo(server, mail)
    await demand(server)
    const answer = await redeemCode(browser, mail, code)
    await server.setTenant({})
    expect([answer.status, answer.json()]).toMatchObject([
      403,
      { error: 'mfa_required', mfa_token: expect.any(String) },
    ])
  })
})
