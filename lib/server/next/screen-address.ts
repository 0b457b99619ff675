// The addresses below `/u` behind Next, and the request headers that proxy.ts adds for the pages among them: a layout cannot
// read the query, and no page can read it in its original order.
// - A screen that is read is a page: app/u/[screen] renders it as server components.
// - Anything else is answered by its endpoint: the route handler is app/u/plain/[name]. A page's refusals are redirected there.
import { NOWHERE } from '../../http/target'
import { LOGIN_SCREENS, screenPath } from '../../pages/screens'
import { PAGE_CHECK } from './page-paths'

const SCREENS = new Set(LOGIN_SCREENS.map(screenPath))

export const isScreen = (path: string): boolean => SCREENS.has(path)

/** `/u/login` → `/u/plain/login`. */
export const plainPath = (path: string): string => path.replace(/^\/u\//, '/u/plain/')

const NAMED = /^\/u\/[\w-]+$/

export const isBelowU = (path: string): boolean => path.startsWith('/u/')

/** What pages redirect to, because they cannot choose a status. */
const REFUSALS = new Set([...LOGIN_SCREENS.map((screen) => plainPath(screenPath(screen))), PAGE_CHECK])

/** Where Next finds the route handler of a path below `/u`. Only refusals have an address of their own below `/u/plain`. */
export function handlerPath(path: string): string {
  if (REFUSALS.has(path)) return path
  return NAMED.test(path) && plainPath(path) !== PAGE_CHECK ? plainPath(path) : NOWHERE
}

/** Request headers that proxy.ts sets; it overwrites values from the client. */
export const ADDRESS = 'x-latchkey-address'
export const NONCE = 'x-latchkey-nonce'
