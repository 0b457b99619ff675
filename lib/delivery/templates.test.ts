import { describe, expect, it } from 'vitest'
import { LOCALES } from '../pages/view'
import { checkMessage } from './message'
import { type BlockedAccount, type MailContext, renderMail } from './templates'

const HOSTILE = '<img src=x onerror=alert(1)>"\'&'
const context: MailContext = { to: 'ada@demo.test', locale: 'en', baseUrl: 'https://id.test', tenantName: 'Acme' }
const kind: BlockedAccount = {
  kind: 'blocked_account',
  userName: 'Ada Lovelace',
  ip: '203.0.113.9',
  unblockUrl: 'https://id.test/u/unblock?ticket=abc&x=1',
}

describe.each(LOCALES)('in %s', (locale) => {
  const mail = renderMail(kind, { ...context, locale })

  it('is a message that can be enqueued', () => expect(checkMessage(mail)).toEqual(mail))

  it('says who, from where and the way on, in text and in HTML', () => {
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

  it('escapes what it was given', () => {
    const { html, subject } = renderMail(
      { ...kind, userName: HOSTILE, ip: HOSTILE },
      { ...context, locale, tenantName: HOSTILE, accent: 'red;}</style><script>' },
    )
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>/)
    expect(subject).toContain(HOSTILE)
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

describe('names from strangers', () => {
  it.each(['Win at www.evil.test', 'evil.example', 'https://evil.test', 'mail me@evil.test'])(
    'does not repeat %s',
    (userName) => {
      const { text, html } = renderMail({ ...kind, userName }, context)
      expect(text).toContain('Hello,')
      expect(text + html).not.toContain('evil')
    },
  )

  it('keeps initials, cuts what is long and flattens what is not one line', () => {
    expect(renderMail({ ...kind, userName: 'J. R. Ewing' }, context).text).toContain('Hello J. R. Ewing,')
    expect(renderMail({ ...kind, userName: 'x'.repeat(500) }, context).text).toContain(`Hello ${'x'.repeat(60)},`)
    expect(renderMail(kind, { ...context, tenantName: 'A\r\nBcc: eve\u202e' }).subject).toMatch(/^A Bcc: eve: /)
  })
})
