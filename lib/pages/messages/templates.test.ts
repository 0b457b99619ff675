import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../data/outbox/message'
import { translatorsOf } from '../../testing/translators'
import { loadMessageTranslate } from '../../text'
import { LOCALES } from '../../text/locale'
import {
  type BlockedAccount,
  type LinkMail,
  type MailContext,
  type NoteMail,
  renderMail,
  type SignInMail,
} from './templates'

const HOSTILE = '<img src=x onerror=alert(1)>"\'&'
const TRANSLATORS = await translatorsOf(loadMessageTranslate)

const context: MailContext = {
  to: 'ada@demo.test',
  locale: 'en',
  t: TRANSLATORS.en,
  baseUrl: 'https://id.test',
  tenantName: 'Acme',
}
const kind: BlockedAccount = {
  kind: 'blocked_account',
  userName: 'Ada Lovelace',
  ip: '203.0.113.9',
  unblockUrl: 'https://id.test/u/unblock?ticket=abc&x=1',
}

describe.each(LOCALES)('in %s', (locale) => {
  const mail = renderMail(kind, { ...context, locale, t: TRANSLATORS[locale] })

  it('is a message that can be enqueued', () => expect(checkMessage(mail)).toEqual(mail))

  it('contains name, network and link, in text and in HTML', () => {
    for (const body of [mail.text, mail.html]) {
      for (const fact of ['Ada Lovelace', '203.0.113.9', 'Acme']) expect(body).toContain(fact)
    }
    expect(mail.text).toContain(kind.unblockUrl)
    expect(mail.html).toContain('href="https://id.test/u/unblock?ticket=abc&amp;x=1"')
    expect(mail.link).toBe(kind.unblockUrl)
  })

  it('names its language and direction', () => {
    expect(mail.html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
  })

  it('escapes its input', () => {
    const { html, subject } = renderMail(
      { ...kind, userName: HOSTILE, ip: HOSTILE },
      { ...context, locale, t: TRANSLATORS[locale], tenantName: HOSTILE, accent: 'red;}</style><script>' },
    )
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>/)
    expect(subject).toContain(HOSTILE)
  })
})

const LINKS = [
  'verify_email',
  'reset_password',
  'stolen_credentials',
  'login_link',
  'enroll_factor',
  'deletion_requested',
  'deletion_scheduled',
  'deletion_refused',
  'email_changed',
] as const
const NOTES = ['already_registered', 'password_changed', 'welcome'] as const
const ticketUrl = 'https://id.test/u/reset-password?ticket=abc'
const person = { userName: 'Ada Lovelace', ip: '203.0.113.9' }

describe.each(LOCALES.flatMap((locale) => LINKS.map((name) => [name, locale] as const)))('%s in %s', (name, locale) => {
  const mail: LinkMail = { kind: name, ...person, url: ticketUrl }

  it('has its link in text and HTML, contains name and network, and can be enqueued', () => {
    const message = renderMail(mail, { ...context, locale, t: TRANSLATORS[locale] })
    expect(checkMessage(message)).toEqual(message)
    expect(message.link).toBe(ticketUrl)
    expect(message.html).toContain(`href="${ticketUrl}"`)
    for (const fact of [ticketUrl, 'Ada Lovelace', '203.0.113.9', 'Acme']) expect(message.text).toContain(fact)
  })

  it('escapes its input, and links to no other host', () => {
    const hostile = { ...context, locale, t: TRANSLATORS[locale], tenantName: HOSTILE }
    expect(renderMail({ ...mail, userName: HOSTILE, ip: HOSTILE }, hostile).html).not.toMatch(
      /<img|onerror=alert\(1\)>/,
    )
    expect(() => renderMail({ ...mail, url: 'https://evil.test/u' }, context)).toThrow('must begin with the base URL')
  })
})

describe.each(LOCALES.flatMap((locale) => NOTES.map((name) => [name, locale] as const)))('%s in %s', (name, locale) => {
  it('informs without a link', () => {
    const mail: NoteMail = { kind: name, ...person }
    const message = renderMail(mail, { ...context, locale, t: TRANSLATORS[locale] })
    expect(checkMessage(message)).toEqual(message)
    expect(message.link).toBeUndefined()
    expect(message.html).not.toContain('href=')
    for (const fact of ['Ada Lovelace', '203.0.113.9', 'Acme']) expect(message.text).toContain(fact)
  })
})

describe.each(LOCALES)('a change of factors in %s', (locale) => {
  const mail: SignInMail = {
    kind: 'sign_in_changed',
    change: { what: 'added', ways: ['otp', 'passkey'] },
    by: 'owner',
    at: new Date('2026-11-24T12:34:00Z'),
    browser: { browser: 'Firefox', system: 'Linux' },
    ...person,
    url: ticketUrl,
  }
  const rendered = (changed: Partial<SignInMail> = {}) =>
    renderMail({ ...mail, ...changed }, { ...context, locale, t: TRANSLATORS[locale] })

  it('says what, when, in which browser and where from', () => {
    const message = rendered()
    expect(checkMessage(message)).toEqual(message)
    for (const fact of ['2026', 'UTC', 'Firefox, Linux', '203.0.113.9', 'Ada Lovelace', ticketUrl])
      expect(message.text).toContain(fact)
  })

  it('shows no browser that a mail program could make a link of', () => {
    expect(rendered({ browser: { browser: 'win24.ly', system: HOSTILE } }).text).not.toContain('win24')
  })

  it('has words for each change and each factor', () => {
    const { recoveryCode, sms } = { recoveryCode: 'recovery-code', sms: 'sms' } as const
    const texts = (['added', 'removed', 'replaced', 'used', 'renewed', 'changed'] as const).map(
      (what) => rendered({ change: { what, ways: [recoveryCode, sms] } }).text,
    )
    expect(new Set(texts).size).toBe(texts.length)
    expect(rendered({ by: 'administrator' }).text).toContain(TRANSLATORS[locale]('mail.administrator'))
  })
})

describe.each(LOCALES)('an invitation in %s', (locale) => {
  const invitation = {
    kind: 'invitation',
    inviter: 'Ada',
    organization: 'Acme Users',
    url: 'https://app.test/in?a=1',
  } as const

  it('leads to the application, and says to what and by whom', () => {
    const message = renderMail(invitation, { ...context, locale, t: TRANSLATORS[locale] })
    expect(checkMessage(message)).toEqual(message)
    expect(message.link).toBe(invitation.url)
    for (const fact of [invitation.url, 'Ada', 'Acme Users']) expect(message.text).toContain(fact)
  })

  it('shows the organization as it is, no inviter that a mail program could make a link of, and leads to no script', () => {
    const named = renderMail({ ...invitation, inviter: 'www.evil.test', organization: 'Smith & Sons, 42 A/B' }, context)
    expect(named.text + named.html).not.toContain('evil')
    expect(named.text).toContain('Smith & Sons, 42 A/B')
    expect(named.html).toContain('Smith &amp; Sons, 42 A/B')
    expect(() => renderMail({ ...invitation, url: 'javascript:alert(1)' }, context)).toThrow('http or https')
  })
})

describe('links', () => {
  it.each([
    'https://evil.test/u',
    'http://id.test/u',
    'https://id.test.evil.test/u',
    'javascript:alert(1)',
    '//id.test',
  ])('refuses %s, which does not begin with the base URL', (unblockUrl) => {
    expect(() => renderMail({ ...kind, unblockUrl }, context)).toThrow('must begin with the base URL')
  })

  it('refuses a support address that is not a web address', () => {
    expect(() => renderMail(kind, { ...context, supportUrl: 'javascript:alert(1)' })).toThrow('http or https')
  })
})

describe('names from user input', () => {
  it.each([
    'Win at www.evil.test',
    'evil.example',
    'https://evil.test',
    'mail me@evil.test',
    'win24.evil',
    'evil。example',
    'evil．example',
    'evil｡example',
    'evil․example',
    'call evil +49 1511 2345678',
    'evil 08001234567',
    'tel:evil',
    '//evil',
  ])('does not repeat %s', (userName) => {
    const { text, html } = renderMail({ ...kind, userName }, context)
    expect(text).toContain('Hello,')
    expect(text + html).not.toContain('evil')
  })

  it('are never shown with anything that a mail program could make a link of', () => {
    const joiner = fc.constantFrom('.', '。', '．', '｡', '․', '/', '//', ':', '@', '＠', '：', '\\', '&', '%2e', '7')
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(word, joiner, word, (before, between, after) => {
        const { subject, text, html } = renderMail({ ...kind, userName: before + between + after }, context)
        const [greeting = ''] = text.split('\n')
        expect(greeting.normalize('NFKC')).toMatch(/^Hello(?: (?:[\p{L}\p{M} '’-]|\.(?= |,$))+)?,$/u)
        expect(html).toContain(`>${greeting.replaceAll("'", '&#39;')}<`)
        expect(subject).toBe(renderMail(kind, context).subject)
      }),
    )
  })

  it.each(['Ada Lovelace', "Sinéad O'Connor", 'Jean-Luc', 'Dr. Müller', '山田 太郎', 'أحمد'])(
    'greets %s',
    (userName) => {
      expect(renderMail({ ...kind, userName }, context).text).toContain(`Hello ${userName},`)
    },
  )

  it('keeps initials, cuts what is long and flattens what is not one line', () => {
    expect(renderMail({ ...kind, userName: 'J. R. Ewing' }, context).text).toContain('Hello J. R. Ewing,')
    expect(renderMail({ ...kind, userName: 'x'.repeat(500) }, context).text).toContain(`Hello ${'x'.repeat(60)},`)
    expect(renderMail(kind, { ...context, tenantName: 'A\r\nBcc: eve\u202e' }).subject).toMatch(/^A Bcc: eve: /)
  })
})

describe('the brand of an organization', () => {
  const brand = { name: 'Northwind', logoUrl: 'https://cdn.test/n.png?a=1&b=2', accent: '#aa0000' }

  it('is above the mail and in its colour, and the tenant stays its sender', () => {
    const mail = renderMail(kind, { ...context, accent: '#00aa00', brand })
    expect(mail.html).toContain('<img src="https://cdn.test/n.png?a=1&amp;b=2" alt=""')
    expect(mail.html).toContain('>Northwind</td>')
    expect(mail.html).toContain('#aa0000')
    expect(mail.html).not.toContain('#00aa00')
    expect(mail.text).toContain('Acme')
  })

  it('leaves the tenant’s colour where it has none, and is escaped', () => {
    const mail = renderMail(kind, { ...context, accent: '#00aa00', brand: { name: HOSTILE } })
    expect(mail.html).toContain('#00aa00')
    expect(mail.html).not.toMatch(/<img|<script/)
  })
})
