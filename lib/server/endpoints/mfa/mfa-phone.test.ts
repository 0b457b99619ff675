// Second factors by phone: the countries and the daily budget of the tenant's `sms` connection apply to them too, and they are
// sent like its messages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContent } from '../../../data/outbox/outbox'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { associate, challenge, demand, enrollPhone, MFA_WEB, mfaToken } from '../../../testing/mfa'
import { addPasswordless, codeTo, messagesTo, start } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const USER = 'user@mail.test'
const GERMAN = '+491711234567'
const FRENCH = '+33612345678'

let server: TestServer
let browser: Browser

beforeEach(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  await server.addClient(SPA)
  await server.addUser({ email: USER })
  await demand(server)
  browser = server.browser({ ip: '203.0.113.1' })
})
afterEach(() => server.close())

const outcome = (answer: TestResponse) => [answer.status, answer.json().error, answer.json().error_description]
const enroll = async (phone_number: string, channel = 'sms'): Promise<TestResponse> =>
  associate(browser, await mfaToken(browser, USER), {
    authenticator_types: ['oob'],
    oob_channels: [channel],
    phone_number,
  })
const NOT_SERVED = [400, 'invalid_request', 'Numbers of this country are not served']

describe('the countries of the connection', () => {
  it('are those whose numbers can be enrolled, for messages and calls', async () => {
    await addPasswordless(server, { sms: { countries: ['DE'] } })
    expect(outcome(await enroll(FRENCH))).toEqual(NOT_SERVED)
    expect(outcome(await enroll(FRENCH, 'voice'))).toEqual(NOT_SERVED)
    expect((await enroll(GERMAN)).status).toBe(200)
    expect((await enroll(GERMAN, 'voice')).status).toBe(200)
  })

  it('bound what is enrolled already, and its page says so', async () => {
    await enrollPhone(browser, USER, () => codeTo(server, FRENCH), FRENCH)
    await addPasswordless(server, { sms: { countries: ['DE'] } })
    expect(outcome(await challenge(browser, await mfaToken(browser, USER)))).toEqual(NOT_SERVED)
    const requested = locationOf(await submitPassword(browser, await beginLogin(browser), USER))
    expect([requested.pathname, requested.searchParams.get('notice')]).toEqual(['/u/mfa-challenge', 'unserved_phone'])
    expect((await browser.get(requested.href)).text).toContain('no longer send to numbers of this country')
    expect(await messagesTo(server, FRENCH)).toHaveLength(1)
  })

  it('are all of them without a connection', async () => {
    expect((await enroll(FRENCH)).status).toBe(200)
  })
})

describe('the budget of a day', () => {
  it('is one for logins and second factors', async () => {
    await addPasswordless(server, { sms: { message_limits: { per_day: 3 } } })
    await enrollPhone(browser, USER, () => codeTo(server, GERMAN), GERMAN)
    const text = { connection: 'sms', phone_number: '+491717654321' }
    expect((await start(browser, text)).status).toBe(200)
    expect((await challenge(browser, await mfaToken(browser, USER))).status).toBe(200)
    const refused = await challenge(browser, await mfaToken(browser, USER))
    expect(outcome(refused).slice(0, 2)).toEqual([429, 'too_many_requests'])
    expect((await start(browser, text)).status).toBe(429)
    server.clock.advance(86_400)
    expect((await challenge(browser, await mfaToken(browser, USER))).status).toBe(200)
  })

  it('is not spent by what may not be sent', async () => {
    await addPasswordless(server, { sms: { countries: ['DE'], message_limits: { per_day: 1 } } })
    await enroll(FRENCH)
    await enroll('+491')
    expect((await enroll(GERMAN)).status).toBe(200)
  })
})

it('a text message leaves by the connection, a call by the process', async () => {
  const gateway = 'https://sms.example.com/send'
  await addPasswordless(server, { sms: { from: 'Acme', gateway_url: gateway } })
  await enroll(GERMAN)
  expect(await newest()).toMatchObject({ channel: 'sms', sender: 'Acme', gateway })
  await enroll(GERMAN, 'voice')
  const call = await newest()
  expect(call).toMatchObject({ channel: 'voice' })
  expect(call).not.toHaveProperty('gateway')
})

async function newest() {
  const { outbox, tenantId } = await server.runtime()
  const [row] = await outbox.list({ tenantId, to: GERMAN, channel: undefined, limit: 1 })
  server.clock.advance(1)
  return row && openContent(row.sealedContent, server.vault)
}
