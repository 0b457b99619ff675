import type { ReactNode } from 'react'
import { say } from '../../../lib/text/console'

type RowsProps<Row> = {
  rows: readonly Row[]
  id(row: Row): string
  cell(row: Row): ReactNode
  action?(row: Row): ReactNode
}

/** A short list within a panel. */
export function Rows<Row>({ rows, id, cell, action }: RowsProps<Row>) {
  if (rows.length === 0) return <p className="co-hint">{say('list.none')}</p>
  return (
    <ul className="co-rows">
      {rows.map((row) => (
        <li key={id(row)} className="co-row">
          <div className="co-row-text">{cell(row)}</div>
          {action?.(row)}
        </li>
      ))}
    </ul>
  )
}
