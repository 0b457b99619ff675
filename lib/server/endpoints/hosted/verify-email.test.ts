// Verifying an address by a mailed link: opening the link never verifies, the button does, once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginLogin, SPA } from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let email: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, initiate_login_uri: 'https://app.test/login' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  email = `${server.random.hex(6)}@mail.test`
  const state = await beginLogin(browser)
  const password = 'a lantern over the harbour wall'
  await browser.post('/u/submit', { form: { state, action: 'sign-up', email, password } })
})

const isVerified = async (): Promise<boolean> =>
  (await server.database.pool.query('SELECT email_verified FROM "user" WHERE email = $1', [email])).rows[0]
    .email_verified
const open = (ticket: string) => server.browser().get('/u/verify-email', { query: { ticket } })
const press = (ticket: string) => server.browser().post('/u/verify-email', { form: { ticket, action: 'verify-email' } })

describe('the link', () => {
  it('opened by whatever follows links, proves nothing', async () => {
    const ticket = await ticketTo(server, email)
    for (let i = 0; i < 3; i++) {
      const page = await open(ticket)
      expect([page.status, page.text.includes(email)]).toEqual([200, true])
      await server.browser().send('HEAD', '/u/verify-email', { query: { ticket } })
    }
    expect(await isVerified()).toBe(false)
  })

  it('pressed, proves the address, once, and offers the application', async () => {
    const ticket = await ticketTo(server, email)
    const done = await press(ticket)
    expect([done.status, await isVerified()]).toEqual([200, true])
    expect(done.text).toContain('Your email address is confirmed')
    expect(done.text).toContain('href="https://app.test/login"')
    for (const answer of [await open(ticket), await press(ticket)]) expect(answer.status).toBe(400)
  })

  it('proves nothing of an address that the account no longer has', async () => {
    const ticket = await ticketTo(server, email)
    const moved = `moved-${email}`
    const { pool } = server.database
    await pool.query('UPDATE "user" SET email = $2 WHERE email = $1', [email, moved])
    await pool.query('UPDATE identity SET email_key = $2 WHERE email_key = $1', [email, moved])
    email = moved
    expect([(await press(ticket)).status, await isVerified()]).toEqual([400, false])
  })

  it('is worth nothing after five days', async () => {
    const ticket = await ticketTo(server, email)
    server.clock.advance(5 * 86400 + 1)
    expect([(await press(ticket)).status, await isVerified()]).toEqual([400, false])
  })

  it.each(['', 'made-up', 'x'.repeat(5000)])('the ticket %j is refused', async (ticket) => {
    for (const answer of [await open(ticket), await press(ticket)]) {
      expect([answer.status, answer.text.includes('This link no longer works')]).toEqual([400, true])
    }
  })

  it('is not interchangeable with that of a reset', async () => {
    const ticket = await ticketTo(server, email)
    const answer = await server.browser().get('/u/reset-password', { query: { ticket } })
    expect(answer.status).toBe(400)
  })
})
