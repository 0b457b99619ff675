// Password reset: the request on the hosted page, the mailed link, the new password, and what ends with the old one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction } from '../../../testing/bind-action'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
} from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const NEW_PASSWORD = 'a lantern over the harbour wall'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, initiate_login_uri: 'https://app.test/login' } })
})
afterAll(() => server.close())

let email: string
beforeEach(async () => {
  const id = server.random.hex(6)
  email = `${id}@mail.test`
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  await server.addUser({ id, email, data: { name: 'Kim Ito' } })
})

async function setOptions(options: Record<string, unknown>): Promise<void> {
  await server.database.pool.query('UPDATE connection SET settings = $1', [JSON.stringify({ options })])
  server.clock.advance(2)
}

async function ask(address: string, from: Browser = browser): Promise<TestResponse> {
  const state = await beginLogin(from)
  return from.post('/u/submit', { form: { state, action: 'request-reset', email: address } })
}
/** Requested in another browser, because a signed-in user gets no login page. */
async function freshTicket(): Promise<string> {
  // Newer than any earlier mail.
  server.clock.advance(1)
  await ask(email, server.browser())
  return ticketTo(server, email)
}
const open = (ticket: string, from: Browser = browser) => from.get('/u/reset-password', { query: { ticket } })
const set = (ticket: string, password: string, from: Browser = browser) =>
  from.post('/u/reset-password', { form: { ticket, action: 'reset-password', username: 'ignored', password } })
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const canSignIn = async (password: string) => {
  const own = server.browser()
  return locationOf(await submitPassword(own, await beginLogin(own), email, password)).searchParams.has('code')
}

describe('asking for a link', () => {
  it('is offered by the login page, and leads back to it', async () => {
    const state = await beginLogin(browser)
    const login = await browser.get('/u/login', { query: { state } })
    expect(login.text).toContain(`href="/u/forgot-password?state=${state}"`)
    const page = await browser.get('/u/forgot-password', { query: { state } })
    expect([page.status, page.text.includes(`href="/u/login?state=${state}"`)]).toEqual([200, true])
    expect(locationOf(await submitPassword(browser, state, email)).searchParams.has('code')).toBe(true)
  })

  it('sends one mail, to the stored address, with a link of this server', async () => {
    const answer = await ask(`  ${email.toUpperCase()} `)
    expect([locationOf(answer).pathname, noticeOf(answer)]).toEqual(['/u/forgot-password', 'reset_sent'])
    expect((await browser.get(locationOf(answer).href)).text).toContain('Check your email')
    const mails = await mailsTo(server, email)
    expect(mails.map(({ link }) => link?.split('?')[0])).toEqual(['https://id.test/u/reset-password'])
  })

  it('has the same response for an unknown address, and sends nothing (threat-model.md DB6)', async () => {
    const shown = async (address: string) => {
      const own = server.browser()
      const answer = await ask(address, own)
      const page = await own.get(locationOf(answer).href)
      const state = locationOf(answer).searchParams.get('state') ?? ''
      const plain = (text: string) =>
        text
          .replaceAll(state, 'STATE')
          .replaceAll(address, 'ADDRESS')
          .replace(/nonce="[^"]*"/g, '')
      return [answer.status, plain(answer.header('location') ?? ''), page.status, plain(page.text)]
    }
    expect(await shown('nobody@mail.test')).toEqual(await shown(email))
    expect(await mailsTo(server, 'nobody@mail.test')).toEqual([])
  })

  it.each(['', 'kim', 'a@b@c', 'a@mail.test, b@mail.test'])('refuses %j, which is no address', async (address) => {
    expect(noticeOf(await ask(address))).toBe('invalid_email')
  })

  it('stops at three mails a day, and does not say so (threat-model.md BF8)', async () => {
    for (let i = 0; i < 8; i++) expect(noticeOf(await ask(email))).toBe('reset_sent')
    expect(await mailsTo(server, email)).toHaveLength(3)
  })

  it('is not possible in another browser’s login', async () => {
    const state = await beginLogin(browser)
    const stranger = server.browser()
    const answer = await stranger.post('/u/submit', { form: { state, action: 'request-reset', email } })
    expect([answer.status, await mailsTo(server, email)]).toEqual([403, []])
  })
})

describe('the link', () => {
  it('opens in any browser, shows whose password it is, and changes nothing however often it is opened', async () => {
    const ticket = await freshTicket()
    const other = server.browser()
    for (let i = 0; i < 3; i++) {
      const page = await open(ticket, other)
      expect(page.status).toBe(200)
      expect(page.text).toMatch(/name="username" autocomplete="username" value="[^"]*@mail.test"/)
      expect(page.text).toMatch(/passwordrules="minlength: 8"[^>]*autocomplete="new-password"/)
      expect((await other.send('HEAD', '/u/reset-password', { query: { ticket } })).status).toBe(200)
    }
    expect([await canSignIn(PASSWORD), other.cookies.size]).toEqual([true, 0])
  })

  it('never links to a dynamically registered application, even if requested in its name', async () => {
    const third = { is_first_party: false, callbacks: ['https://third.test/cb'] }
    await server.addClient({
      clientId: 'third',
      settings: { ...third, initiate_login_uri: 'https://third.test/login' },
    })
    const parameters = { client_id: 'third', email, connection: 'Users' }
    expect((await server.browser().post('/dbconnections/change_password', { json: parameters })).status).toBe(200)
    const done = await set(await ticketTo(server, email), NEW_PASSWORD)
    expect([done.status, done.text.includes('third.test')]).toEqual([200, false])
    expect(done.text).toContain('href="https://id.test/account"')
  })

  it('sets the password once, signs no user in and links to the application that started it', async () => {
    const ticket = await freshTicket()
    const other = server.browser()
    const done = await set(ticket, NEW_PASSWORD, other)
    expect([done.status, other.cookies.size]).toEqual([200, 0])
    expect(done.text).toContain('Your password is changed')
    expect(done.text).toContain('href="https://app.test/login"')
    expect([await canSignIn(NEW_PASSWORD), await canSignIn(PASSWORD)]).toEqual([true, false])
    for (const answer of [await open(ticket), await set(ticket, PASSWORD)]) {
      expect([answer.status, answer.text.includes('This link no longer works')]).toEqual([400, true])
    }
    expect(await canSignIn(NEW_PASSWORD)).toBe(true)
  })

  it('ends what the old password had opened (threat-model.md RT7)', async () => {
    const tokens = await signInForTokens(browser, email)
    await set(await freshTicket(), NEW_PASSWORD)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(403)
    const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
  })

  it('ends a block for wrong guesses, and says by mail that the password was changed', async () => {
    const state = await beginLogin(browser)
    for (let i = 0; i < 11; i++) await submitPassword(browser, state, email, 'wrong')
    expect(noticeOf(await submitPassword(browser, state, email))).toBe('too_many_attempts')
    await set(await freshTicket(), NEW_PASSWORD)
    expect(
      locationOf(await submitPassword(browser, await beginLogin(browser), email, NEW_PASSWORD)).searchParams.has(
        'code',
      ),
    ).toBe(true)
    expect((await mailsTo(server, email)).map(({ link }) => link)).toContain(null)
  })

  it('admits its owner from the network of the reset, despite attempts by others (threat-model.md BF6)', async () => {
    await set(await freshTicket(), NEW_PASSWORD)
    for (let place = 0; place < 60; place++) {
      const stranger = server.browser({ ip: `203.0.113.${place}` })
      await submitPassword(stranger, await beginLogin(stranger), email, 'wrong')
    }
    const elsewhere = server.browser({ ip: '203.0.113.250' })
    const late = await submitPassword(elsewhere, await beginLogin(elsewhere), email, NEW_PASSWORD)
    expect(noticeOf(late)).toBe('too_many_attempts')
    const answer = await submitPassword(browser, await beginLogin(browser), email, NEW_PASSWORD)
    expect(locationOf(answer).searchParams.has('code')).toBe(true)
  })

  it('is worth nothing after an hour, and after a newer one', async () => {
    const first = await freshTicket()
    server.clock.advance(1)
    const second = await freshTicket()
    expect([(await open(first)).status, (await open(second)).status]).toEqual([400, 200])
    server.clock.advance(3601)
    expect((await set(second, NEW_PASSWORD)).status).toBe(400)
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it.each(['', 'made-up', '\ud800', 'x'.repeat(5000)])('the ticket %j is refused', async (ticket) => {
    for (const answer of [await open(ticket.toWellFormed()), await set(ticket.toWellFormed(), NEW_PASSWORD)]) {
      expect([answer.status, answer.text.includes('This link no longer works')]).toEqual([400, true])
    }
  })

  it('lets one of many clicks win', async () => {
    const ticket = await freshTicket()
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => set(ticket, `${NEW_PASSWORD} ${i}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a new password that will not do', () => {
  it.each([
    ['nothing', '', 'Enter your password.'],
    ['too short', 'short', 'Choose another password.'],
    ['common', 'password123', 'Choose another password.'],
  ])('%s: is refused with the reason, and the link remains valid', async (_what, password, reason) => {
    const ticket = await freshTicket()
    const refused = await set(ticket, password)
    expect([refused.status, refused.text.includes(reason)]).toEqual([400, true])
    expect(refused.text).toContain('role="alert"')
    if (password) expect(refused.text).not.toContain(password)
    expect((await set(ticket, NEW_PASSWORD)).status).toBe(200)
  })

  it('names the rule that it broke, also one about passwords before', async () => {
    await setOptions({ password_history: { enable: true, size: 3 } })
    const refused = await set(await freshTicket(), PASSWORD)
    await setOptions({})
    expect(refused.text).toMatch(/data-rule="history" data-count="3" data-state="unmet"/)
  })
})

it('a link of a tenant without a way on leads to the account portal, and one of another application to the tenant’s', async () => {
  await server.addClient(SPA)
  expect((await set(await freshTicket(), NEW_PASSWORD)).text).toContain('href="https://id.test/account"')
  await server.setTenant({ tenant: { default_redirection_uri: 'https://tenant.test/start' } })
  expect((await set(await freshTicket(), NEW_PASSWORD)).text).toContain('href="https://tenant.test/start"')
  expect((await open('made-up')).text).toContain('href="https://tenant.test/start"')
  await server.setTenant({})
})

it('an unfinished earlier login continues after it, with the new password', async () => {
  const state = await beginLogin(browser)
  await browser.post('/u/submit', { form: { state, action: 'request-reset', email } })
  await set(await ticketTo(server, email), NEW_PASSWORD, server.browser())
  const answer = await submitPassword(browser, state, email, NEW_PASSWORD)
  expect(locationOf(answer).searchParams.has('code')).toBe(true)
  expect((await signIn(server.browser(), email).catch(() => null))?.has('code') ?? false).toBe(false)
})

describe('the actions of a reset', () => {
  const atReset = (body: string, options = {}) =>
    bindAction(
      server,
      'password-reset-post-challenge',
      `exports.onExecutePostChallenge = async (event, api) => { ${body} }`,
      options,
    )
  afterEach(() => server.setTenant({}))

  it('refuse it, with their reason, and the password stays', async () => {
    await atReset("api.access.deny('Not from here')")
    const answer = await set(await freshTicket(), NEW_PASSWORD)
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Not from here')])
    expect(await canSignIn(PASSWORD)).toBe(true)
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ type: 'fcp', details: expect.objectContaining({ reason: 'action_denied' }) }),
    )
  })

  it('name the address to which the page leads in the end', async () => {
    await atReset("api.transaction.setResultUrl('https://shop.test/done?a=1')")
    const answer = await set(await freshTicket(), NEW_PASSWORD)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('href="https://shop.test/done?a=1"')])
    expect(await canSignIn(NEW_PASSWORD)).toBe(true)
  })

  it.each([
    "'javascript:alert(1)'",
    "'/account'",
    "'https://a@evil.test/'",
    '1',
    "'https://shop.test/' + 'あ'.repeat(700)",
  ])('refuse it where the address is %s', async (address) => {
    await atReset(`api.transaction.setResultUrl(${address})`)
    expect((await set(await freshTicket(), NEW_PASSWORD)).status).toBe(403)
    expect(await canSignIn(NEW_PASSWORD)).toBe(false)
  })

  it('refuse it where one fails', async () => {
    await atReset("throw new Error('broken')")
    const answer = await set(await freshTicket(), NEW_PASSWORD)
    expect(answer.status).toBe(403)
    expect(answer.text).not.toContain('broken')
    expect(await canSignIn(PASSWORD)).toBe(true)
  })

  it('know the person, the application and the way, and no secret', async () => {
    await atReset(`
      const { user, client, connection, authentication, stats, request } = event
      const text = JSON.stringify(event)
      if (user.email !== '${email}' || client.client_id !== 'spa' || connection.name !== 'Users' || stats.logins_count !== 0)
        api.access.deny('another event ' + text)
      if (authentication.methods[0].name !== 'email' || request.hostname !== 'id.test') api.access.deny('another way')
      if (text.includes('${NEW_PASSWORD}') || text.includes('ticket')) api.access.deny('a secret')`)
    expect((await set(await freshTicket(), NEW_PASSWORD)).text).toContain('Your password is changed')
    expect(await canSignIn(NEW_PASSWORD)).toBe(true)
  })

  it('run once for a password that would be set: not for an opened link, and not for a password that is refused', async () => {
    await atReset("api.access.deny('Not from here')")
    const ticket = await freshTicket()
    expect((await open(ticket)).status).toBe(200)
    expect((await set(ticket, 'short')).status).toBe(400)
    expect((await set(ticket, NEW_PASSWORD)).status).toBe(403)
    await server.setTenant({})
    expect((await set(ticket, NEW_PASSWORD)).status).toBe(200)
  })
})
