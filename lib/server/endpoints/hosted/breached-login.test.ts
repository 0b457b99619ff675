// A login with a password that is known from a data breach (`attackProtection.breachedPasswordDetection.shields`).
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { BREACHED, type Browser, type TestServer, testServer } from '../../../testing/server'

const NEW = 'a lantern over the harbour wall'

let server: TestServer
let next = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'web', secret: 'web-secret', settings: { grant_types: ['password'] } })
})
afterEach(() => server.setTenant({}))
afterAll(() => server.close())

const protect = (detection: { enabled?: boolean; shields: string[] }) =>
  server.setTenant({ attackProtection: { breachedPasswordDetection: detection } })

const browserAt = (): Browser => server.browser({ ip: `203.0.113.${++next}` })

/** An account whose password is in the breach file; its address. */
async function anAccount(): Promise<string> {
  const email = `kim${++next}@mail.test`
  await server.addUser({ email, password: BREACHED })
  return email
}

/** Where a login leads: the application, or the page with its notice. */
async function signIn(email: string, password: string = BREACHED) {
  const browser = browserAt()
  const { host, pathname, searchParams } = locationOf(
    await submitPassword(browser, await beginLogin(browser), email, password),
  )
  return host === 'app.test' ? 'signed in' : `${pathname} ${searchParams.get('notice')}`
}

const byGrant = (username: string, password: string = BREACHED) =>
  browserAt().post('/oauth/token', {
    form: { grant_type: 'password', username, password, client_id: 'web', client_secret: 'web-secret' },
  })

const REFUSED = '/u/login password_leaked'

it.each([
  ['by default', { shields: [] }],
  ['with notifications alone', { shields: ['user_notification', 'admin_notification'] }],
  ['when detection is off', { enabled: false, shields: ['block'] }],
])('is accepted %s', async (_when, detection) => {
  const email = await anAccount()
  await protect(detection)
  expect(await signIn(email)).toBe('signed in')
  expect((await byGrant(email)).status).toBe(200)
  expect(await mailsTo(server, email)).toEqual([])
})

it('is refused with `block`, on the page, at the token endpoint and from other pages, and sends no mail', async () => {
  const email = await anAccount()
  await protect({ shields: ['block'] })
  expect(await signIn(email)).toBe(REFUSED)
  const refusal = await byGrant(email)
  expect([refusal.status, refusal.json().error]).toEqual([401, 'password_leaked'])
  const foreign = await browserAt().post('/co/authenticate', {
    json: { client_id: 'spa', username: email, password: BREACHED, credential_type: 'password' },
    headers: { origin: 'https://app.test' },
  })
  expect([foreign.status, foreign.json().error]).toEqual([401, 'password_leaked'])
  expect(await mailsTo(server, email)).toEqual([])
})

it('does not tell a wrong password that the right one is known', async () => {
  const email = await anAccount()
  await protect({ shields: ['block'] })
  expect(await signIn(email, 'another password')).toBe('/u/login wrong_credentials')
  expect(await signIn('absent@mail.test')).toBe('/u/login wrong_credentials')
})

it('does not count against the account', async () => {
  const email = await anAccount()
  await protect({ shields: ['block'] })
  const browser = browserAt()
  for (let attempt = 0; attempt < 12; attempt++) {
    server.clock.advance(60)
    const answer = await submitPassword(browser, await beginLogin(browser), email, BREACHED)
    expect(locationOf(answer).searchParams.get('notice')).toBe('password_leaked')
  }
})

it('is refused until the owner has chosen another password by the mailed link', async () => {
  const email = await anAccount()
  await protect({ shields: ['block', 'user_notification'] })
  expect(await signIn(email)).toBe(REFUSED)
  await vi.waitFor(async () => expect(await mailsTo(server, email)).toHaveLength(1), 20_000)
  const [mail] = await mailsTo(server, email)
  expect(mail?.subject).toContain('data breach')
  const ticket = await ticketTo(server, email)
  const done = await browserAt().post('/u/reset-password', { form: { ticket, password: NEW } })
  expect(done.status).toBeLessThan(400)
  expect(await signIn(email)).toBe('/u/login wrong_credentials')
  expect(await signIn(email, NEW)).toBe('signed in')
})

it('sends at most three mails a day', async () => {
  const email = await anAccount()
  await protect({ shields: ['block', 'user_notification'] })
  for (let attempt = 0; attempt < 5; attempt++) await signIn(email)
  await vi.waitFor(async () => expect(await mailsTo(server, email)).toHaveLength(3), 20_000)
  server.clock.advance(60)
  expect(await signIn(email)).toBe(REFUSED)
  expect(await mailsTo(server, email)).toHaveLength(3)
})
