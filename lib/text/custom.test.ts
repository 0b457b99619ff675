import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadTranslate } from '.'
import type { MessageKey, Translate } from './catalogue'
import { readCustomTexts, unusedTexts } from './custom'
import { en } from './en'
import { LOCALES, type Locale } from './locale'
import { PROMPTS, type PromptScreen } from './prompts'

/** As the vendor writes it. */
const variable = (name: string): string => `\${${name}}`

const PAGE = { client: 'Notes', tenant: 'Acme', company: 'Acme', organization: '' }

/** The texts of the login page after this custom text was put. */
async function loginWith(
  texts: Record<string, unknown>,
  locale: Locale = 'en',
  id = `login/${locale}`,
): Promise<Translate> {
  const own = readCustomTexts([{ id, body: { login: texts } }])?.(['login'], locale)
  return loadTranslate(locale, own && { texts: own, values: PAGE })
}

const SPECIAL = fc.constantFrom("'", '{', '}', '#', '<', '|', ' ', 'a', ',')

describe('a custom text', () => {
  it('takes the place of the built-in one, with the values of the text and of the page', async () => {
    const t = await loginWith({
      title: 'Welcome',
      description: `Log in to ${variable('companyName')} to continue to ${variable('clientName')}.`,
      federatedConnectionButtonText: `${variable('connectionName')} it is, for ${variable('clientName')}`,
    })
    expect(t('login.title')).toBe('Welcome')
    expect(t('login.lead', { client: 'Notes' })).toBe('Log in to Acme to continue to Notes.')
    expect(t('login.with', { provider: 'Google' })).toBe('Google it is, for Notes')
    expect(t('login.submit')).toBe(en['login.submit'])
  })

  it('is text: braces, quotes and markup have no meaning', async () => {
    const given = "It's {client} <b>'{'}</b> # ''{ {0, plural, other {x}}"
    const t = await loginWith({ title: given })
    expect(t('login.title')).toBe(given)
  })

  it('is shown as it is, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: SPECIAL })), async (text) => {
        const shown = text.replace(/\p{Cc}+/gu, ' ').trim()
        const t = await loginWith({ title: text })
        expect(t('login.title')).toBe(shown === '' ? en['login.title'] : shown)
      }),
    )
  })

  it('may quote another text of its screen', async () => {
    const t = await loginWith({ footerLinkText: 'Join', signupActionLinkText: `${variable('footerLinkText')} us` })
    expect(t('login.sign_up')).toBe('Join us')
  })

  it.each([
    ['a variable without a value on the page', { title: `Hello ${variable('userName')}` }],
    ['a variable that does not exist', { title: `Hello ${variable('constructor')}` }],
    ['a quotation of nothing', { title: `${variable('footerText')}` }],
    ['an empty title', { title: ' ' }],
    ['a key without a place here', { captchaCodePlaceholder: 'Type it' }],
    ['no text', { title: 7 }],
  ])('changes nothing with %s', async (_what, texts) => {
    expect((await loginWith(texts))('login.title')).toBe(en['login.title'])
  })

  it('may leave out a sentence', async () => {
    expect((await loginWith({ description: ' ' }))('login.lead', { client: 'Notes' })).toBe('')
  })

  it('keeps the address that the vendor shows behind the sentence', async () => {
    const body = { 'mfa-sms-challenge': { description: 'A code went to' } }
    const own = readCustomTexts([{ id: 'mfa-sms/en', body }])?.(['mfa-sms-challenge'], 'en')
    const t = await loadTranslate('en', own && { texts: own, values: PAGE })
    expect(t('mfa.lead.sms', { name: 'XXX12' })).toBe('A code went to XXX12')
  })

  it('isolates values of the other direction', async () => {
    const t = await loginWith({ title: `إلى ${variable('clientName')}` }, 'ar')
    expect(t('login.title')).toContain('\u2068Notes\u2069')
  })
})

describe('a text without effect', () => {
  const unused = (login: Record<string, unknown>, id = 'login/en') => {
    const [prompt = '', language = ''] = id.split('/')
    return unusedTexts(prompt, language, { [prompt]: login })
  }

  it.each([
    ['that no page shows', { captchaCodePlaceholder: 'x' }, ['captchaCodePlaceholder']],
    ['with a variable that its page does not have', { title: variable('userName') }, ['title']],
    ['that is empty where a word must stand', { title: ' ', description: '' }, ['title']],
    [
      'of two for one text of this server',
      { 'wrong-credentials': 'a', 'wrong-email-credentials': 'b' },
      ['wrong-email-credentials'],
    ],
    ['that is no text', { title: 7 }, ['title']],
  ])('is reported: one %s', (_what, texts, keys) => {
    expect(unused(texts)).toEqual(keys.map((key) => `login.${key}`))
  })

  it('is every one of a language, prompt or screen that does not exist here', () => {
    expect(unused({ title: 'x' }, 'login/nl')).toEqual(['login'])
    const texts = { 'async-approval-error': { pageTitle: 'x' } }
    expect(unusedTexts('async-approval-flow', 'en', texts)).toEqual(['async-approval-error'])
    expect(unusedTexts('login', 'en', { 'login-id': { title: 'x' } })).toEqual(['login-id'])
    expect(unusedTexts('constructor', 'en', { toString: { title: 'x' } })).toEqual(['toString'])
  })

  it('is not one that another text quotes', () => {
    expect(
      unused({ title: `${variable('unknownText')} ${variable('backText')}`, unknownText: 'a', backText: 'b' }),
    ).toEqual([])
  })
})

describe('the language', () => {
  const titled = (id: string) => ({ id, body: { login: { title: id } } })
  const titleIn = (locale: Locale, ids: string[], enabled?: string[], range?: string) =>
    readCustomTexts(ids.map(titled), enabled)?.(['login'], locale, range)?.texts['login.title']

  it('is the one of the text, and of its regions', () => {
    expect(titleIn('pt', ['login/en', 'login/pt-BR'])).toBe('login/pt-BR')
    expect(titleIn('de', ['login/en', 'login/pt-BR'])).toBeUndefined()
    expect(titleIn('en', ['login/nl'])).toBeUndefined()
  })

  it('the text of a region is the requested one if it is enabled, else the region that was enabled first, else the plain language', () => {
    const ids = ['login/fr-CA', 'login/fr', 'login/fr-FR']
    expect(titleIn('fr', ids)).toBe('login/fr')
    expect(titleIn('fr', ids, undefined, 'fr-ca')).toBe('login/fr-CA')
    expect(titleIn('fr', ids, undefined, 'fr-BE')).toBe('login/fr')
    expect(titleIn('fr', ids, ['en', 'fr-FR', 'fr-CA'])).toBe('login/fr-FR')
    expect(titleIn('fr', ids, ['en', 'fr-FR', 'fr-CA'], 'fr-CA')).toBe('login/fr-CA')
    expect(titleIn('fr', ids, ['en', 'fr-FR'], 'fr-CA')).toBe('login/fr-FR')
  })
})

it('of the common prompt are on every page, unless the page has its own', () => {
  const documents = [
    { id: 'common/en', body: { common: { alertListTitle: 'Look', showPasswordText: 'Reveal' } } },
    { id: 'signup/en', body: { signup: { alertListTitle: 'Mind' } } },
  ]
  const find = readCustomTexts(documents)
  expect(find?.(['signup'], 'en')?.texts).toEqual({ 'notice.heading': 'Mind', 'login.show_password_label': 'Reveal' })
  expect(find?.([], 'en')?.texts).toEqual({ 'notice.heading': 'Look', 'login.show_password_label': 'Reveal' })
})

it('have an identity that changes with them', () => {
  const id = (title: string) => readCustomTexts([{ id: 'login/en', body: { login: { title } } }])?.(['login'], 'en')?.id
  expect(id('a')).toBe(id('a'))
  expect(id('a')).not.toBe(id('b'))
})

it('are empty where nothing applies', () => {
  expect(readCustomTexts([{ id: 'organizations/en', body: { x: { title: 'y' } } }])).toBeUndefined()
  expect(
    readCustomTexts([
      { id: 'login/en', body: null },
      { id: 'login/de', body: { login: 3 } },
    ]),
  ).toBeUndefined()
})

describe.each([...PROMPTS])('the prompt %s', (prompt, screens) => {
  it('applies each of its texts in each language', () => {
    for (const locale of LOCALES) {
      for (const [screen, texts] of screens) {
        const given = Object.fromEntries(Object.values(texts).map((keys) => [keys[0], 'Own']))
        const own = readCustomTexts([{ id: `${prompt}/${locale}`, body: { [screen]: given } }])
        const changed = own?.([screen as PromptScreen], locale)?.texts ?? {}
        expect([screen, Object.keys(changed).sort()]).toEqual([screen, Object.keys(texts).sort()])
        for (const key of Object.keys(changed) as MessageKey[])
          expect(changed[key]).toMatch(/^Own(?: \{(?:name|address)\})?$/)
      }
    }
  })
})
