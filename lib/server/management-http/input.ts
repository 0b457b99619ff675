// Reads the query and the body of a request as its operation declares them.
import type { HttpRequest } from '../../http/message'
import { DomainError } from '../../kernel/errors'
import { isStorable, type Json, unstorable } from '../../kernel/json'
import { invalidBody, invalidQuery } from '../../management/operations/errors'
import { validBody, validQuery } from '../../management/operations/execute'
import type { Operation } from '../../management/operations/operation'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

export const readQuery = (operation: AnyOperation, { query }: HttpRequest): unknown =>
  validQuery(operation, queryMembers(query))

/** Repeated parameters and `name[0]=…` become lists: the vendor's tools send both. An empty value counts as absent. */
function queryMembers(query: URLSearchParams): Record<string, string | string[]> {
  const members = new Map<string, string[]>()
  for (const [sent, value] of query) {
    if (value === '') continue
    if (!isStorable(value)) throw invalidQuery('Invalid text')
    const name = sent.replace(/\[\d*\]$/, '')
    members.set(name, [...(members.get(name) ?? []), value])
  }
  return Object.fromEntries(
    [...members].map(([name, values]) => {
      const [first = '', ...others] = values
      return [name, others.length === 0 ? first : values]
    }),
  )
}

/** The body as it was sent, and validated; nothing for an operation without one. */
export function readBody(operation: AnyOperation, request: HttpRequest): { body: unknown; sent?: Json } {
  if (!operation.body) return { body: undefined }
  if (request.body.length === 0 && !request.stream && operation.bodyOptional) return { body: undefined }
  const sent = parseJson(request)
  return { body: validBody(operation, sent), sent }
}

function parseJson(request: HttpRequest): Json {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new DomainError('unsupported_media_type', 'Send application/json')
  let body: Json
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch {
    throw invalidBody('The body is not valid JSON')
  }
  const reason = unstorable(body)
  if (reason !== null) throw invalidBody(reason)
  return body
}
