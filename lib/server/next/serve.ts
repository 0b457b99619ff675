// The Next adapter: one route handler of Next's runs the same endpoints, defined as plain objects (docs/adr/0002, 0062).
// - Messages in the outbox are sent after the response, while the platform still runs the process.

import { type Endpoint, type HttpMethod, MAX_BODY, runEndpoint } from '../../http/endpoint'
import { withHeaders } from '../../http/message'
import { systemRandom } from '../../kernel/random'
import { ENDPOINTS } from '../endpoints/index'
import { refusing } from '../endpoints/refusals'
import type { Runtime } from '../runtime/runtime'
import { type Location, locate } from './locate'
import { toHttpRequest, toResponse } from './message'
import { reportFailure, runtimeForRequest } from './runtime'
import { unavailable } from './unavailable'

type RouteHandler = (request: Request) => Promise<Response>

/** The handlers of all endpoints but those below `/u`, and of addresses that are none; refusals of the edge are among these. */
export const serveEndpoints = (): Record<HttpMethod | 'OPTIONS', NamedHandler<{ path?: string[] }>> =>
  forEveryMethod(async (request, { params }) => {
    const { pathname } = new URL(request.url)
    const { endpoint, location } = locate(pathname, (await params).path)
    return handlerOf(endpoint, location)(request)
  })

/** The handlers of all endpoints below `/u`, for the route `app/u/plain/[name]`. */
export const serveBelowU = (): Record<HttpMethod | 'OPTIONS', NamedHandler<{ name: string }>> =>
  forEveryMethod(async (request, { params }) => {
    const path = `/u/${(await params).name}`
    return handlerOf(ENDPOINTS[path] ?? refusing('unknown', path), { path, params: {} })(request)
  })

/** For a route of Next's that finds nothing at an address. */
export const serveUnknown: RouteHandler = (request) => {
  const path = new URL(request.url).pathname
  return handlerOf(refusing('unknown', path), { path, params: {} })(request)
}

type NamedHandler<Named> = (request: Request, context: { params: Promise<Named> }) => Promise<Response>

const forEveryMethod = <Handler>(handle: Handler): Record<HttpMethod | 'OPTIONS', Handler> => ({
  GET: handle,
  POST: handle,
  PUT: handle,
  PATCH: handle,
  DELETE: handle,
  OPTIONS: handle,
})

function handlerOf(endpoint: Endpoint<Runtime>, location: Location): RouteHandler {
  return async (request) => {
    try {
      return await answer(request, endpoint, location)
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
