// How times and numbers are written for the administrator. A format is made at its first use and once per request: one of dates takes a third
// of a millisecond to make, and a list has a hundred times.
import { cache } from 'react'
import { readPlace } from './place'

export const readFormats = cache(async () => {
  const { language, zone, isKnown } = await readPlace()
  const moment = once(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }),
  )
  const date = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone }))
  const day = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }))
  const age = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
  const number = once(() => new Intl.NumberFormat(language))
  const short = once(() => new Intl.NumberFormat(language, { notation: 'compact' }))
  return {
    language,
    moment: (time: Date): string => moment().format(time) + (isKnown ? '' : ' UTC'),
    /** The day of a moment where the administrator is. */
    date: (time: Date): string => date().format(time),
    /** Days are those of UTC, as they are counted. */
    day: (time: Date): string => day().format(time),
    age: (count: number, unit: Intl.RelativeTimeFormatUnit): string => age().format(count, unit),
    number: (value: number): string => number().format(value),
    /** “1.2K”, beside the axis of a chart. */
    shortNumber: (value: number): string => short().format(value),
  }
})

export type Formats = Awaited<ReturnType<typeof readFormats>>

function once<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}
