/** The public origin of the server: this machine where none is set. The entry points of Next read it without the other settings. */
export function appUrlOf({ APP_URL, PORT }: Readonly<Record<string, string | undefined>>): string {
  const given = APP_URL || `http://localhost:${PORT || 3000}`
  return URL.canParse(given) ? new URL(given).origin : 'http://localhost'
}
