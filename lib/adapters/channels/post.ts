// A POST to a registered URL, behind the SSRF guard (outbound-guard.ts). No redirect is followed, only the status of the response and its
// `Retry-After` are read, and the whole request has a timeout.
import type { IncomingMessage } from 'node:http'
import { DeliveryError, type PostAnswer } from '../../data/outbox/message'
import { type OutboundPolicy, refusalOfUrl } from './outbound-guard'
import { connectionTo, type SocketOptions } from './tunnel'

const TIMEOUT_MS = 10_000

export const postForm = (
  address: string,
  fields: Record<string, string>,
  policy: OutboundPolicy,
): Promise<PostAnswer> =>
  post(
    address,
    { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString(), headers: {} },
    policy,
  )

/** `fixed`: our own code or the operator chose the address. */
export type OutboundBody = { type: string; body: string; headers: Readonly<Record<string, string>>; fixed?: boolean }

/** `stop` ends the request early. */
export async function post(
  address: string,
  body: OutboundBody,
  policy: OutboundPolicy,
  stop?: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(address)
  const refusal = refusalOfUrl(url, policy)
  if (refusal) throw new DeliveryError(refusal, true)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = stop ? AbortSignal.any([timeout, stop]) : timeout
  return send(url, body, connectionTo(url, policy, { fixed: body.fixed ?? false, signal }), signal)
}

async function send(
  url: URL,
  { type, body, headers: own }: OutboundBody,
  connection: SocketOptions,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const headers = {
    ...own,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  }
  const { request: begin } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      begin(url, { method: 'POST', headers, signal, ...connection }, resolve)
        .on('error', reject)
        .end(body)
    })
    answer.destroy()
    return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }
  } catch (error) {
    throw asDeliveryError(error)
  }
}

/** Only the system's error code: the message may contain the address. */
function asDeliveryError(error: unknown): DeliveryError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN'
  return new DeliveryError(code, code === 'EFORBIDDENADDRESS', error)
}
