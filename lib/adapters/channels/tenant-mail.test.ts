// Mail by a tenant's own provider: real SMTP, and the answers of HTTP interfaces (threat-model.md MG28, SE8).
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, it, vi } from 'vitest'
import { MAIL_PURPOSE, type MailProviderName } from '../../data/outbox/mail-providers'
import { DeliveryError, type OutgoingMessage } from '../../data/outbox/message'
import { fixedClock } from '../../kernel/clock'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import * as posts from './post'
import { createTenantMail } from './tenant-mail'

const vault = createVault('the secret of this test')
const random = seededRandom()
const LOOPBACK = { allowLoopback: true, allowPrivate: false }
const STRICT = { allowLoopback: false, allowPrivate: false }
const message: OutgoingMessage = {
  channel: 'email',
  to: 'ada@demo.test',
  subject: 'Hello',
  text: 'a',
  html: '<p>a</p>',
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  vi.restoreAllMocks()
})

const byAction = (name: 'email', tenantId: string, from: string) => ({
  name,
  send: () => Promise.reject(new DeliveryError(`${tenantId} ${from}`, true)),
  close: () => {},
})

function mailBy(
  name: MailProviderName,
  credentials: object,
  { policy = LOOPBACK, sealer = vault, settings = {} } = {},
) {
  const provider = {
    name,
    from: 'Acme <login@acme.test>',
    settings,
    sealedCredentials: sealer.seal(MAIL_PURPOSE, JSON.stringify(credentials), random),
  }
  const find = async (id: string) => (id === 'acme' ? provider : null)
  return createTenantMail({ find, vault, clock: fixedClock(), policy, byAction })
}

async function failureOf(name: MailProviderName, credentials: object, options = {}): Promise<DeliveryError> {
  const send = async () => (await mailBy(name, credentials, options)('acme'))?.send(message, 'id-1')
  const error = await send().catch((thrown: unknown) => thrown)
  if (!(error instanceof DeliveryError)) throw new Error('expected a DeliveryError')
  return error
}

it('is no channel of a tenant without a provider', async () => {
  expect(await mailBy('resend', { api_key: 'key' })('other')).toBeNull()
})

it('delivers by an action of the tenant, from the sender of the provider', async () => {
  expect((await failureOf('custom', {})).reason).toBe('acme Acme <login@acme.test>')
})

it('speaks SMTP with the tenant’s credentials and sender', async () => {
  const received: { from: unknown; user: unknown; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'word' ? done(null, { user: username }) : done(new Error('Invalid password')),
    onData(stream, session, done) {
      let source = ''
      stream.on('data', (part) => {
        source += part
      })
      stream.on('end', () => {
        const { mailFrom } = session.envelope
        received.push({ from: mailFrom ? mailFrom.address : null, user: session.user, source })
        done()
      })
    },
  })
  server.on('error', () => {})
  closing.push(() => server.close())
  const port = await new Promise<number>((done) => {
    const listener = server.listen(0, '127.0.0.1', () => done((listener.address() as { port: number }).port))
  })
  const smtp = { smtp_host: 'localhost', smtp_port: port, smtp_user: 'name', smtp_pass: 'word' }
  const headers = { 'X-MC-ViewContentLink': true, 'X-SES-Configuration-Set': 'login', 'Auto-Submitted': 'no' }
  await (await mailBy('smtp', smtp, { settings: { headers } })('acme'))?.send(message, 'id-1')
  expect(received).toEqual([{ from: 'login@acme.test', user: 'name', source: expect.stringContaining('Hello') }])
  expect(received[0]?.source).toMatch(/^From: Acme <login@acme.test>/m)
  expect(received[0]?.source).toMatch(/^X-MC-ViewContentLink: true\r?$/m)
  expect(received[0]?.source).toMatch(/^X-SES-Configuration-Set: login\r?$/m)
  expect(received[0]?.source).toMatch(/^Auto-Submitted: auto-generated\r?$/m)

  const refused = await failureOf('smtp', { ...smtp, smtp_pass: 'wrong' })
  expect(refused).toMatchObject({ permanent: false, reason: 'EAUTH 535' })
})

it.each(['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '::1'])('never connects to %s', async (smtp_host) => {
  let connections = 0
  const server = createServer(() => {
    connections += 1
  })
  closing.push(() => server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const smtp_port = (server.address() as { port: number }).port
  const error = await failureOf('smtp', { smtp_host, smtp_port }, { policy: STRICT })
  expect(error).toMatchObject({ reason: 'EFORBIDDENADDRESS', permanent: false })
  expect(connections).toBe(0)
})

it.each([
  [400, { permanent: false, refused: true }],
  [403, { permanent: false, refused: true }],
  [422, { permanent: false, refused: true }],
  [401, { permanent: false, refused: false }],
  [429, { permanent: false, refused: false }],
  [500, { permanent: false, refused: false }],
  [413, { permanent: true, refused: false }],
])('answers status %i of an HTTP interface: %j', async (status, failure) => {
  const post = vi.spyOn(posts, 'post').mockResolvedValue({ status })
  expect(await failureOf('sendgrid', { api_key: 'key' })).toMatchObject({ reason: `HTTP ${status}`, ...failure })
  expect(post).toHaveBeenCalledTimes(1)
})

it('sends by an HTTP interface', async () => {
  const post = vi.spyOn(posts, 'post').mockResolvedValue({ status: 202 })
  await (await mailBy('sendgrid', { api_key: 'key' })('acme'))?.send(message, 'id-1')
  expect(post.mock.calls[0]?.[0]).toBe('https://api.sendgrid.com/v3/mail/send')
})

it('waits for credentials that it can open, in place of another channel', async () => {
  const error = await failureOf('resend', { api_key: 'key' }, { sealer: createVault('another secret') })
  expect(error).toMatchObject({ reason: 'UNREADABLE', permanent: false })
})

it('sends from the address that a template names', async () => {
  const sent = vi.spyOn(posts, 'post').mockResolvedValue({ status: 200 })
  const channel = await mailBy('resend', { api_key: 'key' })('acme')
  await channel?.send({ ...message, from: 'Notes, Ltd. <hello@notes.test>' }, 'id-1')
  await channel?.send({ ...message, from: 'Notes <no address>' }, 'id-2')
  const senders = sent.mock.calls.map(([, { body }]) => JSON.parse(String(body)).from)
  expect(senders).toEqual(['"Notes, Ltd." <hello@notes.test>', 'Notes <login@acme.test>'])
})
