/**
 * Formats the texts of a catalogue: ICU MessageFormat, each text compiled at its first use and kept.
 *
 * Invariant: a value is text inserted as it is (the HTML renderer escapes the whole).
 */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Catalogue, MessageKey, Translate } from './catalogue'
import type { Locale } from './locale'

/** What is done to a value before it is inserted. */
type Insert = (value: string, locale: Locale) => string

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** So that a Latin app name in an Arabic sentence (or the reverse) cannot reorder it. */
export const isolated: Insert = (value, locale) =>
  locale === 'ar' || RIGHT_TO_LEFT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value

/** For messages: a subject must not contain invisible marks, and a code must be copied without them. */
export const unmarked: Insert = (value) => value

/** Only these characters have a meaning in MessageFormat. */
const FORMATTED = /[{}']/

export function createTranslate(catalogue: Catalogue, locale: Locale, insert: Insert): Translate {
  const compiled = new Map<MessageKey, IntlMessageFormat>()
  const compile = (key: MessageKey): IntlMessageFormat => {
    const message = new IntlMessageFormat(catalogue[key], locale, undefined, { ignoreTag: true })
    compiled.set(key, message)
    return message
  }
  const format = (key: MessageKey, values: Readonly<Record<string, string>>): string => {
    const inserted = Object.entries(values).map(([name, value]) => [name, insert(value, locale)])
    return String((compiled.get(key) ?? compile(key)).format(Object.fromEntries(inserted)))
  }
  return (key, ...[values]) => (FORMATTED.test(catalogue[key]) ? format(key, values ?? {}) : catalogue[key])
}
