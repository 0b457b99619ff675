import type { Locale } from '../lib/texts/locale'

/** A moment in words. The server does not know the reader's time zone, so it is stated. */
export function When({ at, locale }: { at: string; locale: Locale }) {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return <time dateTime={at}>{`${words.format(new Date(at))} UTC`}</time>
}
