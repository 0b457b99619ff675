import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../kernel/json'
import { newEmailTemplate, TEMPLATES, unusedMembers } from '../management/resources/email'
import type { OutgoingMessage } from '../outbox/message'
import { MAILS, type MailTemplate, plainText, readMailTemplates, type TemplateValues } from './mail-templates'

const MESSAGE: OutgoingMessage = {
  channel: 'email',
  to: 'kim@mail.test',
  subject: 'Ours',
  text: 'Ours',
  html: '<p>Ours</p>',
  link: 'https://id.test/u/verify-email?ticket=a&b=c',
}
const VALUES: TemplateValues = {
  to: 'kim@mail.test',
  locale: 'de',
  tenant: { name: 'acme', friendlyName: 'Acme Inc.', supportEmail: 'help@acme.test', supportUrl: undefined },
  user: { name: 'Kim', emailVerified: false, userMetadata: {}, appMetadata: { plan: 'gold' } },
  application: {
    id: 'spa',
    name: 'Notes',
    isRegistered: false,
    metadata: { colour: 'red' },
    callbackDomain: 'https://notes.app.test',
  },
  connection: 'Users',
}

const templateOf = (fields: object, id = 'verify_email') =>
  [...(readMailTemplates([{ id, body: { enabled: true, body: 'x', ...fields } }], () => {})?.values() ?? [])][0]
const applied = (fields: object, values: Partial<TemplateValues> = {}) =>
  templateOf(fields)?.apply(MESSAGE, { ...VALUES, ...values })
const shown = (source: string, values: Partial<TemplateValues> = {}) => applied({ body: source }, values)?.html

describe('a mail by a template', () => {
  it('has its subject, sender and body, and the recipient and link of ours', () => {
    const source =
      '<p>Hi {{ user.name }}, <a href="{{ url }}">go</a> ({{ application.clientID }}, {{ connection.name }})</p>'
    const from = '{application.name} <login@acme.test>'
    expect(applied({ body: source, subject: 'Welcome to {{ application.name }}', from })).toEqual({
      ...MESSAGE,
      subject: 'Welcome to Notes',
      from: 'Notes <login@acme.test>',
      html: '<p>Hi Kim, <a href="https://id.test/u/verify-email?ticket=a&amp;b=c">go</a> (spa, Users)</p>',
      text: 'Hi Kim, go ( https://id.test/u/verify-email?ticket=a&b=c ) (spa, Users)',
    })
  })

  it('keeps our subject where it has none, and one line where it has several', () => {
    expect(applied({ subject: ' ' })?.subject).toBe('Ours')
    expect(applied({ subject: 'a\r\nBcc: eve@evil.test' })?.subject).toBe('a Bcc: eve@evil.test')
  })

  it('knows the documented variables', () => {
    const names = 'tenant friendly_name support_email support_url request_language user.email user.app_metadata.plan'
    const source = names
      .split(' ')
      .map((name) => `{{ ${name} }}`)
      .join('|')
    expect(shown(source)).toBe('acme|Acme Inc.|help@acme.test||de|kim@mail.test|gold')
    expect(shown('{{ application.client_metadata.colour }} {{ code }}')).toBe('red ')
    expect(shown('{{ inviter.name }} {{ organization.display_name }}', { inviter: 'Ada', organization: 'Users' })).toBe(
      'Ada Users',
    )
  })
})

describe('what a person chose', () => {
  const EVIL = 'Win at www.evil.test'

  it.each(['name', 'givenName', 'familyName', 'nickname'] as const)('is no link as %s', (member) => {
    const wire = { name: 'name', givenName: 'given_name', familyName: 'family_name', nickname: 'nickname' }[member]
    expect(shown(`[{{ user.${wire} }}]`, { user: { [member]: EVIL, emailVerified: true } })).toBe('[]')
    expect(shown(`[{{ user.${wire} }}]`, { user: { [member]: 'kim@mail.test' } })).toBe('[kim@mail.test]')
  })

  it('is no picture and no text in metadata until the address is verified', () => {
    const user = { picture: 'https://evil.test/p', userMetadata: { lang: 'fr-CA', ad: EVIL, deep: { ad: EVIL } } }
    const source =
      '{{ user.picture }}|{{ user.user_metadata.lang }}|{{ user.user_metadata.ad }}|{{ user.user_metadata.deep.ad }}'
    expect(shown(source, { user })).toBe('|fr-CA||')
    expect(shown(source, { user: { ...user, emailVerified: true } })).toBe(`https://evil.test/p|fr-CA|${EVIL}|${EVIL}`)
  })

  it('is no name of a client that anyone may register', () => {
    const application = { id: 'x', name: EVIL, isRegistered: true, metadata: {} }
    expect(shown('[{{ application.name }}]', { application })).toBe('[]')
  })
})

describe('a link', () => {
  it('lives as long as the template says', () => {
    expect(templateOf({ urlLifetimeInSeconds: 600 })?.lifetimeSeconds).toBe(600)
    for (const seconds of [0, null, undefined])
      expect(templateOf({ urlLifetimeInSeconds: seconds })?.lifetimeSeconds).toBeUndefined()
  })

  it('ends at the template’s address, if it is a web address', () => {
    const end = (fields: object) => templateOf(fields)?.resultUrl(VALUES, 'kim@mail.test')
    const resultUrl = 'https://{{ application.name | downcase }}.test/done?a=1'
    expect(end({ resultUrl, includeEmailInRedirect: false })).toBe(
      'https://notes.test/done?a=1&success=true&code=success',
    )
    expect(end({ resultUrl: '{{ application.callback_domain }}/x', includeEmailInRedirect: false })).toBe(
      'https://notes.app.test/x?success=true&code=success',
    )
    expect(end({ resultUrl: 'https://a.test' })).toContain('email=kim%40mail.test')
    for (const address of ['javascript:alert(1)', '/relative', '', null])
      expect(end({ resultUrl: address })).toBeUndefined()
  })
})

describe('templates', () => {
  it('are those that are enabled and sent here', () => {
    expect(templateOf({ enabled: false })).toBeUndefined()
    for (const id of ['async_approval', 'constructor']) expect(templateOf({}, id)).toBeUndefined()
  })

  it('without a body keep ours, with their own subject and sender', () => {
    for (const body of [null, ' ']) {
      const { subject, from, html, text } = applied({ body, subject: 'Theirs', from: 'a@acme.test' }) ?? {}
      expect({ subject, from, html, text }).toEqual({
        subject: 'Theirs',
        from: 'a@acme.test',
        html: MESSAGE.html,
        text: MESSAGE.text,
      })
    }
  })

  it('that are none are named', () => {
    const failed: string[] = []
    const documents = [{ id: 'reset_email', body: { enabled: true, body: '{% if %}' } }]
    expect(readMailTemplates(documents, (template) => failed.push(template))).toBeUndefined()
    expect(failed).toEqual(['reset_email'])
  })
})

it('writes HTML as text', () => {
  expect(
    plainText(
      "<head><title>x</title></head><style>p{}</style><h1>A &amp; B</h1><p>C<br>D&#33; &copy;</p><!-- no --><a href='https://a.test'><b>go</b></a>",
    ),
  ).toBe('A & B\n\nC\n\nD! &copy;\n\ngo ( https://a.test )')
})

/** A value of each member that says something, and how it shows in a mail or in its link. */
const SHOWN: Record<string, [unknown, (template: MailTemplate) => unknown]> = {
  body: ['<p>Theirs</p>', (template) => template.apply(MESSAGE, VALUES).html],
  subject: ['Theirs', (template) => template.apply(MESSAGE, VALUES).subject],
  from: ['Theirs <a@acme.test>', (template) => template.apply(MESSAGE, VALUES).from],
  resultUrl: ['https://a.test', (template) => template.resultUrl(VALUES, 'kim@mail.test')],
  includeEmailInRedirect: [false, (template) => template.resultUrl(VALUES, 'kim@mail.test')],
  urlLifetimeInSeconds: [600, (template) => template.lifetimeSeconds],
}

describe.each(TEMPLATES)('of the template %s', (template) => {
  const isSent = (MAILS as Record<string, string>)[template] !== undefined

  it.each(Object.keys(SHOWN))('%s has an effect, or is reported', (member) => {
    const [value, see] = SHOWN[member] as (typeof SHOWN)[string]
    const before = member === 'includeEmailInRedirect' ? { resultUrl: 'https://a.test' } : {}
    const isReported = unusedMembers({ template, [member]: value } as JsonObject).includes(member)
    const [theirs, ours] = [templateOf({ ...before, [member]: value }, template), templateOf(before, template)]
    expect(theirs !== undefined && ours !== undefined).toBe(isSent)
    const isShown = theirs !== undefined && ours !== undefined && see(theirs) !== see(ours)
    const isOfLink = ['resultUrl', 'includeEmailInRedirect', 'urlLifetimeInSeconds'].includes(member)
    // Which mails have a link of ours is seen in lib/endpoints/management/email-templates.test.ts.
    if (isOfLink) expect(isShown || isReported).toBe(true)
    else expect(isShown).toBe(!isReported)
  })

  it('enabled has an effect, or is reported', () => {
    expect(templateOf({ enabled: false }, template)).toBeUndefined()
    expect(unusedMembers({ template, enabled: true }).includes('enabled')).toBe(!isSent)
  })

  it('syntax is liquid, and what nothing here knows is reported', () => {
    expect(newEmailTemplate.shape.syntax.safeParse('handlebars').success).toBe(false)
    expect(unusedMembers({ template, colour: 'red' })).toEqual(['colour'])
  })
})

it('has a case for each member of a template', () => {
  const others = ['template', 'enabled', 'syntax']
  expect(Object.keys(newEmailTemplate.shape).sort()).toEqual([...Object.keys(SHOWN), ...others].sort())
})

it('reports a life of a link above thirty days, which counts as thirty', () => {
  const seconds = (urlLifetimeInSeconds: number) => unusedMembers({ template: 'reset_email', urlLifetimeInSeconds })
  expect(seconds(30 * 86_400)).toEqual([])
  expect(seconds(30 * 86_400 + 1)).toEqual(['urlLifetimeInSeconds'])
})

it('reports no default', () => {
  const defaults = { resultUrl: '', includeEmailInRedirect: true, urlLifetimeInSeconds: 0 }
  expect(unusedMembers({ template: 'welcome_email', ...defaults })).toEqual([])
})
