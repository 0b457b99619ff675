// The link of an enrollment ticket: made and mailed by a manager, it lets a person add a second factor, once.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let browser: Browser
let address: string
let user: string

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({
    tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } },
    guardianFactors: ['otp', 'sms', 'push-notification', 'recovery-code'].map((name) => ({ name, enabled: true })),
    guardianPhoneFactorMessageTypes: { message_types: ['sms'] },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  address = `${server.random.hex(8)}@mail.test`
  user = await server.addUser({ email: address, data: { emailVerified: true } })
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
})

const SECRET = 'JBSWY3DPEHPK3PXP'
const requested = (body: object = {}) => manager.post('/guardian/enrollments/ticket', { user_id: user, ...body })
async function ticketOf(body: object = {}): Promise<string> {
  const made = await requested(body)
  expect(made.status, made.text).toBe(201)
  const { ticket_id, ticket_url } = made.json()
  expect(ticket_url).toBe(`https://id.test/u/enroll?ticket=${ticket_id}`)
  return String(ticket_id)
}
const open = (ticket: string) => browser.get('/u/enroll', { query: { ticket } })
const send = (state: string, action: string, fields: Record<string, string> = {}) =>
  browser.post('/u/enroll', { form: { state, action, ...fields }, headers: { origin: 'https://id.test' } })
const follow = (answer: TestResponse) => browser.get(answer.header('location') ?? '')
const stateIn = (page: TestResponse): string => /name="state" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
const offeredIn = (page: TestResponse) =>
  [...page.text.matchAll(/name="factor" value="([^"]+)"/g)].map(([, name]) => name)
const shown = (page: TestResponse, id: string): string =>
  (new RegExp(`<p class="secret-text" id="${id}"[^>]*>(.*?)</p>`).exec(page.text)?.[1] ?? '').replace(/<[^>]+>/g, '')
const codeFor = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now().getTime() })
const methods = async (id = user): Promise<Record<string, unknown>[]> =>
  JSON.parse((await manager.get(`/users/${encodeURIComponent(id)}/authentication-methods`)).text)
const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]

describe('the page', () => {
  it('adds an authenticator app, shows the recovery code, and works once', async () => {
    const ticket = await ticketOf()
    const page = await open(ticket)
    expect(offeredIn(page)).toEqual(['otp', 'push', 'sms'])
    const app = await follow(await send(stateIn(page), 'mfa-enroll', { factor: 'otp' }))
    const secret = shown(app, 'secret')
    const wrong = await send(stateIn(app), 'mfa-confirm', { code: '000000' })
    expect(wrong.status).toBe(400)
    expect(shown(wrong, 'secret')).toBe(secret)
    const confirmed = await send(stateIn(wrong), 'mfa-confirm', { code: codeFor(secret) })
    expect(shown(confirmed, 'recovery-code')).toMatch(/^[A-Z0-9]{24}$/)
    expect((await methods()).map(({ type }) => type)).toEqual(['totp', 'recovery-code'])
    expect((await send('', 'mfa-saved')).text).toContain('Your second step is set up')
    expect((await open(ticket)).status).toBe(400)
    expect((await send(stateIn(app), 'mfa-enroll', { factor: 'otp' })).status).toBe(400)
    const rows = await server.database.pool.query('SELECT row_to_json(t)::text AS t FROM ticket t')
    expect(JSON.stringify(rows.rows)).not.toContain(ticket)
    const events = JSON.stringify(await server.audited())
    expect(events).toContain('gd_enrollment_complete')
    expect(events).not.toContain(ticket)
  })

  it('asks for a number, and confirms it by the code that was sent', async () => {
    const ticket = await ticketOf({ factor: 'phone' })
    const page = await open(ticket)
    expect(offeredIn(page)).toEqual(['sms'])
    const number = await send(stateIn(page), 'mfa-enroll', { factor: 'sms' })
    expect(number.text).toContain('name="phone"')
    const invalid = await send(stateIn(number), 'mfa-enroll', { factor: 'sms', phone: '12' })
    expect(invalid.status).toBe(400)
    const phone = `+49151${String(10_000_000 + Math.floor(Number.parseInt(server.random.hex(3), 16) / 2))}`
    const sent = await follow(await send(stateIn(number), 'mfa-enroll', { factor: 'sms', phone }))
    const [message] = await mailsTo(server, phone)
    const confirmed = await send(stateIn(sent), 'mfa-confirm', { code: message?.code ?? '' })
    expect(shown(confirmed, 'recovery-code')).not.toBe('')
    expect(await methods()).toMatchObject([{ type: 'phone', phone_number: phone }, { type: 'recovery-code' }])
    expect(offeredIn(await send(stateIn(page), 'mfa-other'))).toEqual([])
  })

  it('waits for a device at an address of its own', async () => {
    const page = await open(await ticketOf({ factor: 'push-notification' }))
    const waiting = await follow(await send(stateIn(page), 'mfa-enroll', { factor: 'push' }))
    expect(waiting.text).toContain('data-waiting')
    const early = await send(stateIn(waiting), 'mfa-confirm')
    expect(early.status).toBe(303)
    expect((await follow(early)).text).toContain('data-waiting')
  })

  it('opens nothing for a user who has a factor, unless the manager allows another one', async () => {
    const path = `/users/${encodeURIComponent(user)}/authentication-methods`
    const before = await ticketOf()
    await manager.post(path, { type: 'totp', totp_secret: SECRET })
    expect((await open(before)).status).toBe(400)
    expect((await open(await ticketOf())).status).toBe(400)
    const ticket = await ticketOf({ allow_multiple_enrollments: true, factor: 'otp' })
    const app = await follow(await send(stateIn(await open(ticket)), 'mfa-enroll', { factor: 'otp' }))
    await send(stateIn(app), 'mfa-confirm', { code: codeFor(shown(app, 'secret')) })
    expect((await methods()).filter(({ type }) => type === 'totp')).toHaveLength(2)
    expect((await open(ticket)).status).toBe(400)
  })

  it('refuses a factor that was not offered, another link’s enrolment, and what is made up', async () => {
    const ticket = await ticketOf({ factor: 'otp' })
    const page = await open(ticket)
    expect(offeredIn(await send(stateIn(page), 'mfa-enroll', { factor: 'sms', phone: '+4915123456789' }))).toEqual([
      'otp',
    ])
    const app = await follow(await send(stateIn(page), 'mfa-enroll', { factor: 'otp' }))
    const [, draft] = stateIn(app).split('.')
    user = await server.addUser({ email: `${server.random.hex(8)}@mail.test` })
    const other = await ticketOf()
    const crossed = await send(`${other}.${draft}`, 'mfa-confirm', { code: codeFor(shown(app, 'secret')) })
    expect(crossed.status).toBe(400)
    expect(await methods()).toEqual([])
    expect(offeredIn(await send(`${ticket}.AAAA`, 'mfa-confirm', { code: '123456' }))).toEqual(['otp'])
    expect((await open('none')).status).toBe(400)
    expect((await send('none.none', 'mfa-enroll', { factor: 'otp' })).status).toBe(400)
    const foreign = await browser.post('/u/enroll', {
      form: { state: stateIn(app), action: 'mfa-confirm', code: codeFor(shown(app, 'secret')) },
      headers: { origin: 'https://evil.test' },
    })
    expect(foreign.status).toBe(403)
  })

  it('ends with a newer ticket and a block', async () => {
    const old = await ticketOf()
    const newer = await ticketOf()
    expect([(await open(old)).status, (await open(newer)).status]).toEqual([400, 200])
    await manager.patch(`/users/${encodeURIComponent(user)}`, { blocked: true })
    expect((await open(newer)).status).toBe(400)
    await manager.patch(`/users/${encodeURIComponent(user)}`, { blocked: false })
    expect((await open(newer)).status).toBe(400)
  })
})

describe('a ticket', () => {
  it('is mailed where that is asked for, to the user or to another address', async () => {
    const ticket = await ticketOf({ send_mail: true, email_locale: 'de' })
    const [mail] = await mailsTo(server, address)
    expect(mail).toMatchObject({ link: `https://id.test/u/enroll?ticket=${ticket}` })
    expect(mail?.subject).toContain('Richten Sie einen zweiten Schritt ein')
    const other = `${server.random.hex(8)}@other.test`
    await ticketOf({ send_mail: true, email: other })
    expect(await mailsTo(server, other)).toHaveLength(1)
    expect(await mailsTo(server, address)).toHaveLength(1)
    await ticketOf()
    expect(await mailsTo(server, address)).toHaveLength(1)
  })

  it('is mailed by the tenant’s template', async () => {
    const template = {
      template: 'enrollment_email',
      enabled: true,
      syntax: 'liquid',
      from: 'Us <us@mail.test>',
      subject: 'Step two',
      body: '<a href="{{ url }}">{{ user.email }}</a>',
    }
    expect((await manager.post('/email-templates', template)).status).toBe(201)
    server.clock.advance(2)
    const ticket = await ticketOf({ send_mail: true })
    const [mail] = await mailsTo(server, address)
    expect(mail).toMatchObject({ subject: 'Step two' })
    expect(mail?.text).toContain(ticket)
  })

  it.each<[string, object, [number, string]]>([
    ['an unknown user', { user_id: 'auth0|none' }, [404, 'inexistent_user']],
    ['no user', { user_id: undefined }, [400, 'invalid_body']],
    ['a factor that does not exist here', { factor: 'duo' }, [400, 'invalid_body']],
    ['a factor that is not enabled', { factor: 'email' }, [400, 'invalid_body']],
    ['two addresses', { email: 'a@mail.test,b@mail.test' }, [400, 'invalid_body']],
    ['a member of another kind', { send_mail: 'yes' }, [400, 'invalid_body']],
    ['an unknown member', { unknown: 1 }, [400, 'invalid_body']],
  ])('is refused for %s', async (_what, body, refusal) => {
    expect(outcome(await requested(body))).toEqual(refusal)
  })

  it('is not mailed to a user without an address', async () => {
    user = await server.addUser({ email: `${server.random.hex(8)}@mail.test` })
    await server.database.pool.query('UPDATE "user" SET email = NULL WHERE id = $1', [user])
    expect(outcome(await requested({ send_mail: true }))).toEqual([400, 'invalid_body'])
    expect((await requested()).status).toBe(201)
  })
})

describe('an enrollment', () => {
  it('is read and removed by its id', async () => {
    const path = `/users/${encodeURIComponent(user)}/authentication-methods`
    const id = String((await manager.post(path, { type: 'phone', phone_number: '+4915112349167' })).json().id)
    const one = `/guardian/enrollments/${encodeURIComponent(id)}`
    expect((await manager.get(one)).json()).toMatchObject({ id, status: 'confirmed', phone_number: 'XXXXXXXXX9167' })
    expect((await manager.remove(one)).status).toBe(204)
    expect(await methods()).toEqual([])
    expect(outcome(await manager.get(one))).toEqual([404, 'inexistent_enrollment'])
    expect((await manager.remove(one)).status).toBe(204)
  })
})

it('a ticket is for the factors that are enabled at that moment', async () => {
  await ticketOf({ factor: 'push-notification' })
  const enabling = (enabled: boolean) => manager.put('/guardian/factors/push-notification', { enabled })
  await enabling(false)
  expect((await requested({ factor: 'push-notification' })).status).toBe(400)
  await enabling(true)
  await ticketOf({ factor: 'push-notification' })
})

it('a ticket ends with its time', async () => {
  const ticket = await ticketOf()
  server.clock.advance(431_999)
  expect((await open(ticket)).status).toBe(200)
  server.clock.advance(2)
  expect((await open(ticket)).status).toBe(400)
})
