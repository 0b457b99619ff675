// The provider of mail in the Management API: set, changed, masked, refused, and applied to the mails of its tenant alone.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findMailProvider } from '../../../adapters/store/prisma/message-providers'
import { createOutboxStore, outboxWriter } from '../../../adapters/store/sql/outbox'
import { deliverDue } from '../../../data/outbox/deliver'
import { type Channel, DeliveryError, type OutgoingMessage } from '../../../data/outbox/message'
import { enqueue } from '../../../data/outbox/outbox'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const PATH = '/emails/provider'
const MASK = '********'
const SMTP = { smtp_host: 'mail.acme.test', smtp_port: 587, smtp_user: 'name', smtp_pass: 'the password of it' }
const BODY = { name: 'smtp', enabled: true, default_from_address: 'Acme <login@acme.test>', credentials: SMTP }

let server: TestServer
let manager: Manager
let sent: { by: string; to: string }[] = []
let refusal: DeliveryError | null = null

/** Records what is sent in place of sending it. */
const recorder = (by: string): Channel => ({
  name: 'email',
  async send({ to }) {
    if (refusal) throw refusal
    sent.push({ by, to })
  },
  close: () => {},
})

async function tenantMail(tenantId: string): Promise<Channel | null> {
  const provider = await findMailProvider(server.db)(tenantId)
  return provider && recorder(`${tenantId} by ${provider.name} from ${provider.from}`)
}

beforeAll(async () => {
  server = await testServer({ tenantChannel: (_channel, tenantId) => tenantMail(tenantId) })
  manager = await addManager(server)
  await server.addTenant('other', 'https://other.test')
})
afterAll(() => server.close())
beforeEach(() => {
  sent = []
  refusal = null
})
afterEach(async () => {
  expect((await manager.remove(PATH)).status).toBe(204)
  await server.database.pool.query('TRUNCATE outbox_message')
})

const make = (more: Record<string, unknown> = {}) => manager.post(PATH, { ...BODY, ...more })
const sealed = async (): Promise<unknown> => {
  const { rows } = await server.database.pool.query('SELECT sealed_credentials FROM message_provider')
  return JSON.parse(String(server.vault.open('mail-provider', rows[0].sealed_credentials)))
}

describe('the provider', () => {
  it('is absent until it is set, shown without secrets, changed and removed', async () => {
    expect((await manager.get(PATH)).json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_email_provider' })
    expect((await manager.patch(PATH, { enabled: false })).status).toBe(404)
    const shown = { ...BODY, credentials: { ...SMTP, smtp_pass: MASK }, settings: {} }
    const made = await make()
    expect([made.status, made.json()]).toEqual([201, shown])
    expect((await manager.get(PATH)).json()).toEqual(shown)
    const fields = { fields: 'name,enabled', include_fields: 'true' }
    expect((await manager.get(PATH, { query: fields })).json()).toEqual({ name: 'smtp', enabled: true })
    expect((await make()).json()).toMatchObject({ statusCode: 409, errorCode: 'email_provider_conflict' })
    expect((await manager.patch(PATH, { enabled: false })).json()).toEqual({ ...shown, enabled: false })
    const tag = { 'if-match': '"of-another-version"' }
    expect((await manager.patch(PATH, { enabled: true }, tag)).status).toBe(412)
    expect((await manager.remove(PATH)).status).toBe(204)
    expect((await manager.get(PATH)).status).toBe(404)
  })

  it('has no secret in the database, the answers and the log', async () => {
    const answer = await make()
    const { rows } = await server.database.pool.query('SELECT *, sealed_credentials::text FROM message_provider')
    const hex = Buffer.from('password of it').toString('hex')
    for (const text of [answer.text, JSON.stringify(rows), JSON.stringify(await server.audited())]) {
      expect(text).not.toContain('password of it')
      expect(text).not.toContain(hex)
    }
  })

  it.each([
    { ...SMTP, smtp_pass: MASK },
    { smtp_host: SMTP.smtp_host, smtp_port: SMTP.smtp_port, smtp_user: 'name' },
  ])('keeps its secret by %j, at the same destination alone', async (credentials) => {
    await make()
    expect((await manager.patch(PATH, { credentials: { ...credentials, smtp_user: 'new' } })).status).toBe(200)
    expect(await sealed()).toEqual({ ...SMTP, smtp_user: 'new' })
    const elsewhere = { credentials: { ...credentials, smtp_host: 'evil.test' } }
    expect((await manager.patch(PATH, elsewhere)).json()).toMatchObject({
      errorCode: 'invalid_body',
      message: expect.stringContaining('send smtp_pass again'),
    })
    expect(await sealed()).toMatchObject({ smtp_host: SMTP.smtp_host })
  })

  it('has the settings of its kind', async () => {
    const headers = { 'X-MC-ViewContentLink': 'true', 'X-SES-Configuration-Set': 'login' }
    expect((await make({ settings: { headers } })).json()).toMatchObject({ settings: { headers } })
    const mailgun = { name: 'mailgun', credentials: { api_key: 'key', domain: 'mg.acme.test', region: null } }
    expect((await manager.patch(PATH, mailgun)).json()).toMatchObject({ name: 'mailgun', settings: {} })
    const ses = { accessKeyId: 'AKIDEXAMPLE123456', secretAccessKey: 'secret', region: 'eu-west-1' }
    const settings = { message: { configuration_set_name: 'login' } }
    expect((await manager.patch(PATH, { name: 'ses', credentials: ses, settings })).json()).toMatchObject({ settings })
  })

  it('keeps what the Deploy CLI has a placeholder for', async () => {
    await make()
    const credentials = { ...SMTP, smtp_user: '##SMTP_USER##', smtp_port: '##SMTP_PORT##', smtp_pass: '##SMTP_PASS##' }
    expect((await manager.patch(PATH, { ...BODY, credentials })).status).toBe(200)
    expect(await sealed()).toEqual(SMTP)
  })

  it('takes nothing from the provider before it', async () => {
    await make()
    expect((await manager.patch(PATH, { name: 'resend' })).status).toBe(400)
    expect((await manager.patch(PATH, { name: 'resend', credentials: { api_key: 'key' } })).json()).toMatchObject({
      name: 'resend',
      credentials: { api_key: MASK },
    })
    expect(await sealed()).toEqual({ api_key: 'key' })
  })

  it.each([
    [{ name: 'mandrill' }, 'mandrill does not exist here'],
    [{ name: 'custom' }, 'smtp_host'],
    [{ name: 'pigeon' }, 'name'],
    [{ name: 'ses' }, 'credentials'],
    [{ credentials: { smtp_host: 'mail.acme.test' } }, 'smtp_port'],
    [{ credentials: { ...SMTP, smtp_host: 'a b' } }, 'smtp_host'],
    [{ credentials: { ...SMTP, smtp_pass: MASK } }, 'smtp_pass is a mask'],
    [{ credentials: { ...SMTP, smtp_user: '##SMTP_USER##' } }, 'smtp_user is a mask or a placeholder'],
    [{ credentials: { ...SMTP, smtp_tls: 'off' } }, 'smtp_tls'],
    [{ name: 'mailgun', credentials: { api_key: 'k', domain: 'a.test/../evil' } }, 'domain'],
    [{ name: 'ses', credentials: { accessKeyId: 'A'.repeat(20), secretAccessKey: 's', region: 'x.evil' } }, 'region'],
    [{ name: 'sendgrid', credentials: { api_key: 'a\r\nb: c' } }, 'api_key'],
    [{ settings: { headers: { 'X-Mailer': 'x' } } }, 'X-Mailer'],
    [{ settings: { headers: { 'X-MC-ViewContentLink': 'yes' } } }, 'X-MC-ViewContentLink'],
    [{ settings: { headers: { 'X-SES-Configuration-Set': 'a\r\nBcc: b@x.test' } } }, 'X-SES-Configuration-Set'],
    [{ settings: { message: { view_content_link: true } } }, 'message'],
    [{ default_from_address: 'a@x.test, b@x.test' }, 'default_from_address'],
    [{ default_from_address: 'A\r\nBcc: b@x.test <a@x.test>' }, 'default_from_address'],
    [{ default_from_address: undefined }, 'default_from_address'],
    [{ mystery: true }, 'mystery'],
  ])('the e-mail provider refuses %j', async (more, word) => {
    const answer = await make(more)
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(answer.text).toContain(word)
  })
})

describe('the mails of a tenant', () => {
  const mail = (to: string): OutgoingMessage => ({ channel: 'email', to, subject: 's', text: 't', html: '<p>t</p>' })
  const write = (tenantId: string, to: string) =>
    enqueue(mail(to), outboxWriter(server.database.pool), { ...server, tenantId })
  const deliver = (channels: Channel[]) =>
    deliverDue({
      store: createOutboxStore(server.database.pool),
      channels,
      tenantChannel: (channel, tenantId) => (channel === 'email' ? tenantMail(tenantId) : Promise.resolve(null)),
      keepContent: false,
      vault: server.vault,
      clock: server.clock,
      random: server.random,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
  const waiting = async () =>
    (await server.database.pool.query('SELECT 1 FROM outbox_message WHERE next_attempt_at IS NOT NULL')).rowCount

  it('are sent by its provider, and those of others by the process', async () => {
    await make()
    await write('default', 'ada@demo.test')
    await write('other', 'bob@demo.test')
    await deliver([recorder('process')])
    expect(sent).toEqual(
      expect.arrayContaining([
        { by: 'default by smtp from Acme <login@acme.test>', to: 'ada@demo.test' },
        { by: 'process', to: 'bob@demo.test' },
      ]),
    )
    expect(sent).toHaveLength(2)
  })

  it('are sent without a mail server of the process, and those of others wait', async () => {
    await make()
    await write('default', 'ada@demo.test')
    await write('other', 'bob@demo.test')
    await deliver([])
    expect(sent.map(({ to }) => to)).toEqual(['ada@demo.test'])
    expect(await waiting()).toBe(1)
  })

  it('are sent by the process while the provider is disabled', async () => {
    await make({ enabled: false })
    await write('default', 'ada@demo.test')
    await deliver([])
    expect(await waiting()).toBe(1)
    await deliver([recorder('process')])
    expect(sent).toEqual([{ by: 'process', to: 'ada@demo.test' }])
  })
})

describe('a test message', () => {
  it('is sent by the provider', async () => {
    await make()
    const answer = await manager.post(`${PATH}/test`, { to: 'ada@demo.test' })
    expect([answer.status, answer.json()]).toEqual([200, { sent: true }])
    expect(sent).toEqual([{ by: 'default by smtp from Acme <login@acme.test>', to: 'ada@demo.test' }])
  })

  it('says why it was not sent', async () => {
    await make()
    refusal = new DeliveryError('EAUTH 535', false)
    expect((await manager.post(`${PATH}/test`, { to: 'ada@demo.test' })).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'email_provider_failed',
      message: 'The message could not be sent: EAUTH 535',
    })
  })

  it('needs an enabled provider and one address', async () => {
    expect((await manager.post(`${PATH}/test`, { to: 'ada@demo.test' })).status).toBe(404)
    await make({ enabled: false })
    expect((await manager.post(`${PATH}/test`, { to: 'ada@demo.test' })).status).toBe(404)
    expect((await manager.post(`${PATH}/test`, { to: 'a@x.test,b@x.test' })).status).toBe(400)
    expect(sent).toEqual([])
  })
})
