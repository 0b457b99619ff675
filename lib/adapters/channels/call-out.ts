// Outgoing HTTP requests to upstream providers, their keys and metadata (threat-model.md SE8).
// - The SSRF guard (outbound-guard.ts) applies to every address, including addresses from a provider's documents.
// - No redirect is followed. Time and size are limited before the response is parsed. No connection is kept open.
import type { IncomingMessage } from 'node:http'
import { type CallOut, CallOutError, type IncomingAnswer, type OutgoingRequest } from '../../kernel/call-out'
import { parseUrl } from '../../kernel/url'
import { type OutboundPolicy, refusalOfUrl } from './outbound-guard'
import { connectionTo } from './tunnel'

const SECONDS = 10
const MAX_BYTES = 1024 * 1024

export const createCallOut =
  (policy: OutboundPolicy): CallOut =>
  async (address, request) => {
    const url = parseUrl(address)
    const refusal = url ? refusalOfUrl(url, policy) : 'EUNKNOWNSCHEME'
    if (!url || refusal) throw new CallOutError(refusal ?? 'EUNKNOWNSCHEME')
    try {
      return await readWhole(await send(url, request, policy))
    } catch (error) {
      throw error instanceof CallOutError ? error : new CallOutError(codeOf(error), error)
    }
  }

async function send(
  url: URL,
  { method, headers, body, seconds = SECONDS, fixed = false }: OutgoingRequest,
  policy: OutboundPolicy,
): Promise<IncomingMessage> {
  const { request: begin } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const signal = AbortSignal.timeout(seconds * 1000)
  const options = {
    method,
    // Some providers refuse requests without a user agent. Compression is refused, because the size limit counts received bytes.
    headers: { 'user-agent': 'latchkey', ...headers, 'accept-encoding': 'identity' },
    signal,
    ...connectionTo(url, policy, { fixed, signal }),
  }
  return new Promise((resolve, reject) => {
    begin(url, options, resolve).on('error', reject).end(body)
  })
}

async function readWhole(answer: IncomingMessage): Promise<IncomingAnswer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    size += part.length
    if (size > MAX_BYTES) {
      answer.destroy()
      throw new CallOutError('ETOOLARGE')
    }
    parts.push(part)
  }
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: new Uint8Array(Buffer.concat(parts)),
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'EUNKNOWN'
