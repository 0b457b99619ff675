// Links in the hosted login: opened in the browser of the login, opened in another one, and everything that must not sign in.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PasswordlessConnection } from '../../../data/connections/connection'
import { authenticateByLink } from '../../../identity/strategies/login-link'
import { digest } from '../../../kernel/secret'
import { bindAction } from '../../../testing/bind-action'
import type { FormFields } from '../../../testing/browser'
import { authorizeQuery, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { addPasswordless, codeTo, messagesTo, start } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

const PATH = '/u/passwordless-link'
const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer
let browser: Browser
let phone: Browser
let mail = ''
let sends = 'email'

beforeAll(async () => {
  server = await testServer()
  await addPasswordless(server, { email: { send: 'link' } })
  await server.addConnection('mixed', { options: { send: 'both' } }, 'con_mixed', 'email')
  await server.addConnection('closed', { options: { send: 'link', disable_signup: true } }, 'con_closed', 'email')
  await server.addClient(SPA)
  await server.addClient({ clientId: 'strong', settings: { ...SPA.settings, mfa_policy: 'always' } })
})
afterAll(() => server.close())

let counter = 0
beforeEach(() => {
  sends = 'email'
  mail = `waiting${++counter}@mail.test`
  browser = server.browser({ ip: `203.0.113.${counter}` })
  phone = server.browser({ ip: `198.51.100.${counter}` })
})

const submit = (state: string, form: FormFields, at = browser): Promise<TestResponse> =>
  at.post('/u/submit', { form: { state, ...form } })
async function begin(extra: FormFields = {}, at = browser): Promise<string> {
  const page = locationOf(await at.get('/authorize', { query: authorizeQuery({ connection: sends, ...extra }) }))
  const state = page.searchParams.get('state') ?? ''
  await submit(state, { action: 'send-code', address: mail }, at)
  return state
}
const linkTo = async (): Promise<URL> => new URL((await messagesTo(server, mail))[0]?.link ?? 'https://no.mail')
const open = (link: URL, at = browser): Promise<TestResponse> => at.get(link.pathname + link.search)
const press = (link: URL, form: FormFields, at = browser): Promise<TestResponse> =>
  at.post(PATH, { form: { ...Object.fromEntries(link.searchParams), ...form } })
const waiting = (state: string, at = browser): Promise<TestResponse> =>
  at.get('/u/passwordless-code', { query: { state } })
const numberOn = (page: TestResponse): string => /match-number"[^>]*>(\d\d)</.exec(page.text)?.[1] ?? 'none'
const other = (number: string): string => String((Number(number) + 1) % 100).padStart(2, '0')
const whereTo = (answer: TestResponse) => {
  const { pathname, searchParams } = locationOf(answer)
  return [pathname, searchParams.get('notice')]
}
const policyOf = (page: TestResponse): string => page.header('content-security-policy') ?? ''
const goOn = (state: string, at = browser): Promise<TestResponse> => submit(state, { action: 'check-link' }, at)
const isIn = (answer: TestResponse): boolean => locationOf(answer).searchParams.has('code')
const hasSession = (at: Browser): boolean => at.cookies.has('__Host-latchkey_session')

describe('a link that is opened where the login began', () => {
  it('is mailed in place of a code, and does nothing by being opened', async () => {
    const state = await begin()
    const [message] = await messagesTo(server, mail)
    expect(message?.code).toBeNull()
    const link = await linkTo()
    expect([link.pathname, link.searchParams.get('ticket')]).toEqual([PATH, expect.stringMatching(/^[\w-]{43}$/)])
    for (let i = 0; i < 3; i++) {
      expect((await open(link, server.browser())).status).toBe(200)
      expect((await browser.send('HEAD', link.pathname + link.search)).status).toBe(200)
    }
    const page = await open(link)
    expect([page.status, page.text.includes(mail), page.text.includes('name="number"')]).toEqual([200, true, false])
    expect(whereTo(await goOn(state))).toEqual(['/u/passwordless-code', 'link_waiting'])
    expect(hasSession(browser)).toBe(false)
  })

  it('the link finishes the login by its button, once', async () => {
    const state = await begin()
    const link = await linkTo()
    await open(link)
    const done = await press(link, { action: 'login' })
    expect(locationOf(done).origin).toBe('https://app.test')
    const tokens = (await redeem(browser, locationOf(done).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({
      sub: expect.stringMatching(/^email\|/),
      email: mail,
      nonce: 'n1',
    })
    expect((await press(link, { action: 'login' })).status).toBe(400)
    expect((await open(link)).status).toBe(400)
    expect((await waiting(state)).status).toBe(400)
  })

  it('lets one of twenty presses finish', async () => {
    await begin()
    const link = await linkTo()
    const answers = await Promise.all(TWENTY.map(() => press(link, { action: 'login' })))
    expect(answers.filter((answer) => answer.status < 400 && isIn(answer))).toHaveLength(1)
  })

  it('goes through what else the login needs', async () => {
    await server.setTenant({ guardianFactors: [{ name: 'otp', enabled: true }] })
    await begin({ client_id: 'strong' })
    expect(whereTo(await press(await linkTo(), { action: 'login' }))[0]).toBe('/u/mfa-enroll')
    await server.setTenant({})
  })
})

describe('a link that is opened elsewhere', () => {
  it('asks for the number that the login shows, and lets only the browser in that waits', async () => {
    const state = await begin()
    const link = await linkTo()
    const page = await open(link, phone)
    expect(page.text).toContain('name="number"')
    const before = await waiting(state)
    expect(policyOf(before)).toContain("connect-src 'self'")
    const number = numberOn(before)
    expect(page.text).not.toContain(`>${number}<`)
    const approved = await press(link, { action: 'approve', number: asPasted(number) }, phone)
    expect([approved.status, approved.header('location'), hasSession(phone)]).toEqual([200, undefined, false])
    const after = await waiting(state)
    expect([after.text.includes('data-waiting'), policyOf(after).includes('connect-src')]).toEqual([false, false])
    expect(isIn(await goOn(state))).toBe(true)
    expect([hasSession(browser), (await open(link, phone)).status]).toEqual([true, 400])
  })

  it('lets one of twenty concurrent requests continue', async () => {
    const state = await begin()
    const number = numberOn(await waiting(state))
    await press(await linkTo(), { action: 'approve', number }, phone)
    const answers = await Promise.all(TWENTY.map(() => goOn(state)))
    expect(answers.filter((answer) => answer.status < 400 && isIn(answer))).toHaveLength(1)
  })

  it.each([
    ['a wrong number', (number: string) => ({ action: 'approve', number: other(number) })],
    ['no number', () => ({ action: 'approve' })],
    ['“That wasn’t me”', () => ({ action: 'reject' })],
  ])('is ended by %s, for good', async (_what, form) => {
    const state = await begin()
    const number = numberOn(await waiting(state))
    const link = await linkTo()
    expect((await press(link, form(number), phone)).text).toContain('The sign-in was refused')
    expect((await press(link, { action: 'approve', number }, phone)).status).toBe(400)
    expect((await press(link, { action: 'login' })).status).toBe(400)
    expect((await waiting(state)).text).not.toContain('data-waiting')
    expect(whereTo(await goOn(state))).toEqual(['/u/passwordless-code', 'link_rejected'])
    expect([hasSession(browser), hasSession(phone)]).toEqual([false, false])
  })

  it('does not sign in the other page’s browser with the button', async () => {
    const state = await begin()
    const link = await linkTo()
    const pressed = await press(link, { action: 'login' }, phone)
    expect([pressed.status, pressed.text.includes('name="number"'), hasSession(phone)]).toEqual([200, true, false])
    expect(whereTo(await goOn(state))[1]).toBe('link_waiting')
  })

  it('does not admit another login with the same address', async () => {
    const stranger = server.browser({ ip: '192.0.2.77' })
    const theirs = await begin({}, stranger)
    server.clock.advance(31)
    const state = await begin()
    const number = numberOn(await waiting(state))
    await press(await linkTo(), { action: 'approve', number }, phone)
    expect(whereTo(await goOn(theirs, stranger))).toEqual(['/u/passwordless-code', 'link_over'])
    expect((await goOn(state, stranger)).status).toBe(403)
    expect(isIn(await goOn(state))).toBe(true)
  })

  it('lets one of twenty answers count', async () => {
    const state = await begin()
    const number = numberOn(await waiting(state))
    const link = await linkTo()
    const answers = await Promise.all(
      TWENTY.map((i) => press(link, i % 2 ? { action: 'reject' } : { action: 'approve', number }, phone)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a link', () => {
  it('ends with a newer one, which shows another number', async () => {
    const state = await begin()
    const old = await linkTo()
    server.clock.advance(31)
    await submit(state, { action: 'resend-code' })
    expect((await open(old)).status).toBe(400)
    expect((await press(old, { action: 'approve', number: numberOn(await waiting(state)) }, phone)).status).toBe(400)
    expect((await open(await linkTo())).status).toBe(200)
  })

  it('ends with its time, opened or approved', async () => {
    const state = await begin()
    const link = await linkTo()
    await press(link, { action: 'approve', number: numberOn(await waiting(state)) }, phone)
    server.clock.advance(181)
    expect(whereTo(await goOn(state))).toEqual(['/u/passwordless-code', 'link_over'])
    await begin()
    const second = await linkTo()
    server.clock.advance(181)
    expect([(await open(second)).status, (await press(second, { action: 'login' })).status]).toEqual([400, 400])
  })

  it('ends with its login', async () => {
    const state = await begin()
    const link = await linkTo()
    await submit(state, { action: 'cancel' })
    for (const at of [browser, phone]) expect((await open(link, at)).status).toBe(400)
    expect((await press(link, { action: 'reject' }, phone)).status).toBe(400)
  })

  it('is no other login’s, no other tenant’s, and no code', async () => {
    const stranger = server.browser({ ip: '192.0.2.78' })
    const theirs = await begin({}, stranger)
    server.clock.advance(31)
    const state = await begin()
    const link = await linkTo()
    const another = new URL(link)
    another.searchParams.set('state', theirs)
    for (const at of [browser, stranger, phone]) expect((await open(another, at)).status).toBe(400)
    await server.addTenant('second', 'https://second.test')
    expect((await open(link, server.browser({ host: 'second.test' }))).status).toBe(400)
    expect((await open(link)).status).toBe(200)
    const ticket = (await linkTo()).searchParams.get('ticket') ?? ''
    expect(whereTo(await submit(state, { action: 'check-code', code: ticket }))[1]).toBe('wrong_code')
    const query = { ...authorizeQuery(), connection: 'email', email: mail, verification_code: ticket }
    expect((await browser.get('/passwordless/verify_redirect', { query })).status).toBe(400)
  })

  it('ends with a code that an application sends to the same address', async () => {
    const state = await begin()
    const link = await linkTo()
    await start(browser, { connection: 'email', email: mail, send: 'code' })
    expect((await open(link)).status).toBe(400)
    expect(whereTo(await goOn(state))[1]).toBe('link_over')
  })

  it('has no effect for a blocked user', async () => {
    await begin()
    await press(await linkTo(), { action: 'login' })
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE email = $1', [mail])
    await begin({ prompt: 'login' })
    expect(whereTo(await press(await linkTo(), { action: 'login' }))).toEqual(['/u/passwordless-code', 'link_over'])
  })

  it('looks the same for an unknown user', async () => {
    sends = 'closed'
    const state = await begin()
    expect(await messagesTo(server, mail)).toEqual([])
    expect(numberOn(await waiting(state))).toMatch(/^\d\d$/)
    expect(whereTo(await goOn(state))).toEqual(['/u/passwordless-code', 'link_waiting'])
  })

  it('is an error page for junk', async () => {
    for (const query of [{}, { state: 'x' }, { ticket: 'x' }, { state: 'x', ticket: 'y' }])
      expect((await browser.get(PATH, { query })).status).toBe(400)
  })
})

describe('a connection that sends both', () => {
  it('takes the code or the link, whichever comes first', async () => {
    sends = 'mixed'
    const state = await begin()
    const page = await waiting(state)
    expect([page.text.includes('name="code"'), numberOn(page)]).toEqual([true, expect.stringMatching(/^\d\d$/)])
    const link = await linkTo()
    expect(isIn(await submit(state, { action: 'check-code', code: await codeTo(server, mail) }))).toBe(true)
    expect((await open(link)).status).toBe(400)
    const again = await begin({ prompt: 'login' })
    const code = await codeTo(server, mail)
    await press(await linkTo(), { action: 'reject' }, phone)
    expect(whereTo(await submit(again, { action: 'check-code', code }))[1]).toBe('wrong_code')
  })
})

it('creates no user whom a rule refuses, even if approved right after the check (RU6)', async () => {
  const deny = "exports.onExecutePreUserRegistration = async (event, api) => api.access.deny('invited people alone')"
  await bindAction(server, 'pre-user-registration', deny)
  const state = await begin()
  const runtime = await server.runtime()
  const connection = (await runtime.connections.all()).find(({ name }) => name === 'email') as PasswordlessConnection
  const approvedAfterwards = async (...input: Parameters<typeof runtime.codes.findLink>) => {
    const found = await runtime.codes.findLink(...input)
    await server.database.pool.query(`UPDATE one_time_code SET answer = 'approved' WHERE address = $1`, [mail])
    return found
  }
  const deps = { ...runtime, codes: { ...runtime.codes, findLink: approvedAfterwards } }
  const link = { connection, address: mail, login: digest(state) }
  const goingOn = () => authenticateByLink(link, null, { clientId: 'spa', ip: '192.0.2.1' }, deps)
  expect((await goingOn()).outcome).not.toBe('proven')
  await expect(goingOn()).rejects.toThrow('invited people alone')
  await server.setTenant({})
})
