// The stores of the operations over the rows of a plan's working copy. Each write is noted with the same on the database. A section copies
// what it brings: `copiedRows` and `copiedOne` make the copy of what has nothing special.
import type { Document, DocumentKind, DocumentStore } from '../operations/documents'
import type { Window } from '../operations/list'
import type { ResourceStore } from '../operations/resource'
import type { TenantRecord, TenantRecordStore } from '../operations/singleton'
import type { Copy, PlanContext } from './context'
import { type Configuration, type Copied, type DocumentRow, type FileStores, newTenant } from './model'

/** All of a tenant, which may be more than one object has of anything (`WHOLE`). */
const EVERY: Window = { offset: 0, limit: 2 ** 31 - 1 }

type RowIn<Name extends keyof Copied> = Copied[Name]['rows'] extends readonly (infer Row)[] ? Row & object : never
type StoreIn<Name extends keyof Copied> = Copied[Name]['stores'][keyof Copied[Name]['stores']]
/** The stores of a member that are of this kind. */
type StoreOf<Name extends keyof Copied, Kind> = keyof FileStores &
  keyof { [Store in keyof Copied[Name]['stores'] as Copied[Name]['stores'][Store] extends Kind ? Store : never]: Kind }

type Keys<Row> = {
  /** The member `id`, if nothing else is said. */
  hasId?(row: Row, id: string): boolean
  /** No two rows have the same. */
  nameOf(row: Row): string
}

/** The rows of a resource, which the list of its store reads. */
export const copiedRows = <Name extends keyof Copied>(
  name: Name,
  {
    store,
    isSorted = false,
    more = () => ({}),
    ...keys
  }: Keys<RowIn<Name>> & {
    store: StoreOf<Name, Pick<ResourceStore<RowIn<Name>>, 'list' | 'insert' | 'change'>>
    /** By their names, where their list has another order. */
    isSorted?: boolean
    /** What the operations of a file call beside the five of every resource. */
    more?(context: PlanContext): Partial<StoreIn<Name>>
  },
): Copy => ({
  name,
  none: [],
  async read(stores) {
    const { rows } = await rowsOf<RowIn<Name>>(stores, store).list({}, EVERY)
    return (isSorted ? rows.toSorted((a, b) => (keys.nameOf(a) < keys.nameOf(b) ? -1 : 1)) : rows) as never
  },
  stores: (context) => ({
    [store]: {
      ...rowsIn<RowIn<Name>>(context, name, (stores) => rowsOf<RowIn<Name>>(stores, store), keys),
      ...more(context),
    },
  }),
})

/** What a tenant has one of at most. */
export const copiedOne = <Name extends keyof Copied>(name: Name, store: StoreOf<Name, OneStore<One<Name>>>): Copy => ({
  name,
  none: null,
  read: (stores) => oneOf<One<Name>>(stores, store).find() as Promise<never>,
  stores: (context) => ({
    [store]: oneIn<One<Name>>(
      context,
      name,
      () => context.stored[name] as One<Name>,
      (stores) => oneOf<One<Name>>(stores, store),
    ),
  }),
})

type One<Name extends keyof Copied> = Copied[Name]['rows'] & (object | null)

// One cast each: `StoreOf` holds that the store has these rows.
const rowsOf = <Each>(stores: FileStores, name: keyof FileStores) => stores[name] as unknown as ResourceStore<Each>
const oneOf = <Each>(stores: FileStores, name: keyof FileStores) => stores[name] as unknown as OneStore<Each>

/** All that the sections copy, and what several of them write. */
export const storesOf = (context: PlanContext): Omit<FileStores, 'createTenant' | 'keepBundle'> => ({
  ...(Object.assign({}, ...context.copies.map(({ stores }) => stores(context))) as FileStores),
  tenantRecord: tenantRecordOf(context),
  documents: documentsOf(context),
})

function tenantRecordOf(context: PlanContext): TenantRecordStore {
  const find = () => context.stored.tenant ?? newTenant(context.tenantId)
  const { find: read, change } = oneIn<TenantRecord>(context, 'tenant', find, ({ tenantRecord }) => tenantRecord)
  return { read, change }
}

function documentsOf({ stored, writes }: PlanContext): DocumentStore {
  const isThis = (kind: DocumentKind, id: string) => (row: DocumentRow) => row.kind === kind && row.id === id
  const list = (kind: DocumentKind): Document[] =>
    stored.documents.filter((row) => row.kind === kind).map(({ id, body }) => ({ id, body }))
  return {
    find: async (kind, id) => stored.documents.find(isThis(kind, id))?.body ?? null,
    list: async (kind) => list(kind),
    async change(kind, id, alter) {
      const before = stored.documents.find(isThis(kind, id))
      const body = await alter(before?.body ?? null, async () => list(kind))
      if (body === null || body === before?.body) return { before: before?.body ?? null, after: body }
      const row = { kind, id, body }
      stored.documents = [...stored.documents.filter((each) => each !== before), row]
      writes.push({ table: 'documents', row, run: ({ documents }, at) => documents.change(kind, id, () => body, at) })
      return { before: before?.body ?? null, after: body }
    },
  }
}

type OneStore<Each> = {
  find(): Promise<Each>
  change(alter: (before: Each) => Each, at: Date): Promise<{ before: Each; after: Each }>
}

const oneIn = <Each extends object | null>(
  { stored, writes }: PlanContext,
  table: keyof Copied,
  find: () => Each,
  on: (stores: FileStores) => Pick<OneStore<Each>, 'change'>,
): OneStore<Each> => ({
  find: async () => find(),
  async change(alter) {
    const before = find()
    const after = alter(before)
    if (after !== null) {
      Object.assign(stored, { [table]: after })
      writes.push({ table, row: after, run: (stores, at) => on(stores).change(() => after, at) })
    }
    return { before, after }
  },
})

/**
 * Rows of the working copy as the store of a resource. A file removes no object.
 * @param on the store on the database
 * @param listed the row as the configuration has it
 */
export function rowsIn<Each extends object, Listed extends Each = Each>(
  { stored, writes }: PlanContext,
  table: keyof Copied,
  on: (stores: FileStores) => Pick<ResourceStore<Each>, 'insert' | 'change'>,
  {
    hasId = isId,
    nameOf,
    listed = (row) => row as Listed,
  }: Keys<Each> & { listed?(row: Each, before?: Listed): Listed },
): ResourceStore<Each> {
  const list = () => stored[table] as unknown as readonly Listed[]
  const replace = (rows: Listed[]): Configuration => Object.assign(stored, { [table]: rows })
  const isTaken = (row: Each, before?: Listed): boolean =>
    list().some((each) => each !== before && nameOf(each) === nameOf(row))
  return onlyThese<ResourceStore<Each>>({
    find: async (id) => list().find((row) => hasId(row, id)) ?? null,
    list: async () => ({ rows: [...list()], total: list().length }),
    async insert(row) {
      if (isTaken(row)) return false
      replace([...list(), listed(row)])
      writes.push({ table, row, run: async (stores, at) => demand(await on(stores).insert(row, at)) })
      return true
    },
    async change(id, alter) {
      const before = list().find((row) => hasId(row, id))
      if (!before) return null
      const after = await alter(before)
      if (isTaken(after, before)) return 'taken'
      replace(list().map((each) => (each === before ? listed(after, before) : each)))
      writes.push({
        table,
        row: after,
        run: async (stores, at) => demand(await on(stores).change(id, () => after, at)),
      })
      return { before, after }
    },
  })
}

const isId = (row: object, id: string): boolean => 'id' in row && row.id === id

/** What no operation of a file calls is left out. */
export const onlyThese = <Store>(methods: Partial<Store>): Store => methods as Store

export function demand(done: unknown): void {
  if (done === false || done === null || done === 'taken')
    throw new Error('The tenant was changed while the file was applied: apply it again')
}
