// The policy `enrolled`: a user with a confirmed factor is asked for it in every kind of login (threat-model.md MF1).
import { describe, expect } from 'vitest'
import type { FormFields } from '../../../testing/browser'
import { authorizeQuery, beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { associate, codeOf, demand, enrollApp, logIn, MFA_WEB, mfaToken, OTP, token } from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import { addPasswordless, codeTo, OTP_GRANT, redeemCode, sendTo } from '../../../testing/passwordless'
import { statementsOf } from '../../../testing/sent-statements'
import type { Browser, TestServer } from '../../../testing/server'
import { RELYING_PARTY } from '../../../testing/wsfed'

let server: TestServer
let browser: Browser
let user: string

const it = mfaTest(async (server) => {
  await server.addClient(SPA)
  await server.addClient({ ...SPA, clientId: 'free', settings: { ...SPA.settings, mfa_policy: 'never' } })
  await server.addClient(RELYING_PARTY)
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } } })
  await server.addClient({ clientId: 'codes', settings: { app_type: 'spa', grant_types: [OTP_GRANT] } })
  await addPasswordless(server)
})
it.beforeEach(async ({ mfa }) => {
  ;({ server, browser, user } = mfa)
  await demand(server)
})

const NEEDED = ['login_required', 'Multifactor authentication required']

async function silently(extra: FormFields = {}) {
  const query = authorizeQuery({ prompt: 'none', ...extra })
  const { searchParams } = locationOf(await browser.get('/authorize', { query }))
  return [searchParams.get('error'), searchParams.get('error_description')]
}

const leadsTo = async (extra: FormFields = {}, email = user) =>
  locationOf(await submitPassword(browser, await beginLogin(browser, extra), email)).pathname

describe('a person who has enrolled a factor', () => {
  let secret: string
  it.beforeEach(async () => {
    secret = (await enrollApp(server, browser, user)).secret
    await demand(server, ['enrolled'])
  })

  it('is asked for it on the page, once, and then has a session with it', async () => {
    const state = await beginLogin(browser)
    expect(locationOf(await submitPassword(browser, state, user)).pathname).toBe('/u/mfa-challenge')
    expect(await silently()).toEqual(['login_required', 'Login required'])
    const form = { state, action: 'mfa-verify', code: codeOf(server, secret) }
    expect(locationOf(await browser.post('/u/submit', { form })).pathname).toBe('/cb')
    expect(await silently()).toEqual([null, null])
  })

  it('is asked for it in a session from before, also silently, by SAML and by WS-Federation', async () => {
    expect(await leadsTo({ client_id: 'free' })).toBe('/cb')
    expect(await silently()).toEqual(NEEDED)
    expect(await silently({ client_id: 'free' })).toEqual([null, null])
    for (const path of ['/authorize', '/samlp/sp', '/wsfed']) {
      const query = path === '/authorize' ? authorizeQuery() : path === '/wsfed' ? { wtrealm: 'urn:portal' } : {}
      expect(locationOf(await browser.get(path, { query })).pathname).toBe('/u/mfa-challenge')
    }
  })

  it('gets mfa_required from the password grants, and tokens with the factor', async () => {
    const refused = await logIn(browser, user)
    expect([refused.status, refused.json().error]).toEqual([403, 'mfa_required'])
    const { mfa_token } = refused.json() as FormFields
    const otp = codeOf(server, secret)
    expect((await token(browser, { grant_type: OTP, mfa_token, otp } as FormFields)).status).toBe(200)
  })

  it('is asked for it only by the clients that follow the policy', async () => {
    expect(await leadsTo({ client_id: 'free' })).toBe('/cb')
    await demand(server, [])
    await server.addClient({ ...MFA_WEB, settings: { ...MFA_WEB.settings, mfa_policy: 'enrolled' } })
    expect((await logIn(browser, user)).json().error).toBe('mfa_required')
    expect(await leadsTo({ prompt: 'login' })).toBe('/cb')
    await server.addClient(MFA_WEB)
  })

  it('is not asked in a browser that remembers it', async () => {
    const state = await beginLogin(browser)
    await submitPassword(browser, state, user)
    const form = { state, action: 'mfa-verify', code: codeOf(server, secret), remember: 'true' }
    await browser.post('/u/submit', { form })
    expect(await leadsTo({ prompt: 'login' })).toBe('/cb')
  })
})

describe('a person without one', () => {
  it.beforeEach(() => demand(server, ['enrolled']))

  it('signs in with the password', async () => {
    expect(await leadsTo()).toBe('/cb')
    expect((await logIn(browser, user)).status).toBe(200)
  })

  it('is not asked for one that was never confirmed, nor for a verified address', async () => {
    await demand(server)
    await associate(browser, await mfaToken(browser, user), { authenticator_types: ['otp'] })
    await demand(server, ['enrolled'])
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE email = $1', [user])
    expect(await leadsTo()).toBe('/cb')
  })

  it('is asked once a factor is confirmed: silently, by passwordless codes, and at a refresh without one', async () => {
    const kept = await logIn(browser, user, { scope: 'openid offline_access' })
    await leadsTo()
    expect(await silently()).toEqual([null, null])
    await enroll(server, user)
    expect(await silently()).toEqual(NEEDED)
    const { refresh_token } = kept.json() as FormFields
    const refused = await token(browser, { grant_type: 'refresh_token', refresh_token } as FormFields)
    expect([refused.status, refused.json().error]).toEqual([403, 'mfa_required'])

    const address = `code.${user}`
    const byCode = async () => {
      await sendTo(browser, address, { client_id: 'codes' })
      return redeemCode(browser, address, await codeTo(server, address), { client_id: 'codes' })
    }
    expect((await byCode()).status).toBe(200)
    await enroll(server, address)
    const second = await byCode()
    expect([second.status, second.json().error]).toEqual([403, 'mfa_required'])
  })
})

it('costs no statement where the policy is another one', async () => {
  await demand(server, [])
  const sent = await statementsOf(server.database.pool, async () => {
    expect(await leadsTo()).toBe('/cb')
  })
  expect(sent).not.toContain('authenticator-list')
  await demand(server, ['enrolled'])
  expect(await statementsOf(server.database.pool, () => leadsTo({ prompt: 'login' }))).toContain('authenticator-list')
})

/** As if a second factor had been confirmed elsewhere. */
async function enroll({ database }: TestServer, email: string): Promise<void> {
  const { rowCount } = await database.pool.query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, phone_number)
    SELECT 'default', 'sms|dev_' || md5(id), id, 'oob', 'sms', true, '+491711234567' FROM "user" WHERE email = $1`,
    [email],
  )
  expect(rowCount).toBe(1)
}
