// What Next itself answers: its pages that are no hosted ones, and its own files. Everything else is an endpoint, or nowhere.

export const NEXT_PAGES: readonly string[] = ['/', '/demo', '/dev/outbox']

/** `/__nextjs` is what its development tools ask for. */
const OWN_FILES = ['/_next/', '/__nextjs']

export const isNextPath = (path: string): boolean =>
  NEXT_PAGES.includes(path) || OWN_FILES.some((start) => path.startsWith(start))
