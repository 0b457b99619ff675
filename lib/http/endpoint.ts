// Defines an endpoint and runs it: CORS preflight, load shedding, rate limit, method, body size, handler, error rendering,
// common headers.
// - Running an endpoint never throws: every failure is rendered in the endpoint's own error format.
// - Every request except a preflight counts against a rate limit, and every response reports the limit (the contract's
//   "Limits"). Limits per network address count before the handler, other limits once the handler has identified the caller, at
//   the latest after the handler.
import { asDomainError, DomainError, type ErrorCode, notFound } from '../kernel/errors'
import { isStorable } from '../kernel/json'
import type { Observe } from '../kernel/observe'
import type { CountRequest, RequestMeter } from '../kernel/request-meter'
import type { Admit, SheddingOrder } from './admission'
import { canonicalAddress } from './canonical-host'
import { type CorsDecision, type CorsKind, decideCors, type OriginRule } from './cors'
import type { Description, DescriptionContext } from './description'
import { commonHeaders } from './headers'
import { empty, type HttpRequest, type HttpResponse, isRead, redirect } from './message'
import { foreignPost, type PostSource } from './post-source'
import type { Compat, ErrorRenderer } from './render-errors'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof METHODS)[number]

/** Handlers call `count` at most once, and only where the limit does not count by network address. */
export type Handler<R> = (request: HttpRequest, runtime: R, count: CountRequest) => Promise<HttpResponse> | HttpResponse

/** How the audit log names an endpoint and its refusals. */
export type AuditedEndpoint<Event extends string = string> = {
  /** Stable name for logs, metrics and traces: `oauth.token`. */
  name: string
  /** The audit event of a refused request; null where a refusal is no security event, a function where the grant or the error's code decides. */
  refused: Event | null | ((known: { grant?: string | undefined; reset?: true }, code: ErrorCode) => Event | null)
  /** The audit event of a request over the limit, where it differs from `refused`. */
  limited?: Event
}

/** The part of the tenant runtime that running an endpoint needs. Handlers may need more of it. */
export type EndpointRuntime<Limit extends string = string, Event extends string = string> = {
  /** The origin of the hosted pages. */
  baseUrl: string
  /** The Strict-Transport-Security header, if any (headers.ts). */
  transportSecurity: readonly [string, string][]
  compat: Compat
  allowsOrigin: OriginRule
  /** Whether the origin is registered for any first-party client. */
  isRegisteredOrigin: OriginRule
  /** Renders a refusal as an HTML page, for endpoints that people visit. */
  errorPage(error: DomainError, request: HttpRequest): Promise<HttpResponse>
  report(error: DomainError, request: HttpRequest, endpoint: AuditedEndpoint<Event>): void
  /** A browser asked first, and so never sends the request that would be reported. */
  reportPreflight?(error: DomainError, request: HttpRequest, endpoint: AuditedEndpoint<Event>): void
  /**
   * A promise that the response waits for: durable audit events of this request are being written. Null for nearly all
   * requests.
   */
  trail: { settled(): Promise<void> | null }
  /** Undefined without instrumentation. */
  observe?: Observe | undefined
  /** Undefined without load shedding. */
  admit?: Admit | undefined
  /** Undefined without rate limits. */
  meter(limit: Limit, ip: string): RequestMeter | undefined
}

type LimitOf<R> = R extends { meter(limit: infer Limit, ip: string): unknown } ? Limit : never
type EventOf<R> = R extends {
  report(error: DomainError, request: HttpRequest, endpoint: AuditedEndpoint<infer Event>): void
}
  ? Event
  : never

/** Everything about an endpoint except its path, which lib/server/endpoints/index.ts holds. */
export type Endpoint<R> = AuditedEndpoint<EventOf<R>> & {
  /** The rate limit of its requests, by method where GET and POST differ; null for none. */
  limit: LimitOf<R> | { GET: LimitOf<R>; POST: LimitOf<R> } | null
  /** Another limit for some requests, where two kinds of callers share a path. */
  limitFor?(request: HttpRequest): LimitOf<R> | undefined
  /** When its requests are shed under overload. */
  shed: SheddingOrder
  /** Which pages of other origins may read its responses (cors.ts). */
  cors: CorsKind
  /** The largest body in bytes; the default is 100 kB. */
  maxBody?: number
  /** Whether the handler reads and bounds the body of this request itself, as it arrives. */
  streams?(request: Pick<HttpRequest, 'method' | 'headers'>): boolean
  /** It sets no cookie, and answers at every name of this machine (canonical-host.ts). */
  anyHost?: true
  /** Its methods in the API reference; absent for pages, probes and tools of operators. */
  describe?(described: DescriptionContext): Description
} & (AnswersMachines<R> | AnswersPeople<R>)

type Methods<R> = Partial<Record<HttpMethod, Handler<R>>>

/** The request itself authenticates the caller, so the page that sent it matters only where browsers send cookies. */
type AnswersMachines<R> = { errors: ErrorRenderer; methods: Methods<R>; posts?: PostSource }

/** Refusals are HTML pages. Browsers post with cookies here, so an endpoint with POST must state which pages may post to it. */
type AnswersPeople<R> = { errors: 'page' } & (
  | { methods: { GET: Handler<R> } & { [M in Exclude<HttpMethod, 'GET'>]?: undefined }; posts?: undefined }
  | { methods: Methods<R> & { POST: Handler<R> }; posts: PostSource }
)

export const MAX_BODY = 100 * 1024

export const defineEndpoint = <R extends EndpointRuntime>(endpoint: Endpoint<R>): Endpoint<R> => endpoint

export function runEndpoint<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  sent: HttpRequest,
  tenant: { received?(request: HttpRequest): HttpRequest; within(request: HttpRequest, endpoint: string): R },
): Promise<HttpResponse> {
  const request = tenant.received?.(sent) ?? sent
  const runtime = tenant.within(request, endpoint.name)
  const run = (): Promise<HttpResponse> => answerRequest(endpoint, request, runtime)
  return runtime.observe ? runtime.observe(endpoint.name, request, run) : run()
}

async function answerRequest<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  request: HttpRequest,
  runtime: R,
): Promise<HttpResponse> {
  const allowed = methodsOf(endpoint)
  const rule: OriginRule = (origin, clientId) =>
    endpoint.cors === 'registered' ? runtime.isRegisteredOrigin(origin) : runtime.allowsOrigin(origin, clientId)
  const deciding = decideCors(endpoint.cors, request, allowed, rule)
  const cors = deciding instanceof Promise ? await deciding : deciding
  if (request.method === 'OPTIONS' && cors.refusal) runtime.reportPreflight?.(cors.refusal, request, endpoint)
  const response =
    request.method === 'OPTIONS'
      ? preflightAnswer(endpoint, allowed, cors)
      : await admittedAnswer(endpoint, allowed, cors, request, runtime)
  const recorded = runtime.trail.settled()
  if (recorded !== null) await recorded
  response.headers.push(...commonHeaders(response.headers, runtime.transportSecurity), ...cors.headers)
  return request.method === 'HEAD' ? { ...response, body: '', stream: undefined } : response
}

const methods = new WeakMap<object, HttpMethod[]>()

/** Computed once per endpoint. */
function methodsOf<R>(endpoint: Endpoint<R>): HttpMethod[] {
  const known = methods.get(endpoint)
  if (known) return known
  const allowed = METHODS.filter((method) => endpoint.methods[method])
  methods.set(endpoint, allowed)
  return allowed
}

const preflightAnswer = <R>({ cors }: Endpoint<R>, allowed: HttpMethod[], { refusal }: CorsDecision): HttpResponse =>
  cors === 'none' || refusal ? methodList(empty(204), allowed) : empty(204)

/** Load shedding comes before the rate limit, which may cost a SQL statement. */
async function admittedAnswer<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  allowed: HttpMethod[],
  cors: CorsDecision,
  request: HttpRequest,
  runtime: R,
): Promise<HttpResponse> {
  let leave: (() => void) | undefined
  try {
    leave = runtime.admit?.(endpoint.shed)
  } catch (thrown) {
    return refuse(thrown, endpoint, request, runtime)
  }
  const limit = endpoint.limitFor?.(request) ?? limitOf(endpoint, request.method)
  const meter = limit === null ? undefined : runtime.meter(limit as never, request.ip)
  try {
    const answer = await handledAnswer(endpoint, allowed, cors, request, runtime, meter)
    return meter ? meteredAnswer(answer, meter) : answer
  } finally {
    leave?.()
  }
}

export function limitOf<R>({ limit }: Endpoint<R>, method: string): LimitOf<R> | null {
  if (limit === null || typeof limit === 'string') return limit
  const byMethod = limit as Record<'GET' | 'POST', LimitOf<R>>
  return isRead({ method }) ? byMethod.GET : byMethod.POST
}

/** A refusal by a second limit has set its own headers, which are kept. */
function meteredAnswer(answer: HttpResponse, meter: RequestMeter): HttpResponse {
  if (!answer.headers.some(([name]) => name === 'x-ratelimit-limit')) answer.headers.push(...meter.headers)
  return answer
}

const uncounted: CountRequest = () => {}

async function handledAnswer<R extends EndpointRuntime>(
  endpoint: Endpoint<R>,
  allowed: HttpMethod[],
  { refusal }: CorsDecision,
  request: HttpRequest,
  runtime: R,
  meter: RequestMeter | undefined,
): Promise<HttpResponse> {
  const method = allowed.find((known) => known === (request.method === 'HEAD' ? 'GET' : request.method))
  let answer: HttpResponse
  try {
    const counting = meter?.early ? meter.count(null) : undefined
    if (counting instanceof Promise) await counting
    const handler = handlerFor(endpoint, method, request)
    const leads = endpoint.errors === 'page' && !endpoint.anyHost && isRead(request)
    const elsewhere = leads ? canonicalAddress(request, runtime.baseUrl) : null
    if (elsewhere !== null) return redirect(elsewhere)
    const refused = refusal ?? (endpoint.posts && foreignPost(endpoint.posts, request, runtime.baseUrl))
    if (refused) throw refused
    answer = await handler(request, runtime, meter?.count ?? uncounted)
  } catch (thrown) {
    answer = await refuse(thrown, endpoint, request, runtime)
    if (!method) answer = methodList(answer, allowed)
  }
  return !meter || meter.counted ? answer : countLate(answer, endpoint, request, runtime, meter)
}

function handlerFor<R>(
  endpoint: Endpoint<R>,
  method: HttpMethod | undefined,
  { params, body }: HttpRequest,
): Handler<R> {
  const handler = method && endpoint.methods[method]
  if (!handler) throw new DomainError('method_not_allowed', 'Method not allowed', { redirectable: false })
  for (const name in params) if (!isStorable(params[name] ?? '')) throw notFound('Not found', { redirectable: false })
  if (body.length > (endpoint.maxBody ?? MAX_BODY))
    throw new DomainError('payload_too_large', 'The request body is too large', { redirectable: false })
  return handler
}

/**
 * Counts a request that the handler did not count: it was refused before authentication, or the endpoint authenticates no
 * caller.
 */
async function countLate<R extends EndpointRuntime>(
  answer: HttpResponse,
  endpoint: Endpoint<R>,
  request: HttpRequest,
  runtime: R,
  meter: RequestMeter,
): Promise<HttpResponse> {
  try {
    await meter.count(null)
    return answer
  } catch (thrown) {
    return refuse(thrown, endpoint, request, runtime)
  }
}

async function refuse<R extends EndpointRuntime>(
  thrown: unknown,
  endpoint: Endpoint<R>,
  request: HttpRequest,
  runtime: R,
): Promise<HttpResponse> {
  const error = asDomainError(thrown)
  runtime.report(error, request, endpoint as AuditedEndpoint)
  const response =
    endpoint.errors === 'page' ? await runtime.errorPage(error, request) : endpoint.errors(error, runtime.compat)
  response.headers.push(...error.headers)
  return response
}

const methodList = (response: HttpResponse, allowed: string[]): HttpResponse => ({
  ...response,
  headers: [...response.headers, ['allow', [...allowed, 'OPTIONS'].join(', ')]],
})
