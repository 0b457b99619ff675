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
  /** Changes a document under a lock; `alter` gets null for an absent one, and returns null to remove it. */
  change(
    kind: DocumentKind,
    id: string,
    alter: (before: JsonObject | null) => JsonObject | null,
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

/** A resource of few rows with unique names. Two requests at one moment may give two rows the same name. */
export function namedDocuments<Row extends { id: string; name: string }, Filter>(
  documents: DocumentStore,
  { kind, rowOf, bodyOf, before, fits, check, prepare = async () => null }: Named<Row, Filter>,
): ResourceStore<Row, Filter> {
  const all = async (): Promise<Row[]> =>
    (await documents.list(kind))
      .flatMap((document) => rowOf(document) ?? [])
      .sort((one, other) => (before(one, other) ? -1 : 1))
  const checked = (row: Row, others: readonly Row[]): JsonObject => {
    check(row, others)
    return bodyOf(row)
  }
  const prepared = async (row: Row, others: readonly Row[], before: readonly Row[]): Promise<void> => {
    check(row, others)
    const why = await prepare([...others, row], before)
    if (why !== null) throw invalidBody(why)
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
      const others = await all()
      if (others.some(({ name }) => name === row.name)) return false
      await prepared(row, others, others)
      await documents.change(kind, row.id, () => checked(row, others), at)
      return true
    },
    async change(id, alter, at) {
      const body = await documents.find(kind, id)
      const found = body && rowOf({ id, body })
      if (!found) return null
      const after = await alter(found)
      const others = (await all()).filter((other) => other.id !== id)
      if (others.some(({ name }) => name === after.name)) return 'taken'
      await prepared(after, others, [...others, found])
      let isStale = false
      const written = (current: JsonObject | null): JsonObject | null => {
        isStale = current !== null && !isDeepStrictEqual(current, body)
        return isStale ? current : current && checked(after, others)
      }
      await documents.change(kind, id, written, at)
      return isStale ? this.change(id, alter, at) : { before: found, after }
    },
    async remove(id, mayRemove) {
      const row = await this.find(id)
      if (!row) return null
      await mayRemove(row)
      const others = (await all()).filter((other) => other.id !== id)
      await prepare(others, [...others, row])
      await documents.change(kind, id, () => null, REMOVED)
      return row
    },
  }
}
