import { describe, expect, it } from 'vitest'
import type { OutgoingMessage } from '../../data/outbox/message'
import type { JsonObject } from '../../kernel/json'
import { newEmailTemplate, TEMPLATES, unusedMembers } from '../../management/resources/email'
import { MAILS, type MailTemplate, plainText, readMailTemplates } from './mail-templates'
import type { TemplateInvitation, TemplateUser, TemplateValues } from './template-scope'

const MESSAGE: OutgoingMessage = {
  channel: 'email',
  to: 'kim@mail.test',
  subject: 'Ours',
  text: 'Ours',
  html: '<p>Ours</p>',
  link: 'https://id.test/u/verify-email?ticket=a&b=c',
}
/** A person at the recipient's address. */
const person = (record: JsonObject, isProven = false): TemplateUser => ({
  record: { user_id: 'auth0|kim', email: 'kim@mail.test', email_verified: isProven, ...record },
  isProven,
  drawnPicture: 'https://id.test/avatar/drawn.svg',
})
const APPLICATION = {
  clientId: 'spa',
  name: 'Notes',
  isRegistered: false,
  settings: { client_metadata: { colour: 'red' }, callbacks: ['https://notes.app.test/cb?a=1', 'https://other.test'] },
}
const ORGANIZATION = {
  id: 'org_1',
  name: 'north',
  settings: {
    display_name: 'North & Sons, Inc.',
    metadata: { plan: 'gold' },
    branding: { logo_url: 'https://cdn.test/n.png', colors: { primary: '#aa0000', page_background: '#ffffff' } },
  },
}
const INVITATION: TemplateInvitation = {
  inviter: 'Ada',
  roles: [{ id: 'rol_1', name: 'Clerk', description: null }],
  userMetadata: { lang: 'fr' },
  appMetadata: { plan: 'gold' },
}
const VALUES: TemplateValues = {
  to: 'kim@mail.test',
  locale: 'de',
  tenant: { name: 'acme', friendlyName: 'Acme Inc.', supportEmail: 'help@acme.test' },
  user: person({ name: 'Kim', app_metadata: { plan: 'gold' } }),
  application: APPLICATION,
  connection: 'Users',
  organization: null,
}

const templateOf = (fields: object, id = 'verify_email') =>
  [...(readMailTemplates([{ id, body: { enabled: true, body: 'x', ...fields } }], () => {})?.values() ?? [])][0]
const applied = (fields: object, values: Partial<TemplateValues> = {}) =>
  templateOf(fields)?.apply(MESSAGE, { ...VALUES, ...values })
const shown = (source: string, values: Partial<TemplateValues> = {}) => applied({ body: source }, values)?.html

describe('a mail by a template', () => {
  it('has its subject, sender and body, and the recipient and link of this server', () => {
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

  it.each<[string, string, Partial<TemplateValues>?]>([
    ['tenant', 'acme'],
    ['friendly_name', 'Acme Inc.'],
    ['support_email', 'help@acme.test'],
    ['request_language', 'de'],
    ['application.name', 'Notes'],
    ['client.name', 'Notes'],
    ['application.clientID', 'spa'],
    ['client.client_id', 'spa'],
    ['application.callback_domain', 'https://notes.app.test'],
    ['client.callback_domain', 'https://notes.app.test'],
    ['application.client_metadata.colour', 'red'],
    ['application.clientMetadata.colour', 'red'],
    ['application.metadata.colour', 'red'],
    ['connection.name', 'Users'],
    ['connection', 'Users'],
    ['user.email', 'kim@mail.test'],
    ['user.user_id', 'auth0|kim'],
    ['user.app_metadata.plan', 'gold'],
    ['user.source_ip', '192.0.2.1', { ip: '192.0.2.1' }],
    ['support_url', 'https://help.test', { tenant: { ...VALUES.tenant, supportUrl: 'https://help.test' } }],
    ['home_url', 'https://home.test', { tenant: { ...VALUES.tenant, homeUrl: 'https://home.test' } }],
    ['organization.id', 'org_1', { organization: ORGANIZATION }],
    ['organization.name', 'north', { organization: ORGANIZATION }],
    ['organization.display_name', 'North &amp; Sons, Inc.', { organization: ORGANIZATION }],
    ['organization.metadata.plan', 'gold', { organization: ORGANIZATION }],
    ['organization.branding.logo_url', 'https://cdn.test/n.png', { organization: ORGANIZATION }],
    ['organization.branding.colors.primary', '#aa0000', { organization: ORGANIZATION }],
    ['organization.branding.colors.page_background', '#ffffff', { organization: ORGANIZATION }],
    ['custom_domain.domain', 'login.acme.test', { customDomain: 'login.acme.test' }],
    ['inviter.name', 'Ada', { invitation: INVITATION }],
    ['roles[0].name', 'Clerk', { invitation: INVITATION }],
    ['user_metadata.lang', 'fr', { invitation: INVITATION }],
    ['app_metadata.plan', 'gold'],
    ['url', 'https://id.test/u/verify-email?ticket=a&amp;b=c'],
    ['link', 'https://id.test/u/verify-email?ticket=a&amp;b=c'],
  ])('knows %s, and leaves a condition on it true', (name, value, values = {}) => {
    expect(shown(`{% if ${name} %}{{ ${name} }}{% endif %}`, values)).toBe(value)
  })

  it.each([
    ...['organization', 'organization.id', 'organization.branding.logo_url', 'custom_domain', 'code', 'support_url'],
    ...['home_url', 'inviter', 'inviter.name', 'roles', 'user.user_metadata.x', 'user.given_name', 'user.phone_number'],
    ...['user.city', 'application.logo_uri', 'tenant.constructor', 'tenant.__proto__', 'connection.toString'],
  ])('has no %s, and a condition on it is false', (name) => {
    expect(shown(`{% if ${name} %}there{% else %}absent{% endif %}{{ ${name} }}`)).toBe('absent')
  })

  it('is about the tenant where no application caused it', () => {
    const values = { application: null, connection: null, user: null }
    const source = '{{ application.name }}|{% if application.clientID or connection %}x{% endif %}|{{ user.email }}'
    expect(shown(source, values)).toBe('Acme Inc.||kim@mail.test')
  })

  it('compares the tenant and the connection with texts', () => {
    expect(shown("{% if tenant == 'acme' and connection == 'Users' %}{{ tenant | upcase }}{% endif %}")).toBe('ACME')
    expect(shown("{% case connection.name %}{% when 'Users' %}yes{% endcase %}")).toBe('yes')
  })

  it.each([
    [['cursor://x/cb', 'https://a.test:8443/cb'], 'https://a.test:8443'],
    [['https://*.a.test/cb', 'http://localhost:3000/cb'], 'http://localhost:3000'],
    [['https://{organization_name}.a.test/cb'], 'https://north.a.test'],
    [[], ''],
  ])('has the origin of the first callback that has one: %j', (callbacks, origin) => {
    const application = { ...APPLICATION, settings: { callbacks } }
    expect(shown('{{ application.callback_domain }}', { application, organization: ORGANIZATION })).toBe(origin)
  })
})

describe('a name that an administrator chose', () => {
  it.each(['Smith & Sons, Inc.', '42 Labs', 'A/B Testing', 'Acme.io', 'Ümläut <GmbH>', 'Win at www.acme.test'])(
    'is shown as it is: %s',
    (name) => {
      const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      const values = {
        tenant: { ...VALUES.tenant, friendlyName: name },
        application: { ...APPLICATION, name },
        connection: name,
        organization: { ...ORGANIZATION, settings: { display_name: name } },
      }
      const names = ['friendly_name', 'application.name', 'connection.name', 'organization.display_name']
      const source = names.map((each) => `{{ ${each} }}`).join('|')
      const mail = applied(
        { body: source, subject: source, from: '{{ application.name | escape }} <a@acme.test>' },
        values,
      )
      expect(mail).toMatchObject({
        html: names.map(() => escaped).join('|'),
        text: names.map(() => name).join('|'),
        subject: names
          .map(() => name)
          .join('|')
          .slice(0, 250),
        from: `${name} <a@acme.test>`,
      })
    },
  )
})

describe('what a person chose', () => {
  const EVIL = 'Win at www.evil.test'

  it.each(['name', 'given_name', 'family_name', 'nickname'])('is no link as %s', (member) => {
    expect(shown(`[{{ user.${member} }}]`, { user: person({ [member]: EVIL }, true) })).toBe('[]')
    expect(shown(`[{{ user.${member} }}]`, { user: person({ [member]: 'kim@mail.test' }) })).toBe('[kim@mail.test]')
    expect(shown(`[{{ user.${member} }}]`, { user: person({ [member]: 'kim' }) })).toBe('[kim]')
  })

  it('is no link as the name of an inviter', () => {
    expect(shown('[{{ inviter.name }}]', { invitation: { ...INVITATION, inviter: EVIL } })).toBe('[]')
  })

  it('is neither picture nor text until the address is verified', () => {
    const record = {
      picture: 'https://evil.test/p',
      username: 'win24.ly',
      phone_number: '+4915112345678',
      website: 'https://evil.test',
      user_metadata: { lang: 'fr-CA', ad: EVIL, deep: { ad: EVIL } },
      identities: [{ connection: 'Users', profileData: { name: EVIL } }],
    }
    const names = ['picture', 'username', 'phone_number', 'website', 'user_metadata.lang', 'user_metadata.ad']
    const more = ['user_metadata.deep.ad', 'identities[0].connection', 'identities[0].profileData.name']
    const source = [...names, ...more].map((name) => `{{ user.${name} }}`).join('|')
    expect(shown(source, { user: person(record) })).toBe('https://id.test/avatar/drawn.svg||||fr-CA|||Users|')
    expect(shown(source, { user: person(record, true) })).toBe(
      `https://evil.test/p|win24.ly|+4915112345678|https://evil.test|fr-CA|${EVIL}|${EVIL}|Users|${EVIL}`,
    )
  })

  it('is no name of a client that anyone may register', () => {
    const settings = { callbacks: [], logo_uri: 'https://evil.test', description: EVIL }
    const application = { clientId: 'x', name: EVIL, isRegistered: true, settings }
    const source = '[{{ application.name }}{{ application.logo_uri }}{{ application.description }}]'
    expect(shown(source, { application })).toBe('[]')
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
    const named = { ...VALUES, application: { ...APPLICATION, name: 'A/B & C' } }
    const byName = "{% if application.name == 'A%2FB%20%26%20C' %}https://a.test/{{ client.name }}{% endif %}"
    expect(templateOf({ resultUrl: byName, includeEmailInRedirect: false })?.resultUrl(named, 'kim@mail.test')).toBe(
      'https://a.test/A%2FB%20%26%20C?success=true&code=success',
    )
    expect(end({ resultUrl: '{application.callback_domain}/{client.clientID}', includeEmailInRedirect: false })).toBe(
      'https://notes.app.test/spa?success=true&code=success',
    )
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

  it('an invalid template is reported by name', () => {
    const failed: string[] = []
    const documents = [{ id: 'reset_email', body: { enabled: true, body: '{% if %}' } }]
    expect(readMailTemplates(documents, (template) => failed.push(template))).toBeUndefined()
    expect(failed).toEqual(['reset_email'])
  })
})

it('decodes what is escaped in its text part and its subject', () => {
  const mail = applied(
    {
      body: '<p>Gr&uuml;&szlig;e &ndash; &#8364;&#x20AC;&nbsp;&lt;b&gt;</p>',
      subject: 'Gr&uuml;&szlig;e&#10;{{ friendly_name | escape }}',
    },
    {
      tenant: { ...VALUES.tenant, friendlyName: 'A & "B"' },
    },
  )
  expect(mail).toMatchObject({ text: 'Grüße – €€ <b>', subject: 'Grüße A & "B"' })
})

it('writes HTML as text', () => {
  expect(
    plainText(
      "<head><title>x</title></head><style>p{}</style><h1>A &amp; B</h1><p>C<br>D&#33; &copy;</p><!-- no --><a href='https://a.test'><b>go</b></a>",
    ),
  ).toBe('A & B\n\nC\n\nD! ©\n\ngo ( https://a.test )')
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
    // Which mails have a link of this server is seen in lib/server/endpoints/management/email-templates.test.ts.
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
