// Every path below /api/v2 (docs/management-api.md). The operations are loaded with the first request.
// In this order: token, count, operation, scope, input, idempotency key, handler, audit event. A refused request counts, too.
import { defineEndpoint } from '../../../http/endpoint'
import { isMultipart } from '../../../http/headers'
import { type HttpRequest, type HttpResponse, json, withHeaders } from '../../../http/message'
import { DomainError } from '../../../kernel/errors'
import { lazy } from '../../../kernel/lazy'
import type { CountRequest } from '../../../kernel/request-meter'
import type { ManagementDeps } from '../../../management/deps'
import { entityTag } from '../../../management/operations/etag'
import { demandScope, execute, validBody } from '../../../management/operations/execute'
import { runOnce } from '../../../management/operations/idempotency'
import type { Call, Operation, OperationOutcome } from '../../../management/operations/operation'
import { authorize } from '../../management-http/authorize'
import { readBody, readQuery } from '../../management-http/input'
import { managementJson } from '../../management-http/render'
import type { Runtime } from '../../runtime/runtime'

/** Forms have limits of their own (form.ts). */
const MAX_BODY = 1024 * 1024

const loadRouter = lazy(async () => (await import('../../../management/router')).createOperationRouter())

/** Answers a request to an operation. */
export async function answerManagement(
  request: HttpRequest,
  runtime: Runtime,
  count: CountRequest,
): Promise<HttpResponse> {
  const actor = await authorize(request, runtime)
  await count(actor.userId ?? actor.clientId)
  const route = await loadRouter()
  const found = route(request.method, request.path)
  if (found === null) throw new DomainError('not_found', 'Not Found', { members: { errorCode: undefined } })
  if (found === 'method') throw new DomainError('method_not_allowed', 'Method not allowed')
  const { operation, params } = found
  demandScope(actor, operation.scopes)
  const deps = await runtime.linking(request.headers['auth0-custom-domain']).management()
  const call = { params, actor, ifMatch: request.headers['if-match'] ?? null, ip: request.ip, deps }
  const query = readQuery(operation, request)
  if (!operation.form)
    return answerCall(operation, { ...call, query, ...readBody(operation, request) }, request, runtime)
  const { readForm } = await import('../../management-http/form')
  const form = await readForm(request, operation.form, deps)
  try {
    return await answerCall(operation, { ...call, query, body: validBody(operation, form.members) }, request, runtime)
  } finally {
    await form.discard()
  }
}

async function answerCall(
  operation: Operation<ManagementDeps>,
  call: Call<ManagementDeps>,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const header = request.headers['idempotency-key']
  const run = async (): Promise<HttpResponse> =>
    present(operation, request, await execute(operation, call, runtime.trail))
  if (operation.method !== 'POST' || header === undefined) return run()
  const once = await runOnce(
    {
      header,
      actor: call.actor,
      // An answer shows what the scopes at that time allowed.
      request: [
        request.path,
        request.search,
        [...call.actor.scopes].sort().join(' '),
        contentOf(operation, call, request),
      ],
      run,
    },
    call.deps,
  )
  return once.replayed ? withHeaders(once.answer, ['idempotency-replayed', 'true']) : once.answer
}

/** The bytes of a form differ from one attempt to the next. */
const contentOf = (operation: Operation<ManagementDeps>, { body }: Call<ManagementDeps>, request: HttpRequest) =>
  operation.form ? JSON.stringify(body) : request.body

function present(operation: Operation<ManagementDeps>, request: HttpRequest, outcome: OperationOutcome): HttpResponse {
  const { body, empty, isPart } = outcome
  if (operation.status === 204 || empty) return { status: 204, headers: [], body: '' }
  const answer = json(body ?? {}, operation.status)
  if (isPart || !isTagged(operation, request)) return answer
  const tag = entityTag(body)
  if (operation.method === 'GET' && request.headers['if-none-match'] === tag)
    return { status: 304, headers: [['etag', tag]], body: '' }
  return withHeaders(answer, ['etag', tag])
}

/** A part of an object has no tag that a later change could name. */
const isTagged = (operation: Operation<ManagementDeps>, { query }: HttpRequest): boolean =>
  operation.tagged === true && !query.has('fields')

export const management = defineEndpoint<Runtime>({
  name: 'management',
  limit: 'management',
  shed: 'first',
  refused: 'change_refused',
  cors: 'none',
  errors: managementJson,
  maxBody: MAX_BODY,
  streams: ({ method, headers }) => method === 'POST' && isMultipart(headers),
  methods: {
    GET: answerManagement,
    POST: answerManagement,
    PUT: answerManagement,
    PATCH: answerManagement,
    DELETE: answerManagement,
  },
})
