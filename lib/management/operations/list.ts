// Lists of the Management API: what part of a list a query asks for, and the vendor's shapes of the answer.
// - `page` and `per_page` alone: an array. With `include_totals`: an object with the position and the exact total.
// - `take` or `from` (checkpoint): an object with `next`, which is absent at the end. Mixed queries get this shape.
// - Lists of actions are always an object, without `total` on a page that has no entries.
import * as z from 'zod'
import { isStorable, type Json, type JsonObject } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { invalidQuery } from './errors'

export const MAX_PAGE = 100
const DEFAULT_PAGE = 50

/** A whole number in a query. */
export const count = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

export const pageQuery = {
  page: count(1_000_000_000).optional().meta({ description: 'Number of the page, from 0' }),
  per_page: count(MAX_PAGE).optional().meta({ description: 'Entries on a page' }),
  include_totals: flag.optional().meta({ description: 'Answer an object with the total' }),
}

export const checkpointQuery = {
  from: z.string().max(2000).optional().meta({ description: 'The `next` of the answer before' }),
  take: count(MAX_PAGE).optional().meta({ description: 'Entries in the answer' }),
}

export const fieldsQuery = {
  fields: z.string().max(4000).optional().meta({ description: 'Names of members, with commas' }),
  include_fields: flag.optional().meta({ description: 'Whether these members are shown or left out' }),
}

export type ListQuery = {
  page?: number | undefined
  per_page?: number | undefined
  include_totals?: boolean | undefined
  from?: string | undefined
  take?: number | undefined
}

/**
 * A part of a list: by position, or after an entry in the order of ids. `counted`: the total is asked for, which counts all that is
 * found; without it, the total of a long list is 0.
 */
export type Window = { offset: number; limit: number; counted?: boolean } | { after: string | null; limit: number }

/** All that one object has of something. */
export const WHOLE: Window = { offset: 0, limit: 100_000 }

export type Page<Row> = { rows: Row[]; total: number }

type List<Row> = {
  /** The member that holds the entries. */
  key: string
  checkpoint?: boolean
  load(window: Window): Promise<Page<Row>>
  present(row: Row): Json | Promise<Json>
  id(row: Row): string
}

/** The answer to a list request, in the shape that its query asks for. */
export async function answerList<Row>(query: ListQuery, list: List<Row>): Promise<Json> {
  const { key, checkpoint = false } = list
  const isCheckpoint = checkpoint && (query.from !== undefined || query.take !== undefined)
  const place = pageOf(query).window
  const limit = isCheckpoint ? (query.take ?? DEFAULT_PAGE) : place.limit
  const position = { ...place, counted: query.include_totals === true }
  const { rows, total } = await list.load(isCheckpoint ? { after: afterOf(query.from), limit } : position)
  const entries = await mapBounded(rows, async (row) => list.present(row))
  if (isCheckpoint) {
    const last = rows.length === limit ? rows.at(-1) : undefined
    return { [key]: entries, ...(last === undefined ? {} : { next: Buffer.from(list.id(last)).toString('base64url') }) }
  }
  if (!query.include_totals) return entries
  return { start: place.offset, limit, length: entries.length, total, [key]: entries }
}

/** The `next` of an answer that a checkpoint asks for. */
export const nextShape = { next: z.string().optional() }

/** The members of a list of actions beside its entries. */
export const pagedShape = { total: z.number().optional(), page: z.number(), per_page: z.number() }

type Paging = { page?: number | undefined; per_page?: number | undefined }

/** The place of a page. */
export function pageOf({ page = 0, per_page = DEFAULT_PAGE }: Paging) {
  return { page, per_page, window: { offset: page * per_page, limit: per_page } }
}

/** A list of actions. The vendor's Terraform provider reads pages until one has no `total`. */
export function pagedObject(key: string, query: Paging, { rows, total }: Page<Json>): JsonObject {
  const { page, per_page } = pageOf(query)
  return { [key]: rows, ...(rows.length > 0 && { total }), page, per_page }
}

const afterOf = (from: string | undefined): string | null => {
  if (from === undefined || from === '') return null
  const plain = Buffer.from(from, 'base64url').toString('utf8')
  if (plain === '' || !isStorable(plain) || Buffer.from(plain).toString('base64url') !== from)
    throw invalidQuery('from is not the next of an answer')
  return plain
}

/** A window of rows that are all in memory, in the order of the list; `idOf` orders them for a checkpoint. */
export function windowOf<Row>(rows: readonly Row[], window: Window, idOf: (row: Row) => string): Page<Row> {
  if ('offset' in window) return { rows: rows.slice(window.offset, window.offset + window.limit), total: rows.length }
  const { after } = window
  const ordered = [...rows].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const later = after === null ? ordered : ordered.filter((row) => idOf(row) > after)
  return { rows: later.slice(0, window.limit), total: rows.length }
}

export type FieldsQuery = { fields?: string | undefined; include_fields?: boolean | undefined }

/** The members that the query wants; `always` are shown whatever it says. */
export function selectFields(
  value: JsonObject,
  { fields, include_fields = true }: FieldsQuery,
  always: readonly string[] = [],
): JsonObject {
  if (fields === undefined || fields === '') return value
  const named = new Set(fields.split(',').map((name) => name.trim()))
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => always.includes(name) || named.has(name) === include_fields),
  )
}
