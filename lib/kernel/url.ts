/** The parsed URL, or null. (`URL.parse` is newer than the oldest supported Node.) */
export function parseUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Percent-decoded text; text that is not validly encoded is itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Names of this machine alone, as `URL.hostname` has them. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /\.localhost$|^127\.\d+\.\d+\.\d+$/.test(hostname)
