// The texts of pages, mails and messages to telephones: one catalogue per language, loaded with its first use.
import { lazy } from '../kernel/lazy'
import type { Catalogue, OwnTexts, Translate } from './catalogue'
import { LOCALES, type Locale } from './locale'

/** Not `import()` of a computed path: bundlers follow only literal ones. */
const CATALOGUES: Readonly<Record<Locale, () => Promise<Catalogue>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  fr: async () => (await import('./fr')).fr,
  es: async () => (await import('./es')).es,
  pt: async () => (await import('./pt')).pt,
  ja: async () => (await import('./ja')).ja,
  ar: async () => (await import('./ar')).ar,
}

/** The texts as they are written, for tests and overrides. */
export const loadCatalogue = (locale: Locale): Promise<Catalogue> => CATALOGUES[locale]()

const loadFormat = lazy(() => import('./translate'))

const translators = (insert: 'isolated' | 'unmarked'): ((locale: Locale) => Promise<Translate>) => {
  const open = async (locale: Locale): Promise<Translate> => {
    const [format, catalogue] = await Promise.all([loadFormat(), loadCatalogue(locale)])
    return format.createTranslate(catalogue, locale, format[insert])
  }
  const opened = new Map(LOCALES.map((locale) => [locale, lazy(() => open(locale))]))
  return (locale) => (opened.get(locale) ?? (() => open(locale)))()
}

const loadPageTranslate = translators('isolated')

/** The texts of a page. A value in the other direction of writing is isolated. `own` are those that the tenant changed. */
export async function loadTranslate(
  locale: Locale,
  own?: { texts: OwnTexts; values: Readonly<Record<string, string>> },
): Promise<Translate> {
  const t = await loadPageTranslate(locale)
  return own === undefined ? t : (await loadFormat()).withOwnTexts(t, own.texts, locale, own.values)
}

/** The texts of messages, which contain no invisible marks. */
export const loadMessageTranslate = translators('unmarked')
