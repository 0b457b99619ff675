// What an endpoint is, and the one way it is run: preflight, method, size, handle, render the refusal, headers.
// Running never throws: whatever goes wrong inside becomes that endpoint's own error format.
import { asDomainError, DomainError, notFound } from '../kernel/errors'
import { type CorsDecision, type CorsKind, decideCors, type OriginRule } from './cors'
import { commonHeaders } from './headers'
import { empty, type HttpRequest, type HttpResponse, isStorable } from './message'
import type { Compat, ErrorRenderer } from './render-errors'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export type Handler<R> = (request: HttpRequest, runtime: R) => Promise<HttpResponse> | HttpResponse

/** What running needs of the runtime; everything else is between the handler and its own. */
export type EndpointRuntime = {
  secure: boolean
  compat: Compat
  allowsOrigin: OriginRule
  /** Whether some first-party application is registered with that origin. */
  isRegisteredOrigin: OriginRule
  /** A page for a person, where the endpoint answers people. */
  errorPage(error: DomainError, request: HttpRequest): HttpResponse
  report(error: DomainError, request: HttpRequest, endpoint: string): void
  /** What the answer waits for: that what must not be lost of the request is recorded. Null for nearly all. */
  trail: { settled(): Promise<void> | null }
}

export type Endpoint<R> = {
  /** Stable name for logs and limits: `oauth.token`. */
  name: string
  /** Which pages of other origins may read its answers (cors.ts). */
  cors: CorsKind
  /** How a refusal looks; `page` answers a person. */
  errors: ErrorRenderer | 'page'
  /** Largest body in bytes; 100 kB unless told. */
  maxBody?: number
  methods: Partial<Record<Method, Handler<R>>>
}

export const MAX_BODY = 100 * 1024

export const defineEndpoint = <R extends EndpointRuntime>(endpoint: Endpoint<R>): Endpoint<R> => endpoint

export async function runEndpoint<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  request: HttpRequest,
  tenant: { within(request: HttpRequest): R },
): Promise<HttpResponse> {
  const runtime = tenant.within(request)
  const methods = METHODS.filter((method) => endpoint.methods[method])
  const rule = endpoint.cors === 'registered' ? runtime.isRegisteredOrigin : runtime.allowsOrigin
  const cors = await decideCors(endpoint.cors, request, methods, rule)
  const response = await handle(endpoint, methods, cors, request, runtime)
  const recorded = runtime.trail.settled()
  if (recorded) await recorded
  response.headers.push(...commonHeaders(response.headers, runtime.secure), ...cors.headers)
  return request.method === 'HEAD' ? { ...response, body: '' } : response
}

async function handle<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  allowed: Method[],
  { refusal }: CorsDecision,
  request: HttpRequest,
  runtime: R,
): Promise<HttpResponse> {
  if (request.method === 'OPTIONS') {
    return endpoint.cors === 'none' || refusal ? methodList(empty(204), allowed) : empty(204)
  }
  const method = allowed.find((known) => known === (request.method === 'HEAD' ? 'GET' : request.method))
  const handler = method && endpoint.methods[method]
  try {
    if (!handler) throw new DomainError('method_not_allowed', 'Method not allowed', { redirectable: false })
    if (!Object.values(request.params).every(isStorable)) throw notFound('Not found', { redirectable: false })
    if (request.body.length > (endpoint.maxBody ?? MAX_BODY)) {
      throw new DomainError('payload_too_large', 'The request body is too large', { redirectable: false })
    }
    if (refusal) throw refusal
    return await handler(request, runtime)
  } catch (thrown) {
    const error = asDomainError(thrown)
    runtime.report(error, request, endpoint.name)
    const response =
      endpoint.errors === 'page' ? runtime.errorPage(error, request) : endpoint.errors(error, runtime.compat)
    response.headers.push(...error.headers)
    return error.code === 'method_not_allowed' ? methodList(response, allowed) : response
  }
}

const methodList = (response: HttpResponse, allowed: string[]): HttpResponse => ({
  ...response,
  headers: [...response.headers, ['allow', [...allowed, 'OPTIONS'].join(', ')]],
})
