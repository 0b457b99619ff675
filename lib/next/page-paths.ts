// The paths that Next itself answers: its own pages and files. Every other path is an endpoint or unknown.

export const NEXT_PAGES: readonly string[] = ['/', '/demo', '/dev/outbox']

/** The console and everything below it. */
export const isConsole = (path: string): boolean => path === '/console' || path.startsWith('/console/')

/** Answers 503 for a page that cannot be read: a page of Next's cannot choose its status. `at` names the page. */
export const PAGE_CHECK = '/u/plain/page'

/** Next's development tools request `/__nextjs`. */
const OWN_FILES = ['/_next/', '/__nextjs']

export const isNextPath = (path: string): boolean =>
  NEXT_PAGES.includes(path) ||
  isConsole(path) ||
  path === PAGE_CHECK ||
  OWN_FILES.some((start) => path.startsWith(start))
