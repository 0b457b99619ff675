// HTTP messages as plain data: the input and output of the adapters, without any Node or Next type.
// - Parameters are strings only. A repeated parameter is refused and an empty one counts as absent (RFC 6749 3.1). A second `resource` has
//   the error of its own specification (RFC 8707 2).
// - Text that PostgreSQL or a header cannot hold is refused here.
import { DomainError, invalidRequest, malformedParameter } from '../kernel/errors'
import { isStorable } from '../kernel/json'
import type { Parameters } from '../kernel/parameters'

export type HttpRequest = {
  /** Correlates log lines; it is no secret. */
  id: string
  method: string
  path: string
  /** Values of the `:name` segments of the endpoint's path. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The query exactly as sent, without the question mark: signatures cover these bytes. */
  search: string
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
  /** The body as it arrives, where the endpoint reads it itself; `body` is empty then. */
  stream?: AsyncIterable<Uint8Array> | undefined
  /** The peer's address, or the address that a trusted proxy reports. */
  ip: string
  /** Of the client's TLS connection, as a trusted proxy states it. */
  fingerprint?: { ja3?: string; ja4?: string }
}

export type HttpResponse = {
  status: number
  headers: [name: string, value: string][]
  body: string | Uint8Array
  /** The body piece by piece, in place of `body`. */
  stream?: AsyncIterable<Uint8Array> | undefined
}

export function respond(status: number, type: string, body: string | Uint8Array): HttpResponse {
  return { status, headers: [['content-type', type]], body }
}

export const json = (value: unknown, status = 200): HttpResponse =>
  respond(status, 'application/json; charset=utf-8', JSON.stringify(value))

export const html = (body: string, status = 200): HttpResponse => respond(status, 'text/html; charset=utf-8', body)

export const text = (body: string, status = 200): HttpResponse => respond(status, 'text/plain; charset=utf-8', body)

export const empty = (status = 204): HttpResponse => ({ status, headers: [], body: '' })

export const isRead = ({ method }: Pick<HttpRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** The caller must have validated `to`; a control character in it is a bug of the caller. */
export function redirect(to: string, status: 302 | 303 = 302): HttpResponse {
  return { status, headers: [['location', /[^\x20-\x7e]/.test(to) ? toAscii(to) : to]], body: '' }
}

/** Headers hold ASCII. Other characters are percent-encoded as a browser does; the rest of the URL stays unchanged. */
function toAscii(url: string): string {
  if (hasControlCharacter(url)) throw new Error('a redirect target holds a control character')
  return url.replace(/[^\x20-\x7e]+/g, encodeURIComponent)
}

export const withHeaders = (response: HttpResponse, ...headers: [string, string][]): HttpResponse => ({
  status: response.status,
  headers: [...response.headers, ...headers],
  body: response.body,
  stream: response.stream,
})

export const hasControlCharacter = (value: string): boolean => {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 0x20 || value.charCodeAt(i) === 0x7f) return true
  return false
}

/** The query parameters of a GET, or the body parameters of a POST. */
export const parametersOf = (request: HttpRequest): Parameters => readParameters(request, refuse)

/** As parametersOf, without the parameters that cannot be read: `unread` has their names, and what is wrong with each. */
export function readableParameters(request: HttpRequest): {
  parameters: Parameters
  unread: ReadonlyMap<string, DomainError>
} {
  const unread = new Map<string, DomainError>()
  const parameters = readParameters(request, (name, problem) => unread.set(name, problem))
  return { parameters, unread }
}

/** Takes a parameter that cannot be read. */
type Unread = (name: string, problem: DomainError) => void

const refuse: Unread = (_name, problem) => {
  throw problem
}

const readParameters = (request: HttpRequest, unread: Unread): Parameters =>
  isRead(request) ? fromPairs(request.query, unread) : fromBody(request, unread)

/** The query parameters and, for a POST, the body parameters, which take precedence. */
export const allParameters = (request: HttpRequest): Parameters =>
  request.method === 'POST' ? { ...fromPairs(request.query), ...bodyParameters(request) } : fromPairs(request.query)

export const queryParameters = (request: HttpRequest): Parameters => fromPairs(request.query)

export const bodyParameters = (request: HttpRequest): Parameters => fromBody(request, refuse)

function fromBody(request: HttpRequest, unread: Unread): Parameters {
  const body = parseBody(request)
  if (body instanceof URLSearchParams) return fromPairs(body, unread)
  const parameters = blank<string>()
  for (const [name, value] of Object.entries(body)) {
    const known = asParameter(name, value)
    if (known instanceof DomainError) unread(name, known)
    else if (known) keep(parameters, name, known, unread)
  }
  return parameters
}

/** The members of a JSON body with their types, or the pairs of a form: for endpoints that pick members by name. */
export function bodyMembers(request: HttpRequest): Readonly<Record<string, unknown>> {
  const body = parseBody(request)
  return body instanceof URLSearchParams ? fromPairs(body) : Object.assign(blank<unknown>(), body)
}

/** Like bodyMembers, for bodies that a form cannot express. */
export function jsonMembers(request: HttpRequest): Readonly<Record<string, unknown>> {
  if (request.body.length > 0 && parseBody(request) instanceof URLSearchParams) {
    throw new DomainError('unsupported_media_type', 'Send application/json')
  }
  return bodyMembers(request)
}

/** A member that must be text, if present. */
export function textMember(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = asParameter(name, members[name])
  if (value instanceof DomainError) throw value
  if (value && !isText(name, value)) throw invalid(name)
  return value || undefined
}

/**
 * A JSON object, or the pairs of a form. Every other content type is refused, so that a simple cross-site request cannot pass
 * for JSON.
 */
export function parseBody(request: HttpRequest): URLSearchParams | Record<string, unknown> {
  if (request.body.length === 0) return new URLSearchParams()
  const type = mediaTypeOf(request.headers['content-type'] ?? '')
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(decode(request.body))
  if (type !== 'application/json') {
    throw new DomainError('unsupported_media_type', 'Send application/json or application/x-www-form-urlencoded')
  }
  return parseJsonObject(decode(request.body))
}

function mediaTypeOf(header: string): string {
  const end = header.indexOf(';')
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
}

function parseJsonObject(source: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw invalidRequest('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object')
  }
  return value as Record<string, unknown>
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw invalidRequest('The body is not valid UTF-8')
  }
}

function fromPairs(pairs: URLSearchParams, unread: Unread = refuse): Parameters {
  const parameters = blank<string>()
  const seen = new Set<string>()
  pairs.forEach((value, name) => {
    if (seen.has(name)) {
      delete parameters[name]
      unread(name, repeated(name))
    } else if (value !== '') keep(parameters, name, value, unread)
    seen.add(name)
  })
  return parameters
}

function keep(parameters: Record<string, string | undefined>, name: string, value: string, unread: Unread): void {
  if (isText(name, value)) parameters[name] = value
  else unread(name, invalid(name))
}

const isText = (name: string, value: string): boolean => isStorable(name) && isStorable(value)

const invalid = (name: string): DomainError => malformedParameter(printable(name))

const repeated = (name: string): DomainError =>
  new DomainError(
    name === 'resource' ? 'invalid_target' : 'invalid_request',
    `Repeated parameter: ${printable(name)}`,
    {
      reason: 'parameter_repeated',
      parameter: printable(name),
    },
  )

/**
 * JSON scalars become strings. `scope` may be an array, as the vendor's clients send it. Other shapes count as absent, or are
 * an error.
 */
function asParameter(name: string, value: unknown): string | undefined | DomainError {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return undefined
  if (name === 'scope' && Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(' ')
  // The answer of an authenticator; a grant reads it as text, as every other parameter.
  if (name === 'authn_response' && typeof value === 'object') return JSON.stringify(value)
  if (name === 'scope') return new DomainError('invalid_scope', 'Scope must be an array or a string')
  return name === 'resource' && Array.isArray(value) ? repeated(name) : invalid(name)
}

const printable = (name: string): string => name.replace(/[^\w.:-]/g, '?').slice(0, 64)

/** No prototype, so `__proto__` and `constructor` are ordinary names. */
const blank = <T>(): Record<string, T | undefined> => Object.create(null) as Record<string, T | undefined>
