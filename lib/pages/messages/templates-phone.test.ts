import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../data/outbox/message'
import { translatorsOf } from '../../testing/translators'
import { loadMessageTranslate } from '../../text'
import { LOCALES } from '../../text/locale'
import { renderMail } from './templates'
import { renderPhoneMessage } from './templates-phone'

const TRANSLATORS = await translatorsOf(loadMessageTranslate)

const context = { to: 'ada@demo.test', baseUrl: 'https://login.example.com:8443', tenantName: 'Acme\n@evil.test #1' }

describe.each(LOCALES)('in %s', (locale) => {
  const text = renderPhoneMessage(
    { channel: 'sms', to: '+491701234567', code: '012345' },
    { ...context, t: TRANSLATORS[locale] },
  )

  it('a text says the code and ends in the origin-bound form, whatever the tenant is called', () => {
    expect(checkMessage(text)).toEqual(text)
    const lines = text.text.split('\n')
    expect(lines).toEqual([expect.stringContaining('012345'), '', '@login.example.com #012345'])
  })

  it('a call spells it, twice', () => {
    const call = renderPhoneMessage(
      { channel: 'voice', to: '+491701234567', code: '012345' },
      { ...context, t: TRANSLATORS[locale] },
    )
    expect(call.text.match(/0, 1, 2, 3, 4, 5/g)).toHaveLength(2)
  })

  it('a mail shows it, in text and in HTML, and nowhere in its subject', () => {
    const kind = { kind: 'login_code', userName: undefined, ip: '203.0.113.9', code: '012345' } as const
    const mail = renderMail(kind, { ...context, locale, t: TRANSLATORS[locale] })
    expect(mail.code).toBe('012345')
    for (const body of [mail.text, mail.html]) expect(body).toContain('012345')
    expect(mail.subject).not.toContain('012345')
  })
})
