// Codes for second factors by text message or call: an action judges them, or delivers them where `phone-message-hook` is selected.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { outboxWriter } from '../../../adapters/store/sql/outbox'
import type { Channel } from '../../../data/outbox/message'
import { bindAction } from '../../../testing/bind-action'
import { channelsOf, deliverMessages } from '../../../testing/delivering'
import { addManager, type Manager } from '../../../testing/management'
import { associate, MFA_WEB, mfaToken } from '../../../testing/mfa'
import { openReceiver, type Receiver } from '../../../testing/receiver'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const SELECTED = '/guardian/factors/phone/selected-provider'
const NUMBER = '+491711234567'
const FACTORS = {
  guardianPolicies: { policies: ['all-applications'] },
  guardianFactors: [{ name: 'sms', enabled: true }],
  guardianPhoneFactorMessageTypes: { message_types: ['sms', 'voice'] },
}

let server: TestServer
let manager: Manager
let browser: Browser
let gateway: Receiver
let origin: string
let received: unknown[] = []
let sentByServer: string[] = []
let people = 0

const tenantChannel = channelsOf(() => server)

beforeAll(async () => {
  gateway = await openReceiver((body) => void received.push(body))
  origin = gateway.origin
  server = await testServer({ tenantChannel })
  manager = await addManager(server)
  await server.addClient(MFA_WEB)
  browser = server.browser()
})
afterAll(async () => {
  gateway.close()
  await server.close()
})
beforeEach(() => {
  received = []
  sentByServer = []
})
afterEach(async () => {
  await server.database.pool.query('TRUNCATE outbox_message')
  await server.database.pool.query('DELETE FROM action')
})

const action = (body: string) => `exports.onExecuteSendPhoneMessage = async (event, api) => { ${body} }`
const posting = () => action(`await fetch('${origin}', { method: 'POST', body: JSON.stringify(event) })`)
const hooked = { ...FACTORS, guardianPhoneFactorSelectedProvider: { provider: 'phone-message-hook' } }

/** Enrolls a phone, which sends a code. */
async function enroll(channel = 'sms') {
  const email = `person${people++}@demo.test`
  const id = await server.addUser({ email })
  const answer = await associate(browser, await mfaToken(browser, email), {
    ...{ authenticator_types: ['oob'], oob_channels: [channel], phone_number: NUMBER },
  })
  return { id, answer }
}

const byServer = (name: 'sms' | 'voice'): Channel => ({
  name,
  send: async ({ to }) => void sentByServer.push(to),
  close: () => {},
})

async function deliver(channels = [byServer('sms'), byServer('voice')]) {
  await deliverMessages(server, tenantChannel, channels)
  const { rows } = await server.database.pool.query(
    'SELECT sent_at IS NOT NULL AS sent, failed_at IS NOT NULL AS failed, last_error AS reason FROM outbox_message',
  )
  return rows
}

it.each(['sms', 'voice'])(
  'an action delivers the code where it is selected, without a channel of the server: %s',
  async (channel) => {
    await bindAction(server, 'send-phone-message', posting(), hooked)
    const { id, answer } = await enroll(channel)
    expect(answer.status).toBe(200)
    expect(received).toEqual([])
    expect(await deliver([])).toMatchObject([{ sent: true }])
    expect(received).toMatchObject([
      {
        message_options: {
          action: 'enrollment',
          code: expect.stringMatching(/^\d{6}$/),
          message_type: channel,
          recipient: NUMBER,
          text: expect.any(String),
        },
        user: { user_id: id },
        client: { client_id: 'web' },
        tenant: { id: 'default' },
      },
    ])
  },
)

it.each([
  ['fails', action("throw new Error('down')"), 'failed'],
  ['is not there', undefined, 'no action is deployed'],
])('the code waits, and the server does not send it, where the action %s', async (_how, code, reason) => {
  if (code) await bindAction(server, 'send-phone-message', code, hooked)
  else await server.setTenant(hooked)
  await server.database.pool.query(`UPDATE action SET settings = settings || '{"on_failure": "pass"}'`)
  expect((await enroll()).answer.status).toBe(200)
  expect(await deliver()).toMatchObject([{ sent: false, failed: false, reason: expect.stringContaining(reason) }])
  expect([received, sentByServer]).toEqual([[], []])
})

it('an action only judges where it is not selected', async () => {
  await bindAction(server, 'send-phone-message', posting(), FACTORS)
  expect((await enroll()).answer.status).toBe(200)
  expect(received).toMatchObject([{ message_options: { action: 'enrollment' } }])
  expect(await deliver()).toMatchObject([{ sent: true }])
  expect([received.length, sentByServer]).toEqual([1, [NUMBER]])
  await bindAction(server, 'send-phone-message', action("throw new Error('no')"), FACTORS)
  expect((await enroll()).answer.status).toBe(400)
})

it('other text messages are not those of the action', async () => {
  await bindAction(server, 'send-phone-message', posting(), hooked)
  const { messenger } = await server.runtime()
  const until = new Date(server.clock.now().getTime() + 60_000)
  const row = await messenger.compose({ channel: 'sms', to: NUMBER, code: '123456', locale: 'en', until })
  await outboxWriter(server.database.pool).insert(row)
  await deliver()
  expect([received, sentByServer]).toEqual([[], [NUMBER]])
})

it('is selected by the Management API, and no longer after another choice', async () => {
  await server.setTenant(FACTORS)
  expect((await manager.put(SELECTED, { provider: 'phone-message-hook' })).json()).toEqual({
    provider: 'phone-message-hook',
  })
  expect((await manager.get('/guardian/factors/sms/selected-provider')).json()).toEqual({
    provider: 'phone-message-hook',
  })
  expect((await manager.put(SELECTED, { provider: 'twilio' })).status).toBe(400)
  expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'phone-message-hook' })
  expect((await manager.put(SELECTED, { provider: 'auth0' })).json()).toEqual({ provider: 'auth0' })
  expect((await manager.get(SELECTED)).json()).toEqual({ provider: 'auth0' })
})
