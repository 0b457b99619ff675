// When a login on the pages needs a second factor, and that no way to sign in bypasses it (threat-model.md MF1): silent logins,
// sessions, cross-origin login, a password reset, a remembered or known browser.
import { beforeEach, describe, expect } from 'vitest'
import type { FormFields } from '../../../testing/browser'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  submitPassword,
} from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import { bearer, codeOf, demand, enrollApp } from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import { type Browser, PASSWORD, type TestResponse, type TestServer } from '../../../testing/server'

const MULTI_FACTOR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

let server: TestServer
let browser: Browser
let user: string
let secret: string

const it = mfaTest((server) => server.addClient(SPA))
it.beforeEach(async ({ mfa }) => {
  ;({ server, browser, user } = mfa)
  await demand(server)
  secret = (await enrollApp(server, browser, user)).secret
})

const silently = async (extra: FormFields = {}) => {
  const { searchParams } = locationOf(
    await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none', ...extra }) }),
  )
  return [searchParams.get('error'), searchParams.get('error_description')]
}
const NEEDED = ['login_required', 'Multifactor authentication required']
const FINE = [null, null]

const verify = (state: string, fields: FormFields = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action: 'mfa-verify', code: codeOf(server, secret), ...fields } })

/** The MFA page after the password; returns its handle. */
async function toFactor(extra: FormFields = {}): Promise<string> {
  const state = await beginLogin(browser, extra)
  expect(locationOf(await submitPassword(browser, state, user)).pathname).toBe('/u/mfa-challenge')
  return state
}

async function signInWithFactor(fields: FormFields = {}): Promise<TestResponse> {
  const answer = await verify(await toFactor(), fields)
  server.clock.advance(60)
  return answer
}

/** The URL that the password alone leads to. */
async function passwordLeadsTo(extra: FormFields = {}): Promise<string> {
  return locationOf(await submitPassword(browser, await beginLogin(browser, { prompt: 'login', ...extra }), user))
    .pathname
}

describe('a session', () => {
  it('from before the policy must prove the factor: an error silently, on the page only the factor', async () => {
    await demand(server, [])
    expect(await passwordLeadsTo()).toBe('/cb')
    expect(await silently()).toEqual(FINE)
    await demand(server)
    expect(await silently()).toEqual(NEEDED)
    const page = locationOf(await browser.get('/authorize', { query: authorizeQuery() }))
    expect(page.pathname).toBe('/u/mfa-challenge')
    const done = await verify(page.searchParams.get('state') ?? '')
    const tokens = (await redeem(browser, locationOf(done).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ amr: ['pwd', 'mfa'], acr: MULTI_FACTOR })
    expect(await silently()).toEqual(FINE)
  })

  it('without the factor answers an application that asks for it with exactly that sentence', async () => {
    await demand(server, [])
    await passwordLeadsTo()
    expect(await silently({ acr_values: MULTI_FACTOR })).toEqual(NEEDED)
    expect(await silently({ acr_values: 'urn:other' })).toEqual(FINE)
    expect(await silently({ claims: JSON.stringify({ id_token: { acr: { values: [MULTI_FACTOR] } } }) })).toEqual(
      NEEDED,
    )
  })

  it('is refused while the factor is missing', async () => {
    const state = await toFactor()
    expect([...browser.cookies.keys()].some((name) => name.endsWith('session'))).toBe(false)
    expect(await silently()).toEqual(['login_required', 'Login required'])
    expect((await browser.post('/u/submit', { form: { state, action: 'accept' } })).status).toBe(303)
    expect(await silently()).toEqual(['login_required', 'Login required'])
  })

  it('is required again by prompt=login and by an old max_age', async () => {
    await signInWithFactor()
    expect(await silently({ acr_values: MULTI_FACTOR })).toEqual(FINE)
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
    server.clock.advance(120)
    const state = await beginLogin(browser, { max_age: '60' })
    expect(locationOf(await submitPassword(browser, state, user)).pathname).toBe('/u/mfa-challenge')
  })
})

describe('other ways in', () => {
  it('a forgotten password opens no way around the factor', async () => {
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE email = $1', [user])
    await browser.post('/dbconnections/change_password', {
      json: { client_id: 'spa', email: user, connection: 'Users' },
    })
    const password = 'another correct horse battery'
    const ticket = await ticketTo(server, user)
    await browser.post('/u/reset-password', {
      form: { ticket, action: 'reset-password', password },
    })
    const state = await beginLogin(browser)
    expect(locationOf(await submitPassword(browser, state, user, PASSWORD)).pathname).toBe('/u/login')
    expect(locationOf(await submitPassword(browser, state, user, password)).pathname).toBe('/u/mfa-challenge')
    expect(locationOf(await verify(state)).pathname).toBe('/cb')
  })

  it('a password from an application’s own page leads to the factor, or to the refusal where there is to be no page', async () => {
    const proven = async () =>
      (
        await browser.post('/co/authenticate', {
          json: {
            client_id: 'spa',
            username: user,
            password: PASSWORD,
            realm: 'Users',
            credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
          },
          headers: { origin: 'https://app.test' },
        })
      ).json().login_ticket as string
    expect(await silently({ login_ticket: await proven() })).toEqual(NEEDED)
    const query = authorizeQuery({ login_ticket: await proven() })
    const page = locationOf(await browser.get('/authorize', { query }))
    expect(page.pathname).toBe('/u/mfa-challenge')
    expect(locationOf(await verify(page.searchParams.get('state') ?? '')).pathname).toBe('/cb')
  })
})

describe('a browser that is to remember', () => {
  it('requires no factor for thirty days, of that user only', async () => {
    await signInWithFactor({ remember: 'true' })
    expect(await passwordLeadsTo()).toBe('/cb')
    expect(await silently()).toEqual(FINE)
    const [owner, key] = [user, secret]
    user = `second.${user}`
    await server.addUser({ email: user })
    secret = (await enrollApp(server, server.browser(), user)).secret
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
    user = owner
    secret = key
    expect(await passwordLeadsTo()).toBe('/cb')
    server.clock.advance(30 * 86400)
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
  })

  it('asks when the application does, and after a new password', async () => {
    await signInWithFactor({ remember: 'true' })
    expect(await passwordLeadsTo({ acr_values: MULTI_FACTOR })).toBe('/u/mfa-challenge')
    await browser.post('/dbconnections/change_password', {
      json: { client_id: 'spa', email: user, connection: 'Users' },
    })
    const form = { ticket: await ticketTo(server, user), action: 'reset-password', password: `${PASSWORD} again` }
    await browser.post('/u/reset-password', { form })
    const state = await beginLogin(browser)
    expect(locationOf(await submitPassword(browser, state, user, form.password)).pathname).toBe('/u/mfa-challenge')
  })

  it('ignores a cookie of another user', async () => {
    await signInWithFactor({ remember: 'true' })
    const [name = '', value = ''] = [...browser.cookies].find(([each]) => each.endsWith('known')) ?? []
    user = `victim.${user}`
    await server.addUser({ email: user })
    browser = server.browser()
    secret = (await enrollApp(server, browser, user)).secret
    browser.cookies.set(name, value)
    await signInWithFactor({ remember: 'true' })
    const own = browser.cookies.get(name)?.split('.') ?? []
    expect(own).toHaveLength(2)
    browser = server.browser()
    browser.cookies.set(name, value)
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
  })
})

describe('a session of some hours', () => {
  it('reads factors silently, and gets no token that adds or removes one', async () => {
    await signInWithFactor()
    server.clock.advance(3600)
    const silently = async (scope: string) =>
      locationOf(
        await browser.get('/authorize', {
          query: authorizeQuery({ prompt: 'none', audience: 'https://id.test/mfa/', scope }),
        }),
      ).searchParams
    const code = (await silently('read:authenticators')).get('code') ?? ''
    const headers = bearer((await redeem(browser, code)).json().access_token)
    const listed = await browser.get('/mfa/authenticators', { headers })
    expect(listed.status).toBe(200)
    for (const scope of ['enroll', 'remove:authenticators', 'enroll read:authenticators'])
      expect((await silently(scope)).get('error')).toBe('login_required')
  })

  it('adds the first factor that an application or the policy requires only after another sign-in', async () => {
    user = `without.${user}`
    await server.addUser({ email: user })
    await demand(server, [])
    expect(await passwordLeadsTo()).toBe('/cb')
    const pathFor = async (extra: FormFields = {}) =>
      locationOf(await browser.get('/authorize', { query: authorizeQuery(extra) }))
    expect((await pathFor({ acr_values: MULTI_FACTOR })).pathname).toBe('/u/mfa-enroll')
    server.clock.advance(3600)
    await demand(server)
    expect(await silently()).toEqual(NEEDED)
    for (const extra of [{}, { acr_values: MULTI_FACTOR }]) {
      const page = await pathFor(extra)
      expect(page.pathname).toBe('/u/login')
      const state = page.searchParams.get('state') ?? ''
      const refused = await browser.post('/u/submit', { form: { state, action: 'mfa-enroll', factor: 'otp' } })
      expect(locationOf(refused).pathname).toBe('/u/login')
      expect(locationOf(await submitPassword(browser, state, user)).pathname).toBe('/u/mfa-enroll')
    }
  })
})

describe('where it is risky', () => {
  beforeEach(() => demand(server, ['confidence-score']))

  it('a browser is known once a factor was proven in it, until it is not seen for long', async () => {
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
    await signInWithFactor()
    expect(await passwordLeadsTo()).toBe('/cb')
    browser.cookies.delete([...browser.cookies.keys()].find((name) => name.endsWith('known')) ?? '')
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
  })

  it('a network with many failed sign-ins is not trusted', async () => {
    await signInWithFactor()
    for (let i = 0; i < 10; i++)
      await submitPassword(browser, await beginLogin(browser, { prompt: 'login' }), `x${i}@mail.test`, 'wrong')
    expect(await passwordLeadsTo()).toBe('/u/mfa-challenge')
  })
})

it('offers factors by effort, a recovery code last, and none that a later release enrolled', async () => {
  const { rows } = await server.database.pool.query('SELECT id FROM "user" WHERE email = $1', [user])
  await server.database.pool.query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, phone_number, email)
    VALUES ('default', 'email|dev_' || $2::text, $1, 'oob', 'email', true, NULL, 'other@mail.test'),
      ('default', 'voice|dev_' || $2::text, $1, 'oob', 'voice', true, '+4915123450001', NULL),
      ('default', 'telepathy|dev_' || $2::text, $1, 'telepathy', NULL, true, NULL, NULL)`,
    [rows[0].id, user],
  )
  const page = await browser.get('/u/mfa-challenge', { query: { state: await toFactor() } })
  const offered = [...page.text.matchAll(/name="authenticator" value="([^"|]+)/g)].map(([, prefix]) => prefix)
  expect(offered).toEqual(['voice', 'email', 'recovery-code'])
})
