// Second factors on the hosted pages: enrolment at the first login that needs one, challenge at the next, alternatives, a
// recovery code, a remembered browser, and every refusal.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { mailsTo } from '../../../testing/mail'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

const ALL = ['otp', 'sms', 'email', 'push-notification', 'recovery-code']
const MULTI_FACTOR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

let server: TestServer
let browser: Browser
let user: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
})
afterAll(() => server.close())
beforeEach(async () => {
  await demand(['all-applications'])
  user = `${server.random.hex(8)}@mail.test`
  await server.addUser({ email: user })
  browser = newBrowser()
})

const newBrowser = (): Browser => server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })

const demand = (policies: string[], factors: readonly string[] = ALL): Promise<void> =>
  server.setTenant({
    guardianPolicies: { policies },
    guardianFactors: factors.map((name) => ({ name, enabled: true })),
    guardianPhoneFactorMessageTypes: { message_types: ['sms', 'voice'] },
  })

const send = (state: string, action: string, fields: FormFields = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, ...fields } })
const at = (answer: TestResponse): [string, string | null] => {
  const url = locationOf(answer)
  return [url.pathname, url.searchParams.get('notice')]
}
const follow = (answer: TestResponse): Promise<TestResponse> => browser.get(locationOf(answer).href)
const codeOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('code') ?? ''
const claimsOf = async (answer: TestResponse) => payloadOf((await redeem(browser, codeOf(answer))).json().id_token)

/** A text that the page shows in groups. */
const shown = (page: TestResponse, id: string): string =>
  (new RegExp(`<p class="secret-text" id="${id}"[^>]*>(.*?)</p>`).exec(page.text)?.[1] ?? '').replace(/<[^>]+>/g, '')

const totpOf = (secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return () => totp.generate({ timestamp: server.clock.now().getTime() })
}

/** Signs in with the password, up to the page of the second factor. */
async function firstFactor(extra: FormFields = {}): Promise<{ state: string; answer: TestResponse }> {
  const state = await beginLogin(browser, extra)
  return { state, answer: await submitPassword(browser, state, user) }
}

async function enrollApp(): Promise<{ generate: () => string; recoveryCode: string; finished: TestResponse }> {
  const { state } = await firstFactor()
  const page = await follow(await send(state, 'mfa-enroll', { factor: 'otp' }))
  const generate = totpOf(shown(page, 'secret'))
  const confirmed = await send(state, 'mfa-confirm', { code: generate() })
  const recoveryCode = shown(await follow(confirmed), 'recovery-code')
  const finished = await send(state, 'mfa-saved')
  server.clock.advance(60)
  return { generate, recoveryCode, finished }
}

const factorsOf = async (page: TestResponse) =>
  [...page.text.matchAll(/name="authenticator" value="([^"|]+)\|/g)].map(([, kind]) => kind)
const idOf = (page: TestResponse, kind: string): string =>
  new RegExp(`name="authenticator" value="(${kind}\\|[^"]+)"`).exec(page.text)?.[1] ?? ''
const codeTo = async (address: string): Promise<string> => (await mailsTo(server, address))[0]?.code ?? ''

describe('the first login that asks for a second factor', () => {
  it('enrols an authenticator app, shows the recovery code once, and reports the factor to the application', async () => {
    const { state, answer } = await firstFactor()
    expect(at(answer)).toEqual(['/u/mfa-enroll', null])
    const choice = await follow(answer)
    expect([...choice.text.matchAll(/name="factor" value="([^"]+)"/g)].map(([, factor]) => factor)).toEqual([
      'otp',
      'push',
      'sms',
      'voice',
      'email',
    ])
    const page = await follow(await send(state, 'mfa-enroll', { factor: 'otp' }))
    const secret = shown(page, 'secret')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(page.text).toContain('<svg class="qr"')
    expect(page.text).toContain(`secret=${secret}`)
    const confirmed = await send(state, 'mfa-confirm', { code: totpOf(secret)() })
    expect(at(confirmed)).toEqual(['/u/mfa-recovery-code', null])
    const recovery = await follow(confirmed)
    expect(shown(recovery, 'recovery-code')).toMatch(/^[A-Z0-9]{24}$/)
    const claims = await claimsOf(await send(state, 'mfa-saved'))
    expect(claims.amr).toContain('mfa')
  })

  it('stores the secret and the recovery code encrypted, and shows them no longer than necessary', async () => {
    const { state } = await firstFactor()
    const page = await follow(await send(state, 'mfa-enroll', { factor: 'otp' }))
    const secret = shown(page, 'secret')
    expect(shown(await browser.get('/u/mfa-enroll', { query: { state } }), 'secret')).toBe(secret)
    const confirmed = await send(state, 'mfa-confirm', { code: totpOf(secret)() })
    const code = shown(await follow(confirmed), 'recovery-code')
    const { rows } = await server.database.pool.query(
      'SELECT row_to_json(t)::text AS t FROM login_transaction t UNION ALL SELECT row_to_json(a)::text FROM authenticator a',
    )
    const stored = rows.map(({ t }) => t).join('\n')
    expect([stored.includes(secret), stored.includes(code)]).toEqual([false, false])
    expect((await browser.get('/u/mfa-enroll', { query: { state } })).status).toBe(303)
    await send(state, 'mfa-saved')
    expect((await browser.get('/u/mfa-recovery-code', { query: { state } })).text).not.toContain(code)
  })

  it('stays where it is with a wrong code, and does not count it as a login', async () => {
    const { state } = await firstFactor()
    await send(state, 'mfa-enroll', { factor: 'otp' })
    const wrong = await send(state, 'mfa-confirm', { code: '000000' })
    expect(at(wrong)).toEqual(['/u/mfa-enroll', 'wrong_code'])
    expect((await follow(wrong)).text).toContain('<svg class="qr"')
    expect(at(await send(state, 'mfa-saved'))[0]).toBe('/u/mfa-enroll')
    expect(browser.cookies.has('__Host-latchkey_session')).toBe(false)
  })

  it('lets another one be chosen instead', async () => {
    const { state } = await firstFactor()
    await send(state, 'mfa-enroll', { factor: 'otp' })
    expect((await follow(await send(state, 'mfa-other'))).text).toContain('value="sms"')
  })

  it('enrols a phone by the code that it was sent, and shows no more than its last digits', async () => {
    const { state } = await firstFactor()
    expect((await follow(await send(state, 'mfa-enroll', { factor: 'sms' }))).text).toContain('autocomplete="tel"')
    const invalid = await send(state, 'mfa-enroll', { factor: 'sms', phone: 'my phone' })
    expect(at(invalid)).toEqual(['/u/mfa-enroll', 'invalid_phone'])
    expect((await follow(invalid)).text).toContain('value="my phone"')
    const sent = await follow(await send(state, 'mfa-enroll', { factor: 'sms', phone: '+49 1512 3456789' }))
    expect(sent.text).toContain('6789')
    expect(sent.text).not.toContain('4915123456789')
    const confirmed = await send(state, 'mfa-confirm', { code: await codeTo('+4915123456789') })
    expect(at(confirmed)[0]).toBe('/u/mfa-recovery-code')
    expect((await claimsOf(await send(state, 'mfa-saved'))).amr).toContain('mfa')
  })

  it('enrols an unverified address by the code that it was sent', async () => {
    const { state } = await firstFactor()
    await send(state, 'mfa-enroll', { factor: 'email' })
    expect(at(await send(state, 'mfa-confirm', { code: await codeTo(user) }))[0]).toBe('/u/mfa-recovery-code')
  })

  it('a factor that is switched off or unknown is refused', async () => {
    await demand(['all-applications'], ['otp'])
    const { state } = await firstFactor()
    for (const factor of ['sms', 'recovery-code', 'constructor', '']) {
      const answer = await send(state, 'mfa-enroll', { factor, phone: '+4915123450000' })
      expect(at(answer)).toEqual(['/u/mfa-enroll', null])
    }
    expect(await mailsTo(server, '+4915123450000')).toHaveLength(0)
  })

  it('can be cancelled: the application receives access_denied', async () => {
    const { state } = await firstFactor()
    expect(locationOf(await send(state, 'cancel')).searchParams.get('error')).toBe('access_denied')
  })
})

describe('the next login', () => {
  it('asks for the code of the app, once', async () => {
    const { generate } = await enrollApp()
    browser = newBrowser()
    const { state, answer } = await firstFactor()
    expect(at(answer)).toEqual(['/u/mfa-challenge', null])
    expect((await follow(answer)).text).toContain('autocomplete="one-time-code"')
    expect(at(await send(state, 'mfa-verify', { code: '000000' }))).toEqual(['/u/mfa-challenge', 'wrong_code'])
    const code = generate()
    const spaced = asPasted(code)
    expect((await claimsOf(await send(state, 'mfa-verify', { code: spaced }))).amr).toContain('mfa')
    browser = newBrowser()
    const again = await firstFactor()
    expect(at(await send(again.state, 'mfa-verify', { code }))).toEqual(['/u/mfa-challenge', 'wrong_code'])
  })

  it('cannot be passed by an action of another page', async () => {
    await enrollApp()
    browser = newBrowser()
    const { state } = await firstFactor()
    for (const action of ['mfa-confirm', 'mfa-saved', 'mfa-enroll', 'continue', 'accept', '']) {
      expect(at(await send(state, action, { factor: 'otp', code: '000000' }))).toEqual(['/u/mfa-challenge', null])
    }
  })

  it('stops guessing, also by another way and in another login', async () => {
    const { generate } = await enrollApp()
    browser = newBrowser()
    const { state, answer } = await firstFactor()
    const recovery = idOf(await follow(answer), 'recovery-code')
    for (let guess = 0; guess < 10; guess += 1) await send(state, 'mfa-verify', { code: '000000' })
    expect(at(await send(state, 'mfa-verify', { code: generate() }))).toEqual(['/u/mfa-challenge', 'too_many_codes'])
    await send(state, 'mfa-use', { authenticator: recovery })
    expect(at(await send(state, 'mfa-verify', { code: 'A'.repeat(24) }))[1]).toBe('too_many_codes')
    browser = newBrowser()
    const other = await firstFactor()
    expect(at(await send(other.state, 'mfa-verify', { code: generate() }))[1]).toBe('too_many_codes')
  })

  it('lets a recovery code stand in, gives a new one, and never takes the old one again', async () => {
    const { recoveryCode } = await enrollApp()
    browser = newBrowser()
    const { state, answer } = await firstFactor()
    const used = await send(state, 'mfa-use', { authenticator: idOf(await follow(answer), 'recovery-code') })
    expect(at(used)).toEqual(['/u/mfa-challenge', null])
    const typed = recoveryCode.toLowerCase().replace(/(.{4})/g, '$1-')
    const passed = await send(state, 'mfa-verify', { code: typed })
    expect(at(passed)[0]).toBe('/u/mfa-recovery-code')
    const next = shown(await follow(passed), 'recovery-code')
    expect(next).toMatch(/^[A-Z0-9]{24}$/)
    expect(next).not.toBe(recoveryCode)
    expect(codeOf(await send(state, 'mfa-saved'))).not.toBe('')
    browser = newBrowser()
    const again = await firstFactor()
    await send(again.state, 'mfa-use', { authenticator: idOf(await follow(again.answer), 'recovery-code') })
    expect(at(await send(again.state, 'mfa-verify', { code: recoveryCode }))[1]).toBe('wrong_code')
    expect(at(await send(again.state, 'mfa-verify', { code: next }))[0]).toBe('/u/mfa-recovery-code')
  })

  it('offers the user’s factors, and accepts no other user’s', async () => {
    await enrollApp()
    browser = newBrowser()
    const { state, answer } = await firstFactor()
    const page = await follow(answer)
    expect(await factorsOf(page)).toEqual(['recovery-code'])
    expect(at(await send(state, 'mfa-use', { authenticator: 'sms|dev_somebodyelse' }))).toEqual([
      '/u/mfa-challenge',
      null,
    ])
    expect((await follow(answer)).text).toContain('authenticator app')
  })

  it('is not required again in a remembered browser, but in every other one', async () => {
    const { generate } = await enrollApp()
    browser = newBrowser()
    const { state } = await firstFactor()
    expect(codeOf(await send(state, 'mfa-verify', { code: generate(), remember: 'true' }))).not.toBe('')
    browser.cookies.delete('__Host-latchkey_session')
    expect(codeOf((await firstFactor()).answer)).not.toBe('')
    const same = browser
    browser = newBrowser()
    expect(at((await firstFactor()).answer)[0]).toBe('/u/mfa-challenge')
    browser = same
    browser.cookies.delete('__Host-latchkey_session')
    server.clock.advance(31 * 86400)
    expect(at((await firstFactor()).answer)[0]).toBe('/u/mfa-challenge')
  })

  it('goes without a page where the session has proven it', async () => {
    await enrollApp()
    const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect((await claimsOf(answer)).amr).toContain('mfa')
  })

  it('asks a session that has not proven it, when the application wants it', async () => {
    await demand([])
    expect(codeOf((await firstFactor()).answer)).not.toBe('')
    const silent = await browser.get('/authorize', {
      query: authorizeQuery({ acr_values: MULTI_FACTOR, prompt: 'none' }),
    })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
    const response = await browser.get('/authorize', { query: authorizeQuery({ acr_values: MULTI_FACTOR }) })
    expect(locationOf(response).pathname).toBe('/u/mfa-enroll')
  })
})

describe('a code that is sent', () => {
  beforeEach(async () => {
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE email = $1', [user])
  })

  it('is on its way once the password was right, and works once', async () => {
    const { state, answer } = await firstFactor()
    expect(at(answer)).toEqual(['/u/mfa-challenge', 'code_sent'])
    const page = await follow(answer)
    expect(page.text).not.toContain(user)
    const code = await codeTo(user)
    expect(code).toMatch(/^\d{6}$/)
    expect((await claimsOf(await send(state, 'mfa-verify', { code }))).amr).toContain('mfa')
  })

  it('is replaced by a newer one', async () => {
    const { state, answer } = await firstFactor()
    const first = await codeTo(user)
    server.clock.advance(1)
    const again = await send(state, 'mfa-use', { authenticator: idOf(await follow(answer), 'email') })
    expect(at(again)).toEqual(['/u/mfa-challenge', 'code_sent'])
    expect(at(await send(state, 'mfa-verify', { code: first }))[1]).toBe('wrong_code')
    expect(codeOf(await send(state, 'mfa-verify', { code: await codeTo(user) }))).not.toBe('')
  })

  it('starts with a button if nothing was proven just before', async () => {
    await demand([])
    await firstFactor()
    const before = (await mailsTo(server, user)).length
    const response = await browser.get('/authorize', { query: authorizeQuery({ acr_values: MULTI_FACTOR }) })
    const page = await follow(response)
    expect(page.text).toContain('Send the code')
    expect(page.text).not.toContain('name="remember"')
    expect(await mailsTo(server, user)).toHaveLength(before)
    const state = locationOf(response).searchParams.get('state') ?? ''
    await send(state, 'mfa-use', { authenticator: idOf(page, 'email') })
    expect((await claimsOf(await send(state, 'mfa-verify', { code: await codeTo(user) }))).acr).toBe(MULTI_FACTOR)
  })

  it('is over after five minutes: the page offers a new one', async () => {
    const { state } = await firstFactor()
    const code = await codeTo(user)
    server.clock.advance(301)
    const late = await send(state, 'mfa-verify', { code })
    expect(at(late)).toEqual(['/u/mfa-challenge', 'push_expired'])
    expect((await follow(late)).text).toContain('Send the code')
  })

  it('is sent ten times an hour and no more', async () => {
    const { state, answer } = await firstFactor()
    const authenticator = idOf(await follow(answer), 'email')
    for (let sent = 1; sent < 10; sent += 1) await send(state, 'mfa-use', { authenticator })
    expect(at(await send(state, 'mfa-use', { authenticator }))).toEqual(['/u/mfa-challenge', 'too_many_messages'])
    expect((await mailsTo(server, user)).length).toBe(10)
  })
})
