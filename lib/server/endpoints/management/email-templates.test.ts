// Templates of mails: put by the Management API, applied to the mails of a tenant.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OutboxRow, openContent } from '../../../data/outbox/outbox'
import { SPA } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { type LogLine, recordingLog, type TestServer, testServer } from '../../../testing/server'

const RESET = '/email-templates/reset_email'
const TEMPLATE = {
  body: '<p>{{ user.email }}: <a href="{{ url }}">go</a></p>',
  from: 'Acme <login@acme.test>',
  subject: 'Reset at {{ application.name }}',
  syntax: 'liquid',
  enabled: true,
}

let server: TestServer
let manager: Manager
let count = 0
const lines: LogLine[] = []

beforeAll(async () => {
  // A slow load would let the cache serve the configuration from before the change.
  await import('../../../pages/messages/mail-templates')
  server = await testServer({ log: recordingLog(lines) })
  manager = await addManager(server)
  await server.addClient(SPA)
})
afterEach(() => manager.put(RESET, { ...TEMPLATE, enabled: false }))
afterAll(() => server.close())

async function put(template: object): Promise<void> {
  expect((await manager.put(RESET, { ...TEMPLATE, ...template })).status).toBe(200)
  server.clock.advance(60)
}

/** The mail to a user who asks for a new password. */
async function resetMail() {
  const email = `person-${count++}@mail.test`
  await server.addUser({ email })
  const json = { client_id: 'spa', connection: 'Users', email }
  expect((await server.browser().post('/dbconnections/change_password', { json })).status).toBe(200)
  const [mail] = await mailsTo(server, email)
  return { email, mail, ticket: new URL(mail?.link ?? '').searchParams.get('ticket') ?? '' }
}

describe('an enabled template', () => {
  it('makes the mail, until it is disabled', async () => {
    await put({})
    const { email, mail } = await resetMail()
    expect(mail?.subject).toBe('Reset at App spa')
    expect(mail?.html).toBe(`<p>${email}: <a href="${mail?.link}">go</a></p>`)
    await put({ enabled: false })
    const standard = await resetMail()
    expect(standard.mail?.html).toContain('<!doctype html>')
    expect(standard.mail?.subject).toBe('Latchkey: reset your password')
  })

  it('a template that fails gives way to the standard mail, and is logged', async () => {
    await put({ body: '{% for i in (1..100000000) %}x{% endfor %}' })
    const { mail, email } = await resetMail()
    expect(mail?.html).toContain('<!doctype html>')
    const [line] = lines.filter(({ sentence }) => sentence.startsWith('A template failed'))
    expect(line).toMatchObject({ level: 'warn', fields: { template: 'reset_password' } })
    expect(JSON.stringify(line)).not.toContain(email)
  })

  it('limits the life of the link, and says where it ends', async () => {
    await put({ urlLifetimeInSeconds: 60, resultUrl: 'https://app.test/done', includeEmailInRedirect: false })
    const { ticket } = await resetMail()
    const browser = server.browser()
    const path = `/u/reset-password?ticket=${ticket}`
    expect((await browser.get(path)).status).toBe(200)
    const form = { ticket, password: 'an entirely new passphrase' }
    const done = await browser.post('/u/reset-password', { form })
    expect(done.text).toContain('https://app.test/done?success=true&amp;code=success')
    const { ticket: late } = await resetMail()
    server.clock.advance(61)
    expect((await browser.get(`/u/reset-password?ticket=${late}`)).status).toBe(400)
  })

  it('is applied to no other tenant', async () => {
    await put({})
    await server.addTenant('other', 'https://other.test')
    expect((await server.runtime('other.test')).sender.templates).toBeUndefined()
  })
})

describe('the mails of other templates', () => {
  const until = new Date('2099-01-01T00:00:00Z')
  const to = 'kim@mail.test'

  async function enable(template: string, body: string) {
    await manager.put(`/email-templates/${template}`, { ...TEMPLATE, body, subject: template })
    server.clock.advance(60)
    return server.runtime()
  }
  const contentOf = ({ sealedContent }: OutboxRow) => openContent(sealedContent, server.vault)

  it('are codes of a second factor, but not codes to sign in', async () => {
    const { messenger, users } = await enable(
      'mfa_oob_code',
      '{{ code }} for {{ user.name }} at {{ application.name }}',
    )
    const user = await users.find(await server.addUser({ email: to }))
    if (!user) throw new Error('the user is gone')
    const code = { channel: 'email', to, code: '123456', ip: '203.0.113.9', locale: 'en', until } as const
    const sent = contentOf(
      await messenger.compose({ ...code, confirms: 'factor', user: { ...user, name: 'Kim' }, clientId: 'spa' }),
    )
    expect(sent).toMatchObject({ html: '123456 for Kim at App spa', code: '123456', from: TEMPLATE.from })
    expect(contentOf(await messenger.compose(code))?.html).toContain('<!doctype html>')
  })

  it('are links to a new password with a code, where the connection resets by code', async () => {
    const { mailer } = await enable('reset_email_by_code', '{{ code }} {{ url }}')
    const link = { kind: 'reset_password', path: '/u/reset-password?ticket=t' } as const
    const about = { to, user: null, clientId: null, connectionId: '', ip: '203.0.113.9', locale: 'en' }
    const sent = contentOf(await mailer.compose({ ...link, ...about, code: '123456' }))
    expect(sent).toMatchObject({
      html: '123456 https://id.test/u/reset-password?ticket=t',
      subject: 'reset_email_by_code',
    })
    expect(contentOf(await mailer.compose({ ...link, ...about }))?.html).toContain('<!doctype html>')
  })

  it('are codes that confirm a new address', async () => {
    const { messenger } = await enable('verify_email_by_code', '{{ code }} for {{ user.email }}')
    const code = { channel: 'email', to, code: '123456', ip: '203.0.113.9', locale: 'en', until } as const
    const sent = contentOf(await messenger.compose({ ...code, confirms: 'address' }))
    expect(sent).toMatchObject({ html: `123456 for ${to}`, subject: 'verify_email_by_code', code: '123456' })
  })

  it('are invitations', async () => {
    const runtime = await enable(
      'user_invitation',
      '{{ inviter.name }}, {{ organization.display_name }}, {{ application.name }}: {{ url }}',
    )
    const { invitationMailer } = await runtime.management()
    const link = 'https://app.test/in?a=1&b=2'
    const organization = { id: 'org_1', name: 'acme', settings: { display_name: '42 Labs' } }
    const about = { organization, clientId: 'spa', connectionId: null, roles: [], userMetadata: {}, appMetadata: {} }
    const mail = await invitationMailer.compose({ to, inviter: 'Ada', ...about, link, until })
    expect(contentOf(mail)).toMatchObject({ html: 'Ada, 42 Labs, App spa: https://app.test/in?a=1&amp;b=2', link })
  })

  it('are verifications, with what the sign-up said in plain words', async () => {
    await enable('verify_email', '{{ user.given_name }}|{{ user.user_metadata.lang }}|{{ user.user_metadata.ad }}')
    const json = {
      client_id: 'spa',
      connection: 'Users',
      email: 'fresh@mail.test',
      password: 'an entirely new passphrase',
      given_name: 'Kim',
      user_metadata: { lang: 'de', ad: 'www.evil.test' },
    }
    const answer = await server.browser().post('/dbconnections/signup', { json })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const [mail] = await mailsTo(server, 'fresh@mail.test')
    expect(mail?.html).toBe('Kim|de|')
  })
})

describe('a new person', () => {
  const PASSWORD = 'an entirely new passphrase'
  const signUp = async (connection = 'Users') => {
    const email = `person-${count++}@mail.test`
    const json = { client_id: 'spa', connection, email, password: PASSWORD }
    expect((await server.browser().post('/dbconnections/signup', { json })).status).toBe(200)
    return email
  }
  const subjects = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject).reverse()
  const set = async (template: string, members: object) => {
    await manager.put(`/email-templates/${template}`, { ...TEMPLATE, subject: template, ...members })
    server.clock.advance(60)
  }
  const press = async (email: string, path = '/u/verify-email', more = {}) => {
    const ticket = await ticketTo(server, email)
    return server.browser().post(path, { form: { ticket, ...more } })
  }
  afterEach(async () => {
    await set('welcome_email', { enabled: false })
    await set('verify_email', { enabled: true })
  })

  it('is welcomed once, when the address is verified', async () => {
    await set('verify_email', { resultUrl: 'https://app.test/verified' })
    await set('welcome_email', { body: 'Welcome {{ user.email }} to {{ application.name }}' })
    const email = await signUp()
    expect(await subjects(email)).toEqual(['verify_email'])
    server.clock.advance(1)
    expect((await press(email)).text).toContain('https://app.test/verified?success=true')
    expect(await subjects(email)).toEqual(['verify_email', 'welcome_email'])
    expect((await mailsTo(server, email))[0]?.html).toBe(`Welcome ${email} to App spa`)
    const json = { client_id: 'spa', connection: 'Users', email }
    server.clock.advance(1)
    await server.browser().post('/dbconnections/change_password', { json })
    await press(email, '/u/reset-password', { password: 'another new passphrase' })
    expect((await subjects(email)).filter((subject) => subject === 'welcome_email')).toHaveLength(1)
  })

  it('is welcomed when a link to a new password is what verifies the address', async () => {
    await set('welcome_email', {})
    const email = await signUp()
    const json = { client_id: 'spa', connection: 'Users', email }
    server.clock.advance(1)
    await server.browser().post('/dbconnections/change_password', { json })
    await press(email, '/u/reset-password', { password: 'another new passphrase' })
    expect(await subjects(email)).toContain('welcome_email')
  })

  it('is welcomed at once, and once, where sign-ups are mailed nothing to verify', async () => {
    await set('verify_email', { enabled: false })
    await set('welcome_email', { body: null })
    const email = await signUp()
    expect(await subjects(email)).toEqual(['welcome_email'])
    expect((await mailsTo(server, email))[0]?.html).toContain('<!doctype html>')
    const [user] = (await manager.get(`/users-by-email?email=${email}`)).json() as unknown as { user_id: string }[]
    server.clock.advance(1)
    await manager.post('/jobs/verification-email', { user_id: user?.user_id })
    expect((await press(email)).status).toBe(200)
    expect((await subjects(email)).filter((subject) => subject === 'welcome_email')).toHaveLength(1)
  })

  it('is mailed the link all the same where the account is of no use without it', async () => {
    await set('verify_email', { enabled: false })
    await set('welcome_email', {})
    await server.addConnection('Proven', { options: { require_verified_email: true } }, 'con_proven')
    const email = await signUp('Proven')
    expect(await subjects(email)).toEqual(['Latchkey: verify your e-mail address'])
    await press(email)
    expect(await subjects(email)).toContain('welcome_email')
  })

  it('is not welcomed where the template is not enabled', async () => {
    const email = await signUp()
    await press(email)
    expect(await subjects(email)).toEqual(['verify_email'])
  })

  it('a person whom a manager creates is welcomed at once if the address needs no verification', async () => {
    await set('welcome_email', {})
    const made = { connection: 'Users', password: PASSWORD }
    await manager.post('/users', { ...made, email: 'made@mail.test', email_verified: true })
    await manager.post('/users', { ...made, email: 'unproven@mail.test', verify_email: false })
    expect(await subjects('made@mail.test')).toEqual(['welcome_email'])
    expect(await subjects('unproven@mail.test')).toEqual([])
  })
})

describe('the link of a blocked account', () => {
  it('lives, and leads, as the template says', async () => {
    const email = `person-${count++}@mail.test`
    await server.addUser({ email, password: 'an entirely new passphrase' })
    const link = { urlLifetimeInSeconds: 60, resultUrl: 'https://app.test/unblocked' }
    await manager.put('/email-templates/blocked_account', { ...TEMPLATE, ...link })
    server.clock.advance(60)
    const runtime = await server.runtime()
    const account = await runtime.users.findAccount((await runtime.connections.all())[0]?.id ?? '', email)
    if (!account) throw new Error('the account is gone')
    const blocked = async () => {
      runtime.notifyBlocked(account, '192.0.2.1')
      await expect.poll(() => mailsTo(server, email)).not.toEqual([])
      return ticketTo(server, email)
    }
    const ticket = await blocked()
    const browser = server.browser()
    const done = await browser.post('/u/unblock', { form: { ticket } })
    expect(done.text).toContain('href="https://app.test/unblocked?success=true&amp;code=success&amp;email=')
    server.clock.advance(61)
    expect((await browser.get(`/u/unblock?ticket=${ticket}`)).status).toBe(400)
  })
})

it('has an entry in the audit log for what has no effect', async () => {
  await manager.put('/email-templates/change_password', { ...TEMPLATE, urlLifetimeInSeconds: 60 })
  await manager.put('/email-templates/mfa_oob_code', { ...TEMPLATE, resultUrl: 'https://app.test', colour: 'red' })
  await manager.patch('/email-templates/mfa_oob_code', { subject: 'Another' })
  const log = (await server.audited()).map(({ details }) => details as { target?: string; not_applied?: string[] })
  const of = (name: string) => log.filter(({ target }) => target === name).map(({ not_applied }) => not_applied?.sort())
  expect(of('change_password')).toEqual([['body', 'enabled', 'from', 'subject', 'syntax', 'urlLifetimeInSeconds']])
  expect(of('mfa_oob_code').slice(-2)).toEqual([['colour', 'resultUrl'], undefined])
  expect((await manager.get('/email-templates/mfa_oob_code')).json()).toMatchObject({ colour: 'red' })
})

describe('invalid Liquid', () => {
  it.each([{ body: '{% if %}' }, { subject: '{{ x | shout }}' }, { from: '{{' }, { resultUrl: '{% include "x" %}' }])(
    'is refused: %j',
    async (member) => {
      const refused = { statusCode: 400, errorCode: 'invalid_body' }
      expect((await manager.put(RESET, { ...TEMPLATE, ...member })).json()).toMatchObject(refused)
      expect((await manager.patch(RESET, member)).json()).toMatchObject(refused)
      const made = await manager.post('/email-templates', { template: 'welcome_email', ...TEMPLATE, ...member })
      expect(made.json()).toMatchObject(refused)
    },
  )
})

describe('a preview', () => {
  const preview = (json?: unknown, template = 'reset_email') =>
    manager.post(`/email-templates/${template}/preview`, json)

  it('shows the stored template, or what the body puts in its place, and stores and sends nothing', async () => {
    const body = '<p>{{ user.given_name }} {{ code }} {{ application.name }}</p><a href="{{ url }}">go</a>'
    await put({ body, subject: 'For {{ user.email }}' })
    const stored = (await preview()).json()
    expect(stored).toEqual({
      subject: 'For ada@example.com',
      from: 'Acme <login@acme.test>',
      html: '<p>Ada 123456 Example</p><a href="https://id.test/preview">go</a>',
      text: expect.stringContaining('Ada 123456 Example'),
    })
    expect((await preview({ subject: 'Draft' })).json()).toEqual({ ...stored, subject: 'Draft' })
    expect((await manager.get(RESET)).json()).toMatchObject({ subject: 'For {{ user.email }}' })
    expect(await mailsTo(server, 'ada@example.com')).toEqual([])
    expect((await preview({ body: '{{ code }}' }, 'mfa_oob_code')).json()).toMatchObject({ html: '123456' })
  })

  it.each<[string, unknown, string, number]>([
    ['a template that is not stored, without a body', undefined, 'async_approval', 404],
    ['a template that does not exist', { body: 'x' }, 'none', 404],
    ['what is no Liquid', { body: '{% if' }, 'reset_email', 400],
    ['what does not end', { body: '{% for i in (1..100000000) %}x{% endfor %}' }, 'reset_email', 400],
    ['a member of a wrong type', { body: 5 }, 'reset_email', 400],
  ])('is refused for %s', async (_what, json, template, status) => {
    expect((await preview(json, template)).status).toBe(status)
  })
})
