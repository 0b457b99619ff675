// Templates of mails: put by the Management API, applied to the mails of a tenant.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OutboxRow, openContent } from '../../outbox/outbox'
import { SPA } from '../../testing/journey'
import { mailsTo } from '../../testing/mail'
import { addManager, type Manager } from '../../testing/management'
import { type LogLine, recordingLog, type TestServer, testServer } from '../../testing/server'

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
  await import('../../messages/mail-templates')
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

  it('that fails gives way to the standard mail, and is logged', async () => {
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
      await messenger.compose({ ...code, factor: { user: { ...user, name: 'Kim' }, clientName: 'Notes' } }),
    )
    expect(sent).toMatchObject({ html: '123456 for Kim at Notes', code: '123456', from: TEMPLATE.from })
    expect(contentOf(await messenger.compose(code))?.html).toContain('<!doctype html>')
  })

  it('are invitations', async () => {
    const runtime = await enable('user_invitation', '{{ inviter.name }}, {{ organization.name }}: {{ url }}')
    const { invitationMailer } = await runtime.management()
    const link = 'https://app.test/in?a=1&b=2'
    const mail = await invitationMailer.compose({ to, inviter: 'Ada', brand: { name: 'Acme' }, link, until })
    expect(contentOf(mail)).toMatchObject({ html: 'Ada, Acme: https://app.test/in?a=1&amp;b=2', link })
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

describe('Liquid that is none', () => {
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
