// Requests of actions to other servers (threat-model.md SE8). The guard applies to each of them, so also to each redirect. No connection is
// kept open: another action must not find it.
import type { IncomingMessage } from 'node:http'
import type { Exchanged, ExchangeRequest, SendRequest } from '../../identity/tenant-code/services/exchange'
import { type ActionReach, isCustom, isInner, isMailPort, isOwn, OF_ACTION, portOf, trusting } from './action-reach'
import { type OutboundPolicy, refusalOfUrl } from './outbound-guard'
import { connectionTo } from './tunnel'

const MAX_HEADERS = 100
const MAX_HEADER_BYTES = 32 * 1024

export type ExchangeDeps = {
  policy: OutboundPolicy
  reach: ActionReach
  /** The value of the header of a request to the tenant's own address. */
  mark(tenantId: string): string
  /** The header of requests that has the id of the request to this server which caused them. */
  requestIdHeader?: string | undefined
}

export const createExchange =
  ({ policy, reach, mark, requestIdHeader }: ExchangeDeps): SendRequest =>
  async (url, request) => {
    const { tenantId, nested } = request
    if (isMailPort(portOf(url))) throw failure('EMAILPORT')
    const own = await isOwn(url, tenantId, reach)
    // An action that runs because an action called its own tenant calls it no more: otherwise the two would call each other without end.
    const calls = own || (await isCustom(url, tenantId, reach))
    if (calls && nested) throw failure('ERECURSION')
    const trusted = own || isInner(reach.inner, tenantId, url.hostname, portOf(url))
    const judging = trusted ? trusting(policy) : policy
    const refusal = refusalOfUrl(url, judging)
    if (refusal) throw failure(refusal)
    const { requestId } = request
    const headers = {
      ...request.headers,
      ...(calls ? { [OF_ACTION]: mark(tenantId) } : {}),
      ...(requestIdHeader && requestId ? { [requestIdHeader.toLowerCase()]: requestId } : {}),
    }
    return answerOf(await send(url, { ...request, headers }, judging))
  }

async function send(
  url: URL,
  { method, headers, body, signal }: ExchangeRequest,
  policy: OutboundPolicy,
): Promise<IncomingMessage> {
  const { request: begin } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const options = {
    method,
    // Without it, Node.js sends the body of some methods with no length.
    headers: body ? { ...headers, 'content-length': String(body.byteLength) } : headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    ...connectionTo(url, policy, { fixed: false, signal }),
  }
  return new Promise((resolve, reject) => {
    const sent = begin(url, options, resolve).on('error', reject)
    sent.maxHeadersCount = MAX_HEADERS + 1
    sent.end(body ?? undefined)
  })
}

function answerOf(answer: IncomingMessage): Exchanged {
  const { rawHeaders } = answer
  const headers: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  if (headers.length > MAX_HEADERS) {
    answer.destroy()
    throw failure('ETOOLARGE')
  }
  return { status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? '', headers, body: answer }
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })
