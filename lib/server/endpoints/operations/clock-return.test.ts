// The clock of the server was 26 hours ahead and is right again (threat-model.md RE7): what was used, revoked or locked meanwhile
// stays so, what merely seemed expired is valid, and no moment that was dated ahead shuts anyone out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, outcomeOf, refresh, SPA, signIn, signInForTokens, userinfo } from '../../../testing/journey'
import { codeOf, demand, type EnrolledTestUser, enrollApp, MFA_WEB, mfaToken, OTP, token } from '../../../testing/mfa'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

const AHEAD = 26 * 3600
const REFILL = 360

let server: TestServer
let browser: Browser
let email: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, refresh_token: { leeway: 30 } } })
  await server.addClient(MFA_WEB)
  await server.addClient({
    clientId: 'tv',
    settings: { grant_types: [DEVICE, 'refresh_token'], app_type: 'native' },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  await demand(server, [])
  email = `${server.random.hex(8)}@mail.test`
  await server.addUser({ email })
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
})

async function whileAhead<T>(work: () => Promise<T>): Promise<T> {
  server.clock.advance(AHEAD)
  const result = await work()
  server.clock.advance(-AHEAD)
  return result
}

describe('a code of an authenticator app', () => {
  let app: EnrolledTestUser
  const prove = async (otp: string) => {
    const mfa_token = await mfaToken(browser, email)
    return (await token(browser, { grant_type: OTP, mfa_token, otp })).status
  }
  beforeEach(async () => {
    await demand(server)
    app = await enrollApp(server, browser, email)
  })

  it('is accepted once, though a later one was accepted by the clock ahead', async () => {
    expect(await whileAhead(() => prove(codeOf(server, app.secret)))).toBe(200)
    const code = codeOf(server, app.secret)
    expect(await prove(code)).toBe(200)
    expect(await prove(code)).toBe(403)
    server.clock.advance(60)
    expect(await prove(codeOf(server, app.secret))).toBe(200)
    expect(await prove(code)).toBe(403)
  })

  it('a code that was accepted ahead is refused when its time comes', async () => {
    const early = await whileAhead(async () => {
      const code = codeOf(server, app.secret)
      expect(await prove(code)).toBe(200)
      return code
    })
    expect(await prove(codeOf(server, app.secret))).toBe(200)
    server.clock.advance(AHEAD)
    expect(codeOf(server, app.secret)).toBe(early)
    expect(await prove(early)).toBe(403)
    server.clock.advance(60)
    expect(await prove(codeOf(server, app.secret))).toBe(200)
  })

  it('is still blocked after too many wrong ones ahead, and for no longer', async () => {
    await whileAhead(async () => {
      for (let guess = 0; guess < 10; guess++) expect(await prove('000000')).toBe(403)
      expect(await prove(codeOf(server, app.secret))).toBe(429)
    })
    expect(await prove(codeOf(server, app.secret))).toBe(429)
    server.clock.advance(REFILL)
    expect(await prove(codeOf(server, app.secret))).toBe(200)
  })

  it('is not blocked by right ones ahead: ten wrong ones are still evaluated', async () => {
    expect(await whileAhead(() => prove(codeOf(server, app.secret)))).toBe(200)
    for (let guess = 0; guess < 10; guess++) expect(await prove('000000')).toBe(403)
    expect(await prove('000000')).toBe(429)
  })

  it('is blocked for no longer by a bucket that an earlier version dated ahead', async () => {
    await server.database.pool.query('UPDATE attempt_counter SET counted_at = NULL, expires_at = $1', [
      new Date(server.clock.now().getTime() + AHEAD * 1000),
    ])
    expect(await prove(codeOf(server, app.secret))).toBe(429)
    server.clock.advance(REFILL)
    expect(await prove(codeOf(server, app.secret))).toBe(200)
  })
})

describe('the refresh token before one that was rotated ahead', () => {
  it('brings the successor for the leeway after it is seen, and is reuse after that', async () => {
    const { refresh_token } = await signInForTokens(browser, email)
    const next = await whileAhead(async () => (await refresh(browser, refresh_token)).json().refresh_token)
    expect((await refresh(browser, refresh_token)).json().refresh_token).toBe(next)
    server.clock.advance(29)
    expect((await refresh(browser, refresh_token)).json().refresh_token).toBe(next)
    server.clock.advance(2)
    expect((await refresh(browser, refresh_token)).status).toBe(403)
    expect((await refresh(browser, next)).status).toBe(403)
  })

  it('does not end the family of a client that goes on', async () => {
    const { refresh_token } = await signInForTokens(browser, email)
    const next = await whileAhead(async () => (await refresh(browser, refresh_token)).json().refresh_token)
    expect((await refresh(browser, next)).status).toBe(200)
  })
})

describe('a user', () => {
  const signOutEverywhere = async () => {
    const runtime = await server.runtime()
    const { rows } = await server.database.pool.query('SELECT id FROM "user" WHERE email = $1', [email])
    await (await runtime.management()).userLogins.endAll(rows[0].id, server.clock.now())
  }

  it('a user who was signed out everywhere ahead is out, and signs in again', async () => {
    const before = await signInForTokens(browser, email)
    const ahead = await whileAhead(async () => {
      const tokens = await signInForTokens(server.browser(), email)
      await signOutEverywhere()
      return tokens
    })
    for (const { refresh_token } of [before, ahead]) expect((await refresh(browser, refresh_token)).status).toBe(403)
    const again = await signInForTokens(server.browser(), email)
    expect((await userinfo(browser, again.access_token)).status).toBe(200)
  })

  it('keeps what merely seemed expired: the session, its tokens and its codes', async () => {
    const tokens = await signInForTokens(browser, email)
    expect(await whileAhead(async () => (await userinfo(browser, tokens.access_token)).status)).toBe(401)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(200)
    const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(outcomeOf(silent)).toBe('code')
  })

  it('a user who signed in ahead has to sign in again where a recent login is demanded', async () => {
    await whileAhead(() => signIn(browser, email))
    const recent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none', max_age: '600' }) })
    expect(outcomeOf(recent)).toContain('error=login_required')
  })

  it('a user whose account strangers blocked ahead waits as long as without the change, and no longer', async () => {
    const guess = async () => {
      const answer = await server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` }).post('/oauth/token', {
        form: {
          grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
          client_id: 'web',
          client_secret: 'web-secret',
          realm: 'Users',
          username: email,
          password: 'wrong',
        },
      })
      return answer.status
    }
    await whileAhead(async () => {
      for (let count = 0; count < 51; count++) expect(await guess()).toBe(403)
      expect(await guess()).toBe(429)
    })
    expect(await guess()).toBe(429)
    server.clock.advance(31)
    expect(await guess()).toBe(403)
  })
})

it('a device that polled ahead may poll at its interval', async () => {
  const { device_code } = (
    await browser.post('/oauth/device/code', { form: { client_id: 'tv', scope: 'openid' } })
  ).json()
  const poll = async () =>
    (
      await browser.post('/oauth/token', {
        form: { grant_type: DEVICE, client_id: 'tv', device_code: String(device_code) },
      })
    ).json().error
  await server.database.pool.query('UPDATE device_authorization SET polled_at = $1', [
    new Date(server.clock.now().getTime() + AHEAD * 1000),
  ])
  expect(await poll()).toBe('authorization_pending')
  expect(await poll()).toBe('slow_down')
})
