import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../view'
import { CATALOGUES, translatorFor } from '.'
import { en } from './en'
import { type MessageKey, PLACEHOLDERS } from './messages'

const KEYS = Object.keys(en) as MessageKey[]

const LITERAL = 0

const elementsOf = (message: string) => new IntlMessageFormat(message, 'en').getAst()

function placeholdersIn(message: string): string[] {
  const found = elementsOf(message).flatMap((part) => (part.type !== LITERAL && 'value' in part ? [part.value] : []))
  return [...new Set(found)].sort()
}

function optionsIn(message: string): string[] {
  return elementsOf(message).flatMap((part) => ('options' in part ? Object.keys(part.options).sort() : []))
}

describe.each(LOCALES)('the %s catalogue', (locale) => {
  const catalogue = CATALOGUES[locale]

  it('has exactly the English keys, all worded', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...KEYS].sort())
    expect(KEYS.filter((key) => catalogue[key].trim() === '')).toEqual([])
  })

  it('takes exactly the declared placeholders in every message', () => {
    const declared: Partial<Record<MessageKey, readonly string[]>> = PLACEHOLDERS
    for (const key of KEYS)
      expect([key, placeholdersIn(catalogue[key])]).toEqual([key, [...(declared[key] ?? [])].sort()])
  })

  it('knows the same variants as English', () => {
    for (const key of KEYS) expect([key, optionsIn(catalogue[key])]).toEqual([key, optionsIn(en[key])])
  })

  it('uses typographic apostrophes, which MessageFormat leaves alone', () => {
    expect(KEYS.filter((key) => catalogue[key].includes("'"))).toEqual([])
  })

  it('is translated rather than copied', () => {
    const copied = KEYS.filter((key) => locale !== 'en' && catalogue[key].length > 20 && catalogue[key] === en[key])
    expect(copied).toEqual([])
  })
})

describe('translatorFor', () => {
  it('fills placeholders and variants', () => {
    expect(translatorFor('en')('login.lead', { client: 'Notes' })).toBe('to continue to Notes')
    expect(translatorFor('de')('login.identifier', { kind: 'email' })).toBe('E-Mail-Adresse')
  })

  it('inserts a value as text, whatever it contains', () => {
    const client = "{tenant} <b>&amp;</b> '{'"
    expect(translatorFor('en')('login.lead', { client })).toBe(`to continue to ${client}`)
  })

  it('isolates values of the other direction and no others', () => {
    expect(translatorFor('ar')('login.lead', { client: 'Notes' })).toContain('\u2068Notes\u2069')
    expect(translatorFor('en')('login.lead', { client: 'ملاحظات' })).toContain('\u2068ملاحظات\u2069')
    expect(translatorFor('en')('login.lead', { client: 'Notes' })).not.toContain('\u2068')
  })
})
