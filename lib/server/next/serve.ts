// The Next adapter: Next's route handlers run the same endpoints, defined as plain objects (docs/adr/0002).
// - `serve(path)` returns the handlers of a row of the endpoint table. A route file exports the methods of its endpoint, and a
//   test checks them.
// - Messages in the outbox are sent after the response, while the platform still runs the process.

import { type Endpoint, MAX_BODY, type Method, runEndpoint } from '../../http/endpoint'
import { withHeaders } from '../../http/message'
import { systemRandom } from '../../kernel/random'
import { ENDPOINTS } from '../endpoints/index'
import { refusing } from '../endpoints/refusals'
import type { Runtime } from '../runtime/runtime'
import { type Location, locator } from './locate'
import { toHttpRequest, toResponse } from './message'
import { refusalAt } from './refusal'
import { reportFailure, runtimeForRequest } from './runtime'
import { unavailable } from './unavailable'

type RouteHandler = (request: Request) => Promise<Response>

export function serve(path: string): Record<Method | 'OPTIONS', RouteHandler> {
  const endpoint = ENDPOINTS[path]
  if (!endpoint) throw new Error(`the table of endpoints has no ${path}`)
  return forEveryMethod(handlerOf(endpoint, locator(path, endpoint)))
}

/** The handlers for addresses that are neither an endpoint nor a page, refusals of the edge included. */
export const serveNothing = (): Record<Method | 'OPTIONS', NamedHandler<{ path?: string[] }>> =>
  forEveryMethod(async (request, { params }) => answerNothing(request, (await params).path))

/** The handlers of all endpoints below `/u`, for the route `app/u/plain/[name]`. */
export const serveBelowU = (): Record<Method | 'OPTIONS', NamedHandler<{ name: string }>> =>
  forEveryMethod(async (request, { params }) => {
    const path = `/u/${(await params).name}`
    const endpoint = ENDPOINTS[path]
    return endpoint ? handlerOf(endpoint, () => ({ path, params: {} }))(request) : answerNothing(request)
  })

type NamedHandler<Named> = (request: Request, context: { params: Promise<Named> }) => Promise<Response>

const forEveryMethod = <Handler>(handle: Handler): Record<Method | 'OPTIONS', Handler> => ({
  GET: handle,
  POST: handle,
  PUT: handle,
  PATCH: handle,
  DELETE: handle,
  OPTIONS: handle,
})

/** After a rewrite by the proxy, only `segments` are those of the new path. */
function answerNothing(request: Request, segments: readonly string[] = []): Promise<Response> {
  const path = new URL(request.url).pathname
  const endpoint = refusalAt(`/${segments.join('/')}`) ?? refusing('unknown', path)
  return handlerOf(endpoint, () => ({ path, params: {} }))(request)
}

function handlerOf(endpoint: Endpoint<Runtime>, locate: (request: Request) => Location): RouteHandler {
  return async (request) => {
    try {
      return await answer(request, endpoint, locate(request))
    } catch (error) {
      reportFailure(error)
      return toResponse(unavailable(endpoint.errors))
    }
  }
}

async function answer(request: Request, endpoint: Endpoint<Runtime>, location: Location): Promise<Response> {
  const { registry, readPeer } = await runtimeForRequest()
  const maxBody = endpoint.maxBody ?? MAX_BODY
  const id = systemRandom.token(9)
  const plain = await toHttpRequest(request, { ...location, id, maxBody, streams: endpoint.streams, readPeer })
  const runtime = await registry.runtimeFor(plain.headers.host)
  const response = await runEndpoint(endpoint, plain, runtime)
  return toResponse(plain.body.length > maxBody ? withHeaders(response, LAST) : response)
}

/** Unread bytes of a body would block the next request on the connection. */
const LAST: [string, string] = ['connection', 'close']
