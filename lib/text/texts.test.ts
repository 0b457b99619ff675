import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { loadCatalogue, loadMessageTranslate, loadTranslate } from '.'
import type { MessageKey } from './catalogue'
import { en } from './en'
import { LOCALES } from './locale'

const KEYS = Object.keys(en) as MessageKey[]

const LITERAL = 0

type MessageFormatElement = ReturnType<IntlMessageFormat['getAst']>[number]

/** With the elements of variants. */
function elementsOf(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => [
    element,
    ...('options' in element ? elementsOf(Object.values(element.options).flatMap(({ value }) => value)) : []),
  ])
}

function placeholdersIn(message: string): string[] {
  const found = elementsOf(new IntlMessageFormat(message, 'en').getAst()).flatMap((element) =>
    element.type !== LITERAL && 'value' in element ? [element.value] : [],
  )
  return [...new Set(found)].sort()
}

/** What the type of `Translate` reads from an English text. */
const namedIn = (message: string): string[] => [...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()

describe.each(LOCALES)('the %s catalogue', async (locale) => {
  const catalogue = await loadCatalogue(locale)

  it('has exactly the English keys, all worded', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...KEYS].sort())
    expect(KEYS.filter((key) => catalogue[key].trim() === '')).toEqual([])
  })

  it('takes exactly the placeholders of the English texts', () => {
    for (const key of KEYS) expect([key, placeholdersIn(catalogue[key])]).toEqual([key, [...new Set(namedIn(en[key]))]])
  })

  it('uses typographic apostrophes, which MessageFormat leaves alone', () => {
    expect(KEYS.filter((key) => catalogue[key].includes("'"))).toEqual([])
  })

  it('is translated rather than copied', () => {
    const copied = KEYS.filter((key) => locale !== 'en' && catalogue[key].length > 20 && catalogue[key] === en[key])
    expect(copied).toEqual([])
  })
})

describe('loadTranslate', async () => {
  const [english, german, arabic] = await Promise.all([loadTranslate('en'), loadTranslate('de'), loadTranslate('ar')])

  it('fills placeholders', () => {
    expect(english('login.lead', { client: 'Notes' })).toBe('to continue to Notes')
    expect(german('login.identifier.email')).toBe('E-Mail-Adresse')
  })

  it('inserts a value as text, whatever it contains', () => {
    const client = "{tenant} <b>&amp;</b> '{'"
    expect(english('login.lead', { client })).toBe(`to continue to ${client}`)
  })

  it('isolates values of the other direction and no others', () => {
    expect(arabic('login.lead', { client: 'Notes' })).toContain('\u2068Notes\u2069')
    expect(english('login.lead', { client: 'ملاحظات' })).toContain('\u2068ملاحظات\u2069')
    expect(english('login.lead', { client: 'Notes' })).not.toContain('\u2068')
  })

  it('leaves values of messages unmarked', async () => {
    const t = await loadMessageTranslate('ar')
    expect(t('mail.login_link.subject', { tenant: 'Acme' })).not.toMatch(/[\u2066-\u2069]/)
  })
})
