// The second door: Next's route handlers run the same endpoints as plain objects (docs/adr/0002).
// - `serve(path)` is the row of the table; a route file exports the methods its endpoint has, and a test holds it to that.
// - What was put in the outbox is sent after the answer, while the platform still lets the process run.

import { nothingHere } from '../endpoints/hosted/not-found'
import { ENDPOINTS } from '../endpoints/index'
import { type Endpoint, MAX_BODY, type Method, runEndpoint } from '../http/endpoint'
import { STRICT_HEADERS } from '../http/headers'
import { plainPage } from '../http/html'
import { html, json, withHeaders } from '../http/message'
import { createRouter, type Match } from '../http/route'
import { systemRandom } from '../kernel/random'
import type { Runtime } from '../runtime/runtime'
import { toHttpRequest, toResponse } from './message'
import { reportFailure, runtimeForRequest } from './runtime'

type RouteHandler = (request: Request) => Promise<Response>

export function serve(path: string): Record<Method | 'OPTIONS', RouteHandler> {
  const endpoint = ENDPOINTS[path]
  if (!endpoint) throw new Error(`the table of endpoints has no ${path}`)
  return handlersOf(endpoint, locator(path, endpoint))
}

/** Of every address that is neither endpoint nor page. */
export const serveNothing = (): Record<Method | 'OPTIONS', RouteHandler> =>
  handlersOf(nothingHere, ({ url }) => ({ path: new URL(url).pathname, params: {} }))

function handlersOf(
  endpoint: Endpoint<Runtime>,
  locate: (request: Request) => Location,
): Record<Method | 'OPTIONS', RouteHandler> {
  const handle: RouteHandler = async (request) => {
    try {
      return await answer(request, endpoint, locate(request))
    } catch (error) {
      reportFailure(error)
      return toResponse(unavailable(endpoint))
    }
  }
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}

type Location = { path: string; params: Match<Runtime>['params'] }

/** Parameters are read from the address itself: Next decodes segments in ways of its own. */
function locator(path: string, endpoint: Endpoint<Runtime>): (request: Request) => Location {
  if (!path.includes(':')) return () => ({ path, params: {} })
  const route = createRouter({ [path]: endpoint })
  return ({ url }) => {
    const pathname = new URL(url).pathname
    return { path: pathname, params: route(pathname)?.params ?? {} }
  }
}

async function answer(request: Request, endpoint: Endpoint<Runtime>, location: Location): Promise<Response> {
  const { registry, addressOf } = await runtimeForRequest()
  const maxBody = endpoint.maxBody ?? MAX_BODY
  const plain = await toHttpRequest(request, { ...location, id: systemRandom.token(9), maxBody, addressOf })
  const runtime = await registry.runtimeFor(plain.headers.host)
  const response = await runEndpoint(endpoint, plain, runtime)
  return toResponse(plain.body.length > maxBody ? withHeaders(response, LAST) : response)
}

/** The rest of a body that was not read to its end would keep the connection's next request waiting. */
const LAST: [string, string] = ['connection', 'close']

/** No house or no tenant, mostly because there is no database; the endpoints' own errors never come here. */
const unavailable = ({ errors }: Endpoint<Runtime>) =>
  withHeaders(
    errors === 'page'
      ? html(plainPage('We’re very busy right now', 'Wait a few seconds, then reload this page.'), 503)
      : json({ error: 'temporarily_unavailable', error_description: 'The service is temporarily unavailable' }, 503),
    ['retry-after', '2'],
    ['cache-control', 'no-store'],
    ...Object.entries(STRICT_HEADERS),
  )
