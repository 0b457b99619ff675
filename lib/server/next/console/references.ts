// Objects that a form names. With scripts a control sends what was picked; without them, and from other clients, what was typed: an id, or the
// name or address of one object.
import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { metaOf } from '../../../kernel/schema-meta'
import { invalidBody } from '../../../management/operations/errors'
import { say } from '../../../text/console'
import type { SearchedKind } from './field'
import { mayPick, type PickedObject, pickedObject, pickObjects } from './find'
import type { Console } from './page'

const SEARCHED: ReadonlySet<string> = new Set<SearchedKind>([
  'users',
  'applications',
  'apis',
  'roles',
  'organizations',
  'connections',
])

export const isSearchedKind = (name: string): name is SearchedKind => SEARCHED.has(name)

export const searchedKind = (schema: z.ZodType): SearchedKind | undefined => {
  const { picker = '' } = metaOf(schema)
  return isSearchedKind(picker) ? picker : undefined
}

/** Whether a body has members that name objects. */
export function namesObjects(schema: z.ZodType | undefined): boolean {
  const inner = schema && unwrapped(schema)
  if (schema && searchedKind(schema)) return true
  if (inner instanceof z.ZodArray) return namesObjects(inner.element as z.ZodType)
  return inner instanceof z.ZodObject && Object.values(inner.shape as Record<string, z.ZodType>).some(namesObjects)
}

/** The body with the objects that its texts name; refuses a text that names none, or several. `known`: texts that the form showed. */
export async function resolveReferences(
  schema: z.ZodType | undefined,
  body: Json,
  known: ReadonlySet<string>,
  console: Console,
): Promise<Json> {
  const whole = schema && unwrapped(schema)
  if (!(whole instanceof z.ZodObject) || !isJsonObject(body)) return body
  return resolveMembers(whole, body, '', known, console)
}

async function resolveMembers(
  schema: z.ZodObject,
  body: JsonObject,
  prefix: string,
  known: ReadonlySet<string>,
  console: Console,
): Promise<JsonObject> {
  const members = await Promise.all(
    Object.entries(body).map(async ([name, value]): Promise<[string, Json]> => {
      const member = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined
      if (member === undefined) return [name, value]
      const path = `${prefix}${name}`
      const kind = searchedKind(member)
      const inner = unwrapped(member)
      if (kind === undefined) return [name, await resolveWithin(inner, value, path, known, console)]
      if (!mayPick(kind, console)) return [name, value]
      const resolved = (text: Json, place: string) =>
        typeof text !== 'string' || known.has(text) ? text : resolveReference(kind, text, place, console)
      return [
        name,
        Array.isArray(value)
          ? await Promise.all(value.map((each, index) => resolved(each, `${path}.${index}`)))
          : await resolved(value, path),
      ]
    }),
  )
  return Object.fromEntries(members)
}

async function resolveWithin(
  schema: z.ZodType,
  value: Json,
  path: string,
  known: ReadonlySet<string>,
  console: Console,
): Promise<Json> {
  if (schema instanceof z.ZodObject && isJsonObject(value))
    return resolveMembers(schema, value, `${path}.`, known, console)
  const item = schema instanceof z.ZodArray ? unwrapped(schema.element as z.ZodType) : undefined
  return item instanceof z.ZodObject && Array.isArray(value)
    ? Promise.all(value.map((each, index) => resolveWithin(item, each, `${path}.${index}`, known, console)))
    : value
}

/** The value of the one object that a text names, where the role may look for it; an empty text stays. */
export async function resolveReference(
  kind: SearchedKind,
  typed: string,
  path: string,
  console: Console,
): Promise<string> {
  const text = typed.trim()
  if (text === '') return text
  const named = await pickedObject(kind, text, console)
  if (named !== null) return named.value
  const found = await pickObjects(kind, text, console)
  const exact = found.filter(({ value, label, detail }) => [value, label, detail].some((each) => isSame(each, text)))
  const [only, ...more] = exact
  if (only && more.length === 0) return only.value
  const candidates = exact.length > 0 ? exact : found
  const message =
    candidates.length === 0
      ? say('pick.unknown', { text })
      : say('pick.which', { text, candidates: candidates.map(describe).join('; ') })
  throw invalidBody({ path, message })
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const describe = ({ value, label, detail }: PickedObject): string =>
  [label, ...new Set([detail, value])].filter((each) => each !== '').join(', ')
