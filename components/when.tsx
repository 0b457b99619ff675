import type { Locale } from '../lib/text/locale'

/** As in public/comfort.js, which names the moment in the time zone of the browser; the server does not know it. */
const EXACT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** A moment with date, time and zone. */
export function When({ at, locale }: { at: string; locale: Locale }) {
  const words = new Intl.DateTimeFormat(locale, { ...EXACT, timeZone: 'UTC' })
  return (
    <time dateTime={at} data-local="">
      {words.format(new Date(at))}
    </time>
  )
}
