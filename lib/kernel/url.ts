/** The parsed URL, or null. (`URL.parse` is newer than the oldest supported Node.) */
export function parseUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Names of this machine alone, as `URL.hostname` has them. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /\.localhost$|^127\.\d+\.\d+\.\d+$/.test(hostname)
