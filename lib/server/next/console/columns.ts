// The columns of each list that this browser shows, in a cookie, so that the server draws them. A cookie names the columns by their titles.
import { cookies } from 'next/headers'
import { CONSOLE_PATH } from '../../../data/clients/console'
import { readArrived } from './session'

/** Seconds. */
const YEAR = 365 * 86_400
const MAX_LENGTH = 1000

const cookieName = (list: string, secure: boolean): string =>
  `${secure ? '__Secure-' : ''}latchkey-console.columns-${list}`

/** Null without a choice. */
export async function readColumns(list: string): Promise<ReadonlySet<string> | null> {
  const { secure } = (await readArrived()).runtime
  const sent = (await cookies()).get(cookieName(list, secure))?.value
  return sent === undefined ? null : new Set(sent.slice(0, MAX_LENGTH).split('|'))
}

/** No titles: the columns that all see first. */
export async function keepColumns(list: string, titles: readonly string[]): Promise<void> {
  const { secure } = (await readArrived()).runtime
  if (!/^[a-z]{1,30}$/.test(list)) return
  const value = titles.join('|').slice(0, MAX_LENGTH)
  const kept = { path: CONSOLE_PATH, httpOnly: true, sameSite: 'lax', secure, maxAge: value === '' ? 0 : YEAR } as const
  ;(await cookies()).set(cookieName(list, secure), value, kept)
}
