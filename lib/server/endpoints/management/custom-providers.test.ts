// Messages that an action delivers: the provider `custom` of mail, text messages and calls.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countWithoutMail, findDelivering } from '../../../adapters/store/sql/doctor-facts'
import { outboxWriter } from '../../../adapters/store/sql/outbox'
import type { Channel } from '../../../data/outbox/message'
import type { CodeMessage } from '../../../data/users/code-message'
import type { User } from '../../../data/users/user'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import { bindAction, bindActions } from '../../../testing/bind-action'
import { channelsOf, deliverMessages } from '../../../testing/delivering'
import { addManager, type Manager } from '../../../testing/management'
import { openReceiver, type Receiver } from '../../../testing/receiver'
import { type TestServer, testServer } from '../../../testing/server'

const MAIL = '/emails/provider'
const PHONE = '/branding/phone/providers'
const CODE = '847291'

let server: TestServer
let manager: Manager
let gateway: Receiver
let origin: string
let received: { [name: string]: unknown }[] = []
let sentByProcess: string[] = []
let runs: RunRecord[] = []

const tenantChannel = channelsOf(() => server)

beforeAll(async () => {
  gateway = await openReceiver((body) => void received.push(body))
  origin = gateway.origin
  server = await testServer({ tenantChannel, actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
  const mail = { name: 'custom', default_from_address: 'Acme <login@acme.test>', credentials: {} }
  expect((await manager.post(MAIL, mail)).status).toBe(201)
  const phone = { name: 'custom', configuration: { delivery_methods: ['text', 'voice'] }, credentials: {} }
  expect((await manager.post(PHONE, phone)).status).toBe(201)
})
afterAll(async () => {
  gateway.close()
  await server.close()
})
beforeEach(() => {
  received = []
  sentByProcess = []
  runs = []
})
afterEach(async () => {
  await server.database.pool.query('TRUNCATE outbox_message')
  await server.database.pool.query('DELETE FROM action')
  await server.setTenant({})
})

const byProcess = (name: 'email' | 'sms' | 'voice'): Channel => ({
  name,
  send: async ({ to }) => void sentByProcess.push(to),
  close: () => {},
})

const deliver = () => deliverMessages(server, tenantChannel, [byProcess('email'), byProcess('sms'), byProcess('voice')])

const mailAction = (body: string) => `exports.onExecuteCustomEmailProvider = async (event, api) => { ${body} }`
const phoneAction = (body: string) => `exports.onExecuteCustomPhoneProvider = async (event, api) => { ${body} }`
const posts = () => `await fetch('${origin}', { method: 'POST', body: JSON.stringify(event) })`

type Addressed = Partial<CodeMessage> & { channel: 'email' | 'sms' | 'voice' }

async function write(message: Addressed): Promise<void> {
  const { messenger } = await server.runtime()
  const until = new Date(server.clock.now().getTime() + 600_000)
  const to = message.channel === 'email' ? 'ada@demo.test' : '+4930123456'
  const row = await messenger.compose({
    to,
    code: CODE,
    locale: 'en',
    until,
    ip: '192.0.2.7',
    ...message,
  } as CodeMessage)
  await outboxWriter(server.database.pool).insert(row)
}

const outbox = async () =>
  (
    await server.database.pool.query(
      `SELECT attempts, sent_at IS NOT NULL AS sent, failed_at IS NOT NULL AS failed, last_error AS reason,
      sealed_content IS NOT NULL AS held FROM outbox_message`,
    )
  ).rows

async function addUser(email: string): Promise<User> {
  const id = await server.addUser({ email, password: null })
  return (await (await server.runtime()).users.find(id)) as User
}

describe('a mail', () => {
  it('is delivered by the action and not by the server, with the person, the application and its text', async () => {
    const user = await addUser('ada@demo.test')
    await server.addClient({ clientId: 'web', settings: {} })
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    await write({ channel: 'email', confirms: 'factor', user, clientId: 'web', connection: 'Users' })
    await deliver()
    expect(await outbox()).toMatchObject([{ attempts: 1, sent: true, held: false }])
    expect(sentByProcess).toEqual([])
    expect(received).toMatchObject([
      {
        notification: {
          from: 'Acme <login@acme.test>',
          to: 'ada@demo.test',
          locale: 'en',
          message_type: 'mfa_oob_code',
          subject: expect.any(String),
          text: expect.stringContaining(CODE),
          html: expect.stringContaining(CODE),
        },
        user: { user_id: user.id, email: 'ada@demo.test' },
        client: { client_id: 'web', name: 'App web' },
        connection: { name: 'Users' },
        request: { ip: '192.0.2.7' },
        tenant: { id: 'default' },
      },
    ])
  })

  it('names no account that there is not yet', async () => {
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    await write({ channel: 'email' })
    await deliver()
    expect(received).toMatchObject([
      {
        notification: { message_type: 'verification_code' },
        user: { email: 'ada@demo.test', email_verified: false, user_metadata: {}, app_metadata: {} },
        client: { client_id: '', name: '', metadata: {} },
      },
    ])
    expect(received[0]?.user).not.toHaveProperty('user_id')
  })

  it('is delivered by the only action that is deployed for the trigger, without a binding', async () => {
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    await server.setTenant({})
    await write({ channel: 'email' })
    await deliver()
    expect(received).toHaveLength(1)
  })
})

describe('a message that is not delivered', () => {
  it('is given up after drop', async () => {
    await bindAction(server, 'custom-email-provider', mailAction("api.notification.drop('no such mailbox')"))
    await write({ channel: 'email' })
    await deliver()
    expect(await outbox()).toMatchObject([
      { attempts: 1, sent: false, failed: true, held: false, reason: expect.stringContaining('did not deliver') },
    ])
  })

  it('is tried again after retry, and sent by a later attempt', async () => {
    await bindAction(
      server,
      'custom-email-provider',
      mailAction("api.notification.drop('x'); api.notification.retry('busy')"),
    )
    await write({ channel: 'email' })
    await deliver()
    expect(await outbox()).toMatchObject([{ attempts: 1, sent: false, failed: false, held: true }])
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    server.clock.advance(60)
    await deliver()
    expect(await outbox()).toMatchObject([{ attempts: 2, sent: true }])
    expect(sentByProcess).toEqual([])
  })

  it.each([
    ['throws', mailAction("throw new Error('down')"), 'action that delivers such messages failed'],
    ['calls what there is not', mailAction('api.access.deny()'), 'action that delivers such messages failed'],
    ['has no handler', 'exports.other = 1', 'action that delivers such messages failed'],
  ])('is tried again where the action %s', async (_how, code, reason) => {
    await bindAction(server, 'custom-email-provider', code)
    await write({ channel: 'email' })
    await deliver()
    expect(await outbox()).toMatchObject([
      { sent: false, failed: false, held: true, reason: expect.stringContaining(reason) },
    ])
    expect(sentByProcess).toEqual([])
  })

  it('waits for an action: none, several that are not bound, and one that is not deployed', async () => {
    await write({ channel: 'email' })
    const attempt = async () => {
      server.clock.advance(60)
      await deliver()
      return (await outbox())[0]
    }
    const absent = { sent: false, failed: false, reason: expect.stringContaining('no action is deployed') }
    expect(await attempt()).toMatchObject(absent)
    await bindActions(server, 'custom-email-provider', [mailAction(posts()), mailAction(posts())])
    await server.setTenant({})
    expect(await attempt()).toMatchObject(absent)
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    await server.database.pool.query(`UPDATE action SET settings = settings || '{"deployed": false}'`)
    expect(await attempt()).toMatchObject({ sent: false, failed: false })
    expect([received, sentByProcess]).toEqual([[], []])
  })
})

describe('a text message and a call', () => {
  it.each([
    ['sms', true, 'text', 'otp_enroll'],
    ['voice', false, 'voice', 'otp_verify'],
  ] as const)('is delivered by the action: %s', async (channel, enrolls, method, type) => {
    await bindAction(server, 'custom-phone-provider', phoneAction(posts()))
    await write({ channel, enrolls, sender: undefined, gateway: undefined })
    await deliver()
    expect(sentByProcess).toEqual([])
    expect(received).toMatchObject([
      {
        notification: {
          recipient: '+4930123456',
          code: CODE,
          delivery_method: method,
          message_type: type,
          locale: 'en',
        },
        user: { phone_number: '+4930123456' },
      },
    ])
    expect(JSON.stringify(received[0]?.notification)).toContain('as_voice')
  })

  it('goes to the gateway of its connection, if it has one', async () => {
    await bindAction(server, 'custom-phone-provider', phoneAction(posts()))
    await write({ channel: 'sms', gateway: 'https://gateway.test/', sender: undefined })
    await deliver()
    expect([received, sentByProcess]).toEqual([[], ['+4930123456']])
  })
})

it('records neither the text nor the code of a message', async () => {
  const code = `console.log(JSON.stringify(event)); console.log(event.notification.text); console.log(event.notification.html)
    console.error('code', event.notification.code, [...(event.notification.code ?? '')].join(', '))
    api.notification.retry('could not send ' + event.notification.text)`
  await bindAction(server, 'custom-phone-provider', phoneAction(code.replaceAll('.text', '.as_text')))
  await write({ channel: 'voice', enrolls: false })
  await deliver()
  await bindAction(server, 'custom-email-provider', mailAction(`${code}; throw new Error(event.notification.html)`))
  const { mailer } = await server.runtime()
  const user = await addUser('eve@demo.test')
  const secret = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789'
  const about = { to: 'eve@demo.test', user, clientId: null, connectionId: '', ip: '', locale: 'en' }
  await outboxWriter(server.database.pool).insert(
    await mailer.compose({ kind: 'reset_password', path: `/u/reset?ticket=${secret}`, ...about }),
  )
  await deliver()
  expect(runs.map(({ trigger, outcome }) => [trigger, outcome])).toEqual([
    ['custom-phone-provider', 'denied'],
    ['custom-email-provider', 'threw'],
  ])
  const text = JSON.stringify([runs, server.lines, await outbox(), await server.audited()])
  expect(text).toContain('message_type')
  for (const hidden of [CODE, [...CODE].join(', '), secret.slice(0, 8)]) expect(text).not.toContain(hidden)
})

it('is known to the doctor with the actions that are bound and deployed', async () => {
  await bindActions(server, 'custom-email-provider', [mailAction(''), mailAction('')], {
    guardianPhoneFactorSelectedProvider: { provider: 'phone-message-hook' },
  })
  await server.database.pool.query(
    `UPDATE action SET settings = settings || '{"deployed": false}' WHERE name = 'At custom-email-provider 2'`,
  )
  expect(await findDelivering(server.database.pool)).toEqual([
    {
      ...{ tenant: 'default', trigger: 'custom-email-provider' },
      bound: ['At custom-email-provider', 'At custom-email-provider 2'],
      deployed: ['At custom-email-provider'],
    },
    { tenant: 'default', trigger: 'custom-phone-provider', bound: [], deployed: [] },
    { tenant: 'default', trigger: 'send-phone-message', bound: [], deployed: [] },
  ])
  expect((await manager.patch(`${PHONE}/pro_custom`, { disabled: true })).status).toBe(200)
  expect((await findDelivering(server.database.pool)).map(({ trigger }) => trigger)).not.toContain(
    'custom-phone-provider',
  )
  expect((await manager.patch(`${PHONE}/pro_custom`, { disabled: false })).status).toBe(200)
})

describe('the settings', () => {
  it('show the provider without credentials', async () => {
    expect((await manager.get(MAIL)).json()).toMatchObject({
      name: 'custom',
      enabled: true,
      credentials: {},
      settings: {},
    })
    const shown = { id: 'pro_custom', name: 'custom', configuration: { delivery_methods: ['text', 'voice'] } }
    expect((await manager.get(PHONE)).json()).toMatchObject({ providers: [shown] })
    expect((await manager.get(`${PHONE}/pro_twilio`)).status).toBe(404)
  })

  it.each([
    [MAIL, { credentials: { api_key: 'x' } }],
    [`${PHONE}/pro_custom`, { configuration: { sid: 'AC1', delivery_methods: ['text'] } }],
    [`${PHONE}/pro_custom`, { credentials: { auth_token: 'x' } }],
  ])('refuse at %s what the provider has not: %j', async (path, body) => {
    expect((await manager.patch(path, body)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  })

  it('send a test message by the action', async () => {
    expect((await manager.post(`${MAIL}/test`, { to: 'ada@demo.test' })).status).toBe(400)
    await bindAction(server, 'custom-email-provider', mailAction(posts()))
    expect((await manager.post(`${MAIL}/test`, { to: 'ada@demo.test' })).status).toBe(200)
    expect(received).toMatchObject([{ notification: { message_type: 'try_provider_configuration_email' } }])
    await bindAction(server, 'custom-phone-provider', phoneAction(posts()))
    expect((await manager.post(`${PHONE}/pro_custom/try`, { to: '+4930123456' })).status).toBe(202)
  })

  it('bind one action, which never passes where it fails', async () => {
    await bindActions(server, 'custom-email-provider', [mailAction(''), mailAction('')])
    const bindings = ['At custom-email-provider', 'At custom-email-provider 2'].map((value) => ({
      ref: { type: 'action_name', value },
    }))
    const PATH = '/actions/triggers/custom-email-provider/bindings'
    expect((await manager.patch(PATH, { bindings })).json()).toMatchObject({ statusCode: 400 })
    expect((await manager.patch(PATH, { bindings: bindings.slice(0, 1) })).status).toBe(200)
    const action = { name: 'Passes', code: mailAction(''), supported_triggers: [{ id: 'custom-email-provider' }] }
    expect((await manager.post('/actions/actions', { ...action, on_failure: 'pass' })).json()).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('on_failure'),
    })
    expect((await manager.post('/actions/actions', action)).status).toBe(201)
  })
})

it('a tenant whose mail provider is on needs no mail server', async () => {
  const { pool } = server.database
  const turn = (enabled: boolean) => manager.patch(MAIL, { enabled })
  expect((await turn(false)).status).toBe(200)
  const without = await countWithoutMail(pool)
  expect((await turn(true)).status).toBe(200)
  expect(await countWithoutMail(pool)).toBe(without - 1)
})
