// The paths that Next itself answers: its own pages and files. Every other path is an endpoint or unknown.

export const NEXT_PAGES: readonly string[] = ['/', '/demo', '/dev/outbox']

/** Next's development tools request `/__nextjs`. */
const OWN_FILES = ['/_next/', '/__nextjs']

export const isNextPath = (path: string): boolean =>
  NEXT_PAGES.includes(path) || OWN_FILES.some((start) => path.startsWith(start))
