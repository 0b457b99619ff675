// The path and the path parameters of a request to a route handler. They are read from the URL, because Next decodes path
// segments differently.
import type { Endpoint } from '../../http/endpoint'
import { createRouter } from '../../http/route'

export type Location = { path: string; params: Record<string, string> }

/** `pattern` is the endpoint's path in the table. */
export function locator<R>(pattern: string, endpoint: Endpoint<R>): (request: Pick<Request, 'url'>) => Location {
  const isExact = !/:|\/\*$/.test(pattern)
  if (isExact) return () => ({ path: pattern, params: {} })
  const route = createRouter({ [pattern]: endpoint })
  return ({ url }) => {
    const { pathname } = new URL(url)
    return { path: pathname, params: route(pathname)?.params ?? {} }
  }
}
