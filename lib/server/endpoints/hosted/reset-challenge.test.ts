// Actions that ask for more before a mailed link sets a password: a second factor, or a visit to another site. Nothing of it signs anyone in.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction, bindActions } from '../../../testing/bind-action'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import { codeOf, type EnrolledTestUser, enrollApp, MFA_WEB } from '../../../testing/mfa'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const NEW_PASSWORD = 'a lantern over the harbour wall'
const SETTINGS = {
  tenant: { default_directory: 'Users' },
  guardianFactors: ['otp', 'sms', 'recovery-code'].map((name) => ({ name, enabled: true })),
}
const OTP = "api.authentication.challengeWith({ type: 'otp' })"
const AWAY = "api.redirect.sendUserTo('https://check.test/face', { query: { who: event.user.user_id } })"

let server: TestServer
let app: EnrolledTestUser
let browser: Browser
let email: string

const AT = 'password-reset-post-challenge'

const atReset = (code: string) => bindAction(server, AT, code, SETTINGS)
const executing = (body: string, after = '') =>
  `exports.onExecutePostChallenge = async (event, api) => { ${body} }
   exports.onContinuePostChallenge = async (event, api) => { ${after} }`

beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  await server.addClient(SPA)
})
afterAll(() => server.close())

beforeEach(async () => {
  server.clock.advance(120)
  const id = server.random.hex(6)
  email = `${id}@mail.test`
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  await server.addUser({ id, email })
  await bindAction(
    server,
    'post-login',
    "exports.onExecutePostLogin = async (event, api) => api.multifactor.enable('any')",
    SETTINGS,
  )
  app = await enrollApp(server, server.browser(), email)
  await server.setTenant(SETTINGS)
  await server.database.pool.query('DELETE FROM action')
  server.clock.advance(60)
})

async function freshTicket(): Promise<string> {
  const own = server.browser()
  await own.post('/u/submit', { form: { state: await beginLogin(own), action: 'request-reset', email } })
  return ticketTo(server, email)
}
const set = (fields: Record<string, string>, from: Browser = browser): Promise<TestResponse> =>
  from.post('/u/reset-password', { form: { action: 'reset-password', password: NEW_PASSWORD, ...fields } })
const stateOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('state') ?? ''
const verify = (
  answer: TestResponse,
  code = codeOf(server, app.secret),
  from: Browser = browser,
): Promise<TestResponse> => from.post('/u/submit', { form: { state: stateOf(answer), action: 'mfa-verify', code } })
/** What the page of the link was opened with. */
const fieldsOf = (answer: TestResponse): Record<string, string> => Object.fromEntries(locationOf(answer).searchParams)
const accepts = async (password: string): Promise<boolean> => {
  const own = server.browser()
  return locationOf(await submitPassword(own, await beginLogin(own), email, password)).pathname !== '/u/login'
}
const sessions = async () => (await server.database.pool.query('SELECT 1 FROM session')).rowCount

describe('a second factor', () => {
  it('comes first, and then the page of the link sets the password', async () => {
    await atReset(executing(OTP))
    const ticket = await freshTicket()
    const before = await sessions()
    const demanded = await set({ ticket })
    expect([demanded.status, locationOf(demanded).pathname]).toEqual([303, '/u/mfa-challenge'])
    const proven = await verify(demanded)
    expect(locationOf(proven).pathname).toBe('/u/reset-password')
    expect(fieldsOf(proven)).toEqual({ ticket, passed: expect.any(String) })
    const page = await browser.get(locationOf(proven).href)
    expect(page.text).toContain(`name="passed" value="${fieldsOf(proven).passed}"`)
    expect((await set(fieldsOf(proven))).status).toBe(200)
    expect(await sessions()).toBe(before)
    expect([await accepts(NEW_PASSWORD), await accepts(PASSWORD)]).toEqual([true, false])
    expect([...browser.cookies.keys()].join()).not.toContain('session')
  })

  it('is demanded for again with a wrong code, and without a code nothing passes', async () => {
    await atReset(executing(OTP))
    const ticket = await freshTicket()
    const demanded = await set({ ticket })
    expect(locationOf(await verify(demanded, '000000')).pathname).toBe('/u/mfa-challenge')
    expect(locationOf(await set({ ticket, passed: 'made-up' })).pathname).toBe('/u/mfa-challenge')
    expect(await accepts(NEW_PASSWORD)).toBe(false)
  })

  it('lets pass this link alone, for ten minutes', async () => {
    await atReset(executing(OTP))
    const { passed = '' } = fieldsOf(await verify(await set({ ticket: await freshTicket() })))
    server.clock.advance(60)
    const other = await freshTicket()
    expect(locationOf(await set({ ticket: other, passed })).pathname).toBe('/u/mfa-challenge')
    const own = fieldsOf(await verify(await set({ ticket: other })))
    server.clock.advance(601)
    expect(locationOf(await set(own)).pathname).toBe('/u/mfa-challenge')
  })

  it('the link is shown in no other browser, before and after the factor', async () => {
    await atReset(executing(OTP))
    const ticket = await freshTicket()
    const demanded = await set({ ticket })
    const elsewhere = () => server.browser().get('/u/mfa-challenge', { query: { state: stateOf(demanded) } })
    const before = await elsewhere()
    const fields = fieldsOf(await verify(demanded))
    for (const page of [before, await elsewhere()]) {
      expect(page.status).toBeGreaterThanOrEqual(400)
      expect(page.text).not.toContain(ticket)
    }
    expect(locationOf(await set(fields, server.browser())).pathname).toBe('/u/mfa-challenge')
    expect(await accepts(NEW_PASSWORD)).toBe(false)
  })

  it('a factor that is proven twice at one moment lets both requests pass', async () => {
    await atReset(executing(OTP))
    const demanded = await set({ ticket: await freshTicket() })
    const code = codeOf(server, app.secret)
    const answers = await Promise.all([verify(demanded, code), verify(demanded, code)])
    expect(answers.map((answer) => locationOf(answer).pathname)).toContain('/u/reset-password')
  })

  it('is proven in the browser that was sent to it', async () => {
    await atReset(executing(OTP))
    const demanded = await set({ ticket: await freshTicket() })
    const answer = await verify(demanded, codeOf(server, app.secret), server.browser())
    expect([answer.status, answer.header('location')]).toEqual([403, undefined])
  })

  it('a factor that the user does not have is refused, as is every factor of a blocked user', async () => {
    await atReset(executing("api.authentication.challengeWith({ type: 'phone' })"))
    expect((await set({ ticket: await freshTicket() })).status).toBe(403)
    await atReset(executing(OTP))
    server.clock.advance(60)
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE email = $1', [email])
    const refused = await set({ ticket: await freshTicket() })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('user is blocked')])
  })

  it('is known to the next action, which may still refuse', async () => {
    const code = `exports.onExecutePostChallenge = async (event, api) => {
      const names = event.authentication.methods.map((each) => each.name + (each.type ? ':' + each.type : ''))
      api.access.deny('after ' + names.join())
    }`
    await bindActions(server, AT, [executing(OTP), code], SETTINGS)
    const answer = await verify(await set({ ticket: await freshTicket() }))
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('after email,mfa:otp')])
  })
})

describe('a visit to another site', () => {
  const depart = async (ticket: string) => {
    const demanded = await set({ ticket })
    const away = locationOf(demanded)
    expect([demanded.status, away.origin, away.pathname]).toEqual([303, 'https://check.test', '/face'])
    return { away, state: away.searchParams.get('state') ?? '' }
  }

  it('comes first; the action judges what the browser brings back', async () => {
    await atReset(
      executing(
        AWAY,
        "if (event.request.query.answer !== 'yes') api.access.deny('No'); else api.transaction.setResultUrl('https://shop.test/')",
      ),
    )
    const ticket = await freshTicket()
    const { away, state } = await depart(ticket)
    expect(away.searchParams.get('who')).toMatch(/^auth0\|/)
    expect(away.href).not.toContain(ticket)
    const back = await browser.get('/continue', { query: { state, answer: 'yes' } })
    expect(locationOf(back).pathname).toBe('/u/reset-password')
    expect((await set(fieldsOf(back))).text).toContain('href="https://shop.test/"')
    expect(await accepts(NEW_PASSWORD)).toBe(true)
  })

  it('is refused by the action, in another browser, and a second time', async () => {
    await atReset(executing(AWAY, "if (event.request.query.answer !== 'yes') api.access.deny('Not you')"))
    const first = await depart(await freshTicket())
    const denied = await browser.get('/continue', { query: { state: first.state, answer: 'no' } })
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('Not you')])
    const denials = (await server.audited()).filter(({ description }) => description === 'Not you')
    expect(denials).toMatchObject([{ type: 'fcp' }])
    expect(JSON.stringify(denials)).not.toContain('$account')
    server.clock.advance(60)
    const second = await depart(await freshTicket())
    const query = { state: second.state, answer: 'yes' }
    expect((await server.browser().get('/continue', { query })).status).toBe(403)
    expect((await browser.get('/continue', { query })).status).toBe(303)
    expect((await browser.get('/continue', { query })).status).toBe(400)
  })

  it('ends with its link', async () => {
    await atReset(executing(AWAY))
    const ticket = await freshTicket()
    const { state } = await depart(ticket)
    await server.setTenant(SETTINGS)
    await set({ ticket }, server.browser())
    expect((await browser.get('/continue', { query: { state } })).status).toBe(400)
  })
})
