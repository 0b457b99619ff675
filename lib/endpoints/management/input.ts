// Reads the query and the body of a request as its operation declares them.
import type * as z from 'zod'
import type { HttpRequest } from '../../http/message'
import { DomainError } from '../../kernel/errors'
import { isStorable } from '../../kernel/json'
import { invalidBody, invalidQuery, problemOf } from '../../management/errors'
import type { Operation } from '../../management/operation'

const MAX_DEPTH = 50

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

export function readQuery({ query: schema }: AnyOperation, { query }: HttpRequest): unknown {
  if (!schema) return {}
  const parsed = schema.safeParse(queryMembers(query), { reportInput: true })
  if (!parsed.success) throw invalidQuery(problemOf(parsed.error))
  return parsed.data
}

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
    [...members].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  )
}

const MAX_BODY = 1024 * 1024

export async function readBody(operation: AnyOperation, request: HttpRequest): Promise<unknown> {
  if (request.body.length > (operation.maxBody ?? MAX_BODY))
    throw new DomainError('payload_too_large', 'The body is too large')
  if (!operation.body) return undefined
  if (request.body.length === 0 && operation.bodyOptional) return undefined
  const body = operation.form ? await parseForm(request) : parseJson(request)
  const parsed = (operation.body as z.ZodType).safeParse(body, { reportInput: true })
  if (!parsed.success) throw invalidBody(problemOf(parsed.error))
  return parsed.data
}

/** RFC 7578: texts, and files as bytes. The platform's own reader takes the form apart. */
async function parseForm(request: HttpRequest): Promise<Record<string, string | Uint8Array>> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new DomainError('unsupported_media_type', 'Send multipart/form-data')
  const form = await new Response(new Uint8Array(request.body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw invalidBody('The body is not a valid form')
    })
  const members: Record<string, string | Uint8Array> = {}
  for (const [name, value] of form) {
    if (Object.hasOwn(members, name)) throw invalidBody('A field occurs twice')
    if (typeof value === 'string' && !isStorable(value))
      throw invalidBody('A text holds a character that cannot be stored')
    if (name === '__proto__') throw invalidBody('A property has a name that cannot be stored')
    members[name] = typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())
  }
  return members
}

function parseJson(request: HttpRequest): unknown {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new DomainError('unsupported_media_type', 'Send application/json')
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch {
    throw invalidBody('The body is not valid JSON')
  }
  checkStorable(body, 0)
  return body
}

/** Every text can be stored, no object has a `__proto__` of its own, and the nesting is bounded. */
function checkStorable(value: unknown, depth: number): void {
  if (typeof value === 'string' && !isStorable(value))
    throw invalidBody('A text holds a character that cannot be stored')
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw invalidBody('The body is nested too deeply')
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || !isStorable(name)) throw invalidBody('A property has a name that cannot be stored')
    checkStorable(member, depth + 1)
  }
}
