// Configuration objects that are one value each: a theme, a custom text, an e-mail template.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../kernel/json'
import { type Invalid, invalidBody } from './errors'
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
   * Changes a document under a lock; `alter` gets null for an absent one, and returns null to remove it, or what it got to leave it.
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
  prepare?(rows: readonly Row[], before: readonly Row[]): Promise<Invalid | null>
}

/** A removed document has no time. */
const REMOVED = new Date(0)

/**
 * A resource of few rows with unique names. A row is checked against the others, and prepared with them, before the lock of its change: where they are
 * not the same under it, another request changed one meanwhile, and all of it is done again.
 */
export function namedDocuments<Row extends { id: string; name: string }, Filter>(
  documents: DocumentStore,
  { kind, rowOf, bodyOf, before, fits, check, prepare = async () => null }: Named<Row, Filter>,
): ResourceStore<Row, Filter> {
  const rowsOf = (list: readonly Document[]): Row[] =>
    list.flatMap((document) => rowOf(document) ?? []).sort((one, other) => (before(one, other) ? -1 : 1))
  const prepared = async (rows: readonly Row[], known: readonly Document[]): Promise<void> => {
    const why = await prepare(rows, rowsOf(known))
    if (why !== null) throw invalidBody(why)
  }
  /** False where another has its name. */
  const isReady = async (row: Row, known: readonly Document[]): Promise<boolean> => {
    const others = without(rowsOf(known), row.id)
    if (others.some(({ name }) => name === row.name)) return false
    check(row, others)
    await prepared([...others, row], known)
    return true
  }
  /** False where the documents are not those that are known. */
  const write = async (
    id: string,
    after: JsonObject | null,
    known: readonly Document[],
    at: Date,
  ): Promise<boolean> => {
    let isCurrent = false
    const written = async (current: JsonObject | null, list: () => Promise<Document[]>) => {
      isCurrent = isDeepStrictEqual(await list(), known)
      return isCurrent ? after : current
    }
    await documents.change(kind, id, written, at)
    return isCurrent
  }
  return {
    async find(id) {
      const body = await documents.find(kind, id)
      return body && rowOf({ id, body })
    },
    async list(filter, window) {
      const rows = rowsOf(await documents.list(kind)).filter((row) => fits(filter, row))
      return windowOf(rows, window, ({ id }) => id)
    },
    async insert(row, at) {
      for (;;) {
        const known = await documents.list(kind)
        if (!(await isReady(row, known))) return false
        if (await write(row.id, bodyOf(row), known, at)) return true
      }
    },
    async change(id, alter, at) {
      for (;;) {
        const known = await documents.list(kind)
        const found = rowsOf(known).find((row) => row.id === id)
        if (!found) return null
        const after = await alter(found)
        if (!(await isReady(after, known))) return 'taken'
        if (await write(id, bodyOf(after), known, at)) return { before: found, after }
      }
    },
    async remove(id, mayRemove) {
      for (;;) {
        const known = await documents.list(kind)
        const rows = rowsOf(known)
        const row = rows.find((each) => each.id === id)
        if (!row) return null
        await mayRemove(row)
        await prepared(without(rows, id), known)
        if (await write(id, null, known, REMOVED)) return row
      }
    },
  }
}

const without = <Row extends { id: string }>(rows: readonly Row[], id: string): Row[] =>
  rows.filter((row) => row.id !== id)
