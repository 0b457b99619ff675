// `fetch` of actions: a request with its redirects, and the body of its answer, which the action reads in parts.
// - Each request of a row of redirects is judged, counted and recorded by itself.
// - Bodies, headers and requests are bounded. A compressed body is counted decompressed, and decompressed only as far as it is read.
import { pipeline, type Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import * as z from 'zod'
import { parseUrl } from '../../../kernel/url'
import type { RunContext, Service, Services } from '../sandbox/services'
import type { Exchanged, SendRequest } from './exchange'
import { codeOf, failure } from './failure'
import { addResource, beginRequest } from './resource'

const MAX_REDIRECTS = 20
const MAX_HEADERS = 100
const MAX_HEADER_LENGTH = 32 * 1024
const MAX_SENT = 5 * 1024 * 1024
const MAX_RECEIVED = 10 * 1024 * 1024
const PART = 64 * 1024
const LARGE_PART = 1024 * 1024

const fetchArgs = z.object({
  url: z.string().max(32 * 1024),
  method: z
    .string()
    .max(32)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/)
    .refine((method) => !/^(connect|trace|track)$/i.test(method)),
  redirect: z.enum(['follow', 'manual', 'error']),
  /** As Node's `http`: no header but those given, and the body as it is sent. */
  raw: z.boolean().default(false),
  headers: z.array(z.tuple([z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[^\0\r\n\u0100-\uffff]*$/)])),
})
const bodyArgs = z.object({ resource: z.number().int() })
const readArgs = bodyArgs.extend({ whole: z.boolean() })

/** Of the connection, not of the request. */
const NOT_THEIRS = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
  // Of this server's own requests (lib/adapters/channels/action-reach.ts).
  'x-latchkey-action',
])
const ALWAYS = { accept: '*/*', 'accept-language': '*', 'user-agent': 'latchkey' }
const DECODED = { 'accept-encoding': 'gzip, deflate, br' }
/** Not for another origin than the action named. */
const CREDENTIALS = ['authorization', 'cookie']
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type']

type Message = { url: URL; method: string; headers: Record<string, string>; body: Uint8Array | null; raw: boolean }

export function fetchServices(exchange: SendRequest): Services {
  const fetch: Service = async (given, bytes, scope) => {
    const { redirect, ...args } = fetchArgs.parse(given)
    let message = messageOf(args, bytes)
    for (let redirects = 0; ; redirects += 1) {
      const controller = new AbortController()
      const answer = await send(message, controller, scope, exchange)
      const location = redirect === 'manual' ? null : locationOf(answer)
      if (location === null) return { value: keep(answer, message, redirects > 0, controller, scope) }
      controller.abort()
      if (redirect === 'error' || redirects === MAX_REDIRECTS) throw failure('EREDIRECT')
      message = redirected(message, answer.status, location)
    }
  }
  return {
    fetch,
    'fetch.read': async (given, _bytes, { resources }) => {
      const { resource, whole } = readArgs.parse(given)
      return bodyIn(resources, resource).read(whole)
    },
    'fetch.close': async (given, _bytes, { resources }) => {
      const { resource } = bodyArgs.parse(given)
      if (resources.get(resource) instanceof Body) {
        resources.get(resource)?.close()
        resources.delete(resource)
      }
      return {}
    },
  }
}

function messageOf(
  { url, method, headers, raw }: Omit<z.infer<typeof fetchArgs>, 'redirect'>,
  bytes: Uint8Array | null,
): Message {
  const parsed = parseUrl(url)
  if (!parsed) throw failure('EUNKNOWNSCHEME')
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (headers.length > MAX_HEADERS || length > MAX_HEADER_LENGTH) throw failure('EREQUESTTOOLARGE')
  if (bytes && bytes.byteLength > MAX_SENT) throw failure('EREQUESTTOOLARGE')
  const own = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  const theirs = Object.fromEntries(own.filter(([name]) => !NOT_THEIRS.has(name)))
  const ours = raw ? {} : { ...ALWAYS, ...DECODED }
  return { url: withoutUser(parsed), method, headers: { ...ours, ...theirs }, body: bytes, raw }
}

/** Node.js would send them as credentials. */
function withoutUser(url: URL): URL {
  url.username = ''
  url.password = ''
  return url
}

async function send(message: Message, controller: AbortController, scope: RunContext, exchange: SendRequest) {
  const { url, method, headers, body } = message
  const noted = beginRequest(scope, method, url.host)
  const end = (): void => controller.abort()
  scope.signal.addEventListener('abort', end, { once: true })
  try {
    const { tenantId, action, nested, requestId } = scope
    const { signal } = controller
    const answer = await exchange(url, { method, headers, body, signal, tenantId, action, nested, requestId })
    scope.signal.throwIfAborted()
    noted.answered(answer.status)
    return answer
  } catch (error) {
    controller.abort()
    const code = codeOf(error)
    noted.failed(scope.signal.aborted ? null : code)
    throw failure(code)
  } finally {
    scope.signal.removeEventListener('abort', end)
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Where the answer sends to; null if it sends nowhere. */
function locationOf({ status, headers }: Exchanged): string | null {
  if (!REDIRECTS.has(status)) return null
  return headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null
}

/** The next request of a row of redirects (Fetch, 4.4 HTTP-redirect fetch). */
function redirected({ url, method, headers, body, raw }: Message, status: number, location: string): Message {
  const next = URL.canParse(location, url) ? withoutUser(new URL(location, url)) : null
  if (!next) throw failure('EUNKNOWNSCHEME')
  const becomesGet =
    ((status === 301 || status === 302) && method === 'POST') || (status === 303 && !['GET', 'HEAD'].includes(method))
  const dropped = [...(becomesGet ? OF_BODY : []), ...(next.origin === url.origin ? [] : CREDENTIALS)]
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)))
  return { url: next, method: becomesGet ? 'GET' : method, headers: kept, body: becomesGet ? null : body, raw }
}

function keep(
  answer: Exchanged,
  { url, method, raw }: Message,
  wasRedirected: boolean,
  controller: AbortController,
  scope: RunContext,
) {
  const { status, statusText, headers } = answer
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status)
  if (!hasBody) controller.abort()
  const resource = hasBody ? addResource(scope, new Body(raw ? answer.body : decoded(answer), controller)) : null
  return { status, statusText, headers, url: url.href, redirected: wasRedirected, resource }
}

/** The body of an answer. It is closed at its end, when the action gives it up, and when the run ends. */
class Body {
  private received = 0
  private over = false
  private readonly parts: AsyncIterator<Buffer>
  private rest: Buffer | null = null
  constructor(
    private readonly stream: Readable,
    private readonly controller: AbortController,
  ) {
    stream.on('error', () => {})
    this.parts = stream[Symbol.asyncIterator]()
  }

  /** What has arrived, or the whole rest of the body, as far as one part holds it. */
  async read(whole: boolean) {
    const most = whole ? LARGE_PART : PART
    const parts: Buffer[] = []
    let size = 0
    try {
      for (let part = await this.next(); part !== null; part = await this.next()) {
        parts.push(part)
        size += part.length
        if (size >= most || (!whole && (await this.isEmpty()))) break
      }
    } catch (error) {
      this.close()
      throw failure(codeOf(error))
    }
    const all = Buffer.concat(parts)
    if (size > most) this.rest = all.subarray(most)
    const done = this.rest === null && (this.over || this.stream.readableEnded)
    if (done) this.close()
    return { value: { done }, bytes: all.subarray(0, most) }
  }

  /** Whether nothing more has arrived. A body that is at its end says so a little later. */
  private async isEmpty(): Promise<boolean> {
    if (this.stream.readableLength === 0) await turn()
    return this.stream.readableLength === 0 && !this.stream.readableEnded
  }

  private async next(): Promise<Buffer | null> {
    const { rest } = this
    this.rest = null
    if (rest) return rest
    const { done, value } = await this.parts.next()
    this.over = done === true
    if (done) return null
    this.received += value.length
    if (this.received > MAX_RECEIVED) throw failure('ETOOLARGE')
    return value
  }

  close(): void {
    this.controller.abort()
    this.stream.destroy()
  }
}

function bodyIn(resources: RunContext['resources'], number: number): Body {
  const found = resources.get(number)
  if (!(found instanceof Body)) throw new TypeError('there is no such body')
  return found
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants
const ZLIB = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH, chunkSize: PART }
const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
}
const MAX_ENCODINGS = 3

/** The body without the encodings that it has, the last one first. What has an unknown one stays as it is. */
function decoded({ headers, body }: Exchanged): Readable {
  const encodings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity')
  const decoders = encodings.reverse().map((each) => (Object.hasOwn(DECODERS, each) ? DECODERS[each] : undefined))
  if (decoders.length === 0 || decoders.length > MAX_ENCODINGS || decoders.includes(undefined)) return body
  let last: Readable = body
  for (const make of decoders) {
    const decoder = (make as NonNullable<typeof make>)()
    pipeline(last, decoder, () => {})
    last = decoder
  }
  return last
}
