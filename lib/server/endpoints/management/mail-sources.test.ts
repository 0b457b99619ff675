// A mail of each template by each channel: caused as people cause it, sent, and read as the channel wrote it.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEmailChannel } from '../../../adapters/channels/email'
import * as posts from '../../../adapters/channels/post'
import { createTenantMail } from '../../../adapters/channels/tenant-mail'
import { MAIL_PURPOSE, type MailProviderName } from '../../../data/outbox/mail-providers'
import type { Channel, OutgoingMessage } from '../../../data/outbox/message'
import { openContent } from '../../../data/outbox/outbox'
import { senderOf } from '../../../data/outbox/sender'
import type { MAILS } from '../../../pages/messages/mail-templates'
import { beginLogin, SPA, submitPassword } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { challenge, demand, MFA_WEB, mfaToken } from '../../../testing/mfa'
import { organizationsOf } from '../../../testing/organizations'
import { type TestServer, testServer } from '../../../testing/server'

type Template = keyof typeof MAILS

const PASSWORD = 'an entirely new passphrase'
const TENANT = {
  friendly_name: 'Smith & Sons, Inc.',
  support_email: 'help@acme.test',
  support_url: 'https://help.test',
}
const ORGANIZATION = {
  display_name: '42 Labs',
  metadata: { plan: 'gold' },
  branding: { logo_url: 'https://cdn.test/n.png', colors: { primary: '#aa0000', page_background: '#ffffff' } },
}
const NAMES = [
  ...['application.name', 'application.clientID', 'application.callback_domain', 'application.client_metadata.colour'],
  ...['organization.id', 'organization.name', 'organization.display_name', 'organization.metadata.plan'],
  ...['organization.branding.logo_url', 'organization.branding.colors.primary', 'connection.name', 'tenant'],
  ...[
    'friendly_name',
    'support_email',
    'support_url',
    'user.email',
    'user.email_verified',
    'user.name',
    'user.nickname',
  ],
  ...['user.user_metadata.lang', 'user.app_metadata.plan', 'inviter.name', 'roles[0].name', 'user_metadata.lang'],
]
const CONDITIONS = [
  'organization',
  'code',
  'url',
  'inviter',
  'user.picture',
  'user.identities',
  'user.user_metadata.none',
]
const BODY = [
  '<p>Gr&uuml;&szlig;e&nbsp;&ndash; {{ friendly_name }}</p>',
  ...NAMES.map((name) => `<p>${name}: {{ ${name} }}</p>`),
  ...CONDITIONS.map((name) => `<p>if ${name}: {% if ${name} %}yes{% else %}no{% endif %}</p>`),
].join('\n')
const FROM = '{{ friendly_name }} <login@acme.test>'

let server: TestServer
let manager: Manager
let north: string
const mails = new Map<Template, OutgoingMessage>()

async function enable(template: Template, more: object = {}): Promise<void> {
  const fields = { body: BODY, from: FROM, subject: `Gr&uuml;&szlig;e {{ friendly_name }} ${template}`, ...more }
  const answer = await manager.put(`/email-templates/${template}`, { syntax: 'liquid', enabled: true, ...fields })
  expect(answer.status).toBe(200)
}

async function newest(email: string): Promise<OutgoingMessage> {
  await vi.waitFor(async () => expect(await mailsTo(server, email)).not.toEqual([]))
  const { rows } = await server.database.pool.query(
    'SELECT sealed_content FROM outbox_message WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1',
    [email],
  )
  server.clock.advance(1)
  return openContent(rows[0].sealed_content, server.vault) as OutgoingMessage
}

const change = (email: string, more: object = {}) =>
  server.browser().post('/dbconnections/change_password', {
    json: { client_id: 'spa', connection: 'Users', email, ...more },
  })

async function verified(name: string): Promise<{ email: string; id: string }> {
  const email = `${name}@mail.test`
  const data = { emailVerified: true, userMetadata: { lang: 'de' }, appMetadata: { plan: 'gold' } }
  return { email, id: await server.addUser({ email, password: PASSWORD, data }) }
}

/** How people and managers cause each mail. */
const CAUSES: Record<Template, () => Promise<OutgoingMessage>> = {
  async verify_email() {
    const json = { client_id: 'spa', connection: 'Users', email: 'fresh@mail.test', password: PASSWORD }
    const metadata = { given_name: 'Kim', user_metadata: { lang: 'fr', ad: 'www.evil.test' } }
    expect((await server.browser().post('/dbconnections/signup', { json: { ...json, ...metadata } })).status).toBe(200)
    return newest('fresh@mail.test')
  },
  async welcome_email() {
    const email = 'welcome@mail.test'
    const user_id = await server.addUser({ email, data: { emailVerified: false } })
    const job = { user_id, client_id: 'spa', organization_id: north }
    expect((await manager.post('/jobs/verification-email', job)).status).toBe(201)
    await newest(email)
    await server.browser().post('/u/verify-email', { form: { ticket: await ticketTo(server, email) } })
    return newest(email)
  },
  async reset_email() {
    const { email } = await verified('reset')
    expect((await change(email, { organization: north })).status).toBe(200)
    return newest(email)
  },
  async reset_email_by_code() {
    const attributes = { email: { verification_method: 'otp', identifier: { active: true } } }
    await server.addConnection('Coded', { options: { attributes } }, 'con_coded')
    const email = 'coded@mail.test'
    const json = { client_id: 'spa', connection: 'Coded', email, password: PASSWORD }
    expect((await server.browser().post('/dbconnections/signup', { json })).status).toBe(200)
    server.clock.advance(1)
    const browser = server.browser()
    const state = await beginLogin(browser, { connection: 'Coded' })
    await browser.post('/u/submit', { form: { state, action: 'request-reset', email } })
    return newest(email)
  },
  async verify_email_by_code() {
    const { email, id } = await verified('before')
    const { users, messenger } = await server.runtime()
    const code = { channel: 'email', code: '123456', confirms: 'address', ip: '192.0.2.1', locale: 'de' } as const
    const about = { user: await users.find(id), until: new Date('2099-01-01T00:00:00Z') }
    expect(email).not.toBe('after@mail.test')
    return openContent(
      (await messenger.compose({ ...code, ...about, to: 'after@mail.test' })).sealedContent,
      server.vault,
    ) as OutgoingMessage
  },
  async blocked_account() {
    const { email } = await verified('blocked')
    const browser = server.browser({ ip: '198.51.100.7' })
    const state = await beginLogin(browser, { organization: north })
    for (const guess of ['wrong 1', 'wrong 2']) await submitPassword(browser, state, email, guess)
    return newest(email)
  },
  async stolen_credentials() {
    const { email, id } = await verified('stolen')
    const runtime = await server.runtime()
    const [connection] = (await runtime.connections.all()).filter(({ name }) => name === 'Users')
    const [user, organization] = [await runtime.users.find(id), await runtime.organizations.find(north)]
    if (!user || connection?.strategy !== 'auth0') throw new Error('the user is gone')
    runtime.notifyLeaked(connection, user, '192.0.2.1', { clientId: 'spa', organization })
    return newest(email)
  },
  async enrollment_email() {
    const { email, id } = await verified('enroll')
    expect((await manager.post('/guardian/enrollments/ticket', { user_id: id, send_mail: true })).status).toBe(201)
    return newest(email)
  },
  async mfa_oob_code() {
    const { email } = await verified('factor')
    const browser = server.browser()
    const by = await mfaToken(browser, email, { password: PASSWORD })
    expect((await challenge(browser, by, { challenge_type: 'oob' })).status).toBe(200)
    return newest(email)
  },
  async user_invitation() {
    const email = 'invited@mail.test'
    const roles = [((await manager.post('/roles', { name: 'Clerk' })).json() as { id: string }).id]
    const body = {
      inviter: { name: 'Ada' },
      invitee: { email },
      client_id: 'spa',
      roles,
      user_metadata: { lang: 'it' },
    }
    const answer = await manager.post(`/organizations/${north}/invitations`, body)
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
    return newest(email)
  },
}

const TEMPLATES = Object.keys(CAUSES) as Template[]

beforeAll(async () => {
  // A slow load would let the cache serve the configuration from before the change.
  await import('../../../pages/messages/mail-templates')
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(MFA_WEB)
  await server.addClient({
    ...SPA,
    settings: {
      ...SPA.settings,
      callbacks: ['https://notes.app.test/cb', 'https://app.test/cb'],
      organization_usage: 'allow',
      initiate_login_uri: 'https://app.test/login',
      client_metadata: { colour: 'red' },
    },
  })
  await demand(server, [], ['otp', 'email'], TENANT)
  for (const id of ['spa', 'web'])
    expect((await manager.patch(`/clients/${id}`, { name: 'A/B Testing, "42"' })).status).toBe(200)
  north = await organizationsOf(server).add('north', { settings: ORGANIZATION })
  for (const template of TEMPLATES) await enable(template)
  await manager.patch('/attack-protection/brute-force-protection', { max_attempts: 1 })
  await manager.patch('/attack-protection/breached-password-detection', { shields: ['user_notification'] })
  server.clock.advance(60)
  for (const template of TEMPLATES) {
    if (template === 'mfa_oob_code') {
      await demand(server, ['all-applications'], ['otp', 'email'], TENANT)
      server.clock.advance(60)
    }
    mails.set(template, await CAUSES[template]())
  }
}, 120_000)
afterAll(() => server.close())

const mailOf = (template: Template): OutgoingMessage => {
  const mail = mails.get(template)
  if (!mail) throw new Error(`no mail of ${template}`)
  return mail
}

/** What is after `name: ` in a mail's text. */
const lineOf = (template: Template, name: string): string =>
  mailOf(template)
    .text.split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 2) ?? 'no such line'

describe.each(TEMPLATES)('the mail of the template %s', (template) => {
  it('has the names of the administrator as they are', () => {
    const { subject, from, text, html } = mailOf(template)
    expect(subject).toBe(`Grüße Smith & Sons, Inc. ${template}`)
    expect(from).toBe('Smith & Sons, Inc. <login@acme.test>')
    expect(text).toContain('Grüße – Smith & Sons, Inc.')
    expect(html).toContain('Gr&uuml;&szlig;e&nbsp;&ndash; Smith &amp; Sons, Inc.')
    expect(lineOf(template, 'friendly_name')).toBe('Smith & Sons, Inc.')
    expect(lineOf(template, 'support_email')).toBe('help@acme.test')
    expect(lineOf(template, 'support_url')).toBe('https://help.test')
    expect(lineOf(template, 'tenant')).toBe('Latchkey')
    expect(lineOf(template, 'user.email')).toMatch(/^\w+@mail\.test$/)
  })

  const ofApplication: Template[] = ['enrollment_email', 'verify_email_by_code']
  it('names the application that caused it, else the tenant', () => {
    const isOfTenant = ofApplication.includes(template)
    expect(lineOf(template, 'application.name')).toBe(isOfTenant ? 'Smith & Sons, Inc.' : 'A/B Testing, "42"')
    const isOfWeb = template === 'mfa_oob_code'
    expect(lineOf(template, 'application.clientID')).toBe(isOfTenant ? '' : isOfWeb ? 'web' : 'spa')
    const origin = isOfTenant ? '' : isOfWeb ? 'https://web.test' : 'https://notes.app.test'
    expect(lineOf(template, 'application.callback_domain')).toBe(origin)
    expect(lineOf(template, 'application.client_metadata.colour')).toBe(isOfTenant || isOfWeb ? '' : 'red')
  })

  it('names the connection, except for an invitation', () => {
    const names: Partial<Record<Template, string>> = { user_invitation: '', reset_email_by_code: 'Coded' }
    expect(lineOf(template, 'connection.name')).toBe(names[template] ?? 'Users')
  })

  const OF_ORGANIZATION: Template[] = [
    ...(['welcome_email', 'reset_email', 'blocked_account'] as const),
    ...(['stolen_credentials', 'user_invitation'] as const),
  ]
  it('names the organization of the login or request, where there is one', () => {
    const isThere = OF_ORGANIZATION.includes(template)
    expect(lineOf(template, 'if organization')).toBe(isThere ? 'yes' : 'no')
    const shown = NAMES.filter((name) => name.startsWith('organization.')).map((name) => lineOf(template, name))
    const values = [north, 'north', '42 Labs', 'gold', 'https://cdn.test/n.png', '#aa0000']
    expect(shown).toEqual(isThere ? values : values.map(() => ''))
  })

  it('has a link or a code, what the API shows of the person, and no more', () => {
    const isCode = ['verify_email_by_code', 'mfa_oob_code'].includes(template)
    const hasNeither = template === 'welcome_email'
    expect(lineOf(template, 'if url')).toBe(isCode || hasNeither ? 'no' : 'yes')
    expect(lineOf(template, 'if code')).toBe(isCode || template === 'reset_email_by_code' ? 'yes' : 'no')
    expect(lineOf(template, 'if inviter')).toBe(template === 'user_invitation' ? 'yes' : 'no')
    expect(lineOf(template, 'if user.user_metadata.none')).toBe('no')
    const isUser = template !== 'user_invitation'
    expect(lineOf(template, 'if user.picture')).toBe(isUser ? 'yes' : 'no')
    expect(mailOf(template).html).not.toContain('evil')
  })
})

it('has what the API computes of a person: the name and the nickname of the address', () => {
  expect(lineOf('reset_email', 'user.name')).toBe('reset@mail.test')
  expect(lineOf('reset_email', 'user.nickname')).toBe('reset')
  expect(lineOf('reset_email', 'user.email_verified')).toBe('true')
  expect(lineOf('reset_email', 'user.user_metadata.lang')).toBe('de')
  expect(lineOf('reset_email', 'user.app_metadata.plan')).toBe('gold')
  expect(lineOf('verify_email', 'user.user_metadata.lang')).toBe('fr')
  expect(lineOf('user_invitation', 'inviter.name')).toBe('Ada')
  expect(lineOf('user_invitation', 'roles[0].name')).toBe('Clerk')
  expect(lineOf('user_invitation', 'user_metadata.lang')).toBe('it')
})

it('is asked for with an organization that exists', async () => {
  const { email } = await verified('lost')
  expect((await change(email, { organization: 'org_gone' })).json()).toMatchObject({ error: expect.any(String) })
  expect(await mailsTo(server, email)).toEqual([])
  const { id } = await verified('found')
  const job = await manager.post('/jobs/verification-email', { user_id: id, organization_id: 'org_gone' })
  expect(job.status).toBe(404)
})

it('leads back to the origin of the first callback', async () => {
  await enable('reset_email', { resultUrl: '{{ application.callback_domain }}/done', includeEmailInRedirect: false })
  server.clock.advance(60)
  const { email } = await verified('redirected')
  await change(email)
  const ticket = await ticketTo(server, email)
  const done = await server.browser().post('/u/reset-password', { form: { ticket, password: 'another passphrase' } })
  expect(done.text).toContain('https://notes.app.test/done?success=true&amp;code=success')
})

describe('by SMTP', () => {
  let url: string
  let port: number
  let received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('latin1'))
        done()
      })
    },
  })
  beforeAll(async () => {
    port = await new Promise<number>((done) => {
      const listener = smtp.listen(0, '127.0.0.1', () => done((listener.address() as AddressInfo).port))
    })
    url = `smtp://127.0.0.1:${port}`
  })
  afterAll(() => new Promise<void>((done) => smtp.close(done)))

  async function sourceBy(channel: Channel | null, message: OutgoingMessage): Promise<string> {
    received = []
    await channel?.send(message, 'id-1')
    channel?.close()
    return received[0] ?? ''
  }

  const expectMail = (source: string, { subject, text, html, to }: OutgoingMessage): void => {
    const { headers, parts } = readSource(source)
    expect(headers.from).toBe('"Smith & Sons, Inc." <login@acme.test>')
    expect(headers.to).toBe(to)
    expect(headers['auto-submitted']).toBe('auto-generated')
    expect(decodeWords(headers.subject ?? '')).toBe(subject)
    expect(parts).toEqual({ 'text/plain': text, 'text/html': html })
  }

  it.each(TEMPLATES)('the process sends %s by SMTP', async (template) => {
    const channel = createEmailChannel({ url, from: 'Other, Ltd. <other@acme.test>' })
    expectMail(await sourceBy(channel, mailOf(template)), mailOf(template))
  })

  it.each(TEMPLATES)('the tenant sends %s by SMTP', async (template) => {
    const headers = { 'X-SES-Configuration-Set': 'login' }
    const channel = await tenantChannel('smtp', { smtp_host: 'localhost', smtp_port: port }, { headers })
    const source = await sourceBy(channel, mailOf(template))
    expectMail(source, mailOf(template))
    expect(source).toMatch(/^X-SES-Configuration-Set: login\r$/m)
  })
})

const KEY = { api_key: 'key' }
const AWS = { accessKeyId: 'AKIDEXAMPLE123456', secretAccessKey: 'secret', region: 'eu-west-1' }
const MAILBOX = '"Smith & Sons, Inc." <login@acme.test>'

/** What an interface is sent, in one shape. */
type Sent = { from: unknown; to: unknown; subject: unknown; text: unknown; html: unknown }

const INTERFACES: readonly [MailProviderName, object, from: unknown, read: (body: string) => Sent][] = [
  [
    'sendgrid',
    KEY,
    { email: 'login@acme.test', name: 'Smith & Sons, Inc.' },
    (body) => {
      const { from, subject, content, personalizations } = JSON.parse(body)
      return { from, subject, to: personalizations[0].to[0].email, text: content[0].value, html: content[1].value }
    },
  ],
  [
    'mailgun',
    { ...KEY, domain: 'mg.acme.test' },
    MAILBOX,
    (body) => Object.fromEntries(new URLSearchParams(body)) as Sent,
  ],
  [
    'postmark',
    KEY,
    MAILBOX,
    (body) => {
      const { From, To, Subject, TextBody, HtmlBody } = JSON.parse(body)
      return { from: From, to: To, subject: Subject, text: TextBody, html: HtmlBody }
    },
  ],
  ['resend', KEY, MAILBOX, (body) => ({ ...JSON.parse(body), to: JSON.parse(body).to[0] })],
  [
    'ses',
    AWS,
    MAILBOX,
    (body) => {
      const { FromEmailAddress, Destination, Content } = JSON.parse(body)
      const { Subject, Body } = Content.Simple
      const [to, subject] = [Destination.ToAddresses[0], Subject.Data]
      return { from: FromEmailAddress, to, subject, text: Body.Text.Data, html: Body.Html.Data }
    },
  ],
]

describe.each(INTERFACES)('by the interface of %s', (name, credentials, from, read) => {
  it.each(TEMPLATES)('the message is sent for %s', async (template) => {
    const post = vi.spyOn(posts, 'post').mockResolvedValue({ status: 200 })
    const message = mailOf(template)
    await (await tenantChannel(name, credentials))?.send(message, 'id-1')
    const { to, subject, text, html } = message
    expect(read(String(post.mock.calls[0]?.[1].body))).toMatchObject({ from, to, subject, text, html })
    post.mockRestore()
  })
})

async function tenantChannel(name: MailProviderName, credentials: object, settings = {}): Promise<Channel | null> {
  const sealedCredentials = server.vault.seal(MAIL_PURPOSE, JSON.stringify(credentials), server.random)
  const provider = { name, from: 'Other, Ltd. <other@acme.test>', settings, sealedCredentials }
  const policy = { allowLoopback: true, allowPrivate: false }
  const byAction = () => Promise.reject<Channel>(new Error('no action')) as never
  const deps = { find: async () => provider, vault: server.vault, clock: server.clock, policy, byAction }
  return createTenantMail(deps)('default')
}

/** Headers and decoded parts of a source (RFC 5322, RFC 2045). */
function readSource(source: string): { headers: Record<string, string>; parts: Record<string, string> } {
  const { headers, body } = readPart(source)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1).map(readPart)
  return {
    headers,
    parts: Object.fromEntries(
      parts.map((part) => [
        (part.headers['content-type'] ?? '').split(';')[0] ?? '',
        contentOf(part.body.replace(/\r\n$/, ''), part.headers['content-transfer-encoding'] ?? '').replaceAll(
          '\r\n',
          '\n',
        ),
      ]),
    ),
  }
}

function readPart(source: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = source.replace(/^\r\n/, '').split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') }
}

function contentOf(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** As a reader of mails decodes them (RFC 2047): our own reader of senders is one. */
const decodeWords = (text: string): string => senderOf(`${text} <a@b.test>`).name ?? ''
