// What a list of the console is: an operation, the query that an address means, its columns, filters and actions. Its page and its CSV
// (app/console/export) are made of the same definition.
import type { ReactNode } from 'react'
import type { Reference } from '../../../lib/management/console-call'
import { readColumns } from '../../../lib/server/next/console/columns'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { List, PER_PAGE, pageIn } from './list'
import type { BulkAction } from './selection'

export type Requested = Readonly<Record<string, string | undefined>>

export type Column<Row> = {
  title: string
  cell(row: Row): ReactNode
  /** The field of the operation's `sort`. */
  sort?: string
  /** Shown to those who choose it. */
  optional?: boolean
}

export type Filter = {
  /** The parameter of the address. */
  name: string
  label: string
  /** Undefined where there are too many: then the value is typed. */
  options(console: Console): Promise<readonly { value: string; label: string }[] | undefined>
}

export type Listing<Row> = {
  /** Of its folder below /console. */
  name: string
  operation: Reference
  query?(requested: Requested, now: Date): Requested
  search?: { label: string; hint?: string }
  filters?: readonly Filter[]
  /** Of a list without an order of the reader: `created_at:-1`. */
  order?(requested: Requested): string | undefined
  /** The entries that the operation reaches by pages. */
  reach?: number
  /** Whether the operation counts all entries without a walk through them. */
  counts?(requested: Requested): boolean
  columns: readonly Column<Row>[]
  id(row: Row): string
  label(row: Row): string
  href?(row: Row): string
  empty: string
  bulk?(console: Console): Promise<readonly BulkAction[]> | readonly BulkAction[]
}

/** The order that an address names, if the list has it. */
export function orderIn<Row>({ columns, order }: Listing<Row>, requested: Requested): string | undefined {
  const [, field] = /^(\w+):-?1$/.exec(requested.sort ?? '') ?? []
  const isKnown = field !== undefined && columns.some(({ sort }) => sort === field)
  return isKnown ? requested.sort : order?.(requested)
}

/** The parameters of the operation, without those of a page. */
export const operationQuery = <Row,>(listing: Listing<Row>, requested: Requested, now: Date): Requested => ({
  ...listing.query?.(requested, now),
  ...(listing.columns.some(({ sort }) => sort) && { sort: orderIn(listing, requested) }),
})

/** The columns that a person has chosen, or those that all see first. */
export function shownColumns<Row>(
  { columns }: Pick<Listing<Row>, 'columns'>,
  chosen: ReadonlySet<string> | null,
): readonly Column<Row>[] {
  const [first, ...others] = columns
  const more = others.filter(({ title, optional }) => (chosen === null ? !optional : chosen.has(title)))
  return first ? [first, ...more] : []
}

type Props<Row> = { listing: Listing<Row>; console: Console; requested: Requested; action?: ReactNode }

export async function Listed<Row>({ listing, console, requested, action }: Props<Row>) {
  const { name, filters = [], columns, reach, counts = () => true, bulk } = listing
  const last = reach === undefined ? Number.POSITIVE_INFINITY : reach / PER_PAGE - 1
  const page = Math.min(pageIn({ page: requested.page ?? '' }), last)
  const [{ rows, total, more }, chosen, offered, actions] = await Promise.all([
    readPage(listing, console, requested, { page, last, isCounted: counts(requested) }),
    readColumns(name),
    Promise.all(filters.map(async (filter) => ({ ...filter, options: await filter.options(console) }))),
    bulk?.(console) ?? [],
  ])
  return (
    <List
      name={name}
      path={`/console/${name}`}
      rows={rows}
      total={total}
      more={more}
      page={page}
      reach={reach}
      query={keptOf(listing, requested)}
      sort={orderIn(listing, requested)}
      search={listing.search && { name: 'q', ...listing.search }}
      filters={offered.length > 0 ? offered : undefined}
      empty={listing.empty}
      id={listing.id}
      label={listing.label}
      href={listing.href}
      columns={shownColumns(listing, chosen)}
      choosable={columns.slice(1)}
      actions={actions}
      action={action}
    />
  )
}

/** Parameters that the other pages of the list keep. */
const keptOf = <Row,>({ filters = [] }: Listing<Row>, requested: Requested): Requested =>
  Object.fromEntries(['q', 'sort', ...filters.map(({ name }) => name)].map((name) => [name, requested[name]]))

type Place = { page: number; last: number; isCounted: boolean }
type Found<Row> = { rows: readonly Row[]; total: number | undefined; more: boolean }

/** Where the entries are not counted, the first one of the next page says whether there is one. */
async function readPage<Row>(
  listing: Listing<Row>,
  console: Console,
  requested: Requested,
  { page, last, isCounted }: Place,
): Promise<Found<Row>> {
  const query = operationQuery(listing, requested, console.now)
  const at = { ...query, page: String(page), per_page: String(PER_PAGE) }
  if (isCounted) {
    const { rows, total } = await console.list(listing.operation, { query: at })
    return { rows: rows as Row[], total, more: (page + 1) * PER_PAGE < total && page < last }
  }
  const next = { ...query, page: String((page + 1) * PER_PAGE), per_page: '1' }
  const [rows, [following]] = await Promise.all([
    console.read(listing.operation, { query: at }) as Promise<Row[]>,
    page < last ? (console.read(listing.operation, { query: next }) as Promise<Row[]>) : [],
  ])
  return { rows, total: page === 0 && following === undefined ? rows.length : undefined, more: following !== undefined }
}

/** A filter of few values. */
export const choice = (name: string, label: string, values: Readonly<Record<string, string>>): Filter => ({
  name,
  label,
  options: async () => Object.entries(values).map(([value, title]) => ({ value, label: title })),
})

export const yesOrNo = (name: string, label: string): Filter =>
  choice(name, label, { true: say('value.yes'), false: say('value.no') })
