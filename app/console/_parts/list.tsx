import Link from 'next/link'
import type { ReactNode } from 'react'
import { say } from '../../../lib/text/console'
import { Search } from './search'
import { Empty } from './states'

export type Column<Row> = { title: string; cell(row: Row): ReactNode; wide?: boolean }

type Props<Row> = {
  /** The path of this list. */
  path: string
  rows: readonly Row[]
  total: number
  /** From 0. */
  page: number
  columns: readonly Column<Row>[]
  id(row: Row): string
  /** The page of one row; the first column links to it. */
  href?(row: Row): string
  /** Parameters of the query that other pages of the list keep. */
  query?: Readonly<Record<string, string | undefined>>
  /** The label of the search, where the list has one. */
  search?: { name: string; label: string; hint?: string }
  empty: string
  /** Beside the search: the way to make something new. */
  action?: ReactNode
  /** More controls of the search form. */
  filters?: ReactNode
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
  const { path, rows, total, page, columns, id, href, query = {}, search, empty, action, filters } = props
  const found = search ? query[search.name] : undefined
  const linked = (row: Row, content: ReactNode) =>
    href ? (
      <Link className="co-row-link" href={href(row)} prefetch={false}>
        {content}
      </Link>
    ) : (
      content
    )
  return (
    <section className="co-list">
      {(search || action || filters) && (
        <div className="co-list-head">
          {(search || filters) && (
            <Search path={path} {...search} value={found}>
              {filters}
            </Search>
          )}
          {action}
        </div>
      )}
      {rows.length === 0 ? (
        <Empty title={found ? say('list.empty.found', { query: found }) : empty}>
          {found && (
            <Link className="link" href={path} prefetch={false}>
              {say('list.clear')}
            </Link>
          )}
        </Empty>
      ) : (
        <div className="co-table-frame">
          <table className="co-table">
            <thead>
              <tr>
                {columns.map(({ title }) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={id(row)}>
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
      )}
      <Pages path={path} page={page} shown={rows.length} total={total} query={query} />
    </section>
  )
}

type PagesProps = {
  path: string
  page: number
  shown: number
  total: number
  query: Readonly<Record<string, string | undefined>>
}

function Pages({ path, page, shown, total, query }: PagesProps) {
  if (total <= PER_PAGE && page === 0) return null
  const kept = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const to = (number: number): string => `${path}?${new URLSearchParams([...kept, ['page', String(number)]])}`
  const from = page * PER_PAGE + 1
  return (
    <nav className="co-pages" aria-label={say('list.pages')}>
      <p>{say('list.range', { from: String(from), to: String(from + shown - 1), total: String(total) })}</p>
      {page > 0 && (
        <Link className="co-button" href={to(page - 1)} prefetch={false}>
          {say('list.previous')}
        </Link>
      )}
      {from + shown - 1 < total && (
        <Link className="co-button" href={to(page + 1)} prefetch={false}>
          {say('list.next')}
        </Link>
      )}
    </nav>
  )
}
