/** The parsed URL, or null when it is none. (`URL.parse` came later than the oldest Node we run on.) */
export const parseUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null)
