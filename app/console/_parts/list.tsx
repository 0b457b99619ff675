import Link from 'next/link'
import type { ReactNode } from 'react'
import { say } from '../../../lib/text/console'
import { ColumnChoice } from './column-choice'
import type { Column } from './listing'
import './list.css'
import { Count } from './moment'
import { Search, type ShownFilter } from './search'
import { type BulkAction, PageCheck, RowCheck, Selection } from './selection'
import { Empty } from './states'

export type { Column } from './listing'

type Query = Readonly<Record<string, string | undefined>>

type Props<Row> = {
  /** The path of this list. */
  path: string
  /** What it is called, of several lists of a page. */
  title?: string
  /** Of a list whose columns are chosen and whose rows are exported. */
  name?: string
  rows: readonly Row[]
  /** Undefined where the entries are not counted. */
  total: number | undefined
  /** Whether there is a page behind this one; without it, by the total. */
  more?: boolean
  /** From 0. */
  page: number
  /** The entries that pages reach. */
  reach?: number | undefined
  columns: readonly Column<Row>[]
  id(row: Row): string
  /** The page of one row; the first column links to it. */
  href?: ((row: Row) => string) | undefined
  /** The name of a row for who selects it. */
  label?(row: Row): string
  /** Parameters of the query that other pages of the list keep. */
  query?: Query
  sort?: string | undefined
  /** The label of the search, where the list has one. */
  search?: { name: string; label: string; hint?: string } | undefined
  empty: string
  /** Beside the search: the way to make something new. */
  action?: ReactNode
  /** More controls of the search form. */
  filters?: readonly ShownFilter[] | ReactNode
  /** Columns that a person may take away or add. */
  choosable?: readonly Column<Row>[]
  /** What can be done with several rows. */
  actions?: readonly BulkAction[]
}

export const PER_PAGE = 25

/** The number of the page that a query asks for. */
export const pageIn = ({ page }: Readonly<Record<string, string>>): number =>
  /^\d{1,6}$/.test(page ?? '') ? Number(page) : 0

/** The query of an operation that lists by pages. */
export const pageQuery = (page: number): Record<string, string> => ({
  page: String(page),
  per_page: String(PER_PAGE),
  include_totals: 'true',
})

/** A list with search and pages, which the server makes. On a phone each row is a card. */
export function List<Row>(props: Props<Row>) {
  const {
    path,
    title,
    name,
    rows,
    total,
    page,
    columns,
    query = {},
    search,
    empty,
    action,
    filters,
    choosable = [],
  } = props
  const { actions = [], id, label = id } = props
  const requested = Object.entries(query).filter(([key, value]) => key !== 'sort' && Boolean(value))
  const found = search ? query[search.name] : undefined
  const content =
    rows.length === 0 ? (
      <Empty
        title={
          found ? say('list.empty.found', { query: found }) : requested.length > 0 ? say('list.empty.filtered') : empty
        }
      >
        {requested.length > 0 && (
          <Link className="link" href={path} prefetch={false}>
            {say('list.clear')}
          </Link>
        )}
      </Empty>
    ) : (
      <Table {...props} actions={actions} label={label} to={(more) => addressOf(path, { ...query, ...more })} />
    )
  return (
    <section className="co-list" aria-label={title ?? say('list.title')}>
      {(search || action || filters) && (
        <div className="co-list-head">
          {(search || filters) && (
            <Search path={path} {...search} value={found} sort={query.sort} filters={filters} requested={query} />
          )}
          {action}
        </div>
      )}
      {name !== undefined && rows.length > 0 && (
        <div className="co-list-tools">
          {choosable.length > 0 && (
            <ColumnChoice
              list={name}
              columns={choosable.map(({ title }) => ({ title, isShown: columns.some((each) => each.title === title) }))}
            />
          )}
          <a className="link" href={addressOf(`/console/export/${name}`, query)} download={`${name}.csv`}>
            {say('list.export')}
          </a>
        </div>
      )}
      {actions.length > 0 && name !== undefined ? (
        <Selection name={name} actions={actions}>
          {content}
        </Selection>
      ) : (
        content
      )}
      <Pages {...props} path={path} page={page} total={total} shown={rows.length} query={query} />
    </section>
  )
}

/** An address without the parameters that have no value. */
function addressOf(path: string, query: Query): string {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

type TableProps<Row> = Pick<Props<Row>, 'rows' | 'columns' | 'id' | 'href' | 'sort'> & {
  actions: readonly BulkAction[]
  label(row: Row): string
  to(query: Query): string
}

function Table<Row>({ rows, columns, id, href, sort, actions, label, to }: TableProps<Row>) {
  const linked = (row: Row, content: ReactNode) =>
    href ? (
      <Link className="co-row-link" href={href(row)} prefetch={false}>
        {content}
      </Link>
    ) : (
      content
    )
  return (
    <div className="co-table-frame">
      <table className="co-table">
        <thead>
          <tr>
            {actions.length > 0 && (
              <th scope="col" className="co-check-cell">
                <PageCheck rows={rows.map((row) => ({ id: id(row), label: label(row) }))} />
              </th>
            )}
            {columns.map((column) => (
              <SortHead key={column.title} title={column.title} field={column.sort} sort={sort} to={to} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)}>
              {actions.length > 0 && (
                <td className="co-check-cell">
                  <RowCheck id={id(row)} label={label(row)} />
                </td>
              )}
              {columns.map(({ title, cell }, place) => (
                <td key={title} data-title={place === 0 ? undefined : title}>
                  {place === 0 ? linked(row, cell(row)) : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type SortProps = { title: string; field: string | undefined; sort: string | undefined; to(query: Query): string }

/** A title orders the rows, and the other way round once they are so. */
function SortHead({ title, field, sort, to }: SortProps) {
  if (field === undefined) return <th scope="col">{title}</th>
  const isAscending = sort === `${field}:1`
  const order = isAscending ? 'ascending' : sort === `${field}:-1` ? 'descending' : undefined
  return (
    <th scope="col" aria-sort={order}>
      <Link
        className="co-sort"
        href={to({ sort: `${field}:${isAscending ? -1 : 1}`, page: undefined })}
        prefetch={false}
        scroll={false}
      >
        {title}
      </Link>
    </th>
  )
}

type PagesProps = Pick<Props<unknown>, 'path' | 'page' | 'total' | 'more' | 'reach'> & { shown: number; query: Query }

function Pages({ path, page, shown, total, more, reach, query }: PagesProps) {
  const from = page * PER_PAGE + 1
  const hasNext = more ?? from + shown - 1 < (total ?? 0)
  if (page === 0 && !hasNext) return null
  const to = (number: number): string => addressOf(path, { ...query, page: String(number) })
  const isEnd = reach !== undefined && from + PER_PAGE > reach
  return (
    <nav className="co-pages" aria-label={say('list.pages')}>
      <p>
        {shown > 0 && (
          <>
            <Count of={from} />–<Count of={from + shown - 1} />
          </>
        )}
        {total !== undefined && (
          <>
            {' '}
            {say('list.of')} <Count of={total} />
          </>
        )}
        {isEnd && ` · ${say('list.reach')}`}
      </p>
      {page > 0 && (
        <Link className="co-button" href={to(page - 1)} prefetch={false} rel="prev">
          {say('list.previous')}
        </Link>
      )}
      {hasNext && (
        <Link className="co-button" href={to(page + 1)} prefetch={false} rel="next">
          {say('list.next')}
        </Link>
      )}
    </nav>
  )
}
