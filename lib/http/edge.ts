// The edge: what the request line and the headers of a request decide before a router or a framework reads them (threat-model.md
// BF5, BF12, BF23, HT1). A framework answers a path that it cannot decode, a method that it does not know or a form of another
// origin with a 500, or without our headers. So both adapters ask `judge` first, and answer refusals by lib/server/endpoints/refusals.ts.
// - Endpoints judge methods and sources in their own format (endpoint.ts). Pages of a framework do not, so each has a gate.
import { type HttpRequest, hasControlCharacter } from './message'
import { foreignPost, type PostSource } from './post-source'
import { originForm, pathOf } from './target'

export type Arriving = {
  method: string
  /** Of the request line. */
  target: string
  headers: HttpRequest['headers']
}

/** What may enter at a path. */
export type Gate = {
  /** `GET` means `HEAD` as well. */
  methods: readonly string[]
  posts?: PostSource
  /** Whether the framework can read the headers. */
  reads?(headers: HttpRequest['headers']): boolean
}

/** `path`: it is no UTF-8 in percent-encoding. */
export type EdgeRefusal = 'path' | 'method' | 'origin' | 'headers'

export type EdgeVerdict = {
  /** Path and query. */
  target: string
  refused: EdgeRefusal | null
}

/** `appUrl` is the public URL of the server. */
export function checkRequestHead(
  { method, target: requested, headers }: Arriving,
  gateOf: (path: string) => Gate | undefined,
  appUrl: string,
): EdgeVerdict {
  const target = originForm(requested, headers.host)
  const path = pathOf(target)
  return { target, refused: isDecodable(path) ? refusalAt(gateOf(path), method, headers, appUrl) : 'path' }
}

function refusalAt(
  gate: Gate | undefined,
  method: string,
  headers: HttpRequest['headers'],
  appUrl: string,
): EdgeRefusal | null {
  if (!gate) return null
  if (!gate.methods.includes(method === 'HEAD' ? 'GET' : method)) return 'method'
  if (gate.posts && foreignPost(gate.posts, { method, headers }, ownOrigin(headers, appUrl))) return 'origin'
  return gate.reads?.(headers) === false ? 'headers' : null
}

/** Control characters have no place in a path: servers behind this one, and logs, read them differently. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    return !hasControlCharacter(decodeURIComponent(path))
  } catch {
    return false
  }
}

/** The origin of this server's pages: of `appUrl`, or of the requested host, which may be a custom domain. */
export function ownOrigin({ host = '', origin }: HttpRequest['headers'], appUrl: string): string {
  const own = new URL(appUrl)
  const requested = `${own.protocol}//${host}`
  const isHost = /^[\w.:[\]-]+$/.test(host) && URL.canParse(requested)
  return origin === own.origin || !isHost ? own.origin : new URL(requested).origin
}

/**
 * Headers for the framework, which compares the Origin of a post with the host by rules of its own: both are replaced by the
 * origin that was judged.
 */
export function judgedHeaders(headers: HttpRequest['headers'], appUrl: string): Record<string, string> {
  const own = ownOrigin(headers, appUrl)
  return { ...(headers.origin === undefined ? {} : { origin: own }), 'x-forwarded-host': new URL(own).host }
}
