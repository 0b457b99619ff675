// The paths that Next itself answers, its own pages and files, and what may be sent there. Every other path is an endpoint or unknown.
import type { Gate } from '../../http/edge'
import { withoutSlash } from '../../http/target'
import { isRouterState } from './router-state'

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

const reads: Gate['reads'] = (headers) => isRouterState(headers['next-router-state-tree'])
const READ: Gate = { methods: ['GET'], reads }
/** Server actions: the forms of a page post to the page. */
const FORMS: Gate = { methods: ['GET', 'POST'], posts: 'own-pages', reads }
const ACT: Gate = { methods: ['POST'], posts: 'own-pages' }

/** Posts of the console that are no server actions. */
const POSTED = new Set(
  [
    ...['auth/sign-out', 'find/ask', 'find/pick', 'join/accept', 'join/first-account', 'logins/test/start'],
    ...['users/import/upload', 'users/import/start'],
  ].map((name) => `/console/${name}`),
)

/** What Next may be sent at a path (lib/http/edge.ts); undefined where it does not answer. */
export function gateOfNext(path: string): Gate | undefined {
  const plain = withoutSlash(path)
  if (!isNextPath(plain)) return undefined
  if (POSTED.has(plain)) return ACT
  if (plain.startsWith('/console/auth/')) return READ
  return isConsole(plain) || plain.startsWith('/__nextjs') ? FORMS : READ
}

/** Whether a post at a path is a server action. */
export const isActed = (path: string): boolean => isConsole(path) && gateOfNext(path) === FORMS
