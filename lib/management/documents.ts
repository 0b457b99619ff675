// Configuration objects that are one value each: a theme, a custom text, an e-mail template.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../kernel/json'
import { invalidBody } from './errors'
import { windowOf } from './list'
import type { ResourceStore } from './resource'

/** Which resource a document belongs to. */
export type DocumentKind =
  | 'theme'
  | 'custom-text'
  | 'email-template'
  | 'phone-template'
  | 'rule'
  | 'rules-config'
  | 'action-module'
  | 'hook'

export type Document = { id: string; body: JsonObject }

export type DocumentStore = {
  find(kind: DocumentKind, id: string): Promise<JsonObject | null>
  list(kind: DocumentKind): Promise<Document[]>
  /**
   * Changes a document under a lock; `alter` gets null for an absent one, and returns null to remove it.
   * `list` has all of its kind as they are under that lock.
   */
  change(
    kind: DocumentKind,
    id: string,
    alter: (
      before: JsonObject | null,
      list: () => Promise<Document[]>,
    ) => JsonObject | null | Promise<JsonObject | null>,
    at: Date,
  ): Promise<{ before: JsonObject | null; after: JsonObject | null }>
}

export type DocumentDeps = { clock: { now(): Date }; documents: DocumentStore }

type Named<Row, Filter> = {
  kind: DocumentKind
  /** Null for a document that this version cannot read. */
  rowOf(document: Document): Row | null
  bodyOf(row: Row): JsonObject
  /** The order of the list. */
  before(one: Row, other: Row): boolean
  fits(filter: Filter, row: Row): boolean
  /** Throws for a row that cannot be kept beside the others. */
  check(row: Row, others: readonly Row[]): void
  /** Makes ready what these rows need and those before did not; null, or why it is not there. */
  prepare?(rows: readonly Row[], before: readonly Row[]): Promise<string | null>
}

/** A removed document has no time. */
const REMOVED = new Date(0)

/** A resource of few rows with unique names. What a row is checked against are the others under the lock of its change. */
export function namedDocuments<Row extends { id: string; name: string }, Filter>(
  documents: DocumentStore,
  { kind, rowOf, bodyOf, before, fits, check, prepare = async () => null }: Named<Row, Filter>,
): ResourceStore<Row, Filter> {
  const rowsOf = (list: readonly Document[]): Row[] =>
    list.flatMap((document) => rowOf(document) ?? []).sort((one, other) => (before(one, other) ? -1 : 1))
  const all = async (): Promise<Row[]> => rowsOf(await documents.list(kind))
  const prepared = async (row: Row, rows: readonly Row[]): Promise<void> => {
    const others = without(rows, row.id)
    check(row, others)
    const why = await prepare([...others, row], rows)
    if (why !== null) throw invalidBody(why)
  }
  /** Null where another has its name. */
  const checked = async (row: Row, list: () => Promise<Document[]>): Promise<JsonObject | null> => {
    const others = without(rowsOf(await list()), row.id)
    if (others.some(({ name }) => name === row.name)) return null
    check(row, others)
    return bodyOf(row)
  }
  return {
    async find(id) {
      const body = await documents.find(kind, id)
      return body && rowOf({ id, body })
    },
    async list(filter, window) {
      const rows = (await all()).filter((row) => fits(filter, row))
      return windowOf(rows, window, ({ id }) => id)
    },
    async insert(row, at) {
      const rows = await all()
      if (rows.some(({ name }) => name === row.name)) return false
      await prepared(row, rows)
      const { after } = await documents.change(kind, row.id, (_, list) => checked(row, list), at)
      return after !== null
    },
    async change(id, alter, at) {
      const body = await documents.find(kind, id)
      const found = body && rowOf({ id, body })
      if (!found) return null
      const after = await alter(found)
      const rows = await all()
      if (without(rows, id).some(({ name }) => name === after.name)) return 'taken'
      await prepared(after, rows)
      let outcome = 'changed' as 'changed' | 'stale' | 'taken'
      const written = async (current: JsonObject | null, list: () => Promise<Document[]>) => {
        const isStale = !isDeepStrictEqual(current, body)
        const next = isStale ? null : await checked(after, list)
        if (next === null) outcome = isStale ? 'stale' : 'taken'
        return next ?? current
      }
      await documents.change(kind, id, written, at)
      if (outcome === 'stale') return this.change(id, alter, at)
      return outcome === 'taken' ? 'taken' : { before: found, after }
    },
    async remove(id, mayRemove) {
      const row = await this.find(id)
      if (!row) return null
      await mayRemove(row)
      const rows = await all()
      await prepare(without(rows, id), rows)
      await documents.change(kind, id, () => null, REMOVED)
      return row
    },
  }
}

const without = <Row extends { id: string }>(rows: readonly Row[], id: string): Row[] =>
  rows.filter((row) => row.id !== id)
