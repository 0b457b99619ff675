// The texts of every language, for tests that write them without waiting.
import type { Translate } from '../text/catalogue'
import { LOCALES, type Locale } from '../text/locale'

export async function translatorsOf(load: (locale: Locale) => Promise<Translate>): Promise<Record<Locale, Translate>> {
  const loaded = await Promise.all(LOCALES.map(async (locale) => [locale, await load(locale)] as const))
  return Object.fromEntries(loaded) as Record<Locale, Translate>
}
