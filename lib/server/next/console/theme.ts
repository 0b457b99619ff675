// The colours that this browser has the console in: those of the system, or a choice that a cookie keeps.
import { cookies } from 'next/headers'
import { CONSOLE_PATH } from '../../../data/clients/console'
import { readArrived } from './session'
import { type ConsoleTheme, THEMES } from './themes'

/** Seconds. */
const YEAR = 365 * 86_400

const cookieName = (secure: boolean): string => `${secure ? '__Secure-' : ''}latchkey-console.theme`

const themeNamed = (text: string | undefined): ConsoleTheme => THEMES.find((theme) => theme === text) ?? 'system'

export async function readTheme(): Promise<ConsoleTheme> {
  const { secure } = (await readArrived()).runtime
  return themeNamed((await cookies()).get(cookieName(secure))?.value)
}

export async function keepTheme(text: string): Promise<void> {
  const { secure } = (await readArrived()).runtime
  const kept = { path: CONSOLE_PATH, httpOnly: true, sameSite: 'lax', secure, maxAge: YEAR } as const
  ;(await cookies()).set(cookieName(secure), themeNamed(text), kept)
}
