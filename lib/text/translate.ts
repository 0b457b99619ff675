/**
 * Formats the texts of a catalogue: ICU MessageFormat, each text compiled at its first use and kept.
 *
 * Invariant: a value is text inserted as it is (the HTML renderer escapes the whole).
 */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Catalogue, MessageKey, OwnTexts, Translate } from './catalogue'
import type { Locale } from './locale'

/** What is done to a value before it is inserted. */
export type Insert = (value: string, locale: Locale) => string

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

type Texts = Readonly<Partial<Record<MessageKey, string>>>
type Values = Readonly<Record<string, string>>
type Format = (key: MessageKey, text: string, values: Values) => string

/** Keeps a compiled text for each key. */
function formatter(locale: Locale, insert: Insert): Format {
  const compiled = new Map<MessageKey, IntlMessageFormat>()
  const compile = (key: MessageKey, text: string): IntlMessageFormat => {
    const message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })
    compiled.set(key, message)
    return message
  }
  return (key, text, values) => {
    if (!FORMATTED.test(text)) return text
    const inserted = Object.entries(values).map(([name, value]) => [name, insert(value, locale)])
    return String((compiled.get(key) ?? compile(key, text)).format(Object.fromEntries(inserted)))
  }
}

export function createTranslate(catalogue: Catalogue, locale: Locale, insert: Insert): Translate {
  const format = formatter(locale, insert)
  return (key, ...[values]) => format(key, catalogue[key], values ?? {})
}

const formatters = new WeakMap<Texts, Format>()

/** `t`, but for the tenant's own texts, which may also use the values of the page. */
export function withOwnTexts(t: Translate, { texts }: OwnTexts, locale: Locale, page: Values): Translate {
  const format = formatters.get(texts) ?? formatter(locale, isolated)
  formatters.set(texts, format)
  return (key, ...values) => {
    const text = texts[key]
    return text === undefined ? t(key, ...values) : format(key, text, { ...page, ...values[0] })
  }
}
