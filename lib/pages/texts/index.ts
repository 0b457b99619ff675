/**
 * Words a message in a language: ICU MessageFormat, each message compiled at its first use and kept.
 *
 * Must hold: a value is text inserted as it is (the HTML renderer escapes the whole), and a value written in the other
 * direction is isolated, so that a Latin app name in an Arabic sentence (or the reverse) cannot reorder it.
 */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../view'
import { ar } from './ar'
import { de } from './de'
import { en } from './en'
import { es } from './es'
import { fr } from './fr'
import { ja } from './ja'
import { type Catalogue, type MessageKey, PLACEHOLDERS, type Translate } from './messages'
import { pt } from './pt'

export const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { en, de, fr, es, pt, ja, ar }

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

function isolate(value: string, locale: Locale): string {
  return locale === 'ar' || RIGHT_TO_LEFT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value
}

/** Selectors are matched against the message, so they are not isolated; all other values are user-provided text. */
function isolateValues(values: Readonly<Record<string, string>>, locale: Locale): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([k, v]) => [k, k === 'kind' ? v : isolate(v, locale)]))
}

function createTranslate(locale: Locale): Translate {
  const compiled = new Map<MessageKey, IntlMessageFormat>()
  const plain = (key: MessageKey) => !(key in PLACEHOLDERS)
  const compile = (key: MessageKey): IntlMessageFormat => {
    const message = new IntlMessageFormat(CATALOGUES[locale][key], locale, undefined, { ignoreTag: true })
    compiled.set(key, message)
    return message
  }
  return (key, ...[values]) =>
    plain(key)
      ? CATALOGUES[locale][key]
      : String((compiled.get(key) ?? compile(key)).format(isolateValues(values ?? {}, locale)))
}

const translators = new Map<Locale, Translate>()

export function translatorFor(locale: Locale): Translate {
  const known = translators.get(locale)
  if (known) return known
  const created = createTranslate(locale)
  translators.set(locale, created)
  return created
}
