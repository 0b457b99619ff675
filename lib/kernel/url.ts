/** The parsed URL, or null when it is none. (`URL.parse` came later than the oldest Node we run on.) */
export function parseUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}
