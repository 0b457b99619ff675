/**
 * Chooses the language of a page: `ui_locales` in the app's order of preference, then the browser's Accept-Language, then the
 * tenant's default (OpenID Connect Core 3.1.2.1; RFC 4647 3.4 lookup; RFC 9110 12.5.4 weights).
 *
 * Pure. Malformed input is skipped and never an error: no login fails because of a language.
 */

export const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

/** Limits the work for abusive lists; the first entries are the preferred ones. */
const MAX_RANGES = 20

const isLocale = (tag: string): tag is Locale => (LOCALES as readonly string[]).includes(tag)

/** `pt-BR` → `pt`, `zh-Hant` → nothing: there is one catalogue per language, shared by its regions. */
export function matchLocale(range: string): Locale | undefined {
  const language = range.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  return isLocale(language) ? language : undefined
}

type Weighted = { range: string; weight: number }

function parseWeighted(entry: string): Weighted {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 }
}

/** The language ranges of an Accept-Language header, by descending weight; the header's order decides between equal weights. */
export function parseAcceptLanguage(header: string): string[] {
  return header
    .split(',', MAX_RANGES)
    .map(parseWeighted)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range)
}

export type LocaleWishes = {
  uiLocales?: string | undefined
  acceptLanguage?: string | undefined
  /** The tenant's languages, preferred first; the first is the fallback. Without them, all supported languages and English. */
  enabled?: readonly string[] | undefined
}

export const pickLocale = (wishes: LocaleWishes): Locale => pickLanguage(wishes).locale

/** With the language range that decided it, which may name a region: `pt-BR`. */
export function pickLanguage({ uiLocales = '', acceptLanguage = '', enabled = [] }: LocaleWishes): {
  locale: Locale
  range: string
} {
  const offered = enabled.map(matchLocale).filter((locale) => locale !== undefined)
  const allowed: readonly Locale[] = offered.length > 0 ? offered : LOCALES
  const wanted = [...uiLocales.split(/\s+/, MAX_RANGES), ...parseAcceptLanguage(acceptLanguage)]
  for (const range of wanted) {
    const locale = matchLocale(range)
    if (locale && allowed.includes(locale)) return { locale, range }
  }
  const locale = allowed[0] ?? 'en'
  return { locale, range: locale }
}

export type Direction = 'ltr' | 'rtl'

export const directionOf = (locale: Locale): Direction => (locale === 'ar' ? 'rtl' : 'ltr')
