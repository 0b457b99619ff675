// Tickets of the Management API: links that set a password and verify an address, once, for a while, and without proving too much.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

let server: TestServer
let manager: Manager
let users: string

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const [connection] = JSON.parse((await manager.get('/connections', { query: { name: 'Users' } })).text) as Body[]
  users = String(connection?.id)
  await server.addClient({ clientId: 'app', settings: { initiate_login_uri: 'https://app.test/login' } })
  for (const id of ['kim', 'lee', 'ann', 'bob']) await server.addUser({ id, email: `${id}@mail.test` })
})
afterAll(() => server.close())

const password = (body: Body) => manager.post('/tickets/password-change', body)
const verification = (body: Body) => manager.post('/tickets/email-verification', body)
const isVerified = async (id: string): Promise<boolean> =>
  (await server.database.pool.query('SELECT email_verified FROM "user" WHERE id = $1', [`auth0|${id}`])).rows[0]
    ?.email_verified

/** Presses the button of the page that the link leads to. */
async function use(made: TestResponse, form: Record<string, string> = {}): Promise<TestResponse> {
  expect(made.status, made.text).toBe(201)
  const link = new URL(String(made.json().ticket))
  expect(link.origin).toBe('https://id.test')
  const ticket = link.searchParams.get('ticket') ?? ''
  return server.browser().post(link.pathname, { form: { ticket, ...form }, headers: { origin: 'https://id.test' } })
}
const NEW = { password: 'quite another pass phrase' }

describe('a ticket to set a password', () => {
  it('sets it, once, and verifies the address only where that is asked for', async () => {
    const made = await password({ user_id: 'auth0|kim' })
    expect((await use(made, NEW)).status).toBe(200)
    expect(await isVerified('kim')).toBe(false)
    expect((await use(made, NEW)).status).toBe(400)
    const proving = await password({ connection_id: users, email: 'KIM@mail.test', mark_email_as_verified: true })
    expect((await use(proving, { password: 'a third pass phrase' })).status).toBe(200)
    expect(await isVerified('kim')).toBe(true)
  })

  it('leads to the result address, with the e-mail address where that is asked for', async () => {
    const result_url = 'https://app.test/done?a=1'
    const page = await use(await password({ user_id: 'auth0|lee', result_url, includeEmailInRedirect: true }), NEW)
    expect(page.text).toContain('https://app.test/done?a=1&amp;success=true&amp;code=success&amp;email=lee%40mail.test')
    const without = await use(await password({ user_id: 'auth0|ann', result_url }), NEW)
    expect(without.text).toContain('https://app.test/done?a=1&amp;success=true&amp;code=success')
    expect(without.text).not.toContain('ann%40mail.test')
    const app = await use(await password({ user_id: 'auth0|bob', client_id: 'app' }), NEW)
    expect(app.text).toContain('https://app.test/login')
  })

  it('ends with its time, and with a newer one', async () => {
    const brief = await password({ user_id: 'auth0|lee', ttl_sec: 60 })
    server.clock.advance(61)
    expect((await use(brief, NEW)).status).toBe(400)
    const long = await password({ user_id: 'auth0|lee', ttl_sec: 0 })
    const { rows } = await server.database.pool.query('SELECT max(expires_at) AS until FROM ticket')
    expect(+rows[0].until - +server.clock.now()).toBe(432_000_000)
    const newer = await password({ user_id: 'auth0|lee' })
    expect((await use(long, NEW)).status).toBe(400)
    expect((await use(newer, { password: 'yet another pass phrase' })).status).toBe(200)
  })

  it.each<[number, Body]>([
    [404, { user_id: 'auth0|none' }],
    [404, { user_id: 'auth0|kim', client_id: 'none' }],
    [404, { connection_id: 'none', email: 'kim@mail.test' }],
    [400, {}],
    [400, { email: 'kim@mail.test' }],
    [400, { user_id: 'auth0|kim', email: 'kim@mail.test' }],
    [400, { user_id: 'auth0|kim', client_id: 'app', result_url: 'https://app.test/' }],
    [400, { user_id: 'auth0|kim', result_url: 'javascript:alert(1)' }],
    [400, { user_id: 'auth0|kim', ttl_sec: -1 }],
    [400, { user_id: 'auth0|kim', new_password: 'a pass phrase' }],
    [400, { user_id: 'auth0|kim', identity: { user_id: 'other', provider: 'auth0' } }],
  ])('is refused with %i for %j', async (status, body) => {
    const answer = await password(body)
    expect(answer.status).toBe(status)
    expect(answer.json()).not.toHaveProperty('ticket')
  })

  it('is refused for an address that no user of the connection has', async () => {
    expect((await password({ connection_id: users, email: 'none@mail.test' })).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_user',
    })
  })

  it('is in the audit log without the link', async () => {
    const made = await password({ user_id: 'auth0|kim' })
    const ticket = new URL(String(made.json().ticket)).searchParams.get('ticket') ?? ''
    const log = JSON.stringify(await server.audited())
    expect(log).toContain('tickets.password_change')
    expect(log).not.toContain(ticket)
  })
})

describe('a ticket to verify an address', () => {
  it('verifies it, once', async () => {
    await server.addUser({ id: 'new', email: 'new@mail.test' })
    const made = await verification({ user_id: 'auth0|new', identity: { user_id: 'new', provider: 'auth0' } })
    expect(await isVerified('new')).toBe(false)
    expect((await use(made)).status).toBe(200)
    expect(await isVerified('new')).toBe(true)
    expect((await use(made)).status).toBe(400)
  })

  it('is no ticket to set a password', async () => {
    await server.addUser({ id: 'pat', email: 'pat@mail.test' })
    const link = new URL(String((await verification({ user_id: 'auth0|pat' })).json().ticket))
    const form = { ticket: link.searchParams.get('ticket') ?? '', ...NEW }
    const answer = await server.browser().post('/u/reset-password', { form, headers: { origin: 'https://id.test' } })
    expect(answer.status).toBe(400)
    expect((await verification({})).status).toBe(400)
  })
})
