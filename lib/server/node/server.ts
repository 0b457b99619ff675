// The Node adapter: node:http → the endpoints of the table, as plain objects. Static files of our own pages are served from
// memory, Next's own paths go to Next, and any other path is not found (docs/adr/0002). It listens before Next is ready; only
// Next's paths wait for it.
// - The edge judges every request first: its target is reduced to a path, and what Next could not answer is refused
//   (threat-model.md BF12, BF23).
// - A body is read up to the endpoint's limit and no further, or by the endpoint itself as it arrives.
// - Closing finishes running requests, then ends idle connections. Readiness reports the shutdown first (threat-model.md RE5).
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkRequestHead, judgedHeaders } from '../../http/edge'
import { type Endpoint, MAX_BODY, runEndpoint } from '../../http/endpoint'
import { STRICT_HEADERS } from '../../http/headers'
import type { HttpRequest, HttpResponse } from '../../http/message'
import { createPeerReader, type PeerSettings } from '../../http/peer'
import { createRouter, type Match } from '../../http/route'
import { pathOf, withoutSlash } from '../../http/target'
import type { Random } from '../../kernel/random'
import { ENDPOINTS } from '../endpoints/index'
import { type RequestRefusal, refusing } from '../endpoints/refusals'
import type { Outages } from '../maintenance/outages'
import { gateOfNext, isNextPath } from '../next/page-paths'
import type { Runtime } from '../runtime/runtime'
import type { TenantRegistry } from '../runtime/tenant-registry'
import type { StaticFiles } from './static'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

export type ServerDeps = {
  registry: TenantRegistry
  random: Random
  outages: Outages
  /** The public URL of the server. */
  appUrl: string
  peer: PeerSettings
  files: StaticFiles
  /** This process is about to end: connections end with their response. */
  isLeaving: () => boolean
  /** The whole server is: readiness fails for load balancers. */
  isStopping: () => boolean
  /** Handles every request that is neither for an endpoint nor for a static file. */
  next: NodeHandler
}

export function createHttpServer(deps: ServerDeps): Server {
  const route = createRouter(ENDPOINTS)
  const peerOf = createPeerReader(deps.peer)

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, path: string, match: Match<Runtime>) => {
    if (deps.isLeaving()) {
      // Not `setHeader`: after it, `writeHead` keeps only the last of several headers of one name, such as `set-cookie`.
      outgoing.shouldKeepAlive = false
      if (match.endpoint.name === 'readyz' && deps.isStopping())
        return unavailable(outgoing, { status: 'stopping', checks: {} })
    }
    const stream = streamOf(incoming, match.endpoint)
    const reading = stream ? NO_BODY : readBody(incoming, match.endpoint)
    const body = reading instanceof Promise ? await reading : reading
    const request = toRequest(incoming, path, match.params, body, peerOf, deps.random)
    if (stream) request.stream = stream
    const runtime = await deps.registry.runtimeFor(incoming.headers.host)
    await send(outgoing, await runEndpoint(match.endpoint, request, runtime))
  }

  const refuse = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
    reason: RequestRefusal,
  ): Promise<void> => {
    const endpoint = refusing(reason, path, gateOfNext(path)?.methods)
    // The refusal is the same for every method, and an odd one would be refused as such.
    if (reason !== 'unknown') incoming.method = 'GET'
    return answer(incoming, outgoing, path, { endpoint, params: {} })
  }

  /** Neither endpoint nor file: a page of Next's, or not found. */
  const other = (incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void> | void => {
    const plain = withoutSlash(path)
    if (isNextPath(plain)) {
      if (incoming.method === 'POST')
        Object.assign(incoming.headers, judgedHeaders(singleHeaders(incoming.headers), deps.appUrl))
      return deps.next(incoming, outgoing)
    }
    const match = plain === path ? null : route(plain)
    return match ? answer(incoming, outgoing, plain, match) : refuse(incoming, outgoing, plain, 'unknown')
  }

  const respond = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const { target, refused } = checkRequestHead(
      { method, target: url, headers: singleHeaders(headers) },
      gateOfNext,
      deps.appUrl,
    )
    incoming.url = target
    const path = pathOf(target)
    if (refused) return refuse(incoming, outgoing, path, refused)
    const match = route(path)
    if (match) return answer(incoming, outgoing, path, match)
    return Promise.resolve(deps.files.serve(incoming, outgoing, path) || other(incoming, outgoing, path)).then(() => {})
  }

  return createServer(TIMEOUTS, (incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => fail(error, outgoing, deps.outages))
  })
    .on('connect', (_request: IncomingMessage, socket: Duplex) => end(socket, 405))
    .on('checkExpectation', (_request: IncomingMessage, outgoing: ServerResponse) => {
      outgoing.writeHead(417, BARE_HEADERS).end()
    })
    .on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
      // After the beginning of an answer, another one would be read as a part of it.
      const isAnswering = (Reflect.get(socket, '_httpMessage') as ServerResponse | null)?.headersSent === true
      if (code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy()
      else end(socket, UNREADABLE[code ?? ''] ?? 400)
    })
}

/** What Node's parser does not accept; anything else is a 400. */
const UNREADABLE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Of answers that no endpoint gives, such as that to CONNECT (RFC 9110 9.3.6), which has no path. */
const BARE_HEADERS = { ...STRICT_HEADERS, 'cache-control': 'no-store', connection: 'close', 'content-length': '0' }

function end(socket: Duplex, status: number): void {
  const lines = Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}

function toRequest(
  incoming: IncomingMessage,
  path: string,
  params: Record<string, string>,
  body: Uint8Array,
  peerOf: ReturnType<typeof createPeerReader>,
  random: Random,
): HttpRequest {
  const { url = '' } = incoming
  const search = url.slice(pathOf(url).length + 1)
  return {
    id: random.token(9),
    method: incoming.method ?? 'GET',
    path,
    params,
    query: new URLSearchParams(search),
    search,
    headers: singleHeaders(incoming.headers),
    body,
    ...peerOf(incoming.socket.remoteAddress, incoming.headers),
  }
}

/** Node joins repeated headers. Only `set-cookie`, which no request has, is a list. */
const singleHeaders = (headers: IncomingHttpHeaders): HttpRequest['headers'] => headers as HttpRequest['headers']

/** In milliseconds. An upload that an endpoint reads itself may take long; any other body arrives within a minute. */
const BODY_TIMEOUT = 60_000
const TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 60_000, requestTimeout: 900_000 }

const NO_BODY = new Uint8Array()

/** Stopping to read leaves the connection open for the answer. */
const streamOf = (incoming: IncomingMessage, endpoint: Endpoint<Runtime>): AsyncIterable<Buffer> | undefined =>
  endpoint.streams?.({ method: incoming.method ?? 'GET', headers: singleHeaders(incoming.headers) })
    ? incoming.iterator({ destroyOnReturn: false })
    : undefined

/** Reads at most one byte more than the limit: the endpoint then answers 413 in its own format. */
function readBody(incoming: IncomingMessage, endpoint: Endpoint<Runtime>): Uint8Array | Promise<Uint8Array> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return NO_BODY
  const most = (endpoint.maxBody ?? MAX_BODY) + 1
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    // Listeners instead of `for await`: the iterator of a stream costs more than reading these bodies.
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size < most) return
      incoming.pause()
      resolve(Buffer.concat(chunks).subarray(0, most))
    })
    const timer = setTimeout(() => incoming.destroy(), BODY_TIMEOUT)
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    incoming.on('close', () => clearTimeout(timer))
    incoming.on('error', reject)
  })
}

function send(outgoing: ServerResponse, response: HttpResponse): Promise<void> | void {
  const { body, stream } = response
  const size = Buffer.byteLength(body)
  const headers: string[] = []
  for (const [name, value] of response.headers) headers.push(name, value)
  if (!stream && (size > 0 || response.status !== 204)) headers.push('content-length', String(size))
  // The unread rest of a body would be parsed as the next request.
  if (!outgoing.req.complete) headers.push('connection', 'close')
  outgoing.writeHead(response.status, headers)
  if (stream) return pipeline(stream, outgoing)
  // A text body is sent in one write with the headers; bytes would need a second write.
  outgoing.end(body)
}

/** The tenant could not be read, or the connection broke. The endpoints handle their own errors. */
function fail(error: unknown, outgoing: ServerResponse, outages: Outages): void {
  if (outgoing.req.destroyed && !outgoing.req.complete) return
  outages.report(error, {})
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  unavailable(outgoing, {
    error: 'temporarily_unavailable',
    error_description: 'The service is temporarily unavailable',
  })
}

function unavailable(outgoing: ServerResponse, body: Record<string, unknown>): void {
  outgoing.writeHead(503, {
    ...STRICT_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '2',
    'cache-control': 'no-store',
  })
  outgoing.end(JSON.stringify(body))
}
