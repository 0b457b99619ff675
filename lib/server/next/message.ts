// Converts between Fetch's Request and Response and the plain HTTP messages of lib/http. Nothing is lost: repeated and ordered
// query parameters, several cookies, fragments in a Location, and the exact bytes of a body up to one byte over the endpoint's
// limit.
import { Readable } from 'node:stream'
import type { HttpRequest, HttpResponse } from '../../http/message'
import type { ReadPeer } from './address'

type Arrival = Pick<HttpRequest, 'id' | 'path' | 'params'> & {
  maxBody: number
  /** Whether the endpoint reads the body of this request itself. */
  streams?(request: Pick<HttpRequest, 'method' | 'headers'>): boolean
  readPeer: ReadPeer
}

export async function toHttpRequest(
  request: Request,
  { maxBody, streams, readPeer, ...known }: Arrival,
): Promise<HttpRequest> {
  const headers = Object.fromEntries(request.headers)
  const { search, searchParams } = new URL(request.url)
  const { method } = request
  const stream = streams?.({ method, headers }) ? (request.body ?? undefined) : undefined
  return {
    ...known,
    method,
    query: searchParams,
    search: search.slice(1),
    headers,
    body: stream ? new Uint8Array() : await readBody(request, maxBody + 1),
    stream,
    ...readPeer(headers),
  }
}

/** At most `most` bytes: one more than the endpoint accepts lets it answer 413 in its own format. */
export async function readBody({ body }: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader = body?.getReader()
  for (let size = 0; reader && size < most; ) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  await reader?.cancel()
  return Buffer.concat(chunks).subarray(0, most)
}

export function toResponse({ status, headers, body, stream }: HttpResponse): Response {
  if (stream) return new Response(Readable.toWeb(Readable.from(stream)) as ReadableStream, { status, headers })
  const content = typeof body === 'string' ? body : new Uint8Array(body)
  return new Response(content.length === 0 ? null : content, { status, headers })
}
