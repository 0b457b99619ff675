import { bareValue } from './delivered'

/** The public origin of the server: this machine where none is set. The entry points of Next read it without the other settings. */
export function appUrlOf({ APP_URL, PORT }: Readonly<Record<string, string | undefined>>): string {
  const given = bareValue(APP_URL ?? '') || `http://localhost:${bareValue(PORT ?? '') || 3000}`
  return URL.canParse(given) ? new URL(given).origin : 'http://localhost'
}

/** Whether the settings say where the server is. */
export const namesAddress = ({ APP_URL, PORT }: Readonly<Record<string, string | undefined>>): boolean =>
  bareValue(APP_URL ?? '') !== '' || bareValue(PORT ?? '') !== ''
