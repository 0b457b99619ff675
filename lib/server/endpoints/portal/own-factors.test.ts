// A second factor that a person turns on in the account portal is asked for at later logins, where the tenant's policy says never; one
// that an API or a manager enrolled is not, until its owner wants it (docs/adr/0051).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { codeOf, logIn, MFA_WEB, token } from '../../../testing/mfa'
import { offerPasskeys } from '../../../testing/passkeys'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { statementsOf } from '../../../testing/sent-statements'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const FACTORS = ['otp', 'recovery-code'].map((name) => ({ name, enabled: true }))
const LATER = 60

let server: TestServer
let manager: Manager
let browser: Browser
let email: string
let user: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(MFA_WEB)
  await server.addClient({ ...SPA, clientId: 'free', settings: { ...SPA.settings, mfa_policy: 'never' } })
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await tenant()
  email = `${server.random.hex(8)}@mail.test`
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = elsewhere()
})

const tenant = (policies: string[] = [], more: object = {}, factors: object[] = FACTORS) =>
  server.setTenant({
    tenant: {
      rate_limits: { submit: false, pages: false, management: { burst: 100_000, per_minute: 100_000 } },
      ...more,
    },
    guardianPolicies: { policies },
    guardianFactors: factors,
  })
const elsewhere = (): Browser => server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
const stateIn = ({ text }: TestResponse): string => /name="state" value="([^"]+)"/.exec(text)?.[1] ?? ''
const pageOf = async (name: string) => (await browser.get(`/account/${name}`)).text
const wantedAt = async () =>
  (await server.database.pool.query('SELECT factor_wanted_at AS at FROM "user" WHERE id = $1', [user])).rows[0]?.at

/** Adds an authenticator app on the page that the address leads to; returns its key and the last page. */
async function addApp(at: URL): Promise<{ secret: string; done: TestResponse }> {
  const send = (state: string, action: string, fields: Record<string, string> = {}) =>
    browser.post('/u/enroll', { form: { state, action, ...fields }, headers: { origin: 'https://id.test' } })
  const choice = await browser.get(`${at.pathname}${at.search}`)
  const chosen = await send(stateIn(choice), 'mfa-enroll', { factor: 'otp' })
  const app = await browser.get(chosen.header('location') ?? '')
  const secret = (/id="secret"[^>]*>(.*?)<\/p>/.exec(app.text)?.[1] ?? '').replace(/<[^>]+>/g, '')
  const recovery = await send(stateIn(app), 'mfa-confirm', { code: codeOf(server, secret) })
  const done = await send(stateIn(recovery), 'mfa-saved')
  expect(done.text).toContain('Your second step is set up')
  server.clock.advance(LATER)
  return { secret, done }
}

async function addInPortal() {
  await enterPortal(browser, email)
  return addApp(locationOf(await submitInPortal(browser, 'factors', { action: 'add' })))
}

async function addByManager() {
  const made = await manager.post('/guardian/enrollments/ticket', { user_id: user })
  return addApp(new URL(String(made.json().ticket_url)))
}

const leadsTo = async (own: Browser, extra: Record<string, string> = {}) =>
  locationOf(await submitPassword(own, await beginLogin(own, extra), email)).pathname

const EACH = 'we ask for it each time you sign in'
const RISKY = 'when a sign-in is unusual'
const NEVER = 'does not ask for a second step at present'
const OFFER = 'is not asked for yet'

describe('a factor that its owner adds in the portal', () => {
  it('is asked for at the next login, on pages and by the password grant, and by no client that says never', async () => {
    const { secret } = await addInPortal()
    expect(await leadsTo(elsewhere())).toBe('/u/mfa-challenge')
    expect(await leadsTo(elsewhere(), { client_id: 'free' })).toBe('/cb')
    const refused = await logIn(elsewhere(), email)
    expect([refused.status, refused.json().error]).toEqual([403, 'mfa_required'])
    const { mfa_token } = refused.json() as Record<string, string>
    const otp = codeOf(server, secret)
    const grant = 'http://auth0.com/oauth/grant-type/mfa-otp'
    expect((await token(browser, { grant_type: grant, mfa_token: mfa_token ?? '', otp })).status).toBe(200)
  })

  it('leaves the session alone in which it was added, and what stays signed in', async () => {
    const kept = await logIn(browser, email, { scope: 'openid offline_access' })
    await addInPortal()
    const silent = locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }))
    expect(silent.searchParams.get('error')).toBeNull()
    expect((await browser.get('/account/factors')).status).toBe(200)
    const { refresh_token } = kept.json() as Record<string, string>
    expect((await token(browser, { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' })).status).toBe(200)
  })

  it('is said to be asked for, where it is added and where it is listed', async () => {
    await enterPortal(browser, email)
    expect(await pageOf('factors')).toContain(EACH)
    const to = locationOf(await submitInPortal(browser, 'factors', { action: 'add' }))
    expect((await browser.get(`${to.pathname}${to.search}`)).text).toContain(EACH)
    expect((await addApp(to)).done.text).toContain(EACH)
    expect(await pageOf('factors')).toContain(EACH)
  })

  it('is not asked for where the tenant says so, which the pages say', async () => {
    await tenant([], { ask_for_own_factors: false })
    await enterPortal(browser, email)
    expect(await pageOf('factors')).toContain(NEVER)
    const { done } = await addApp(locationOf(await submitInPortal(browser, 'factors', { action: 'add' })))
    expect(done.text).toContain(NEVER)
    expect(await pageOf('factors')).not.toContain(OFFER)
    expect(await leadsTo(elsewhere())).toBe('/cb')
    expect((await logIn(elsewhere(), email)).status).toBe(200)
  })

  it('is no longer wanted once the last one is removed', async () => {
    await addInPortal()
    expect(await wantedAt()).not.toBeNull()
    await manager.remove(`/users/${encodeURIComponent(user)}/authenticators`)
    expect(await wantedAt()).toBeNull()
    await addByManager()
    expect(await leadsTo(elsewhere())).toBe('/cb')
  })
})

describe('a factor that a manager let the person add', () => {
  it('is not asked for where the policy is never, which the page says, until its owner wants it', async () => {
    const { done } = await addByManager()
    expect(done.text).toContain(NEVER)
    expect(await leadsTo(elsewhere())).toBe('/cb')
    expect((await logIn(elsewhere(), email)).status).toBe(200)

    await enterPortal(browser, email)
    expect(await pageOf('factors')).toContain(OFFER)
    const proof = locationOf(await submitInPortal(browser, 'factors', { action: 'ask' }))
    expect(proof.pathname).toBe('/u/mfa-challenge')
    expect(await wantedAt()).toBeNull()
  })

  it('is asked for after its owner pressed the button, with the factor proven', async () => {
    const { secret } = await addByManager()
    await enterPortal(browser, email)
    const proof = locationOf(await submitInPortal(browser, 'factors', { action: 'ask' }))
    const form = { state: proof.searchParams.get('state') ?? '', action: 'mfa-verify', code: codeOf(server, secret) }
    await browser.post('/u/submit', { form })
    expect(locationOf(await submitInPortal(browser, 'factors', { action: 'ask' })).search).toBe('?notice=portal_saved')
    expect(await pageOf('factors')).toContain(EACH)
    server.clock.advance(LATER)
    expect(await leadsTo(elsewhere())).toBe('/u/mfa-challenge')
    expect(locationOf(await submitInPortal(browser, 'factors', { action: 'ask' })).search).toBe('?notice=portal_gone')
  })
})

it('is not asked for by pressing the button without a factor', async () => {
  await enterPortal(browser, email)
  expect(locationOf(await submitInPortal(browser, 'factors', { action: 'ask' })).search).toBe('?notice=portal_gone')
  expect(await wantedAt()).toBeNull()
})

it.each([
  [['all-applications'], EACH],
  [['enrolled'], EACH],
  [['confidence-score'], RISKY],
])('the link of a manager says of the policy %j when it asks', async (policies, text) => {
  await tenant(policies)
  expect((await addByManager()).done.text).toContain(text)
})

it('costs nothing at the login of a user who turned none on', async () => {
  const sent = await statementsOf(server.database.pool, () => leadsTo(browser))
  expect(sent).not.toContain('authenticator-list')
})

describe('where a feature is off', () => {
  it('second steps are left out of the menu, and their page says that they are off', async () => {
    await tenant([], {}, [])
    await enterPortal(browser, email)
    expect(await pageOf('profile')).not.toContain('href="/account/factors"')
    const { text } = await browser.get('/account/factors')
    expect(text).toContain('Second steps are turned off here.')
    expect(text).not.toContain('You have not set up a second step.')
    expect(text).not.toContain('value="add"')
    expect(await pageOf('sessions')).not.toContain('value="forget-browsers"')
  })

  it('passkeys are left out of the menu, and their page says that they are off', async () => {
    await enterPortal(browser, email)
    expect(await pageOf('profile')).not.toContain('href="/account/passkeys"')
    const { text } = await browser.get('/account/passkeys')
    expect(text).toContain('Passkeys are turned off here.')
    expect(text).not.toContain('You have no passkey.')
  })

  it('both are in the menu where they are on, and passkeys that cannot be added say why', async () => {
    await offerPasskeys(server)
    await enterPortal(browser, email)
    const menu = await pageOf('profile')
    for (const page of ['factors', 'passkeys', 'password']) expect(menu).toContain(`href="/account/${page}"`)
    expect(await pageOf('sessions')).toContain('value="forget-browsers"')
    expect(await pageOf('passkeys')).toContain('You have no passkey.')
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [user])
    const unproven = await pageOf('passkeys')
    expect(unproven).toContain('once your email address is confirmed')
    expect(unproven).not.toContain('You have no passkey.')
    expect(await pageOf('factors')).toContain('once your email address is confirmed')
  })

  it('the page of connected accounts says that none can be connected', async () => {
    await enterPortal(browser, email)
    expect(await pageOf('connections')).toContain('No other account can be connected here.')
  })

  it('a factor of a kind that was turned off is listed as such', async () => {
    await addInPortal()
    await tenant([], {}, [{ name: 'sms', enabled: true }])
    const text = await pageOf('factors')
    expect(text).toContain('This kind is turned off here')
    expect(text).not.toContain(OFFER)
  })
})
