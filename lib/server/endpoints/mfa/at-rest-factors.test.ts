// The content of a stolen dump and a stolen log after second factors of every kind and logins by codes and links
// (threat-model.md SC1, SC2, MF4, MF6, PW1, PW3); and no response with one of their secrets is cacheable.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBase32 } from '../../../identity/mfa/totp'
import { dumpEverything } from '../../../testing/dump'
import { beginLogin, CHALLENGE, locationOf, SPA, submitPassword } from '../../../testing/journey'
import {
  associate,
  bearer,
  challenge,
  codeOf,
  demand,
  enrollApp,
  MFA_WEB,
  mfaToken,
  OOB,
  OTP,
  RECOVERY,
  token,
} from '../../../testing/mfa'
import {
  addPasswordless,
  codeTo,
  messagesTo,
  OTP_GRANT,
  redeemCode,
  sendTo,
  start,
} from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const PHONE = '+491711234567'

let server: TestServer
let dump: string
let log: string
/** Every secret that was sent over the wire, by name. */
const secrets = new Map<string, string>()
/** Every response that contained one. */
const expected: [string, TestResponse][] = []

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: ['authorization_code', OTP_GRANT] } })
  await server.addClient(MFA_WEB)
  await addPasswordless(server, { email: { totp: { length: 10 } } })
  for (const name of ['app', 'phone', 'device', 'page']) await server.addUser({ email: `${name}@mail.test` })
  await byCodes(server.browser())
  await demand(server)
  await byApp(server.browser())
  await byPhone(server.browser())
  await byDevice(server.browser())
  await onPages(server.browser())
  expect((await server.audited()).length).toBeGreaterThan(10)
  dump = await dumpEverything(server.database)
  log = JSON.stringify(server.lines)
})
afterAll(() => server.close())

const record = (what: string, answer: TestResponse): TestResponse => {
  expected.push([what, answer])
  return answer
}
const tokensIn = (what: string, answer: TestResponse): void => {
  for (const [name, value] of Object.entries(record(what, answer).json())) {
    if (/token$/.test(name)) secrets.set(`${name} of ${what}`, String(value))
  }
}

async function byCodes(browser: Browser): Promise<void> {
  const mail = 'code@mail.test'
  record('the start', await sendTo(browser, mail))
  const code = await codeTo(server, mail)
  secrets.set('code of a mail', code)
  tokensIn('a code', await redeemCode(browser, mail, code))
  await redeemCode(browser, mail, code)
  const authParams = { code_challenge: CHALLENGE, code_challenge_method: 'S256', redirect_uri: 'https://app.test/cb' }
  await start(browser, { connection: 'email', email: mail, authParams })
  server.clock.advance(1)
  const link = new URL((await messagesTo(server, mail))[0]?.link ?? 'https://no.mail')
  secrets.set('link', link.searchParams.get('verification_code') ?? '')
  const page = record('the page of a link', await browser.get(link.pathname + link.search))
  const form = Object.fromEntries(
    [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]),
  )
  record('the answer to a link', await browser.post(link.pathname, { form }))
  await browser.get(link.pathname + link.search)
  await browser.post('/passwordless/verify', {
    json: { connection: 'email', email: mail, verification_code: secrets.get('link') },
  })
}

async function byApp(browser: Browser): Promise<void> {
  const { secret, recoveryCode, tokens } = await enrollApp(server, browser, 'app@mail.test')
  secrets.set('seed', secret).set('bytes of the seed', fromBase32(secret).toString('latin1'))
  secrets.set('recovery code', recoveryCode).set('access_token', String(tokens.access_token))
  const mfa_token = await mfaToken(browser, 'app@mail.test')
  secrets.set('mfa_token', mfa_token)
  const used = record(
    'a recovery code',
    await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: recoveryCode }),
  )
  secrets.set('next recovery code', String(used.json().recovery_code))
  await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: recoveryCode })
  await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, secret) })
  await browser.get('/u/mfa-challenge', { query: { state: mfa_token } })
  await browser.send('DELETE', `/mfa/authenticators/${recoveryCode}`, { headers: bearer(mfa_token) })
}

async function byPhone(browser: Browser): Promise<void> {
  const mfa_token = await mfaToken(browser, 'phone@mail.test')
  const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: PHONE }
  const added = record('a phone', await associate(browser, mfa_token, parameters)).json()
  const oob_code = String(added.oob_code)
  secrets.set('oob_code', oob_code).set('recovery code of a phone', String(added.recovery_codes))
  const answer = { grant_type: OOB, mfa_token, oob_code, binding_code: await codeTo(server, PHONE) }
  tokensIn('a phone', await token(browser, answer))
  await token(browser, answer)
  const next = await mfaToken(browser, 'phone@mail.test')
  secrets.set('oob_code that waits', String(record('a challenge', await challenge(browser, next)).json().oob_code))
  await challenge(browser, oob_code)
}

async function byDevice(browser: Browser): Promise<void> {
  const mfa_token = await mfaToken(browser, 'device@mail.test')
  const parameters = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
  const { barcode_uri } = record('a device', await associate(browser, mfa_token, parameters)).json()
  const enrollment_tx_id = new URL(String(barcode_uri)).searchParams.get('enrollment_tx_id') ?? ''
  secrets.set('ticket of a device', enrollment_tx_id)
  record('the page of a device', await browser.get('/u/device', { query: { enrollment_tx_id } }))
  tokensIn('a device', await browser.post('/mfa/devices', { json: { enrollment_tx_id, name: 'Phone' } }))
  await browser.post('/mfa/devices', { json: { enrollment_tx_id, name: 'Phone' } })
  await browser.get('/mfa/prompts', { headers: bearer(enrollment_tx_id) })
}

/** A pending enrolment of an authenticator app: its key is stored with the login. */
async function onPages(browser: Browser): Promise<void> {
  const state = await beginLogin(browser)
  await submitPassword(browser, state, 'page@mail.test')
  const started = await browser.post('/u/submit', { form: { state, action: 'mfa-enroll', factor: 'otp' } })
  const page = record('the page of an app', await browser.get(locationOf(started).href))
  const shown = /<p class="secret-text"[^>]*>(.*?)<\/p>/.exec(page.text)?.[1] ?? ''
  secrets.set('seed on a page', shown.replace(/<[^>]+>|\s/g, ''))
  for (const [name, value] of browser.cookies) secrets.set(name, value)
}

it('the walk covers everything that has a secret', () => {
  expect([...secrets.values()].filter((value) => value.length < 10)).toEqual([])
  expect(secrets.get('seed on a page')).toMatch(/^[A-Z2-7]{32}$/)
  expect([...secrets.keys()]).toEqual(
    expect.arrayContaining(['access_token of a code', 'link', 'next recovery code', 'device_token of a device']),
  )
  expect(dump).toContain(PHONE)
  expect(server.lines.length).toBeGreaterThan(8)
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
})

describe.each(['the dump', 'the log'])('%s', (where) => {
  it('it holds no code, key, link, ticket or token', () => {
    const text = where === 'the dump' ? dump : log
    for (const [name, value] of secrets) {
      expect(text.includes(value), name).toBe(false)
      expect(text.includes(Buffer.from(value).toString('hex')), `${name} in hexadecimal`).toBe(false)
      expect(text.includes(Buffer.from(value).toString('base64')), `${name} in base64`).toBe(false)
    }
  })
})

it('is kept by no cache', () => {
  for (const [what, answer] of expected)
    expect([what, answer.header('cache-control')]).toEqual([what, expect.stringContaining('no-store')])
})
