import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directionOf, LOCALES, parseAcceptLanguage, pickLocale } from './locale'

describe('pickLocale', () => {
  it.each([
    ['nothing asked', {}, 'en'],
    ['ui_locales before the browser', { uiLocales: 'fr', acceptLanguage: 'de' }, 'fr'],
    ['the first language of ui_locales that we have', { uiLocales: 'nl pt-BR fr' }, 'pt'],
    [
      'the browser when ui_locales names no language of this server',
      { uiLocales: 'nl sv', acceptLanguage: 'ja' },
      'ja',
    ],
    ['a region as its language', { uiLocales: 'de-CH-1996' }, 'de'],
    ['any case, and underscores', { uiLocales: 'ES_mx' }, 'es'],
    ['weights over order', { acceptLanguage: 'en;q=0.5, ar;q=0.9, de;q=0.7' }, 'ar'],
    ['order between equal weights', { acceptLanguage: 'nl, es, de' }, 'es'],
    ['a refused language is not chosen', { acceptLanguage: 'de;q=0, fr;q=0.1' }, 'fr'],
    ['a malformed weight counts as refused', { acceptLanguage: 'de;q=x, fr;q=0.1' }, 'fr'],
    ['a wildcard is nothing to go by', { acceptLanguage: '*' }, 'en'],
    ['only languages that the tenant enabled', { uiLocales: 'ja', acceptLanguage: 'fr', enabled: ['de', 'fr'] }, 'fr'],
    ['the tenant’s first language as the fallback', { uiLocales: 'ja', enabled: ['de', 'fr'] }, 'de'],
    [
      'all languages of this server when the tenant enabled none that we have',
      { uiLocales: 'ja', enabled: ['nl'] },
      'ja',
    ],
  ] as const)('takes %s', (_rule, wishes, expected) => {
    expect(pickLocale(wishes)).toBe(expected)
  })

  it('answers a language of this server to any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (uiLocales, acceptLanguage) => {
        expect(LOCALES).toContain(pickLocale({ uiLocales, acceptLanguage }))
      }),
    )
  })
})

it('reads only the first entries of a long Accept-Language', () => {
  expect(parseAcceptLanguage(Array.from({ length: 5000 }, () => 'de').join(',')).length).toBeLessThanOrEqual(20)
})

it('only Arabic is written from the right', () => {
  expect(LOCALES.filter((locale) => directionOf(locale) === 'rtl')).toEqual(['ar'])
})
