// Every successful answer of the Management API in an endpoint test must be as its operation says: it has no other members, and none of
// another type.
import * as z from 'zod'
import { accessTokenIn } from '../http/headers'
import type { HttpRequest, HttpResponse } from '../http/message'
import { isJsonObject } from '../kernel/json'
import { lazy } from '../kernel/lazy'
import { unwrapped } from '../kernel/schema'
import { checkpointQuery, nextShape } from '../management/operations/list'
import type { Operation } from '../management/operations/operation'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

/** Loaded with the first call: most tests make none. */
const loadRouter = lazy(async () => (await import('../management/router')).createOperationRouter())

type Schemas = { whole: z.ZodType; part: z.ZodType }

const schemas = new Map<AnyOperation, Schemas>()

export async function checkManagedAnswer(request: HttpRequest, { status, body }: HttpResponse): Promise<void> {
  if (![200, 201, 202].includes(status) || request.method === 'HEAD') return
  const route = await loadRouter()
  const found = route(request.method, request.path)
  if (found === null || found === 'method') return
  const { operation } = found
  const made = schemas.get(operation) ?? schemasOf(operation)
  schemas.set(operation, made)
  const schema = showsPart(operation, request) ? made.part : made.whole
  const value: unknown = JSON.parse(String(body))
  const read = schema.safeParse(value)
  const fault = read.success
    ? unlisted(schema, value, status === 201 ? namesIn(request) : null).join(', ')
    : z.prettifyError(read.error)
  if (fault !== '') throw new Error(`the answer to ${operation.name} is not as described: ${fault}\n${String(body)}`)
}

function schemasOf({ name, answer, list, query }: AnyOperation): Schemas {
  if (!answer) throw new Error(`${name} does not say what it answers`)
  const all = (schema: z.ZodType) => (list && schema instanceof z.ZodArray ? shapesOf(list, schema, query) : schema)
  return { whole: all(answer), part: all(partOf(answer)) }
}

const TOTALS = { start: z.number(), limit: z.number(), length: z.number(), total: z.number() }

/** The shapes of a list that a query may choose. */
const shapesOf = (key: string, entries: z.ZodArray, query: z.ZodObject | undefined): z.ZodType =>
  z.union([
    entries,
    z.object({ ...TOTALS, [key]: entries }),
    ...(query?.shape.take === checkpointQuery.take ? [z.object({ [key]: entries, ...nextShape })] : []),
  ])

/** `fields` and an alternative scope choose members. */
function showsPart({ scopes }: AnyOperation, request: HttpRequest): boolean {
  if (request.query.has('fields')) return true
  const payload = accessTokenIn(request)?.token.split('.')[1] ?? ''
  const { scope } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { scope?: string }
  const held = scope?.split(' ') ?? []
  return !scopes.some((rule) => typeof rule === 'string' && held.includes(rule))
}

/** The schema of an answer that leaves members out. */
function partOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(partOf(schema.element as z.ZodType))
  if (!(schema instanceof z.ZodObject)) return schema
  const members = Object.entries(schema.shape as Record<string, z.ZodType>)
  const part = z.object(Object.fromEntries(members.map(([name, member]) => [name, partOf(member).optional()])))
  return isOpen(schema) ? part.loose() : part
}

/** The names of all members of the body. */
function namesIn({ body }: HttpRequest): ReadonlySet<string> {
  const names = new Set<string>()
  if (body.length > 0) JSON.parse(Buffer.from(body).toString(), (name, value) => names.add(name) && value)
  return names
}

const isOpen = ({ def: { catchall } }: z.ZodObject): boolean => catchall !== undefined

/**
 * The paths of the members that the schema does not list. An object that shows other members too (kernel/schema.ts) has those that the
 * body had which made it: `sent`, null where other requests may have brought them.
 */
function unlisted(
  schema: z.ZodType,
  value: unknown,
  sent: ReadonlySet<string> | null,
  path: string[] = [],
  open = false,
): string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodUnion) {
    const options = (inner.options as z.ZodType[]).filter((option) => option.safeParse(value).success)
    const each = options.map((option) => unlisted(option, value, sent, path, open))
    return each.sort((one, other) => one.length - other.length)[0] ?? []
  }
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, n) => unlisted(inner.element as z.ZodType, item, sent, [...path, String(n)], open))
  if (!isJsonObject(value)) return []
  if (inner instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([name, member]) =>
      unlisted(inner.valueType as z.ZodType, member, sent, [...path, name], open),
    )
  // An object of which no member is listed is a map.
  if (!(inner instanceof z.ZodObject) || (isOpen(inner) && Object.keys(inner.shape).length === 0)) return []
  const mayHaveOthers = open || isOpen(inner)
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, name]
    if (Object.hasOwn(inner.shape, name))
      return unlisted(inner.shape[name] as z.ZodType, member, sent, place, mayHaveOthers)
    return mayHaveOthers && (sent?.has(name) ?? true) ? [] : [place.join('.')]
  })
}
