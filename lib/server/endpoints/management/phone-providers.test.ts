// The provider of text messages and calls in the Management API: set, changed, refused, and applied to its tenant alone.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import * as posts from '../../../adapters/channels/post'
import { createTenantPhone } from '../../../adapters/channels/tenant-phone'
import { findPhoneProvider } from '../../../adapters/store/prisma/message-providers'
import { createOutboxStore, outboxWriter } from '../../../adapters/store/sql/outbox'
import { deliverDue } from '../../../data/outbox/deliver'
import type { Channel, OutgoingMessage } from '../../../data/outbox/message'
import { enqueue } from '../../../data/outbox/outbox'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import type { Shared } from '../../runtime/shared'

const PATH = '/branding/phone/providers'
const TOKEN = 'the-token-of-the-account:50%/@'
const CONFIGURATION = { sid: 'AC123', default_from: '+4930123456', delivery_methods: ['text', 'voice'] }
const BODY = { name: 'twilio', disabled: false, configuration: CONFIGURATION, credentials: { auth_token: TOKEN } }
const ONE = `${PATH}/pro_twilio`
const SHOWN = { id: 'pro_twilio', name: 'twilio', channel: 'phone', disabled: false, configuration: CONFIGURATION }

let server: TestServer
let manager: Manager

const tenantChannel: Shared['tenantChannel'] = async (channel, tenantId) => {
  if (channel !== 'sms' && channel !== 'voice') return null
  const policy = { allowLoopback: false, allowPrivate: false }
  const find = findPhoneProvider(server.db)
  const byAction = () => Promise.reject<Channel>(new Error('no action')) as never
  return createTenantPhone({ find, vault: server.vault, clock: server.clock, policy, byAction })(tenantId, channel)
}

beforeAll(async () => {
  server = await testServer({ tenantChannel })
  manager = await addManager(server)
  await server.addTenant('other', 'https://other.test')
})
afterAll(() => server.close())
afterEach(async () => {
  vi.restoreAllMocks()
  expect((await manager.remove(ONE)).status).toBe(204)
  await server.database.pool.query('TRUNCATE outbox_message')
})

const make = (more: Record<string, unknown> = {}) => manager.post(PATH, { ...BODY, ...more })
const answering = (status: number) => vi.spyOn(posts, 'post').mockResolvedValue({ status })
const sealed = async (): Promise<unknown> => {
  const { rows } = await server.database.pool.query('SELECT sealed_credentials FROM message_provider')
  return JSON.parse(String(server.vault.open('phone-provider', rows[0].sealed_credentials)))
}

it('is listed, changed and removed, and never shows its token', async () => {
  expect((await manager.get(PATH)).json()).toEqual({ providers: [] })
  expect((await manager.get(ONE)).json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_phone_provider' })
  expect((await manager.patch(ONE, { disabled: true })).status).toBe(404)
  const made = await make()
  expect([made.status, made.json()]).toEqual([201, SHOWN])
  expect((await make()).json()).toMatchObject({ statusCode: 409, errorCode: 'phone_provider_conflict' })
  expect((await manager.get(PATH)).json()).toEqual({ providers: [SHOWN] })
  expect((await manager.get(PATH, { query: { disabled: 'true' } })).json()).toEqual({ providers: [] })
  expect((await manager.get(ONE)).json()).toEqual(SHOWN)
  const stale = await manager.patch(ONE, { disabled: true }, { 'if-match': '"of-another-version"' })
  expect(stale.status).toBe(412)
  expect((await manager.patch(ONE, { disabled: true })).json()).toEqual({ ...SHOWN, disabled: true })
  expect((await manager.get(`${PATH}/none`)).status).toBe(404)
  expect((await manager.remove(`${PATH}/none`)).status).toBe(204)
  const { rows } = await server.database.pool.query('SELECT *, sealed_credentials::text FROM message_provider')
  const hex = Buffer.from(TOKEN).toString('hex')
  for (const text of [JSON.stringify(rows), JSON.stringify(await server.audited())])
    for (const secret of [TOKEN, hex]) expect(text).not.toContain(secret)
})

it.each([{}, { credentials: { auth_token: '##TWILIO_AUTH_TOKEN##' } }, { credentials: {} }])(
  'keeps its token by %j',
  async (more) => {
    await make()
    expect((await manager.patch(ONE, { configuration: { ...CONFIGURATION, sid: 'AC999' }, ...more })).status).toBe(200)
    expect(await sealed()).toEqual({ auth_token: TOKEN })
  },
)

it.each([
  [{ name: 'custom' }, 'sid'],
  [{ name: 'pigeon' }, 'name'],
  [{ credentials: {} }, 'auth_token'],
  [{ credentials: { auth_token: '##TWILIO_AUTH_TOKEN##' } }, 'placeholder'],
  [{ credentials: { auth_token: 'a\r\nb' } }, 'auth_token'],
  [{ configuration: { ...CONFIGURATION, sid: '../evil' } }, 'sid'],
  [{ configuration: { ...CONFIGURATION, delivery_methods: [] } }, 'delivery_methods'],
  [{ configuration: { ...CONFIGURATION, delivery_methods: ['pigeon'] } }, 'delivery_methods'],
  [{ configuration: { sid: 'AC1', delivery_methods: ['text'] } }, 'default_from'],
  [{ configuration: { sid: 'AC1', mssid: 'MG1', delivery_methods: ['voice'] } }, 'default_from'],
  [{ configuration: { ...CONFIGURATION, mystery: true } }, 'mystery'],
  [{ mystery: true }, 'mystery'],
])('the phone provider refuses %j', async (more, word) => {
  const answer = await make(more)
  expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  expect(answer.text).toContain(word)
})

describe('the messages of a tenant', () => {
  const message = (over: Partial<OutgoingMessage>): OutgoingMessage => ({
    channel: 'sms',
    to: '+491701234567',
    subject: '',
    text: '123456 & more',
    html: '',
    ...over,
  })
  const write = (tenantId: string, over: Partial<OutgoingMessage> = {}) =>
    enqueue(message(over), outboxWriter(server.database.pool), { ...server, tenantId })
  const deliver = () =>
    deliverDue({
      store: createOutboxStore(server.database.pool),
      channels: [],
      tenantChannel,
      keepContent: false,
      vault: server.vault,
      clock: server.clock,
      random: server.random,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
  const waiting = async () =>
    (await server.database.pool.query('SELECT 1 FROM outbox_message WHERE next_attempt_at IS NOT NULL')).rowCount
  const formOf = (call: Parameters<typeof posts.post> | undefined) =>
    Object.fromEntries(new URLSearchParams(call?.[1].body))

  it('are sent by its account, and those of others wait', async () => {
    await make()
    await write('default')
    await write('other')
    const post = answering(201)
    await deliver()
    expect(post).toHaveBeenCalledTimes(1)
    const [call] = post.mock.calls
    expect(call?.[0]).toBe('https://api.twilio.com/2010-04-01/Accounts/AC123/Messages.json')
    expect(call?.[1].headers).toEqual({ authorization: `Basic ${Buffer.from(`AC123:${TOKEN}`).toString('base64')}` })
    expect(formOf(call)).toEqual({ To: '+491701234567', From: '+4930123456', Body: '123456 & more' })
    expect(await waiting()).toBe(1)
  })

  it('are calls, or use a messaging service', async () => {
    await make({ configuration: { ...CONFIGURATION, mssid: 'MG1' } })
    await write('default')
    await write('default', { channel: 'voice' })
    const post = answering(201)
    await deliver()
    const forms = post.mock.calls.map(formOf)
    expect(forms).toContainEqual({ To: '+491701234567', MessagingServiceSid: 'MG1', Body: '123456 & more' })
    expect(forms).toContainEqual(
      expect.objectContaining({ From: '+4930123456', Twiml: expect.stringContaining('<Say>') }),
    )
  })

  it('wait where the provider does not send by their method, or is disabled', async () => {
    await make({ configuration: { ...CONFIGURATION, delivery_methods: ['text'] } })
    await write('default', { channel: 'voice' })
    await manager.patch(ONE, { disabled: true })
    await write('default')
    const post = answering(201)
    await deliver()
    expect(post).not.toHaveBeenCalled()
    expect(await waiting()).toBe(2)
  })

  it('are not sent by it where a connection has a gateway of its own', async () => {
    await make()
    await write('default', { gateway: 'https://gateway.test/send' })
    const post = answering(201)
    await deliver()
    expect(post).not.toHaveBeenCalled()
    expect(await waiting()).toBe(1)
  })

  it.each([
    [400, 0],
    [401, 1],
    [500, 1],
  ])('status %i leaves %i to be tried again', async (status, left) => {
    await make()
    await write('default')
    answering(status)
    await deliver()
    expect(await waiting()).toBe(left)
  })
})

describe('a test message', () => {
  it('is sent by the provider, or says why it was not', async () => {
    await make()
    const post = answering(201)
    const sent = await manager.post(`${ONE}/try`, { to: '+491701234567', delivery_method: 'voice' })
    expect([sent.status, sent.json()]).toEqual([202, { message: 'The provider accepted the message' }])
    expect(post.mock.calls[0]?.[0]).toMatch(/Calls\.json$/)
    post.mockResolvedValue({ status: 401 })
    expect((await manager.post(`${ONE}/try`, { to: '+491701234567' })).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'phone_provider_failed',
      message: 'The message could not be sent: HTTP 401',
    })
  })

  it('needs an enabled provider of the method, and a number', async () => {
    expect((await manager.post(`${ONE}/try`, { to: '+491701234567' })).status).toBe(404)
    await make({ disabled: true })
    expect((await manager.post(`${ONE}/try`, { to: '+491701234567' })).status).toBe(400)
    await manager.patch(ONE, { disabled: false })
    expect((await manager.post(`${ONE}/try`, { to: 'kim@mail.test' })).status).toBe(400)
  })
})
