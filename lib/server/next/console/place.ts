// Where and in which language the administrator reads times and numbers. A script of the frame writes the browser's zone and language into
// a cookie (app/console/_parts/place-keeper.tsx), because no header states the zone. Without the cookie, times are in UTC and say so.
import { cookies } from 'next/headers'
import { cache } from 'react'
import { readArrived } from './session'

export type ReadingPlace = { zone: string; language: string; isKnown: boolean }

const UNKNOWN: ReadingPlace = { zone: 'UTC', language: 'en', isKnown: false }

const cookieName = (secure: boolean): string => `${secure ? '__Secure-' : ''}latchkey-console.place`

/** Once per request. */
export const readPlace = cache(async (): Promise<ReadingPlace & { cookie: string; sent: string }> => {
  const { secure } = (await readArrived()).runtime
  const cookie = cookieName(secure)
  const sent = (await cookies()).get(cookie)?.value ?? ''
  return { ...placeIn(sent), cookie, sent }
})

/** The value is `<zone>,<language>`, as Intl names them. Anything else is no place. */
export function placeIn(text: string): ReadingPlace {
  const [, zone, language] = /^([\w+/-]{1,64}),([A-Za-z\d-]{2,35})$/.exec(text) ?? []
  if (zone === undefined || language === undefined) return UNKNOWN
  try {
    const known = new Intl.DateTimeFormat(language, { timeZone: zone }).resolvedOptions()
    return { zone: known.timeZone, language: known.locale, isKnown: true }
  } catch (error) {
    if (error instanceof RangeError) return UNKNOWN
    throw error
  }
}
